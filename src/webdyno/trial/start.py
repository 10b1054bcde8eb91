"""Starting a server: launch it on a free port and wait for its first answer."""

from __future__ import annotations

import contextlib
import http.client
import os
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from webdyno.runtime.confine import Confinement
from webdyno.runtime.ports import LOOPBACK, free_port, is_listening
from webdyno.runtime.proc import carries, descendants, is_zombie
from webdyno.runtime.process import ManagedProcess, plain_environment
from webdyno.trial.plan import TrialPlan

START_TIMEOUT_S = 60.0
TRIAL_VARIABLE = "WEBDYNO_TRIAL"
"""Marks every process of a trial, so that one that left its session is still known as ours."""

_LOOK_EVERY_S = 0.004


class StartError(Exception):
    """The server did not come up; the message says what it did instead."""


@dataclass(frozen=True)
class RunningServer:
    """A server that has answered."""

    process: ManagedProcess
    port: int
    start_seconds: float
    token: str
    confinement: Confinement

    def left_behind(self) -> list[int]:
        """Processes of the trial that are still alive, daemons that left its session included."""
        return [
            pid
            for pid in descendants(os.getpid())
            if not is_zombie(pid) and carries(pid, TRIAL_VARIABLE, self.token)
        ]


def start(plan: TrialPlan, env: Mapping[str, str], cwd: Path) -> RunningServer:
    """Launch the plan's server with the scenario's `env`; returns at its first answer.

    Any status will do for an answer: whether it is the right one is the verifier's to say.
    Raises `StartError`, with nothing left running.
    """
    port = free_port()
    token = f"{plan.run_id}-{plan.index}-{secrets.token_hex(4)}"
    run = plan.contender.server.run_of(plan.contender.variant)
    values = {
        "${PORT}": str(port),
        "${CPUS}": str(len(plan.placement.server)),
        "${SCENARIO}": plan.scenario.id,
    }
    environment = {
        **plain_environment(),
        "PORT": str(port),
        TRIAL_VARIABLE: token,
        "WEBDYNO_SCENARIO": plan.scenario.id,
        "WEBDYNO_CPUS": str(len(plan.placement.server)),
        **{key: _substitute(value, values) for key, value in run.env.items()},
        **env,
    }
    share = plan.share
    confinement = Confinement.open(share.cpus, share.memory_bytes)
    process: ManagedProcess | None = None
    started = time.monotonic()
    try:
        process = ManagedProcess.start(
            confinement.wrap([_substitute(part, values) for part in run.command]),
            name=plan.contender.label,
            cwd=cwd,
            env=environment,
            log=plan.log,
            cpus=plan.placement.server,
        )
        _await_answer(process, port, plan.scenario.manifest.requests[0].path, started)
    except BaseException as error:
        why = over_memory(plan, confinement)
        if process is not None:
            process.stop(grace_s=1.0)
        confinement.close()
        if why and isinstance(error, StartError):
            raise StartError(f"{plan.contender.label}: {why}") from None
        raise
    return RunningServer(process, port, time.monotonic() - started, token, confinement)


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


def port_is_free_again(port: int, within_s: float = 2.0) -> bool:
    """True once nothing listens on `port` any more."""
    deadline = time.monotonic() + within_s
    while is_listening(port):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def _await_answer(process: ManagedProcess, port: int, path: str, started: float) -> None:
    target = path.partition("?")[0]
    while True:
        if (code := process.exit_code()) is not None:
            last = process.log_tail(1).strip()
            raise StartError(
                f"{process.name} ended with {code} at start: {last[:200] or 'no output'}"
            )
        if _answers(port, target):
            return
        if time.monotonic() - started > START_TIMEOUT_S:
            raise StartError(
                f"{process.name} gave no answer on {LOOPBACK}:{port} within {START_TIMEOUT_S:.0f} s"
            )
        time.sleep(_LOOK_EVERY_S)


def _answers(port: int, target: str) -> bool:
    connection = http.client.HTTPConnection(LOOPBACK, port, timeout=START_TIMEOUT_S)
    with contextlib.suppress(OSError, http.client.HTTPException), contextlib.closing(connection):
        connection.request("GET", target, headers={"Connection": "close"})
        connection.getresponse().read()
        return True
    return False


def _substitute(text: str, values: Mapping[str, str]) -> str:
    for name, value in values.items():
        text = text.replace(name, value)
    return text
