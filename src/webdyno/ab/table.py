"""The verdict of a table of two services and a control, a row a block."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from webdyno.ab.claims import GUARD, GUARD_MARGIN
from webdyno.catalog.study import HIGHER_IS_BETTER
from webdyno.store.verdicts import RatioRecord, VerdictRecord
from webdyno.verdict.compare import compare
from webdyno.verdict.looks import Looks
from webdyno.verdict.types import Ratio

ENTRIES = ("a", "b", "a again")
"""The columns: the services and the control, which is the first one once more."""


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
        higher_is_better=HIGHER_IS_BETTER[metric],
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
        ratios=[_record(ratio) for ratio in found.ratios],
        medians=dict(zip(ENTRIES, map(float, np.median(values, axis=0)), strict=True)),
        control=_record(found.control) if found.control else None,
        blocks=found.blocks,
        blocks_needed=looks.first,
        confidence=found.confidence,
        margin=found.margin,
    )


def _record(ratio: Ratio) -> RatioRecord:
    return RatioRecord(
        of=ratio.of,
        to=ratio.to,
        estimate=ratio.estimate,
        low=ratio.low,
        high=ratio.high,
        outcome=ratio.outcome,
    )
