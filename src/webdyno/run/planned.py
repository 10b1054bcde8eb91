"""How many blocks a run may hope for: settled before its first trial, as its error rate needs."""

from __future__ import annotations

import math
from collections.abc import Collection

from webdyno.catalog.study import StudyManifest
from webdyno.run.plan import Matchup

LEAST_OVERHEAD_S = 0.3
"""What a trial takes beside its load at the least."""

SENTINEL_S = 1.1

SHORT_S = 1.0
"""Taken for a load whose length is not known beforehand."""


def blocks_planned(study: StudyManifest, matchups: Collection[Matchup]) -> int:
    """Blocks that fit the budget if every trial is as short as it can be, at most `blocks.max`.

    The error rate is shared out over so many looks (`Looks.planned`), so that a short run does
    not pay for looks it cannot take. The estimate errs on the side of too many: a look too many
    costs little, one that was not planned has next to nothing left. It depends on the study alone.
    """
    first = max(2, study.blocks.min)
    each = [
        study.warmup.min + (matchup.cell.load.seconds() or SHORT_S) + LEAST_OVERHEAD_S
        for matchup in matchups
        if matchup.cell.load.method == "sound"
    ]
    fit = math.ceil(study.budget / (sum(each) + SENTINEL_S)) if each else first
    return max(first, min(study.blocks.max, fit))
