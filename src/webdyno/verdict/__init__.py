"""Statistics: from measurements to claims that hold. Pure functions, no I/O.

docs/verdict.md says what they mean, and for which noise they have been shown to hold.
"""

from webdyno.verdict.bottleneck import Bottleneck, bottleneck
from webdyno.verdict.compare import compare
from webdyno.verdict.integrity import FORBIDS_RANKING, check, idle_share, little_residual
from webdyno.verdict.looks import Looks
from webdyno.verdict.power import blocks_for_equality, blocks_needed, resolvable
from webdyno.verdict.series import BlockSeries, blocks_of
from webdyno.verdict.steady import Steady, steady_state
from webdyno.verdict.stopping import next_blocks
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
