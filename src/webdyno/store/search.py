"""How a trial found the highest rate at which a server meets an objective."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from webdyno.store.record import Record


class StepRecord(Record):
    """One step of the search: an open load at `rate_rps`. `late_share` is the part of its requests
    that were late or failed, `quantile_us` the latency at the objective's quantile, from the
    intended send; quantiles are those of right answers, None without any."""

    rate_rps: float
    seconds: float
    purpose: str
    outcome: Literal["held", "failed", "unheld"]
    reason: str = ""
    throughput_rps: float = 0.0
    late_share: float = 0.0
    errors_share: float = 0.0
    p50_us: float | None = None
    p99_us: float | None = None
    quantile_us: float | None = None
    server_share: float | None = None
    generator_share: float | None = None


class SearchRecord(Record):
    """What a search found; see `verdict.objective.Finding` for its figures."""

    objective: str
    quantile: float
    limit_s: float
    errors_share: float
    tolerance: float
    probe_rps: float
    kind: Literal["met", "at-least", "not-met", "undecided"]
    capacity_rps: float
    low_rps: float
    high_rps: float
    held_rps: float | None = None
    failed_rps: float | None = None
    reason: str = ""
    steps: list[StepRecord] = Field(default_factory=list)
