"""Requests of a load, counted by what became of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

from pydantic import BaseModel, ConfigDict

ERROR_KINDS = (
    "wrong_status",
    "failed_check",
    "refused",
    "reset",
    "timed_out",
    "malformed",
    "not_sent",
    "client_limit",
)
"""Counts that are errors; `unfinished` answers were cut off by the end of the load, not failed."""


class Tally(BaseModel):
    """Counts by kind; those of the parts of a load are added. A kind that is not known here is
    passed over."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    def __add__(self, other: Self) -> Self:
        pairs = zip(self, other, strict=True)
        return type(self)(**{kind: mine + theirs for (kind, mine), (_, theirs) in pairs})


class RequestCounts(Tally):
    """Requests that were due, by what became of them."""

    offered: int = 0
    sent: int = 0
    ok: int = 0
    wrong_status: int = 0
    failed_check: int = 0
    refused: int = 0
    reset: int = 0
    timed_out: int = 0
    malformed: int = 0
    not_sent: int = 0
    client_limit: int = 0
    """Never left for want of a file or port on this machine."""
    unfinished: int = 0

    @property
    def errors(self) -> int:
        """Those of all error kinds."""
        return self.of(ERROR_KINDS)

    @property
    def answered(self) -> int:
        """Those that had an answer, right or wrong."""
        return self.ok + self.wrong_status + self.failed_check

    @property
    def judged(self) -> int:
        """Those by which the server may be judged."""
        return self.offered - self.client_limit

    def of(self, kinds: Iterable[str]) -> int:
        """Those of these kinds together."""
        return sum(getattr(self, kind) for kind in kinds)

    def told(self, kinds: Iterable[str]) -> str:
        """Those of these kinds that there are, with their numbers: `reset 2, refused 1`."""
        return ", ".join(f"{kind} {count}" for kind in kinds if (count := getattr(self, kind)))

    def by_kind(self) -> dict[str, int]:
        """As exports and verifiers take them."""
        return dict(self)
