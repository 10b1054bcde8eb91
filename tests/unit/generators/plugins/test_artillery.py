"""Artillery's script and its recorded output."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from support.measurement_of import measurement_of
from webdyno.catalog.loads.load import Closed, Open
from webdyno.catalog.scenarios.scenario import ScenarioManifest
from webdyno.errors import UserError
from webdyno.generators.external import FinishedProgram
from webdyno.generators.generator import GeneratorError
from webdyno.generators.job import Job
from webdyno.generators.plugins.artillery import behind_share, parse, script
from webdyno.store.measurement import ErrorDetail
from webdyno.verdict.integrity import SENT_KINDS, check

RECORDED = Path(__file__).parent / "recorded" / "artillery-mixed.json"
FINISHED = FinishedProgram(output="", elapsed_s=12.0, cpu_user_s=1.5, cpu_system_s=0.5)
LOAD = Open(
    kind="open",
    phases=["20/s:4s", "40/s:4s"],
    arrivals="uniform",
    generator="artillery",
    timeout=2.0,
)


def job(load: Any = LOAD, path: str = "/a?n={n}", **request: Any) -> Job:
    scenario = ScenarioManifest.model_validate(
        {
            "name": "any",
            "title": "any",
            "description": "any",
            "variables": {"n": {"kind": "choice", "values": ["1", "2", "3"]}},
            "requests": [
                {
                    "name": "one",
                    "path": path,
                    "checks": [{"kind": "status", "equals": 200}],
                    **request,
                }
            ],
        }
    )
    return Job(scenario=scenario, load=load, port=8080, cpus=(0,), seed=7)


def test_phases_target_and_drawn_paths() -> None:
    load = LOAD.model_copy(update={"phases": ["150/s:60s", "12.5/s:4s", "100/s..400/s:30s"]})
    made = script(job(load))
    config = made["config"]
    assert config["target"] == "http://127.0.0.1:8080"
    assert config["phases"] == [
        {"duration": 60.0, "arrivalRate": 150},
        {"duration": 4.0, "arrivalCount": 50},
        {"duration": 30.0, "arrivalRate": 100, "rampTo": 400},
    ]
    assert sorted(config["variables"]["path0"]) == ["/a?n=1", "/a?n=2", "/a?n=3"]
    assert made["scenarios"] == [{"flow": [{"get": {"url": "{{ path0 }}"}}]}]


def test_what_does_not_vary_is_written_out() -> None:
    made = script(job(path="/same", method="POST", body="x", headers={"A": "b"}))
    step = {"url": "/same", "headers": {"A": "b"}, "body": "x"}
    assert made["scenarios"] == [{"flow": [{"post": step}]}]


def test_what_it_cannot_do_is_said() -> None:
    with pytest.raises(UserError, match="artillery makes open loads only"):
        script(job(Closed(kind="closed", connections=1, duration=1.0)))
    with pytest.raises(UserError, match=r"spaces arrivals evenly; .* set it to 'uniform'"):
        script(job(LOAD.model_copy(update={"arrivals": "poisson"})))
    with pytest.raises(UserError, match="only a request's path may vary"):
        script(job(body="{n}"))


def test_every_ending_is_counted_and_together_they_are_what_was_offered() -> None:
    found = parse(FINISHED, RECORDED.read_text(), job())
    counts = found.counts.by_kind()
    assert (counts["ok"], counts["wrong_status"], counts["timed_out"]) == (127, 58, 55)
    assert counts["offered"] == counts["sent"] == 240
    assert sum(counts[kind] for kind in SENT_KINDS) == counts["sent"]
    assert found.errors_detail == [ErrorDetail(kind="ETIMEDOUT", count=55)]
    assert found.latency_us.p99 == pytest.approx(21_100)
    assert found.latency_us.max == 47_000
    assert {flag.code for flag in check(measurement_of(found), LOAD)} <= {
        "few-answers",
        "errors",
    }


def test_on_time_is_not_behind() -> None:
    assert behind_share(json.loads(RECORDED.read_text()), LOAD) == 0.0


def test_late_arrivals_are_found_although_all_came_in_the_end() -> None:
    data = copy.deepcopy(json.loads(RECORDED.read_text()))
    first, second = data["intermediate"]
    first["counters"]["vusers.created"] -= 60
    second["counters"]["vusers.created"] = 60
    assert behind_share(data, LOAD) == 0.25
    found = parse(FINISHED, json.dumps(data), job())
    flags = {flag.code: flag.message for flag in check(measurement_of(found), LOAD)}
    assert "fell behind its schedule by 25.0% of the requests" in flags["schedule"]


def test_what_was_never_sent_is_not_sent() -> None:
    data = json.loads(RECORDED.read_text())
    load = LOAD.model_copy(update={"phases": ["20/s:4s", "80/s:4s"]})
    counts = parse(FINISHED, json.dumps(data), job(load)).counts.by_kind()
    assert (counts["offered"], counts["sent"], counts["not_sent"]) == (400, 240, 160)


def test_refused_connections_were_not_sent() -> None:
    data = json.loads(RECORDED.read_text())
    counters = data["aggregate"]["counters"]
    counters["errors.ECONNREFUSED"] = counters.pop("errors.ETIMEDOUT")
    counts = parse(FINISHED, json.dumps(data), job()).counts.by_kind()
    assert (counts["refused"], counts["sent"], counts["offered"]) == (55, 185, 240)


def test_its_cpu_time_is_that_of_the_load() -> None:
    text = RECORDED.read_text()
    whole = parse(FINISHED, text, job())
    assert whole.generator.cpu_seconds == 2.0, "nobody looked"
    begin = json.loads(text)["aggregate"]["firstCounterAt"] / 1000
    end = begin + whole.elapsed_s
    # 1.4 s to start, half a second for the load, 0.1 s to write its report.
    looks = ((begin - 4, 0.0), (begin, 1.4), (end, 1.9), (end + 1, 2.0))
    found = parse(replace(FINISHED, looks=looks), text, job()).generator
    assert found.cpu_seconds == pytest.approx(0.5)
    assert (found.cpu_user_s, found.cpu_system_s) == pytest.approx((0.375, 0.125))


def test_no_result_is_an_error_that_quotes_the_last_line() -> None:
    done = FinishedProgram(
        output="starting\nError: no such file\n", elapsed_s=1, cpu_user_s=0, cpu_system_s=0
    )
    with pytest.raises(GeneratorError, match="its last line: Error: no such file"):
        parse(done, "", job())
