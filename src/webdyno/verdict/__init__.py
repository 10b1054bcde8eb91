"""Statistics: from measurements to claims that hold. Pure functions, no I/O.

docs/verdict.md says what they mean, and for which noise they have been shown to hold.
"""

from webdyno.verdict.comparison.compare import compare
from webdyno.verdict.integrity import FORBIDS_RANKING, check, idle_share, little_residual
from webdyno.verdict.limits.limit import Limit, limit_of
from webdyno.verdict.sequential.looks import Looks
from webdyno.verdict.sequential.power import blocks_for_equality, blocks_needed, resolvable
from webdyno.verdict.sequential.stopping import next_blocks
from webdyno.verdict.steadiness.series import BlockSeries, blocks_of
from webdyno.verdict.steadiness.steady import Steady, steady_state
from webdyno.verdict.types import Flag, NextBlocks, Outcome, Ratio, Unranked, Verdict

__all__ = [
    "FORBIDS_RANKING",
    "BlockSeries",
    "Flag",
    "Limit",
    "Looks",
    "NextBlocks",
    "Outcome",
    "Ratio",
    "Steady",
    "Unranked",
    "Verdict",
    "blocks_for_equality",
    "blocks_needed",
    "blocks_of",
    "check",
    "compare",
    "idle_share",
    "limit_of",
    "little_residual",
    "next_blocks",
    "resolvable",
    "steady_state",
]
