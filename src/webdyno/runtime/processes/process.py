"""A program the laboratory started: pinned, logged, in its own session, stopped with its tree."""

from __future__ import annotations

import contextlib
import errno
import os
import pwd
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from webdyno.printable import printable
from webdyno.runtime.confinement.confine import Confinement
from webdyno.runtime.confinement.sandbox import Sandbox
from webdyno.runtime.machine.placement import pinned
from webdyno.runtime.processes import log_ring
from webdyno.runtime.processes.family import Family
from webdyno.runtime.processes.open_files import with_limit
from webdyno.runtime.processes.toolchain_homes import toolchain_homes

STOP_GRACE_S = 5.0
"""How long a program may take to stop after SIGTERM before it is killed."""


KILL_GRACE_S = 10.0
"""How long a killed program is waited for: one that the kernel holds in a wait ends when it may."""


class LaunchError(Exception):
    """A program could not be started; the message names it."""


class ManagedProcess:
    """A started program. Use `stop` to end it and everything it started."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        name: str,
        log: Path,
        confinement: Confinement | None = None,
        token: tuple[str, str] | None = None,
    ) -> None:
        self._process = process
        self.name = name
        self.log = log
        self.killed = False
        """True after `stop` where the program did not obey SIGTERM in time."""
        self._confinement, self._token = confinement, token
        group = confinement.keep if confinement else None
        account = confinement.account if confinement else None
        self.family = Family(process.pid, token=token, group=group, account=account)
        self.began = time.monotonic()
        """When it was let go on, by this process's monotonic clock: in its groups already."""
        self._frozen = False
        self._apart: list[int] | None = None

    @classmethod
    def start(
        cls,
        argv: Sequence[str],
        *,
        name: str,
        cwd: Path,
        env: Mapping[str, str],
        log: Path,
        cpus: tuple[int, ...] = (),
        user: str | int | None = None,
        confinement: Confinement | None = None,
        sandbox: Sandbox | None = None,
        token: tuple[str, str] | None = None,
    ) -> ManagedProcess:
        """Start `argv` (resolved against `cwd` where it has a slash). Raises `LaunchError`.

        `token` is a variable of `env` and its value that no other program is given.
        """
        log.parent.mkdir(parents=True, exist_ok=True)
        program = str(cwd / argv[0]) if "/" in argv[0] and not argv[0].startswith("/") else argv[0]
        # The shell would tell of a missing program in its own words.
        if shutil.which(program, path=env.get("PATH")) is None:
            raise LaunchError(_cannot_start(name, argv[0], _why_not(program)))
        command = [program, *argv[1:]]
        if confinement:
            command = confinement.wrap(command)
        command = with_limit(command)

        def launch() -> subprocess.Popen[bytes]:
            with pinned(cpus):
                return subprocess.Popen(
                    command,
                    cwd=cwd,
                    env=dict(env),
                    stdin=subprocess.PIPE if confinement else subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                    start_new_session=True,  # Ctrl-C is ours to handle, in order.
                    **_identity(user or (sandbox.user if sandbox else None)),
                )

        try:
            with log.open("ab") as output:
                process = sandbox.run(launch) if sandbox else launch()
            made = cls(process, name, log, confinement, token)
            if confinement:
                confinement.take(process)
                made.began = time.monotonic()
        except (OSError, ValueError) as error:  # ValueError: a byte that no argument can have.
            reason = getattr(error, "strerror", None) or error
            raise LaunchError(_cannot_start(name, argv[0], str(reason))) from None
        log_ring.bound(log)
        return made

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    def exit_code(self) -> int | None:
        """Its exit code (negative: the signal that ended it), or None while it lives."""
        return self._process.poll()

    def wait(self, timeout_s: float | None = None) -> int | None:
        """Wait for its end; None where `timeout_s` passed first."""
        try:
            return self._process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            return None

    def freeze(self) -> None:
        """Let it stand still with all it started, so that it neither works nor disturbs."""
        self._frozen = True
        self._signal(signal.SIGSTOP)
        if self._confinement:
            self._confinement.freeze()

    @property
    def is_held_by_a_group(self) -> bool:
        """Whether a control group holds it when it is frozen, which it cannot undo."""
        return self._confinement is not None and self._confinement.keep is not None

    def hold(self) -> None:
        """Stop what a frozen program started since it was looked at last.

        Where a control group holds it, that is frozen already. It takes a look at all processes, so
        call it when no clock runs.
        """
        if self._frozen and not self.is_held_by_a_group:
            self._apart = self.family.apart()
            self.family.send(signal.SIGSTOP, self._apart)

    def thaw(self) -> None:
        """Let a frozen program go on; nothing happens to any other."""
        if self._frozen:
            self._frozen = False
            self.family.awake_since = time.monotonic()
            if self._confinement:
                self._confinement.thaw()
            self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        # Most programs are one process group, which takes a signal in a single call.
        if self._process.poll() is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, number)
        if self._apart is None:
            self._apart = self.family.apart()
        self.family.send(number, self._apart)

    def stop(self, grace_s: float = STOP_GRACE_S, how: signal.Signals = signal.SIGTERM) -> float:
        """End the program and its tree; gives the seconds it took.

        First `how`, to the program alone as a service manager would; after `grace_s` SIGKILL.
        Whatever it started and outlives it is killed, too; of a program with a token only what
        stayed in its session, so that `left_behind` can tell of the rest.
        """
        started = time.monotonic()
        self.thaw()
        self.family.members()  # Once it has ended, nobody tells whose its orphans are.
        if self._process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, how)
                os.kill(self.pid, signal.SIGCONT)  # Whom somebody stopped would not hear it.
            if self.wait(grace_s) is None:
                self.killed = True
                self._process.kill()
                self.wait(KILL_GRACE_S)
        seconds = time.monotonic() - started
        if self._token is None:
            self.end_all()
        else:
            self.family.end(self.family.in_own_session())
        log_ring.cut(self.log)
        return seconds

    def left_behind(self) -> list[int]:
        """What of it still runs after `stop`: daemons that left its session."""
        return [] if self.family.is_gone else self.family.alive()

    def end_all(self) -> None:
        """Kill whatever is left of it, and forget it."""
        self.family.end()
        self.family.close()

    def log_tail(self, lines: int = 20) -> str:
        """The last `lines` lines of its output, fit to be shown."""
        return printable(tail(self.log, lines))


def _why_not(program: str) -> str:
    """Why `program`, which cannot be executed, cannot: in the system's words."""
    is_there = "/" in program and os.path.exists(program)
    return os.strerror(errno.EACCES if is_there else errno.ENOENT)


def _cannot_start(name: str, program: str, reason: str) -> str:
    message = f"{name}: cannot start '{program}': {reason}"
    if "${" in program:
        return f"{message}; in [run], only ${{PORT}}, ${{CPUS}} and ${{SCENARIO}} are filled in"
    if "/" in program or reason != os.strerror(errno.ENOENT):
        return message
    return f"{message}; install it, or change the command"


def tail(path: Path, lines: int = 20) -> str:
    """The last lines of a text file, empty where there is none."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - 64 * 1024))
            text = file.read().decode("utf-8", "replace")
    except OSError:
        return ""
    return "\n".join(text.splitlines()[-lines:])


def _identity(user: str | int | None) -> dict[str, Any]:
    """Whom a program runs as: no group of ours goes with it."""
    if user is None or isinstance(user, int):
        return {"user": user}
    return {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []}


def plain_environment() -> dict[str, str]:
    """The environment servers start from: the same on every machine but for where things are."""
    base = {key: os.environ[key] for key in ("HOME", "TMPDIR") if key in os.environ}
    return {**base, **toolchain_homes(), "LANG": "C.UTF-8", "TZ": "UTC"}
