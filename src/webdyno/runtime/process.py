"""A program the laboratory started: pinned, logged, in its own session, stopped with its tree."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from webdyno.runtime.placement import pinned
from webdyno.runtime.proc import descendants, is_zombie

STOP_GRACE_S = 5.0
"""How long a program may take to stop after SIGTERM before it is killed."""


class LaunchError(Exception):
    """A program could not be started; the message names it."""


class ManagedProcess:
    """A started program. Use `stop` to end it and everything it started."""

    def __init__(self, process: subprocess.Popen[bytes], name: str, log: Path) -> None:
        self._process = process
        self.name = name
        self.log = log
        self.killed = False
        """True after `stop` where the program did not obey SIGTERM in time."""
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
    ) -> ManagedProcess:
        """Start `argv` (resolved against `cwd` where it has a slash). Raises `LaunchError`."""
        log.parent.mkdir(parents=True, exist_ok=True)
        program = str(cwd / argv[0]) if "/" in argv[0] and not argv[0].startswith("/") else argv[0]
        try:
            with log.open("ab") as output, pinned(cpus):
                process = subprocess.Popen(
                    [program, *argv[1:]],
                    cwd=cwd,
                    env=dict(env),
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                    start_new_session=True,  # Ctrl-C is ours to handle, in order.
                    user=user,
                )
        except OSError as error:
            raise LaunchError(f"{name}: cannot start '{argv[0]}': {error.strerror}") from None
        return cls(process, name, log)

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
        """Let it stand still with its tree (SIGSTOP), so that it neither works nor disturbs."""
        self._frozen = True
        self._send_to_tree(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let a frozen program go on; nothing happens to any other."""
        if self._frozen:
            self._frozen = False
            self._send_to_tree(signal.SIGCONT)

    def _send_to_tree(self, number: signal.Signals) -> None:
        # Most programs are one process group, which takes a signal in a single call.
        if self._process.poll() is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, number)
        if self._apart is None:
            self._apart = [pid for pid in descendants(self.pid) if self._has_own_group(pid)]
        for pid in self._apart:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                if os.getsid(pid) == self.pid:  # Still its own: pids are used again.
                    os.kill(pid, number)

    def _has_own_group(self, pid: int) -> bool:
        with contextlib.suppress(ProcessLookupError):
            return os.getpgid(pid) != self.pid
        return False

    def stop(self, grace_s: float = STOP_GRACE_S, how: signal.Signals = signal.SIGTERM) -> float:
        """End the program and its tree; gives the seconds it took.

        First `how`, to the program alone as a service manager would; after `grace_s` SIGKILL.
        Whatever of its tree outlives it is killed, too.
        """
        started = time.monotonic()
        self.thaw()
        tree = descendants(self.pid)
        if self._process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, how)
            if self.wait(grace_s) is None:
                self.killed = True
                self._process.kill()
                self._process.wait()
        seconds = time.monotonic() - started
        for pid in [pid for pid in tree if not is_zombie(pid)]:
            self._kill_orphan(pid)
        return seconds

    def _kill_orphan(self, pid: int) -> None:
        # Only a process still in the program's own session is surely its own: pids are reused.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if os.getsid(pid) == self.pid:
                os.kill(pid, signal.SIGKILL)

    def log_tail(self, lines: int = 20) -> str:
        """The last `lines` lines of its output."""
        return tail(self.log, lines)


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


def plain_environment() -> dict[str, str]:
    """The environment servers start from: the same on every machine but for where things are."""
    kept = ("PATH", "HOME", "TMPDIR", "JAVA_HOME", "LD_LIBRARY_PATH", "PYENV_ROOT")
    base = {key: os.environ[key] for key in kept if key in os.environ}
    return {**base, "LANG": "C.UTF-8", "TZ": "UTC"}
