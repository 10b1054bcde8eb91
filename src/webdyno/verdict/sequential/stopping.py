"""What the next block has to measure."""

from __future__ import annotations

import math
from collections.abc import Iterable

from webdyno.verdict.sequential.looks import Looks
from webdyno.verdict.sequential.power import blocks_to_settle
from webdyno.verdict.types import NextBlocks, Ratio, Verdict


def next_blocks(
    verdict: Verdict, *, looks: Looks | None = None, sentinel: bool = True
) -> NextBlocks:
    """Which entries still need trials, given `verdict` and the `looks` it was made with.

    An entry whose comparisons are all settled needs none; leave it out of the next blocks (its
    values stay in the table, NaN from there on). The A/A pair, where there is one, is the sentinel:
    measured in every block as long as anything is, so that each block says how noisy it was; drop
    it with `sentinel=False`. With no comparison at all the verdict is settled as it is; and where
    those that are open are out of reach, it stays as it is.
    """
    looks = looks or Looks()
    if verdict.blocks < looks.first:
        alone = len(verdict.entries) < 2
        return NextBlocks(True, (), 0) if alone else NextBlocks(False, verdict.entries, None)
    open_pairs = [one for one in verdict.ratios if not (one.settled or one.out_of_reach)]
    if not open_pairs:
        return NextBlocks(True, (), 0)
    needed = {entry for ratio in open_pairs for entry in (ratio.of, ratio.to)}
    if sentinel and verdict.control:
        needed |= {verdict.control.of, verdict.control.to}
    return NextBlocks(
        settled=False,
        entries_still_needed=tuple(entry for entry in verdict.entries if entry in needed),
        blocks_expected=_expected(open_pairs, verdict, looks),
    )


def _expected(pairs: Iterable[Ratio], verdict: Verdict, looks: Looks) -> int | None:
    entries = sum(len(group) for group in verdict.groups)
    most = 0
    for pair in pairs:
        if not (math.isfinite(pair.noise) and pair.estimate > 0 and math.isfinite(pair.estimate)):
            return None
        blocks = blocks_to_settle(
            math.log(pair.estimate),
            pair.noise,
            entries,
            verdict.margin,
            looks=looks,
            confidence=verdict.confidence,
        )
        if blocks is None:
            return None
        # An interval that is narrower than foreseen does not settle without another block.
        most = max(most, blocks - pair.blocks, 1)
    return most
