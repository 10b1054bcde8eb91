"""What a verdict depends on beside the study and its trials."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from webdyno.catalog.studies.study import StudyManifest
from webdyno.store.cell import CellKey
from webdyno.store.records import RunRecord
from webdyno.verdict.sequential.looks import LEAST_BLOCKS, Looks


@dataclass(frozen=True)
class Conditions:
    """What a verdict depends on beside the study and its trials."""

    looks: Looks
    """Fixed before the first trial."""
    speeds: dict[int, float] = field(default_factory=dict)
    """The sentinel's figure by block."""
    among: dict[CellKey, dict[int, float]] = field(default_factory=dict)
    """The same by cell, where a sentinel names those that it stands among."""

    def speeds_of(self, blocks: int, cell: CellKey) -> NDArray[np.float64] | None:
        """The sentinel's figures of the first `blocks` of `cell`; None where there are none."""
        speeds = {**self.speeds, **self.among.get(cell, {})}
        if not speeds:
            return None
        return np.array([speeds.get(block, math.nan) for block in range(blocks)])


def conditions_of(run: RunRecord, study: StudyManifest) -> Conditions:
    """Those of a run, as far as it has come."""
    speeds: dict[int, float] = {}
    among: dict[CellKey, dict[int, float]] = {}
    for sentinel in run.sentinels:
        cells = [sentinel.cell] if sentinel.scenario else sentinel.cells
        for by_block in [among.setdefault(cell, {}) for cell in cells] or [speeds]:
            by_block[sentinel.block] = sentinel.throughput_rps
    return Conditions(looks_of(study, run.planned_blocks), speeds, among)


def looks_of(study: StudyManifest, planned: int | None = None) -> Looks:
    """How often a run may look that has `planned` so many blocks; the study's most where it has
    not planned them by its budget."""
    first = max(LEAST_BLOCKS, study.blocks.min)
    most = max(planned or study.blocks.max, first)
    return Looks(planned=most, first=first, late=study.blocks.late)
