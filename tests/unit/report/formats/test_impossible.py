"""An exported run with figures that cannot be is refused, and its key named."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from support.synthetic_run import build_run
from webdyno.errors import UserError
from webdyno.report.formats.json_export import export
from webdyno.report.formats.json_import import read_export


@pytest.fixture
def held() -> dict[str, Any]:
    return export(build_run(blocks=2))


def written(path: Path, held: dict[str, Any], where: list[str | int], value: object) -> Path:
    """The export with another value at one place."""
    part: Any = held
    for key in where[:-1]:
        part = part[key]
    part[where[-1]] = value
    path.write_text(json.dumps(held))
    return path


@pytest.mark.parametrize(
    ("where", "value", "said"),
    [
        (["throughput_rps"], -5, "throughput_rps is -5, below 0"),
        (["throughput_rps"], 1e308, "throughput_rps is 1e+308, which nothing that is measured can"),
        (["throughput_rps"], 5e-324, "throughput_rps is 4.94066e-324, which nothing that is"),
        (["cpu_us_per_request", "server"], 10**300, "cpu_us_per_request.server is 1e+300, which"),
        (["throughput_rps"], math.nan, "throughput_rps is nan, which is not a valid figure"),
        (["throughput_rps"], "-5", "throughput_rps is '-5', which is not a valid figure"),
        (["elapsed_s"], math.inf, "elapsed_s is inf, which is not a valid figure"),
        (["elapsed_s"], 10**400, "elapsed_s is 1000"),
        (["latency_us", "p99"], -0.5, "latency_us.p99 is -0.5, below 0"),
        (["counts", "ok"], -1, "counts.ok is -1, below 0"),
        (["cpu_us_per_request", "server"], -2, "cpu_us_per_request.server is -2, below 0"),
        (["memory_bytes", "peak"], -1, "memory_bytes.peak is -1, below 0"),
        (["warmup", "ticks", 0, 1], math.nan, "warmup.ticks[0][1] is nan"),
    ],
)
def test_a_figure_that_cannot_be_is_refused(
    held: dict[str, Any], tmp_path: Path, where: list[str | int], value: object, said: str
) -> None:
    place = next(
        index for index, trial in enumerate(held["trials"]) if (trial["warmup"] or {}).get("ticks")
    )
    path = written(tmp_path / "run.json", held, ["trials", place, *where], value)
    with pytest.raises(UserError) as refused:
        read_export(path)
    told = str(refused.value)
    assert told.startswith(f"{path}: trials[{place}].{said}")
    assert told.endswith("; export the run again")


def test_figures_of_the_machine_are_looked_at_too(held: dict[str, Any], tmp_path: Path) -> None:
    sentinel = {"block": 0, "throughput_rps": -1.0, "cpu_us_per_request": 5.0, "seconds": 1.0}
    path = written(tmp_path / "run.json", held, ["sentinels"], [sentinel])
    with pytest.raises(UserError, match=r"sentinels\[0\]\.throughput_rps is -1, below 0"):
        read_export(path)


def test_what_may_be_missing_or_negative_is_taken(held: dict[str, Any], tmp_path: Path) -> None:
    held["trials"][1]["start_seconds"] = None
    held["costs"] = [
        {
            "scenario": "json", "load": "closed-64", "parameter": "rows", "each": "row",
            "confidence": 0.95,
            "entries": [{"entry": "a", "points": [], "each_ns": -3.0}],
        }
    ]  # fmt: skip
    path = written(tmp_path / "run.json", held, ["trials", 0, "later_version"], -1)
    assert len(read_export(path).trials) == len(held["trials"])


def test_what_is_missing_is_named_by_its_key(held: dict[str, Any], tmp_path: Path) -> None:
    path = written(tmp_path / "run.json", held, ["trials", 1, "throughput_rps"], None)
    with pytest.raises(
        UserError, match=r"not a complete exported run \(key 'throughput_rps': must be a number"
    ):
        read_export(path)


def test_a_study_that_is_none_is_named(held: dict[str, Any], tmp_path: Path) -> None:
    path = written(tmp_path / "run.json", held, ["study_manifest", "loads"], 5)
    with pytest.raises(UserError, match=r"its study_manifest is wrong \(key 'loads': must be"):
        read_export(path)
