"""Starting a server: launch it on a free port and wait for its first answer."""

from __future__ import annotations

import hashlib
import secrets
import shutil
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from webdyno.runtime.confinement.confine import Confinement
from webdyno.runtime.confinement.protection import landlock_holds
from webdyno.runtime.confinement.sandbox import CONTENT, Sandbox, programs_of, sandbox_of
from webdyno.runtime.home import Home
from webdyno.runtime.ports import free_port, is_listening
from webdyno.runtime.processes.process import ManagedProcess, plain_environment
from webdyno.runtime.trees import hand_over
from webdyno.trial.folders import TrialFolders
from webdyno.trial.plan import TrialPlan
from webdyno.trial.starting.awaiting import StartError, await_answer, await_end
from webdyno.trial.starting.denied_writes import remedy_of_denied_write

TRIAL_VARIABLE = "WEBDYNO_TRIAL"
"""Marks every process of a trial, so that one that left its session is still known as ours."""

CLOSING_S = 2.0
"""How long the port of a server that has ended may stay open."""


def mark_of(run_id: str) -> str:
    """How the mark of every trial of a run begins: opaque, so that no server learns from it what
    its trial is for."""
    return hashlib.sha256(run_id.encode()).hexdigest()[:12]


@dataclass(frozen=True)
class RunningServer:
    """A server that has answered."""

    process: ManagedProcess
    address: str
    port: int
    start_seconds: float
    confinement: Confinement


def start(
    plan: TrialPlan, env: Mapping[str, str], folders: TrialFolders, suffix: str = ""
) -> RunningServer:
    """Launch the plan's server with the scenario's `env`; returns at its first answer.

    It works in its build, which it may not change, or in a copy of it, which it may and which lies
    in its own folder among `folders`. `suffix` keeps the own folder and the log of a further start
    apart from those of the first.

    Any status but those of `NOT_READY` will do for an answer: whether it is the right one is the
    verifier's to say.
    Raises `StartError`, with nothing left running.
    """
    # Where servers cannot write to builds, a run looks once before its trials and once after them.
    if not landlock_holds() and plan.build.is_changed():
        raise StartError(f"{plan.server_variant.label}: {plan.build.told_changed()}")
    address = plan.site.address
    port = free_port(address)
    token = f"{mark_of(plan.run_id)}{secrets.token_hex(4)}"
    run = plan.server_variant.server.run_of(plan.server_variant.variant)
    values = {
        "${HOST}": address,
        "${PORT}": str(port),
        "${CPUS}": str(len(plan.placement.server)),
        "${SCENARIO}": plan.scenario.id,
        **{f"${{{name}}}": value for name, value in env.items()},
    }
    environment = {
        **plain_environment(),
        "HOST": address,
        "PORT": str(port),
        TRIAL_VARIABLE: token,
        "WEBDYNO_SCENARIO": plan.scenario.id,
        "WEBDYNO_CPUS": str(len(plan.placement.server)),
        **plan.build.env,
        **env,
        **{key: _substitute(value, values) for key, value in run.env.items()},
    }
    own_folder = folders.of_start(suffix)
    own_folder.mkdir()
    environment |= _temporary(own_folder / "tmp", environment)
    copy = own_folder / "service"
    folder = _copied(plan.build.folder, copy) if run.writes else plan.build.folder
    log = plan.log.with_suffix(f"{suffix}.log")
    *preparations, command = (
        [_substitute(part, values) for part in one] for one in [*run.prepare, run.command]
    )
    sandbox = _sandbox_of(plan, folders, suffix, log, [*preparations, command], environment)
    share = plan.share
    confinement = Confinement.open(share.cpus, share.memory_bytes)
    process: ManagedProcess | None = None

    def launched(argv: Sequence[str]) -> ManagedProcess:
        return ManagedProcess.start(
            argv,
            name=plan.server_variant.label,
            cwd=folder,
            env=environment,
            log=log,
            cpus=plan.placement.server,
            confinement=confinement,
            sandbox=sandbox,
            token=(TRIAL_VARIABLE, token),
        )

    try:
        for one in preparations:
            process = launched(one)
            await_end(process, one, run.start_timeout)
        process = launched(command)
        ready_path = run.ready or plan.scenario.manifest.requests[0].path
        seconds = await_answer(process, address, port, ready_path, run.start_timeout)
    except BaseException as error:
        killed = over_memory(plan, confinement)
        if process is not None:
            process.stop(grace_s=1.0)
            process.end_all()
        confinement.close()
        if killed and isinstance(error, StartError):
            raise StartError(f"{plan.server_variant.label}: {killed}") from None
        denied = "" if run.writes else remedy_of_denied_write(log, folder)
        if denied and isinstance(error, StartError):
            raise StartError(f"{error}; {denied}") from None
        raise
    return RunningServer(process, address, port, seconds, confinement)


def _copied(build: Path, folder: Path) -> Path:
    """A copy of the build for one trial, so that no state passes to the next."""
    shutil.copytree(build, folder, symlinks=True)
    return folder


def _temporary(folder: Path, environment: Mapping[str, str]) -> dict[str, str]:
    """A temporary folder and a home of the trial's own; Java knows no variable for the first."""
    folder.mkdir(mode=0o700)
    java = (environment.get("JAVA_TOOL_OPTIONS", ""), f"-Djava.io.tmpdir={folder}")
    return {
        "TMPDIR": str(folder),
        "HOME": str(folder),
        "JAVA_TOOL_OPTIONS": " ".join(java).strip(),
        "PYTHONDONTWRITEBYTECODE": "1",  # Its build is not to be changed.
    }


def _sandbox_of(
    plan: TrialPlan,
    folders: TrialFolders,
    suffix: str,
    log: Path,
    commands: Sequence[list[str]],
    environment: Mapping[str, str],
) -> Sandbox:
    build = plan.build.folder
    log.parent.mkdir(parents=True, exist_ok=True)
    log.touch()
    sandbox = sandbox_of(
        build,
        hidden=[
            build.parents[1],
            plan.temporary.parent,
            Home.default().cache,
            *(
                root / name
                for root in plan.server_variant.server.folder.parents[2:3]
                for name in CONTENT
            ),
        ],
        own=[folders.of_start(suffix), folders.written],
        log=log,
        programs=[path for one in commands for path in programs_of(one, build, environment)],
        also={folders.laid_out, *_runtimes(plan)},
    )
    hand_over(log, sandbox.user)
    folders.hand_over(sandbox.user, suffix)
    return sandbox


def _runtimes(plan: TrialPlan) -> set[Path]:
    """The folders among all builds that hold the runtime which this one was made for."""
    builds = plan.build.folder.parent
    named = [Path(path) for value in plan.build.env.values() for path in value.split(":")]
    return {builds / path.relative_to(builds).parts[0] for path in named if builds in path.parents}


def over_memory(plan: TrialPlan, confinement: Confinement) -> str:
    """That the server wanted more memory than its limit; empty where it did not."""
    kills = confinement.memory_kills()
    if not kills or plan.share.memory_bytes is None:
        return ""
    killed = "a process" if kills == 1 else f"{kills} processes"
    limit = plan.share.memory_bytes / 1e6
    return (
        f"out of memory: the limit is {limit:,.0f} MB, and {killed} of the server had to be killed"
    )


def port_is_free_again(server: RunningServer) -> bool:
    """Whether nothing listens on the server's port any more, at the latest after `CLOSING_S`."""
    deadline = time.monotonic() + CLOSING_S
    while is_listening(server.port, server.address):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def _substitute(text: str, values: Mapping[str, str]) -> str:
    for name, value in values.items():
        text = text.replace(name, value)
    return text
