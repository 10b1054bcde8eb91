"""The JSON export and its published schema."""

from __future__ import annotations

import copy
import json
import math
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from webdyno.report.formats import json_export
from webdyno.report.formats.json_import import read_export
from webdyno.store.records import LatencyWithLost, RequestRecord, RunRecord


@pytest.fixture(scope="module")
def validator() -> jsonschema.Draft202012Validator:
    """The published schema; a test of all of them checks that it is one."""
    return jsonschema.Draft202012Validator(json_export.schema())


def test_a_run_satisfies_the_schema(
    run: RunRecord, validator: jsonschema.Draft202012Validator
) -> None:
    written = json.loads(json_export.dumps(run))
    validator.validate(written)
    assert len(written["trials"]) == len(run.trials)
    assert len(written["verdicts"]) == 2


def test_the_promised_keys_are_there(run: RunRecord) -> None:
    held = json_export.export(run)
    assert held["study"] == "quick"
    trial = held["trials"][0]
    promised = {
        "server", "variant", "scenario", "load", "block", "status", "throughput_rps", "latency_us",
        "counts", "cpu_us_per_request", "memory_bytes", "threads_peak", "build_seconds",
        "start_seconds", "bottleneck", "flags",
    }  # fmt: skip
    assert promised <= set(trial)
    assert {"p50", "p90", "p99", "p999", "max"} <= set(trial["latency_us"])
    assert {"idle", "mean", "peak"} <= set(trial["memory_bytes"])
    assert set(trial["cpu_us_per_request"]) == {"server", "generator"}
    verdict = held["verdicts"][0]
    assert verdict["groups"][0] == ["go/net-http"]
    assert {"of", "to", "estimate", "low", "high"} <= set(verdict["ratios"][0])


def test_figures_are_those_of_the_record(run: RunRecord) -> None:
    record, trial = run.trials[0], json_export.export(run)["trials"][0]
    assert record.measurement is not None
    assert record.measurement.latency_us is not None
    assert trial["throughput_rps"] == record.measurement.throughput_rps
    assert trial["latency_us"]["p999"] == record.measurement.latency_us.p999
    assert trial["counts"] == record.measurement.counts.by_kind()


def test_requests_by_name_and_the_lost_are_exported_and_read_back(
    run: RunRecord, validator: jsonschema.Draft202012Validator, tmp_path: Path
) -> None:
    told = run.model_copy(deep=True)
    measured = told.trials[0].measurement
    assert measured is not None
    latency = measured.latency_us
    measured.latency_with_lost_us = LatencyWithLost(p50=10.0, p90=20.0, lost=7)
    measured.first_byte_us = measured.connect_us = latency
    measured.by_request = [
        RequestRecord(name="list", counts={"sent": 10, "ok": 10}, latency_us=latency),
        RequestRecord(name="one", counts={"sent": 9, "ok": 0, "reset": 9}),
    ]
    text = json_export.dumps(told)
    validator.validate(json.loads(text))
    (tmp_path / "run.json").write_text(text)
    read = read_export(tmp_path / "run.json").trials[0].measurement
    assert read is not None
    assert read.by_request == measured.by_request
    assert read.latency_with_lost_us == measured.latency_with_lost_us
    assert (read.first_byte_us, read.connect_us) == (latency, latency)


def test_unmeasured_and_unfinished_runs_satisfy_it_too(
    run: RunRecord, validator: jsonschema.Draft202012Validator
) -> None:
    broken = run.trials[0].model_copy(
        update={
            "status": "error",
            "reason": "did not start",
            "measurement": None,
            "warmup": None,
            "start_seconds": None,
        }
    )
    half = run.model_copy(
        update={"trials": [broken], "verdicts": [], "finished": None, "status": "running"}
    )
    validator.validate(json.loads(json_export.dumps(half)))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["trials", 0, "status"], "fine"),
        (["trials", 0, "throughput_rps"], "fast"),
        (["trials", 0, "throughput_rps"], None),
        (["trials", 0, "latency_us", "p99"], None),
        (["trials", 0, "counts", "ok"], -1),
        (["verdicts", 0, "groups", 0], []),
        (["verdicts", 0, "ratios", 0, "estimate"], 0),
        (["started"], "yesterday"),
    ],
)
def test_the_schema_refuses_what_is_wrong(
    run: RunRecord,
    validator: jsonschema.Draft202012Validator,
    path: list[Any],
    value: Any,
) -> None:
    held = copy.deepcopy(json_export.export(run))
    assert held["trials"][0]["status"] == "ok"
    place: Any = held
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    with pytest.raises(jsonschema.ValidationError):
        validator.validate(held)


@pytest.mark.slow
def test_a_missing_key_is_refused(
    run: RunRecord, validator: jsonschema.Draft202012Validator
) -> None:
    for key in ("study", "trials", "verdicts", "machine"):
        held = json_export.export(run)
        del held[key]
        with pytest.raises(jsonschema.ValidationError, match=key):
            validator.validate(held)


def test_what_is_no_number_is_null(
    run: RunRecord, validator: jsonschema.Draft202012Validator
) -> None:
    verdict = run.verdicts[0].model_copy(update={"resolution": float("nan")}, deep=True)
    verdict.ratios[0] = verdict.ratios[0].model_copy(update={"high": float("inf")})
    written = json.loads(json_export.dumps(run.model_copy(update={"verdicts": [verdict]})))
    assert written["verdicts"][0]["resolution"] is None
    assert written["verdicts"][0]["ratios"][0]["high"] is None
    validator.validate(written)


def test_a_capacity_without_an_upper_end_is_read_back(run: RunRecord, tmp_path: Path) -> None:
    first, *others = run.verdicts
    ends = {"go/net-http": (2931.9, math.inf)}
    capacity = first.model_copy(update={"intervals": ends, "medians": {"go/net-http": math.nan}})
    changed = run.model_copy(update={"verdicts": [capacity, *others]})
    (tmp_path / "run.json").write_text(json_export.dumps(changed), encoding="utf-8")
    read = read_export(tmp_path / "run.json").verdicts[0]
    assert read.intervals == ends
    assert math.isnan(read.medians["go/net-http"])
