"""An access log that a server writes: a line for each request, in the Common Log Format."""

from __future__ import annotations

import contextlib
import os
import re
import stat
import time
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import BinaryIO, NamedTuple

from webdyno.verifier.base import Verifier

LINE = re.compile(
    r'\S+ - - \[\d{2}/[A-Z][a-z]{2}/\d{4}:\d{2}:\d{2}:\d{2} [+-]\d{4}\] "'
    r'(?P<method>[A-Z]+) (?P<target>\S+) HTTP/1\.1" (?P<status>\d{3}) (?P<length>\d+|-)'
)
"""One line of it, whole: host, two names that nobody uses, time, request, status and length."""

_BYTES = re.compile(LINE.pattern.encode() + rb"\r?\n?")
_LATE_S, _BUFFERED_BYTES, _LEAST = 2.0, 1_000_000, 0.5
"""A line may be written so long after its answer, and so much may wait in buffers, of all processes
together; of what is then due under load, this share has to be there."""
_CAUGHT_UP_S = 0.1
"""After this, who was frozen for others' turns until just now has seen that time has passed."""
_ENOUGH = 20
"""Sampled answers by which it is told how much is due."""

_WAIT_S = 5.0
_LOOK_S = 0.01
_CHUNK = 1 << 20
_LONGEST = 1 << 16
"""Bytes of a line that are looked at together; a request's head has no more."""

Named = tuple[str, str]
"""The method and the target of a request, as a line names them."""


class LoggedRequests(NamedTuple):
    """What was logged."""

    lines: int
    """Those in the Common Log Format."""
    requests: frozenset[Named]


class Looked(NamedTuple):
    """A look into the log while the load ran."""

    at_s: float
    """When, by `time.monotonic`."""
    until_s: float
    """A moment later, when the bytes were counted ..."""
    size: int
    """... that were there by then."""


class AccessLog:
    """The log at `path`, from a mark on; the mark is at its beginning first.

    Servers write their logs late and in pieces, so every question waits for its answer a while. A
    link is not followed: it is a log that nobody has written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.looks: list[Looked] = []
        self._mark = 0

    def mark(self) -> None:
        """Forget what has been written so far."""
        self._mark = self.size()

    def begin(self) -> None:
        """The load is next: forget what `look` saw."""
        self.looks = []

    def look(self) -> None:
        """See how much has been written by now, while the load runs."""
        at_s = time.monotonic()
        time.sleep(_CAUGHT_UP_S)
        size = self.size()
        self.looks.append(Looked(at_s, time.monotonic(), size))

    def put_off(self, answered_s: Sequence[float], answers: int) -> Iterator[str | None]:
        """Where much less was written than was due by then, now that all is written: of so many
        `answers`, `answered_s` tells when each of some was given that were drawn at random.

        What was written is counted from the first look after one of them, and what was due from
        their number, because a search makes loads before and after the one that they are of.
        """
        first_s = min(answered_s, default=0.0)
        looks = [look for look in self.looks if look.at_s >= first_s]
        if not looks:
            return
        first, *later = looks
        bytes_each = (self.size() - self._mark) / max(1, self._count())
        for look in later:
            due = sum(first.until_s < by_s < look.at_s - _LATE_S for by_s in answered_s)
            wanted = round(bytes_each * answers * due / len(answered_s))
            written = look.size - first.size
            if due >= _ENOUGH and written + _BUFFERED_BYTES < _LEAST * wanted:
                yield f"one look found {written} of the {wanted} bytes due"

    def size(self) -> int:
        """Bytes that are there now; 0 where there is no log."""
        with self._opened() as file:
            return file.seek(0, os.SEEK_END) if file else 0

    def problem(self, method: str, target: str, status: int) -> str | None:
        """Why there is no line since the mark for such a request; None where there is one."""
        deadline = time.monotonic() + _WAIT_S
        while True:
            mine, last = self._naming(target)
            if mine or time.monotonic() > deadline:
                break
            time.sleep(_LOOK_S)
        if not mine:
            return f"no line for {method} {target} within {_WAIT_S:.0f} s; {last}"
        logged = LINE.fullmatch(mine[0])
        if logged is None:
            return f"not in the Common Log Format: {mine[0]!r}"
        if (logged["method"], logged["target"], logged["status"]) != (method, target, str(status)):
            return f"{method} {target}, answered {status}, was logged as {mine[0]!r}"
        return None

    def logged(self, least: int, requests: Sequence[Named] = ()) -> LoggedRequests:
        """What was logged since the mark, once there are `least` lines and each of `requests` is
        named (requests of before may make up the number), or a while has passed."""
        deadline = time.monotonic() + _WAIT_S
        while True:
            late = time.monotonic() > deadline
            if late or self._count() >= least:
                found = self._read()
                if late or unnamed(found, requests) is None:
                    return found
            time.sleep(_LOOK_S * 10)

    def _read(self) -> LoggedRequests:
        lines, named = 0, set[tuple[bytes, bytes]]()
        with self._opened() as file:
            for line in _pieces(file):
                if found := _BYTES.fullmatch(line):
                    lines += 1
                    named.add((found["method"], found["target"]))
        requests = ((method.decode(), target.decode("latin-1")) for method, target in named)
        return LoggedRequests(lines, frozenset(requests))

    def _naming(self, target: str) -> tuple[list[str], str]:
        """The lines that hold `target`; what to tell of the log where there are none."""
        mine, number, last = list[str](), 0, b""
        with self._opened() as file:
            for last in _pieces(file):
                number += 1
                if target.encode() in last:
                    mine.append(_text(last))
        if number:
            return mine, f"the last of {number} lines is {_text(last)!r}"
        if self.path.is_symlink():
            return mine, "it is a link, which is not followed"
        return mine, "it is empty"

    def _count(self) -> int:
        with self._opened() as file:
            chunks = iter(partial(file.read, _CHUNK), b"") if file else ()
            return sum(chunk.count(b"\n") for chunk in chunks)

    @contextlib.contextmanager
    def _opened(self) -> Iterator[BinaryIO | None]:
        """The log from the mark on; None where there is none, or something else in its place, which
        the server may have put there: what a link leads to is not its log, a pipe has no end."""
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        try:
            descriptor = os.open(self.path, flags)
        except OSError:
            yield None
            return
        with open(descriptor, "rb") as file:
            if stat.S_ISREG(os.fstat(descriptor).st_mode):
                file.seek(self._mark)
                yield file
            else:
                yield None


def _pieces(file: BinaryIO | None) -> Iterator[bytes]:
    """The lines of `file`, none where it is None; one that is too long to be one in pieces."""
    return iter(partial(file.readline, _LONGEST), b"") if file else iter(())


def _text(line: bytes) -> str:
    return line.rstrip(b"\r\n").decode("utf-8", "replace")


def expect_logged(
    verifier: Verifier, log: AccessLog, answers: int, requests: Sequence[Named]
) -> None:
    """Record that the `log` has a line for each of so many `answers` of the load, and names
    `requests`, of which there are none where no answer was kept. Raises `Mismatch`."""
    logged = log.logged(answers, requests)
    verifier.expect(
        "the log has a line for every answer of the load",
        logged.lines >= answers,
        f"{logged.lines} lines, {answers} answers",
    )
    if requests:
        verifier.expect_each(
            f"the log names the requests of {len(requests)} answers of the load",
            [unnamed(logged, requests)],
        )


def expect_in_time(verifier: Verifier, log: AccessLog, answered_s: Sequence[float]) -> None:
    """Record that the lines of the load were written while it ran, by looks into the `log` and by
    when sampled answers were given; nothing where nobody looked, as in loads of other generators.
    Raises `Mismatch`."""
    if not log.looks:
        return
    verifier.expect_each(
        f"each of {len(log.looks)} looks into the log under load finds at least half of the lines"
        f" due: those of answers given {_LATE_S:g} s before, less {_BUFFERED_BYTES / 1e6:g} MB that"
        " may wait in buffers",
        log.put_off(answered_s, verifier.sampled_from),
    )


def unnamed(logged: LoggedRequests, requests: Iterable[Named]) -> str | None:
    """Which of `requests` is in no line; None where all are."""
    for method, target in requests:
        if (method, target) not in logged.requests:
            return f"no line names {method} {target}"
    return None
