"""What stands beside the answer and decides nothing: memory, time to start, size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from webdyno.ab.study.confidence import FULL
from webdyno.ab.study.pairing import Pairing
from webdyno.report.numbers import median_of_known
from webdyno.store.document import described
from webdyno.store.records import RunRecord, TrialRecord


@described
@dataclass(frozen=True)
class SecondaryFigure:
    """A figure that stands beside the answer and decides nothing: medians of both versions."""

    name: str
    """Such as `peak memory`."""
    kind: Literal["bytes", "latency"]
    """Its unit: bytes, or microseconds."""
    a: float | None
    """A's median; None where it is not known."""
    b: float | None
    """B's median; None where it is not known."""


def secondary_figures(pair: Pairing, run: RunRecord) -> list[SecondaryFigure]:
    """Memory, time to start and size of both versions."""
    a, b = ([t for t in run.trials if t.entry == label] for label in pair.labels)
    rows = [
        SecondaryFigure(
            "peak memory",
            "bytes",
            median_of_known(map(_memory, a)),
            median_of_known(map(_memory, b)),
        ),
        SecondaryFigure(
            "time to start",
            "latency",
            median_of_known(map(_start_us, a)),
            median_of_known(map(_start_us, b)),
        ),
        SecondaryFigure(
            "built files", "bytes", median_of_known(map(_bytes, a)), median_of_known(map(_bytes, b))
        ),
    ]
    return [row for row in rows if row.a is not None or row.b is not None]


def _memory(trial: TrialRecord) -> float | None:
    full = trial.measurement if trial.load == FULL else None
    return full.memory_bytes.peak if full else None


def _start_us(trial: TrialRecord) -> float | None:
    return None if trial.start_seconds is None else trial.start_seconds * 1e6


def _bytes(trial: TrialRecord) -> float | None:
    return trial.build.artefact_bytes
