"""The JMeter generator: its plan, and its samples read from a recorded file."""

from __future__ import annotations

import csv
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import pytest

from webdyno.catalog.loads.load import Closed, Iterations, Load, Open
from webdyno.catalog.scenarios.scenario import ScenarioManifest
from webdyno.errors import UserError
from webdyno.generators import jtl
from webdyno.generators.external import FinishedProgram
from webdyno.generators.generator import GeneratorError
from webdyno.generators.jmeter_plan import unchecked, write_plan
from webdyno.generators.job import Job
from webdyno.generators.plugins.jmeter import GENERATOR, _at_once, arguments, parse
from webdyno.store.histograms import decode

RECORDED = Path(__file__).parent / "recorded" / "jmeter-failures.jtl"
PUBLISHED = Iterations(kind="iterations", users=30, iterations=1000)
SKU = {
    "name": "sku",
    "path": "/sku?id={id}",
    "checks": [{"kind": "status", "equals": 200}, {"kind": "equals", "text": "{id}"}],
}


def job(load: Load = PUBLISHED, **scenario: Any) -> Job:
    given = {
        "name": "lookup",
        "title": "t",
        "description": "d",
        "requests": [SKU],
        "variables": {"id": {"kind": "choice", "values": []}},
        **scenario,
    }
    return Job(
        scenario=ScenarioManifest.model_validate(given),
        load=load,
        port=4000,
        cpus=(0,),
        seed=7,
        variables={"id": {"kind": "choice", "values": ["a", "b", "c"]}},
    )


def properties(plan: Path, element: str) -> dict[str, str]:
    found = Xml.parse(plan).find(f".//{element}")
    assert found is not None, element
    return {str(one.get("name")): one.text or "" for one in found.iter() if one.get("name")}


def test_the_published_thread_group(tmp_path: Path) -> None:
    group = properties(write_plan(job(), tmp_path), "ThreadGroup")
    assert group["ThreadGroup.num_threads"] == "30"
    assert group["LoopController.loops"] == "1000"
    assert group["LoopController.continue_forever"] == "false"
    assert group["ThreadGroup.ramp_time"] == "0"
    assert group["ThreadGroup.scheduler"] == "false"


def test_a_closed_load_ends_by_the_clock(tmp_path: Path) -> None:
    load = Closed(kind="closed", connections=8, duration=2.5)
    group = properties(write_plan(job(load), tmp_path), "ThreadGroup")
    assert group["ThreadGroup.scheduler"] == "true"
    assert group["ThreadGroup.duration"] == "3"
    assert group["LoopController.loops"] == "-1"


def test_a_value_is_drawn_for_every_request(tmp_path: Path) -> None:
    plan = write_plan(job(), tmp_path)
    sampler = properties(plan, "HTTPSamplerProxy")
    assert sampler["HTTPSampler.path"] == "/sku?id=${r0_id}"
    assert sampler["HTTPSampler.use_keepalive"] == "true"
    assert sampler["HTTPSampler.follow_redirects"] == "false"
    with (tmp_path / "values.csv").open(newline="") as file:
        drawn = Counter(row[0] for row in csv.reader(file))
    assert drawn.keys() == {"a", "b", "c"}
    assert drawn.total() == 30_000
    assert all(abs(count - 10_000) < 500 for count in drawn.values())


def test_checks_become_assertions(tmp_path: Path) -> None:
    checks = [
        {"kind": "status", "equals": 404},
        {"kind": "contains", "text": "{{x}} ${{HOME}} {id}"},
        {"kind": "length", "max": 5},
    ]
    some = job(requests=[{"name": "x", "path": "/", "checks": checks}])
    tree = Xml.parse(write_plan(some, tmp_path))
    texts = [one.text for one in tree.findall(".//ResponseAssertion/collectionProp/stringProp")]
    assert texts == ["404", "{x} \\${HOME} ${r0_id}"]
    assert unchecked(some) == ["length"]


def test_cookies_are_kept_where_the_load_says(tmp_path: Path) -> None:
    kept = Xml.parse(write_plan(job(cookies=True), tmp_path))
    assert kept.find(".//CookieManager") is not None
    first_visits = Closed(kind="closed", connections=1, duration=1.0, cookies=False)
    not_kept = Xml.parse(write_plan(job(first_visits, cookies=True), tmp_path))
    assert not_kept.find(".//CookieManager") is None


def test_requests_at_random_are_alternatives(tmp_path: Path) -> None:
    requests = [SKU, {**SKU, "name": "other", "path": "/other?id={id}"}]
    tree = Xml.parse(write_plan(job(requests=requests, order="random"), tmp_path))
    assert tree.find(".//RandomController") is not None
    group = properties(tmp_path / "plan.jmx", "ThreadGroup")
    assert group["LoopController.loops"] == "1000"
    write_plan(job(requests=requests), tmp_path)
    assert properties(tmp_path / "plan.jmx", "ThreadGroup")["LoopController.loops"] == "500"


@pytest.mark.parametrize(
    ("load", "said"),
    [
        (Open(kind="open", phases=["10/s:1s"]), "jmeter makes closed and iterations loads only"),
        (Closed(kind="closed", connections=1, duration=1.0, visits=2), "'visits'"),
        (Iterations(kind="iterations", users=1, iterations=3), "a multiple of 2; it is 3"),
    ],
)
def test_what_it_cannot_do(load: Load, said: str, tmp_path: Path) -> None:
    asked = job(load, requests=[SKU, SKU])
    refused = load.kind == "open" or load.visits is not None
    with pytest.raises(UserError, match=said):
        GENERATOR.refuse(asked.scenario, load) if refused else write_plan(asked, tmp_path)


def test_an_unknown_variable(tmp_path: Path) -> None:
    made = job(requests=[{"name": "x", "method": "POST", "path": "/"}])
    made = replace(made, scenario=made.scenario.with_bodies({"x": "{nothing}"}))
    with pytest.raises(UserError, match=r"'\{nothing\}' is not among its variables"):
        write_plan(made, tmp_path)


def test_the_command_line() -> None:
    argv = arguments(["jmeter"], Path("/p/plan.jmx"), Path("/p/s.jtl"), Path("/p"))
    assert argv[:6] == ["jmeter", "-n", "-t", "/p/plan.jmx", "-l", "/p/s.jtl"]
    assert "-Jjmeter.save.saveservice.output_format=csv" in argv


def test_recorded_samples() -> None:
    finished = FinishedProgram(output="", elapsed_s=9.0, cpu_user_s=3.0, cpu_system_s=1.0)
    result = parse(finished, RECORDED, [])
    assert {kind: count for kind, count in result.counts.by_kind().items() if count} == {
        "offered": 16,
        "sent": 14,
        "ok": 4,
        "wrong_status": 4,
        "failed_check": 2,
        "refused": 2,
        "reset": 2,
        "timed_out": 2,
    }
    # From the first start to the last end; the two refused ones were recorded later.
    assert result.elapsed_s == pytest.approx((8235205 + 1 - 8228243) / 1000)
    assert result.latency_us.min == 1000
    assert result.latency_us.p50 == 1000
    assert result.latency_us.p90 == 11_000
    assert result.latency_us.mean == 5000
    # 123 and 114 bytes for each answer; JMeter's words about failed exchanges are not counted.
    assert result.bytes_received == 4 * 123 + 6 * 114
    assert sum(second.ok for second in result.series) == 4
    assert sum(second.errors for second in result.series) == 12
    kinds = {(line.kind, line.request): line.count for line in result.errors_detail}
    assert kinds["wrong_status", "/none"] == kinds["wrong_status", "/fine=404"] == 2
    assert kinds["reset", "/reset"] == kinds["refused", "/x"] == 2


@pytest.mark.parametrize(
    ("load", "cpus", "threads"),
    [
        (Closed(kind="closed", connections=64, duration=1.0), (2, 3), 2),
        (Closed(kind="closed", connections=1, duration=1.0), (2, 3), 1),
        (Iterations(kind="iterations", users=30, iterations=3), (), 1),
    ],
)
def test_its_users_run_on_all_of_its_cores(load: Load, cpus: tuple[int, ...], threads: int) -> None:
    assert _at_once(replace(job(load), cpus=cpus)) == threads
    finished = FinishedProgram(output="", elapsed_s=9.0, cpu_user_s=3.0, cpu_system_s=1.0)
    assert parse(finished, RECORDED, [], threads).generator.threads == threads


def test_the_histogram_holds_whole_milliseconds() -> None:
    found = decode(jtl.histogram(jtl.read_jtl(RECORDED)))
    held = dict(zip((int(us / 1000) for us in found.values_us), found.counts, strict=True))
    assert held == {1: 2, 7: 1, 11: 1}


def test_the_histogram_tells_a_day_from_an_hour() -> None:
    day_ms = 24 * 3_600_000
    found = decode(jtl.histogram(jtl.Samples(elapsed_ms=[day_ms // 24, day_ms])))
    assert found.values_us == pytest.approx([day_ms * 1000 / 24, day_ms * 1000], rel=0.001)


@pytest.mark.parametrize("text", ["", "a,b\n1,2\n", "timeStamp,elapsed,label\n"])
def test_what_is_no_file_of_samples(text: str, tmp_path: Path) -> None:
    path = tmp_path / "samples.jtl"
    path.write_text(text)
    with pytest.raises(GeneratorError, match="no column"):
        jtl.read_jtl(path)
    path.unlink()
    with pytest.raises(GeneratorError, match="wrote no samples"):
        jtl.read_jtl(path)
