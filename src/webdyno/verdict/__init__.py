"""Statistics: from measurements to claims that hold. Pure functions, no I/O.

docs/verdict.md says what they mean, and for which noise they have been shown to hold.
"""

from webdyno.verdict.comparison.compare import compare
from webdyno.verdict.integrity import FORBIDS_RANKING, check, idle_share, little_residual
from webdyno.verdict.limits.bottleneck import Bottleneck, bottleneck
from webdyno.verdict.sequential.looks import Looks
from webdyno.verdict.sequential.power import blocks_for_equality, blocks_needed, resolvable
from webdyno.verdict.sequential.stopping import next_blocks
from webdyno.verdict.steadiness.series import BlockSeries, blocks_of
from webdyno.verdict.steadiness.steady import Steady, steady_state
from webdyno.verdict.types import Flag, NextBlocks, Outcome, Ratio, Unranked, Verdict

__all__ = [
    "FORBIDS_RANKING",
    "BlockSeries",
    "Bottleneck",
    "Flag",
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
    "bottleneck",
    "check",
    "compare",
    "idle_share",
    "little_residual",
    "next_blocks",
    "resolvable",
    "steady_state",
]
