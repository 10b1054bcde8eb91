"""What servers are ranked by: each metric in a file of its own in `webdyno.metrics`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from webdyno.plugins import Plugins


@dataclass(frozen=True)
class Metric:
    """A metric of a verdict, with the words for it. `kind` names its scale (see
    `report.numbers.scale_for`).

    `beats` stands between two servers in a sentence ("a is faster than b"), `best` after the
    best one ("a is fastest"), `asked` at the end of a question ("which serves json fastest").
    """

    name: str
    title: str
    kind: str
    beats: str
    best: str
    asked: str
    value: Callable[[Any], float]
    """The figure of a trial's record; NaN where it has none. Records stand above the catalog."""
    higher_is_better: bool = False
    leads: bool = False
    """What a load is judged by whose study names nothing that it can be judged by."""
    searched: bool = False
    """What a load with an objective searches for: that load is judged by it, and no other is."""
    at_an_objective: bool = False
    """It says something of its own beside the capacity, measured at the rate that was found."""
    flattered_by_unevenness: bool = False
    """Most answers are those of the connections that are served most. Quantiles further up are the
    others': whoever makes those wait is worse by them."""
    at_any_speed: bool = False
    """A faster or slower machine leaves it as it is."""

    @property
    def within(self) -> str:
        """The title within a sentence: "throughput", but "CPU per request"."""
        first = self.title.split()[0]
        return self.title if first.isupper() else self.title[0].lower() + self.title[1:]


class Metrics(Plugins[Metric]):
    """All metrics, by the name studies call them."""

    @cached_property
    def leading(self) -> str:
        """The name of the one that `leads`."""
        return next(name for name, one in self.all().items() if one.leads)

    @cached_property
    def searched(self) -> str:
        """The name of the one that is `searched`."""
        return next(name for name, one in self.all().items() if one.searched)


METRICS = Metrics("webdyno.metrics", "METRIC", "metric")

SHOWN = (
    "p90_us",
    "p999_us",
    "max_us",
    "generator_us_per_request",
    "memory_idle_bytes",
    "memory_start_bytes",
    "timed_out_share",
)
"""What reports show beside the metrics, and no server is ranked by."""


def judged_by(listed: Sequence[str], kind: str) -> list[str]:
    """What a load of this kind is judged by, where its study lists such metrics: one with an
    objective by its capacity, and only such a one."""
    if kind == "objective":
        return [METRICS.searched, *(name for name in listed if METRICS[name].at_an_objective)]
    return [name for name in listed if name != METRICS.searched] or [METRICS.leading]
