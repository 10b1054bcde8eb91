"""A run as data frames, for notebooks."""

from __future__ import annotations

import warnings

import pandas as pd

from webdyno.report.formats.notebook import why_no_ratios, why_no_trials
from webdyno.store.records import RunRecord, TrialRecord
from webdyno.store.verdicts import RatioRecord

_TRIALS = ("server", "variant", "control", "scenario", "load", "block", "status")
_RATIOS = ("scenario", "load", "metric", *RatioRecord.model_fields)
"""Columns of a frame without rows, so that what selects from it still works."""


def trials_frame(run: RunRecord) -> pd.DataFrame:
    """One row per trial; figures that a failed trial lacks are missing values.

    A frame without rows says why: as a warning, and in `attrs["empty"]`.
    """
    found = pd.DataFrame([_row(trial) for trial in run.trials])
    return _explained(found, _TRIALS, why_no_trials(run))


def ratios_frame(run: RunRecord) -> pd.DataFrame:
    """One row per compared pair of every verdict. One without rows says why, as `trials_frame`."""
    found = pd.DataFrame(
        [
            {
                "scenario": verdict.scenario,
                "load": verdict.load,
                "metric": verdict.metric,
                **ratio.model_dump(),
            }
            for verdict in run.verdicts
            for ratio in verdict.ratios
        ]
    )
    return _explained(found, _RATIOS, why_no_ratios(run))


def _explained(frame: pd.DataFrame, columns: tuple[str, ...], why: str) -> pd.DataFrame:
    if not why:
        return frame
    # The caller's line: this function, the frame's, the method of `Run`, the cell.
    warnings.warn(why, UserWarning, stacklevel=4)
    frame = pd.DataFrame(columns=list(columns))
    frame.attrs["empty"] = why
    return frame


def _row(trial: TrialRecord) -> dict[str, object]:
    row: dict[str, object] = {
        "server": trial.server,
        "variant": trial.variant,
        "control": trial.control,
        "scenario": trial.scenario,
        "load": trial.load,
        "block": trial.block,
        "status": trial.status,
        "bottleneck": trial.bottleneck,
        "start_seconds": trial.start_seconds,
        "build_seconds": trial.build.seconds,
    }
    if trial.search is not None:
        row["capacity_rps"] = trial.search.capacity_rps
    measured = trial.measurement
    if measured is None:
        return row
    row["throughput_rps"] = measured.throughput_rps
    if measured.latency_us is not None:
        latency = measured.latency_us.model_dump()
        row.update({f"latency_{name}_us": value for name, value in latency.items()})
    for role, cost in measured.cpu_us_per_request.items():
        row[f"cpu_us_per_request_{role}"] = cost
    for kind, value in measured.memory_bytes.model_dump(exclude={"kind"}).items():
        row[f"memory_{kind}_bytes"] = value
    row["threads_peak"] = measured.threads_peak
    row.update({f"count_{kind}": count for kind, count in measured.counts.by_kind().items()})
    return row
