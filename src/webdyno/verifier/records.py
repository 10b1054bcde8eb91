"""What a verifier is given and what it leaves behind."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

_BROKE_DOWN = re.compile(r"[^'\"]*\banswered 5\d\d\b")
"""In what was seen of an answer, before any of its own words: its status was the server's fault."""


class Mismatch(Exception):
    """The server did not do the work. The message says, in one line, what it did instead.

    `seen` is the part of it that tells what was seen; the whole message where it is left out.
    """

    def __init__(self, message: str, seen: str | None = None) -> None:
        super().__init__(message)
        self._seen = message if seen is None else seen

    @property
    def is_breakdown(self) -> bool:
        """Whether it broke down over the question instead of answering it wrongly: that proves no
        lie."""
        return _BROKE_DOWN.match(self._seen) is not None

    def beside(self, fault: Mismatch) -> Mismatch:
        """The same, with a `fault` told after it."""
        return Mismatch(f"{self}; {fault}", self._seen)


class Breakdown(Mismatch):
    """No answer came, or what it did cannot be looked into: nothing is proven, for or against."""

    @property
    def is_breakdown(self) -> bool:
        return True


class Excess(Breakdown):
    """The server takes more than its scenario allows, or hides what it does. It still answers, and
    so can be proven to lie as well."""


@contextmanager
def as_excess() -> Iterator[None]:
    """What is not as it should be in the block is no lie: raises `Excess` for any `Mismatch`."""
    try:
        yield
    except Mismatch as mismatch:
        raise Excess(str(mismatch)) from None


@dataclass(frozen=True)
class Evidence:
    """One claim about a server and whether it held.

    `phase` is "before", "during" or "after" the load; `detail` tells what was seen, and for a
    claim that failed, what was expected. `remedy` says what to change in a server that failed it;
    empty where it held, or the claim itself says so.
    """

    claim: str
    ok: bool
    detail: str = ""
    phase: str = "before"
    remedy: str = ""


@dataclass(frozen=True)
class Preparation:
    """What a scenario sets up before the server starts.

    `env` joins the server's environment. `variables` replaces keys of the manifest's variables, as
    in `{"n": {"kind": "choice", "values": ["3", "17"]}}`. `lookups` holds, for each variable that
    a `lookup` check names, the body expected for each of its values. `bodies` replaces the body
    templates of requests, by name: what is too large for a manifest.
    """

    env: Mapping[str, str] = field(default_factory=dict)
    variables: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    lookups: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    bodies: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Change:
    """A change of what the server reads, made by `make` while the load runs.

    From then on a `lookup` of `variable` has these bodies `expected`, for the values named. Or
    counters go on from `counts`, which `make` sets: numbers that none reaches by itself, each for
    one user. With neither, no check of an answer tells which state it was made from: `audit` does,
    by the times in its samples.

    `make` returns False where it looked for something to change and found none: no row was there
    that the server might have locked, and how long it took tells of the look alone.
    """

    make: Callable[[], bool | None]
    variable: str = ""
    expected: Mapping[str, str] = field(default_factory=dict)
    counts: Sequence[int] = ()

    def apply(self) -> bool:
        """Make it; it is complete on return. False where nothing was there to change. Raises
        `Mismatch`."""
        return self.make() is not False


@dataclass(frozen=True)
class Spent:
    """What the right answers of the measured load cost: `server_cpu_s` is the CPU time of the
    server's whole process tree, from the first connection to the last answer."""

    answers: int
    server_cpu_s: float
    processes: int = 0
    """The most that the tree had at a time; 0 where nobody knows."""


@dataclass(frozen=True)
class QuestionAnswer:
    """An answer to a question that is the same for every server, kept to compare them."""

    question: str
    status: int
    headers: list[tuple[str, str]]
    body: bytes


@dataclass(frozen=True)
class Sample:
    """One answer of the load, kept in full for the audit.

    `request` is the name of the request template, `variables` the values drawn for it, `at_s` the
    seconds from the start of the load to the answer. Moments on the clock of `time.monotonic` tell
    which states it may show: each change that was complete by `sent_s`, when the request was sent,
    had to be seen, and none that began after `answered_by_s` could be. The age of what a cache kept
    counts from `sent_s` as well.
    """

    request: str
    variables: Mapping[str, str]
    status: int
    headers: list[tuple[str, str]]
    body: bytes
    at_s: float
    sent_s: float = 0.0
    answered_by_s: float = 0.0
    pieces: int | None = None
    """In how many the body came, which is no fewer than its chunks; None where it is not told."""

    def header(self, name: str) -> str:
        """The first header called `name`, in any case; "" where there is none."""
        wanted = name.lower()
        return next((value for key, value in self.headers if key.lower() == wanted), "")
