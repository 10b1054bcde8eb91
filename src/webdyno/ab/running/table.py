"""The verdict of a table of two services and a control, a row a block."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from webdyno.ab.conclusion.claims import GUARD, GUARD_MARGIN
from webdyno.ab.conclusion.secondary_figures import SecondaryFigure
from webdyno.ab.study.confidence import FigureKey, claims_under
from webdyno.catalog.terms.metric import METRICS
from webdyno.run.judgement.unrankable import GENERATOR_BOUND
from webdyno.run.judgement.verdict_record import ratio_record
from webdyno.store.verdicts import NotRanked, VerdictRecord
from webdyno.verdict.comparison.compare import compare
from webdyno.verdict.limits.limit import BUSY
from webdyno.verdict.sequential.looks import Looks

ENTRIES = ("a", "b", "a again")
"""The columns: the services and the control, which is the first one once more."""


GENERATOR_SHARE = "generator_share"
"""Of the CPU of a core, what the generator's busiest thread used: kept beside the metrics."""


@dataclass
class BlockFigures:
    """Figures by what they are about: a row a block, with a value for each of `ENTRIES`."""

    rows: dict[FigureKey, list[list[float]]] = field(default_factory=dict)

    def add(self, figures: Mapping[str, Mapping[FigureKey, float]]) -> None:
        """Those of one load of a block, by entry."""
        for key in dict.fromkeys(key for entry in ENTRIES for key in figures[entry]):
            row = [figures[entry].get(key, math.nan) for entry in ENTRIES]
            self.rows.setdefault(key, []).append(row)

    def limited(self, load: str) -> list[NotRanked]:
        """The entries whose throughput under `load` was the generator's limit."""
        rows = self.rows.get(FigureKey(load, GENERATOR_SHARE), [])
        not_ranked = []
        for entry, column in zip(ENTRIES, zip(*rows, strict=True), strict=False):
            busy = sum(share >= BUSY for share in column)
            if 2 * busy >= len(column):
                why = "the figure is the generator's limit, not the service's"
                reason = f"{GENERATOR_BOUND} in {busy} of {len(column)} blocks: {why}"
                not_ranked.append(NotRanked(entry=entry, reason=reason))
        return not_ranked

    def secondary_figures(self, load: str) -> list[SecondaryFigure]:
        """Medians of latencies under `load` of which nothing is claimed."""
        keys = {name: FigureKey(load, f"{name}_us") for name in ("p50", "p99")}
        claimed = claims_under(load, ())
        rows = {
            f"{name} latency": np.array(self.rows[key])
            for name, key in keys.items()
            if key not in claimed and key in self.rows
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
    key: FigureKey,
    margin: float,
    confidence: float,
    looks: Looks,
) -> VerdictRecord:
    """What the `rows` of `key` say, in a record as runs have them."""
    values = np.array(rows)
    verdict = compare(
        values,
        ENTRIES,
        higher_is_better=METRICS[key.metric].higher_is_better,
        margin=max(margin, GUARD_MARGIN) if key.metric == GUARD else margin,
        confidence=confidence,
        control=(0, 2),
        looks=looks,
    )
    return VerdictRecord(
        scenario="",
        load=key.load,
        metric=key.metric,
        higher_is_better=verdict.higher_is_better,
        entries=list(ENTRIES),
        groups=[list(group) for group in verdict.groups],
        ratios=[ratio_record(ratio) for ratio in verdict.ratios],
        medians={
            entry: median
            for entry, column in zip(ENTRIES, values.T, strict=True)
            if (median := _median(column)) is not None
        },
        control=ratio_record(verdict.control) if verdict.control else None,
        blocks=verdict.blocks,
        blocks_needed=looks.first,
        confidence=verdict.confidence,
        margin=verdict.margin,
    )
