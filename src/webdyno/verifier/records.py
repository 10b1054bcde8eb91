"""What a verifier is given and what it leaves behind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


class Mismatch(Exception):
    """The server did not do the work. The message says, in one line, what it did instead."""


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
