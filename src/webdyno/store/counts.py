"""Requests of a load, counted by what became of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, WithJsonSchema

from webdyno.store.record import Count

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

    model_config = ConfigDict(frozen=True, extra="ignore", use_attribute_docstrings=True)

    def __add__(self, other: Self) -> Self:
        pairs = zip(self, other, strict=True)
        return type(self)(**{kind: mine + theirs for (kind, mine), (_, theirs) in pairs})


class RequestCounts(Tally):
    """Requests that were due, by what became of them: offered = sent + not_sent + refused +
    client_limit, and sent is the sum of the rest."""

    offered: Count = 0
    """That were due, by the schedule."""
    sent: Count = 0
    """That were sent."""
    ok: Count = 0
    """Answered rightly."""
    wrong_status: Count = 0
    """Answered with another status than the right one."""
    failed_check: Count = 0
    """Whose answer failed a check."""
    refused: Count = 0
    """That found no connection."""
    reset: Count = 0
    """Whose connection ended before the answer."""
    timed_out: Count = 0
    """Without an answer in time."""
    malformed: Count = 0
    """Whose answer was not of the protocol."""
    not_sent: Count = 0
    """That waited too long for a free connection."""
    client_limit: Count = 0
    """Never left for want of a file or port on this machine."""
    unfinished: Count = 0
    """That the end of the load cut off."""

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

    def text_of(self, kinds: Iterable[str]) -> str:
        """Those of these kinds that there are, with their numbers: `timed out 2, refused 1`."""
        counted = ((kind.replace("_", " "), getattr(self, kind)) for kind in kinds)
        return ", ".join(f"{kind} {count:,}" for kind, count in counted if count)

    def by_kind(self) -> dict[str, int]:
        """As exports and verifiers take them."""
        return dict(self)


_COUNT = {"type": "integer", "minimum": 0}
CountsByKind = Annotated[
    dict[str, int],
    WithJsonSchema(
        {
            "type": "object",
            "properties": dict.fromkeys(RequestCounts.model_fields, _COUNT),
            "required": [kind for kind in RequestCounts.model_fields if kind != "client_limit"],
        }
    ),
]
"""The same as records hold them; the first versions had no `client_limit`."""
