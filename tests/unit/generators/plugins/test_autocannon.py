"""The autocannon generator: its command line, and its figures read from recorded output."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support.measurement_of import measurement_of
from webdyno.catalog.loads.load import Closed, Iterations, Load
from webdyno.catalog.scenarios.scenario import ScenarioManifest
from webdyno.errors import UserError
from webdyno.generators.external import FinishedProgram
from webdyno.generators.generator import GeneratorError
from webdyno.generators.job import Job
from webdyno.generators.plugins.autocannon import ROUNDS, arguments, parse
from webdyno.generators.registry import refuse
from webdyno.store.counts import RequestCounts
from webdyno.verdict.integrity import check

RECORDED = Path(__file__).parent / "recorded"


def recorded(name: str) -> FinishedProgram:
    output = (RECORDED / f"autocannon-{name}").read_text(encoding="utf-8")
    return FinishedProgram(output=output, elapsed_s=2.5, cpu_user_s=1.5, cpu_system_s=0.5)


def job(load: Load | None = None, **scenario: Any) -> Job:
    hello = {
        "name": "hello",
        "path": "/hello",
        "checks": [{"kind": "equals", "text": "Hello World"}],
    }
    given = {"name": "some", "title": "t", "description": "d", "requests": [hello], **scenario}
    return Job(
        scenario=ScenarioManifest.model_validate(given),
        load=load or Closed(kind="closed", connections=100, duration=5.0),
        port=4000,
        cpus=(0,),
        seed=7,
    )


def test_the_published_command_line(tmp_path: Path) -> None:
    argv = arguments(job(), tmp_path)
    assert argv == [
        *("--json", "-n", "-c", "100", "-d", "5", "-t", "10", "-E", "Hello World"),
        "http://127.0.0.1:4000/hello",
    ]


def test_threads_become_workers(tmp_path: Path) -> None:
    load = Closed(kind="closed", connections=2, duration=1.0, threads=8)
    argv = arguments(job(load), tmp_path)
    assert argv[argv.index("-w") + 1] == "2"


def test_requests_with_headers_bodies_and_variables_go_into_an_archive(tmp_path: Path) -> None:
    request = {
        "name": "form",
        "method": "POST",
        "path": "/greet?n={n}",
        "headers": {"Content-Type": "text/plain", "X-N": "{n}"},
        "body": "{{n={n}}}",
    }
    variables = {"n": {"kind": "int", "min": 1, "max": 1000}}
    argv = arguments(job(requests=[request], variables=variables), tmp_path)
    assert argv[-3:-1] == ["--har", str(tmp_path / "requests.har")]
    assert argv[-1] == "http://127.0.0.1:4000"
    assert "-E" not in argv
    entries = json.loads((tmp_path / "requests.har").read_text())["log"]["entries"]
    assert len(entries) == ROUNDS
    assert len({entry["request"]["url"] for entry in entries}) > 50
    for entry in entries:
        sent = entry["request"]
        n = sent["url"].removeprefix("http://127.0.0.1:4000/greet?n=")
        assert sent["method"] == "POST"
        assert {"name": "X-N", "value": n} in sent["headers"]
        assert sent["postData"]["text"] == f"{{n={n}}}"


@pytest.mark.parametrize("text", ["12", "[a", "x{n}", ""])
def test_a_body_its_command_line_would_misread_is_not_checked(tmp_path: Path, text: str) -> None:
    variables = {"n": {"kind": "choice", "values": ["1"]}}
    check = {"kind": "equals", "text": text}
    requests = [{"name": "a", "path": "/", "checks": [check]}]
    assert "-E" not in arguments(job(requests=requests, variables=variables), tmp_path)


def test_what_it_cannot_do_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        UserError, match="autocannon makes closed loads only; load 'iterations-1x1'"
    ):
        arguments(job(Iterations(kind="iterations", users=1, iterations=1)), tmp_path)
    with pytest.raises(UserError, match="does not keep cookies, which scenario some"):
        arguments(job(cookies=True), tmp_path)
    # A run asks before its first trial.
    kept = job(cookies=True)
    with pytest.raises(UserError, match="does not keep cookies, which scenario some"):
        refuse(kept.scenario, kept.load.model_copy(update={"generator": "autocannon"}))
    argv = arguments(
        job(Closed(kind="closed", connections=1, duration=1.0, cookies=False), cookies=True),
        tmp_path,
    )
    assert argv


def test_figures_in_our_terms() -> None:
    found = parse(recorded("ok.json"))
    assert found.elapsed_s == 2.01
    assert found.counts.by_kind() == {
        **RequestCounts().by_kind(),
        "offered": 87965,
        "sent": 87965,
        "ok": 87955,
        "unfinished": 10,
    }
    assert found.throughput_rps == pytest.approx(87955 / 2.01)
    assert found.latency_us.mean == 20.0
    assert found.latency_us.min == 0.0
    assert found.bytes_received == json.loads(recorded("ok.json").output)["throughput"]["total"]
    assert found.generator.cpu_seconds == 2.0


def test_its_own_table_is_kept() -> None:
    told = json.loads(recorded("ok.json").output)
    table = parse(recorded("ok.json")).generator.table
    assert table["requests_per_s"] == {
        "average": told["requests"]["average"],
        "stddev": told["requests"]["stddev"],
        "max": told["requests"]["max"],
    }
    assert list(table) == ["latency_ms", "requests_per_s", "bytes_per_s"]
    assert parse(recorded("workers.json"), threads=2).generator.table is None


def test_errors_by_kind() -> None:
    assert parse(recorded("mismatches.json")).counts.failed_check == 39719
    assert parse(recorded("mismatches.json")).counts.ok == 0
    assert parse(recorded("not-found.json")).counts.wrong_status == 39517
    assert parse(recorded("refused.json")).counts.reset == 22645
    assert parse(recorded("timeouts.json")).counts.timed_out == 6
    for name in ("mismatches", "not-found", "refused", "timeouts"):
        assert parse(recorded(f"{name}.json")).latency_us is None


@pytest.mark.parametrize(
    "name", ["ok", "workers", "mismatches", "not-found", "refused", "timeouts"]
)
def test_no_figure_contradicts_another(name: str) -> None:
    found = parse(recorded(f"{name}.json"))
    codes = {flag.code for flag in check(measurement_of(found), job().load)}
    assert not codes & {"counts", "quantiles", "throughput", "littles-law"}


def test_output_without_a_result_is_an_error() -> None:
    with pytest.raises(GeneratorError, match="printed no result; its last line: Use a full URL"):
        parse(recorded("no-result.txt"))
    cut_off = FinishedProgram(recorded("ok.json").output[:300], 1.0, 0.0, 0.0)
    with pytest.raises(GeneratorError, match="printed no result"):
        parse(cut_off)
