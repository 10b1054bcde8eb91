"""Running the commands of a build, alone and for a limited time, with all they print in a log."""

from __future__ import annotations

import secrets
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from webdyno.redaction import without_secrets
from webdyno.runtime.builds.environment import declared_environment
from webdyno.runtime.builds.failure_lines import why
from webdyno.runtime.confinement.confine import Confinement
from webdyno.runtime.processes.process import ManagedProcess

BUILD_TIMEOUT_S = 3600.0
"""Of all commands of a build together. Vapor and its packages take ten minutes on two quiet cores,
and over thirty on busy ones."""
LOG = "webdyno-build.log"
_VARIABLE = "WEBDYNO_BUILD"
"""Marks every process of a build, so that its daemons are known."""


class BuildError(Exception):
    """A server could not be built; the message gives the command, its exit code, its error."""


def run_commands(
    id_: str, commands: Sequence[Sequence[str]], folder: Path, env: Mapping[str, str]
) -> float:
    """Run a server's build commands in `folder`, logged there; gives the seconds they took.

    `env` joins the declared environment. Raises `BuildError`; nothing is left running in any case.
    """
    log = folder / LOG
    python = getattr(sys, "_base_executable", sys.executable)
    started = time.monotonic()
    for argv in commands:
        left_s = max(0.0, started + BUILD_TIMEOUT_S - time.monotonic())
        command = [part.replace("${PYTHON}", python) for part in argv]
        command_text = without_secrets(" ".join(argv))
        with log.open("a", encoding="utf-8") as file:
            file.write(f"$ {' '.join(argv)}\n")
        code = _run(command, f"build of {id_}", folder, env, left_s)
        if code is None:
            raise BuildError(
                f"{id_}: the build took over {BUILD_TIMEOUT_S:.0f} s, so '{command_text}' was "
                f"stopped: {why(log)} ({log})"
            )
        if code != 0:
            raise BuildError(f"{id_}: '{command_text}' exited with {code}: {why(log)} ({log})")
    return time.monotonic() - started


def _run(
    command: list[str], name: str, folder: Path, env: Mapping[str, str], within_s: float
) -> int | None:
    """The exit code of a build's command; None where it took too long. Its daemons end with it."""
    token = (_VARIABLE, secrets.token_hex(8))
    # So that a build which asks git is not told of the repository that holds our state, if any.
    own = {"GIT_CEILING_DIRECTORIES": str(folder.resolve().parent)}
    environment = {**declared_environment(), **own, **env, token[0]: token[1]}
    confinement = Confinement.open()
    try:
        process = ManagedProcess.start(
            command, name=name, cwd=folder, env=environment, log=folder / LOG,
            confinement=confinement, token=token,
        )  # fmt: skip
        try:
            return process.wait(within_s)
        finally:
            process.stop(grace_s=1.0)
            process.end_all()
    finally:
        confinement.close()
