"""How a trial found the highest rate at which a server meets an objective."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from pydantic import Field, WithJsonSchema, model_validator

from webdyno.store.record import Amount, Record
from webdyno.store.verdicts import End


class SearchStep(Record):
    """One step of the search: an open load at one rate. Its quantiles are those of the latency of
    correct answers from the intended send, null without any."""

    rate_rps: Amount
    """Requests that fell due per second."""
    seconds: Amount
    """How long it was."""
    purpose: str
    """`search`, `floor`, `confirm` or `refute`."""
    outcome: Literal["held", "failed", "unheld"]
    """unheld: the generator was at fault, which says nothing of the server."""
    reason: str = ""
    """What was seen, in words."""
    throughput_rps: Amount = 0.0
    """Right answers per second."""
    late_share: Amount = 0.0
    """Part of its requests that were late or failed."""
    errors_share: Amount = 0.0
    """Part of its requests that failed."""
    p50_us: Amount | None = None
    """Median, in microseconds."""
    p99_us: Amount | None = None
    """99th percentile, in microseconds."""
    quantile_us: Amount | None = None
    """Latency at the objective's quantile, in microseconds."""
    server_share: Amount | None = None
    """CPU of the server, as a share of its cores; null where it is not watched."""
    generator_share: Amount | None = None
    """CPU of the generator, as a share of its cores."""


class SearchRecord(Record):
    """What a search found; see `verdict.search.objective.SearchFinding` for its figures."""

    objective: str
    """As asked, such as `p99 < 100ms`."""
    quantile: Amount
    """The objective's: 0.99 is p99."""
    limit_s: Amount
    """Its latency at that quantile, in seconds."""
    errors_share: Amount
    """Part of the requests that may fail."""
    tolerance: Amount
    """How closely the rate was sought: 0.05 is to 5%."""
    probe_rps: Amount
    """The closed load's throughput, where the search began."""
    kind: Literal["met", "at-least", "not-met", "undecided"]
    """met: found; at-least: held up to a bound that was not the server's; not-met: at no rate;
    undecided: the steps ran out before the rate was known to the tolerance."""
    capacity_rps: Amount
    """The highest rate that meets the objective, in requests per second."""
    low_rps: Amount
    """Lower end of its 95% interval."""
    high_rps: Annotated[End, WithJsonSchema({"type": ["number", "null"], "minimum": 0})]
    """Upper end of its 95% interval; null where nothing bounds it: the server held all that could
    be asked for."""
    held_rps: Amount | None = None
    """The highest rate that held with nothing failed below it; null where there was none."""
    failed_rps: Amount | None = None
    """The lowest rate above it that failed; null where there was none."""
    reason: str = ""
    """Why it ended as it did, in words."""
    steps: list[SearchStep] = Field(default_factory=list)
    """In the order they were made."""

    @model_validator(mode="after")
    def _open_above(self) -> SearchRecord:
        # Older versions stored what they had believed before the first step.
        if self.kind == "at-least":
            self.high_rps = math.inf
        return self

    @property
    def found_nothing(self) -> bool:
        """Whether the generator could make none of the rates that were tried: the server may meet
        the objective at any."""
        return self.kind == "undecided" and not self.capacity_rps
