"""The verdict of a table of two services and a control, a row a block."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from webdyno.ab.conclusion.claims import GUARD, GUARD_MARGIN
from webdyno.ab.conclusion.secondary_figures import SecondaryFigure
from webdyno.ab.study.confidence import claims_about
from webdyno.catalog.terms.metric import METRICS
from webdyno.run.judgement.judge import ratio_record
from webdyno.run.judgement.unrankable import GENERATOR_BOUND
from webdyno.store.verdicts import NotRanked, VerdictRecord
from webdyno.verdict.comparison.compare import compare
from webdyno.verdict.limits.limit import BUSY
from webdyno.verdict.sequential.looks import Looks

ENTRIES = ("a", "b", "a again")
"""The columns: the services and the control, which is the first one once more."""


GENERATOR_SHARE = "generator_share"
"""Of the CPU of a core, what the generator's busiest thread used: kept beside the metrics."""

Seen = dict[tuple[str, str], float]
"""Figures of one load, by metric and request; no request where a figure is about all."""


@dataclass
class BlockFigures:
    """Figures by load, metric and request: a row a block, with a value for each of `ENTRIES`."""

    rows: dict[tuple[str, str, str], list[list[float]]] = field(default_factory=dict)

    def add(self, load: str, seen: Mapping[str, Seen]) -> None:
        """Those of one block, by entry."""
        for metric, request in dict.fromkeys(key for entry in ENTRIES for key in seen[entry]):
            row = [seen[entry].get((metric, request), math.nan) for entry in ENTRIES]
            self.rows.setdefault((load, metric, request), []).append(row)

    def limited(self, load: str) -> list[NotRanked]:
        """The entries whose throughput under `load` was the generator's limit."""
        rows = self.rows.get((load, GENERATOR_SHARE, ""), [])
        found = []
        for entry, column in zip(ENTRIES, zip(*rows, strict=True), strict=False):
            busy = sum(share >= BUSY for share in column)
            if 2 * busy >= len(column):
                why = "the figure is the generator's limit, not the service's"
                told = f"{GENERATOR_BOUND} in {busy} of {len(column)} blocks: {why}"
                found.append(NotRanked(entry=entry, reason=told))
        return found

    def secondary_figures(self, load: str) -> list[SecondaryFigure]:
        """Medians of latencies under `load` of which nothing is claimed."""
        claimed = {metric for metric, _ in claims_about(load, ())}
        rows = {
            f"{name} latency": np.array(self.rows[load, f"{name}_us", ""])
            for name in ("p50", "p99")
            if f"{name}_us" not in claimed and (load, f"{name}_us", "") in self.rows
        }
        return [
            SecondaryFigure(name, "latency", *(_median(column) for column in values.T[:2]))
            for name, values in rows.items()
        ]


def _median(column: NDArray[np.float64]) -> float | None:
    known = column[np.isfinite(column)]
    return float(np.median(known)) if known.size else None


def verdict_of(
    rows: Sequence[Sequence[float]],
    load: str,
    metric: str,
    margin: float,
    confidence: float,
    looks: Looks,
) -> VerdictRecord:
    """What `rows` of `metric` say, in a record as runs have them."""
    values = np.array(rows)
    found = compare(
        values,
        ENTRIES,
        higher_is_better=METRICS[metric].higher_is_better,
        margin=max(margin, GUARD_MARGIN) if metric == GUARD else margin,
        confidence=confidence,
        control=(0, 2),
        looks=looks,
    )
    return VerdictRecord(
        scenario="",
        load=load,
        metric=metric,
        higher_is_better=found.higher_is_better,
        entries=list(ENTRIES),
        groups=[list(group) for group in found.groups],
        ratios=[ratio_record(ratio) for ratio in found.ratios],
        medians=dict(zip(ENTRIES, map(float, np.median(values, axis=0)), strict=True)),
        control=ratio_record(found.control) if found.control else None,
        blocks=found.blocks,
        blocks_needed=looks.first,
        confidence=found.confidence,
        margin=found.margin,
    )
