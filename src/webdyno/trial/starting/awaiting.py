"""Waiting until a server answers, or what prepares it has ended; else, what it did instead."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from webdyno.redaction import without_secrets
from webdyno.runtime.builds.failure_lines import NOTHING, errors_of, why
from webdyno.runtime.processes.cpu_time import TreeClock
from webdyno.runtime.processes.ending import how
from webdyno.runtime.processes.family import members_of
from webdyno.runtime.processes.listening import elsewhere, without_port
from webdyno.runtime.processes.process import ManagedProcess
from webdyno.trial.starting.first_answer import NOT_READY, answers, speaks_tls

START_TIMEOUT_S = 60.0
PATIENCE = 3
"""So many times as long has a server that uses the CPU all the while: on a busy machine it is slow
to start, and does its work nonetheless."""

PREPARE_TIMEOUT_S = 120.0
ELSEWHERE_S = 3.0
"""How long a server may listen on other ports alone, without working, before it is told so."""

_LOOK_EVERY_S = 0.004
_ASK_AGAIN_SHARE, _ASK_AGAIN_MOST_S = 0.02, 0.05
"""How long after an answer that it is not ready a server is asked again: by the time that it has
been starting for, up to so many seconds. Its answers take CPU time, too, and would make it look as
if it were still at work."""

_LONGER = "if it needs longer, raise `start_timeout` under [run]"


class StartError(Exception):
    """The server did not come up; the message says what it did instead."""


def await_answer(
    process: ManagedProcess, address: str, port: int, path: str, timeout_s: float | None = None
) -> float:
    """Seconds until the server's first answer; it has `timeout_s` for it, `START_TIMEOUT_S` where
    that is None. Raises `StartError`."""
    timeout_s = START_TIMEOUT_S if timeout_s is None else timeout_s
    target = path.partition("?")[0]
    ports, tls = _WrongPort(process.pid, address, port), _Tls(address, port)
    while True:
        if (code := process.exit_code()) is not None:
            raise StartError(f"{process.name} {how(code)} at start: {why(process.log)}")
        until = max(process.began + timeout_s, time.monotonic() + ELSEWHERE_S)
        status = answers(port, target, until, address)
        if status and status not in NOT_READY:
            return time.monotonic() - process.began
        if told := ports.other_place() or (tls.told() if status == 0 else ""):
            raise StartError(f"{process.name} {told}")
        took_s = time.monotonic() - process.began
        if took_s > timeout_s * (PATIENCE if ports.works() else 1):
            if process.family.stopped():
                raise StartError(f"{process.name} was stopped (SIGSTOP) while it started")
            if status in NOT_READY:
                raise StartError(
                    f"{process.name} still answered GET {target} with {status} after {took_s:.0f} "
                    f"s; {_LONGER}"
                )
            nowhere = without_port([process.pid, *members_of(process.pid)])
            raise StartError(
                f"{process.name} gave no answer on {address}:{port} within {took_s:.0f} s"
                f"{': ' if nowhere else ''}{nowhere}; its log {_log_text(process.log)}; "
                f"{_LONGER}"
            )
        time.sleep(_pause_s(status, took_s))


def _pause_s(status: int, took_s: float) -> float:
    """How long to wait before the next question to a server that gave this `status` after `took_s`
    seconds; 0 for none."""
    if status not in NOT_READY:
        return _LOOK_EVERY_S
    return max(_LOOK_EVERY_S, min(_ASK_AGAIN_SHARE * took_s, _ASK_AGAIN_MOST_S))


def _log_text(log: Path) -> str:
    """What the log of a server that gave no answer says, after `its log`."""
    if told := errors_of(log):
        return f"says: {told}"
    end = why(log)
    return "is empty" if end == NOTHING else f"reports no error; it ends: {end}"


class _WrongPort:
    """Notices a server that has come up, but on another port than it was asked to, and whether one
    that has not is at work."""

    _EVERY_S = 0.5
    _IDLE_SHARE = 0.05
    """Of a core: one that uses more is still starting, and its port may come yet."""

    def __init__(self, pid: int, address: str, port: int) -> None:
        self._pid, self._address, self._port = pid, address, port
        self._clock = TreeClock(pid)
        self._since = self._looked = time.monotonic()
        self._told, self._used_s = "", 0.0
        self._worked = self._since

    def works(self) -> bool:
        """Whether it has used the CPU of late."""
        return time.monotonic() - self._worked < ELSEWHERE_S

    def other_place(self) -> str:
        """What it does instead, once it has done nothing else for `ELSEWHERE_S`; else empty."""
        now = time.monotonic()
        if now - self._looked < self._EVERY_S:
            return ""
        used_s = self._clock.seconds()
        busy = used_s - self._used_s > self._IDLE_SHARE * (now - self._looked)
        pids = [self._pid, *members_of(self._pid)]
        seen = elsewhere(pids, self._port, self._address)
        if busy or seen != self._told:
            self._since = now
        if busy:
            self._worked = now
        self._told, self._used_s, self._looked = seen, used_s, now
        return seen if now - self._since >= ELSEWHERE_S else ""


class _Tls:
    """Notices a server that speaks TLS where it is asked in plain HTTP; asked seldom, since one
    that is starting may take note of it."""

    def __init__(self, address: str, port: int) -> None:
        self._address, self._port = address, port
        self._next = time.monotonic() + ELSEWHERE_S

    def told(self) -> str:
        """That it does; empty while that is not known."""
        if time.monotonic() < self._next:
            return ""
        self._next = time.monotonic() + ELSEWHERE_S
        if not speaks_tls(self._port, self._address):
            return ""
        return f"speaks TLS on {self._address}:{self._port}, where it is asked in plain HTTP"


def await_end(
    process: ManagedProcess, command: Sequence[str], timeout_s: float | None = None
) -> None:
    """Wait until what prepares a start has ended; it has `timeout_s` for that, but at least
    `PREPARE_TIMEOUT_S`: a server that is given more time to start takes none from it. Raises
    `StartError` where it fails."""
    timeout_s = max(timeout_s or 0.0, PREPARE_TIMEOUT_S)
    told = f"{process.name}: '{without_secrets(' '.join(command))}', which is run before it,"
    until = time.monotonic() + timeout_s
    while (code := process.exit_code()) is None:
        if time.monotonic() > until:
            raise StartError(f"{told} did not end within {timeout_s:.0f} s; {_LONGER}")
        time.sleep(_LOOK_EVERY_S)
    if code != 0:
        raise StartError(f"{told} {how(code)}: {why(process.log)}")
    process.end_all()
