"""An access log that a server writes: a line for each request, in the Common Log Format."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from webdyno.verifier.base import Verifier

LINE = re.compile(
    r'\S+ - - \[\d{2}/[A-Z][a-z]{2}/\d{4}:\d{2}:\d{2}:\d{2} [+-]\d{4}\] "'
    r'(?P<method>[A-Z]+) (?P<target>\S+) HTTP/1\.1" (?P<status>\d{3}) (?P<length>\d+|-)'
)
"""One line of it, whole: host, two names that nobody uses, time, request, status and length."""

_BYTES = re.compile(LINE.pattern.encode() + rb"\r?\n?")
_WAIT_S = 5.0
_LOOK_S = 0.01
_CHUNK = 1 << 20

Named = tuple[str, str]
"""The method and the target of a request, as a line names them."""


class LoggedRequests(NamedTuple):
    """What was logged."""

    lines: int
    """Those in the Common Log Format."""
    requests: frozenset[Named]


class AccessLog:
    """The log at `path`, from a mark on; the mark is at its beginning first.

    Servers write their logs late and in pieces, so every question waits for its answer a while.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._mark = 0

    def mark(self) -> None:
        """Forget what has been written so far."""
        self._mark = self.path.stat().st_size if self.path.is_file() else 0

    def problem(self, method: str, target: str, status: int) -> str | None:
        """Why there is no line since the mark for such a request; None where there is one."""
        deadline = time.monotonic() + _WAIT_S
        while True:
            lines = self._lines()
            mine = [line for line in lines if target in line]
            if mine or time.monotonic() > deadline:
                break
            time.sleep(_LOOK_S)
        if not mine:
            last = f"the last of {len(lines)} lines is {lines[-1]!r}" if lines else "it is empty"
            return f"no line for {method} {target} within {_WAIT_S:.0f} s; {last}"
        found = LINE.fullmatch(mine[0])
        if found is None:
            return f"not in the Common Log Format: {mine[0]!r}"
        if (found["method"], found["target"], found["status"]) != (method, target, str(status)):
            return f"{method} {target}, answered {status}, was logged as {mine[0]!r}"
        return None

    def logged(self, least: int, asked: Sequence[Named] = ()) -> LoggedRequests:
        """What was logged since the mark, once there are `least` lines and each request `asked` for
        is named (requests of before may make up the number), or a while has passed."""
        deadline = time.monotonic() + _WAIT_S
        while True:
            late = time.monotonic() > deadline
            if late or self._count() >= least:
                found = self._read()
                if late or unnamed(found, asked) is None:
                    return found
            time.sleep(_LOOK_S * 10)

    def _read(self) -> LoggedRequests:
        if not self.path.is_file():
            return LoggedRequests(0, frozenset())
        lines, named = 0, set[tuple[bytes, bytes]]()
        with self.path.open("rb") as file:
            file.seek(self._mark)
            for line in file:
                if found := _BYTES.fullmatch(line):
                    lines += 1
                    named.add((found["method"], found["target"]))
        requests = ((method.decode(), target.decode("latin-1")) for method, target in named)
        return LoggedRequests(lines, frozenset(requests))

    def _lines(self) -> list[str]:
        if not self.path.is_file():
            return []
        with self.path.open("rb") as file:
            file.seek(self._mark)
            text = file.read().decode("utf-8", "replace")
        return text.splitlines()

    def _count(self) -> int:
        if not self.path.is_file():
            return 0
        with self.path.open("rb") as file:
            file.seek(self._mark)
            return sum(chunk.count(b"\n") for chunk in iter(lambda: file.read(_CHUNK), b""))


def expect_logged(verifier: Verifier, log: AccessLog, answers: int, asked: Sequence[Named]) -> None:
    """Record that the `log` has a line for each of so many `answers` of the load, and names the
    requests `asked` for, of which there are none where no answer was kept. Raises `Mismatch`."""
    logged = log.logged(answers, asked)
    verifier.expect(
        "the log has a line for every answer of the load",
        logged.lines >= answers,
        f"{logged.lines} lines, {answers} answers",
    )
    if asked:
        verifier.expect_each(
            f"the log names the requests of {len(asked)} answers of the load",
            [unnamed(logged, asked)],
        )


def unnamed(logged: LoggedRequests, asked: Iterable[Named]) -> str | None:
    """Which of the requests `asked` for is in no line; None where all are."""
    for method, target in asked:
        if (method, target) not in logged.requests:
            return f"no line names {method} {target}"
    return None
