"""How a trial found the highest rate at which a server meets an objective."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from pydantic import Field, WithJsonSchema, model_validator

from webdyno.store.record import Amount, Record
from webdyno.store.verdicts import End


class SearchStep(Record):
    """One step of the search: an open load at `rate_rps`. `late_share` is the part of its requests
    that were late or failed, `quantile_us` the latency at the objective's quantile, from the
    intended send; quantiles are those of right answers, None without any."""

    rate_rps: Amount
    seconds: Amount
    purpose: str
    outcome: Literal["held", "failed", "unheld"]
    reason: str = ""
    throughput_rps: Amount = 0.0
    late_share: Amount = 0.0
    errors_share: Amount = 0.0
    p50_us: Amount | None = None
    p99_us: Amount | None = None
    quantile_us: Amount | None = None
    server_share: Amount | None = None
    generator_share: Amount | None = None


class SearchRecord(Record):
    """What a search found; see `verdict.objective.SearchFinding` for its figures."""

    objective: str
    quantile: Amount
    limit_s: Amount
    errors_share: Amount
    tolerance: Amount
    probe_rps: Amount
    kind: Literal["met", "at-least", "not-met", "undecided"]
    capacity_rps: Amount
    low_rps: Amount
    high_rps: Annotated[End, WithJsonSchema({"type": ["number", "null"], "minimum": 0})]
    """Null where nothing bounds it: the server held all that could be asked for."""
    held_rps: Amount | None = None
    failed_rps: Amount | None = None
    reason: str = ""
    steps: list[SearchStep] = Field(default_factory=list)

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
