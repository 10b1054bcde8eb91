"""What a run may hope for before its first trial: how long a warm-up, how many blocks."""

from __future__ import annotations

import math
import statistics
from collections import defaultdict
from collections.abc import Collection

from webdyno.catalog.loads.warm_up import WarmUpKeys
from webdyno.catalog.servers.server import Server
from webdyno.catalog.studies.study import StudyManifest
from webdyno.run.study.plan import Matchup
from webdyno.store.records import TrialRecord
from webdyno.trial.warm_up import FRESH_S
from webdyno.verdict.sequential.looks import LEAST_BLOCKS
from webdyno.verdict.steadiness.steady import MAX_WINDOWS

LEAST_OVERHEAD_S = 0.3
"""What a trial takes beside its load at the least."""

SENTINEL_S = 1.1

SHORT_S = 1.0
"""Taken for a load whose length is not known beforehand."""

SEARCH_STEPS = 15
"""About how many usual steps' time a search for an objective takes."""


WATCHED_S = 0.1 * MAX_WINDOWS
"""How long a server is watched at the most until its curve counts as level, in windows of a tenth
of a second; on a virtual machine this is usual."""

SLACK = 0.05
"""Part of the budget by which the last block may overrun it where most of the error rate was left
for that."""


def blocks_planned(study: StudyManifest, matchups: Collection[Matchup]) -> int:
    """Blocks that fit the budget if every trial is as short as it can be, at most `blocks.max`.

    The error rate is shared out over so many looks (`Looks.planned`), so that a short run does
    not pay for looks it cannot take. The estimate errs on the side of too many: a look too many
    costs little, one that was not planned has next to nothing left. It depends on the study alone.
    """
    first = max(LEAST_BLOCKS, study.blocks.min)
    each = [
        matchup.entry.server_variant.server.warmup_of(study.warmup).min
        + (matchup.cell.load.seconds() or SHORT_S)
        + LEAST_OVERHEAD_S
        for matchup in matchups
        if matchup.cell.load.method == "sound"
    ]
    fit = math.ceil(study.budget / (sum(each) + SENTINEL_S)) if each else first
    return max(first, min(study.blocks.max, fit))


def blocks_by_pace(study: StudyManifest, trials: Collection[TrialRecord]) -> int | None:
    """Blocks that fit the budget at the pace of the first ones: for how many a run plans that
    spends most of its error rate on the last (`blocks.looks`). None before any verdict looks at
    its figures: what trials take, and nothing that is compared, decides.
    """
    first = max(LEAST_BLOCKS, study.blocks.min)
    took_s: dict[tuple[str, str], dict[int, float]] = defaultdict(lambda: defaultdict(float))
    for trial in trials:
        took_s[trial.cell][trial.block] += trial.took_s
    if max(map(len, took_s.values()), default=0) < first:
        return None
    # The first block may take longer than others: there, loads do not share a start yet.
    pace_s = [
        statistics.mean([s for block, s in made.items() if block] or made.values())
        for made in took_s.values()
    ]
    left_s = (1 + SLACK) * study.budget - sum(trial.took_s for trial in trials)
    made_s = sum(len(made) * s for made, s in zip(took_s.values(), pace_s, strict=True))
    # Rounding must not cost a block that fits exactly.
    fit = int((left_s + made_s) / max(sum(pace_s), 1e-9) + 1e-6)
    return max(first, min(study.blocks.max, fit))


def warm_up_expected(server: Server, warmup: WarmUpKeys) -> float:
    """Seconds that a warm-up of `server` is expected to last, where none was timed yet: what its
    runtime's compilers need on a core that is kept busy, or until its curve is seen to be level,
    and the load on fresh connections."""
    bounds = server.warmup_of(warmup)
    if bounds.compilers:
        return bounds.likely_s
    return min(bounds.max, max(bounds.likely_s, WATCHED_S) + FRESH_S)
