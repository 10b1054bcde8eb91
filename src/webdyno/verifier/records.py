"""What a verifier is given and what it leaves behind."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
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


class Breakdown(Mismatch):
    """No answer came, or what it did cannot be looked into: nothing is proven, for or against."""

    @property
    def is_breakdown(self) -> bool:
        return True


@dataclass(frozen=True)
class Evidence:
    """One claim about a server and whether it held.

    `phase` is "before", "during" or "after" the load; `detail` tells what was seen, and for a
    claim that failed, what was expected.
    """

    claim: str
    ok: bool
    detail: str = ""
    phase: str = "before"


@dataclass(frozen=True)
class Preparation:
    """What a scenario sets up before the server starts.

    `env` joins the server's environment. `variables` replaces keys of the manifest's variables, as
    in `{"n": {"kind": "choice", "values": ["3", "17"]}}`. `lookups` holds, for each variable that
    a `lookup` check names, the body expected for each of its values.
    """

    env: Mapping[str, str] = field(default_factory=dict)
    variables: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    lookups: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Change:
    """A change of what the server reads, made by `make` while the load runs.

    From then on a `lookup` of `variable` has these bodies `expected`, for the values named. Without
    a variable, no check of an answer depends on it: whether it was heeded, `reconcile` tells.
    """

    make: Callable[[], None]
    variable: str = ""
    expected: Mapping[str, str] = field(default_factory=dict)

    def spec(self) -> dict[str, Any] | None:
        """What is right once it is made, in the engine's terms; None where no check changes."""
        if not self.variable:
            return None
        return {"kind": "lookup", "variable": self.variable, "expected": dict(self.expected)}

    def apply(self) -> None:
        """Make it; it is complete on return. Raises `Mismatch`."""
        self.make()


@dataclass(frozen=True)
class Spent:
    """What the right answers of the measured load cost: `server_cpu_s` is the CPU time of the
    server's whole process tree, from the first connection to the last answer."""

    answers: int
    server_cpu_s: float


@dataclass(frozen=True)
class Sample:
    """One answer of the load, kept in full for the audit.

    `request` is the name of the request template, `variables` the values drawn for it, `at_s` the
    seconds from the start of the load to the answer.
    """

    request: str
    variables: Mapping[str, str]
    status: int
    headers: list[tuple[str, str]]
    body: bytes
    at_s: float

    def header(self, name: str) -> str:
        """The first header called `name`, in any case; "" where there is none."""
        wanted = name.lower()
        return next((value for key, value in self.headers if key.lower() == wanted), "")
