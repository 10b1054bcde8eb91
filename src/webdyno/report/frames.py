"""A run as data frames, for notebooks."""

from __future__ import annotations

import pandas as pd

from webdyno.store.records import RunRecord, TrialRecord


def trials_frame(run: RunRecord) -> pd.DataFrame:
    """One row a trial; figures that a failed trial lacks are missing values."""
    return pd.DataFrame([_row(trial) for trial in run.trials])


def ratios_frame(run: RunRecord) -> pd.DataFrame:
    """One row a compared pair of every verdict."""
    return pd.DataFrame(
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
    row.update({f"count_{kind}": count for kind, count in measured.counts.items()})
    return row
