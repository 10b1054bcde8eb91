"""The wrk generator: its command line, and its figures read from recorded output.

The recordings are of real runs, `-t2 -c20 -d3s --timeout 1s`, against a small server that answers
rightly, answers every tenth with 404, drops every fiftieth connection, or lets every fifth request
hang; one is of a port where nobody listens.
"""

from __future__ import annotations

import shutil
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from webdyno.catalog.loads.load import Closed, Iterations, Load
from webdyno.catalog.scenarios.scenario import ScenarioManifest
from webdyno.errors import UserError
from webdyno.generators.external import FinishedProgram
from webdyno.generators.generator import GeneratorError
from webdyno.generators.job import Job
from webdyno.generators.plugins.wrk import Wrk, arguments, parse
from webdyno.store.counts import RequestCounts

RECORDED = Path(__file__).parent / "recorded"


def recorded(name: str) -> FinishedProgram:
    output = (RECORDED / f"wrk-{name}.txt").read_text(encoding="utf-8")
    return FinishedProgram(output=output, elapsed_s=3.2, cpu_user_s=1.5, cpu_system_s=0.5)


def job(load: Load | None = None, port: int = 4000, **request: Any) -> Job:
    visit = {"name": "visit", "path": "/", **request}
    variables = {"n": {"kind": "int", "min": 1, "max": 9}}
    given = {"name": "some", "title": "t", "description": "d", "variables": variables}
    return Job(
        scenario=ScenarioManifest.model_validate({**given, "requests": [visit]}),
        load=load or Closed(kind="closed", connections=100, duration=10.0, threads=4, timeout=2.0),
        port=port,
        cpus=(0,),
        seed=7,
    )


def test_the_published_command_line() -> None:
    assert arguments(job(), Path("report.lua")) == [
        *("wrk", "-t4", "-c100", "-d10s", "--timeout", "2s", "--script", "report.lua"),
        "http://127.0.0.1:4000/",
    ]


def test_headers_are_sent_and_times_are_whole_seconds() -> None:
    load = Closed(kind="closed", connections=8, duration=1.2, timeout=0.3)
    argv = arguments(job(load, headers={"Accept": "*/*"}), Path("s"))
    assert argv[argv.index("-H") + 1] == "Accept: */*"
    assert "-d2s" in argv
    assert argv[argv.index("--timeout") + 1] == "1s"


def test_no_more_threads_than_connections() -> None:
    load = Closed(kind="closed", connections=2, duration=1.0, threads=8)
    assert "-t2" in arguments(job(load), Path("s"))


@pytest.mark.parametrize(
    ("request_", "says"),
    [
        ({"method": "POST"}, "wrk sends one GET"),
        ({"body": "x=1"}, "wrk sends one GET"),
        ({"path": "/{n}"}, "wrk sends a fixed path"),
    ],
)
def test_what_wrk_cannot_send_is_refused(request_: dict[str, str], says: str) -> None:
    with pytest.raises(UserError, match=says):
        arguments(job(**request_), Path("s"))


def test_loads_that_wrk_does_not_have_are_refused() -> None:
    with pytest.raises(UserError, match=r"wrk makes closed loads only.*is iterations"):
        arguments(job(Iterations(kind="iterations", users=1, iterations=1)), Path("s"))


def test_a_run_without_errors() -> None:
    result = parse(recorded("ok"), threads=2)
    assert result.counts.by_kind() == {
        **RequestCounts().by_kind(),
        "offered": 115199,
        "sent": 115199,
        "ok": 115199,
    }
    assert result.elapsed_s == pytest.approx(3.029575)
    # As wrk's own text has it: `Requests/sec:  38024.81`.
    assert result.throughput_rps == pytest.approx(38024.81, abs=0.01)
    assert result.latency_us.p50 == 221
    assert result.latency_us.p999 == 24668
    assert result.latency_us.max == 28925.0
    assert result.bytes_received == 8639925
    assert result.generator.threads == 2
    assert result.samples == []


def test_its_own_table_is_kept_word_for_word() -> None:
    table = parse(recorded("ok")).generator.table
    assert table["latency"] == ["1.70ms", "2.89ms", "28.92ms", "87.56%"]
    assert table["thread_rate"] == ["19.23k", "14.48k", "59.41k", "81.67%"]
    assert table["total"] == ["115199", "3.03s", "8.24MB"]
    assert (table["rate"], table["transfer"]) == (["38024.81"], ["2.72MB"])
    assert table["timeouts"] == ["0"]
    assert parse(recorded("late")).generator.table["timeouts"] != ["0"]


def test_error_answers_are_no_throughput() -> None:
    result = parse(recorded("some-404"))
    counts = result.counts.by_kind()
    assert counts["wrong_status"] == 17079
    assert counts["ok"] == 170792 - 17079
    assert counts["sent"] == 170792
    assert result.throughput_rps < 56458.62  # what wrk says itself


def test_dropped_connections_are_lost_requests() -> None:
    counts = parse(recorded("drop")).counts.by_kind()
    assert counts["reset"] == 1637
    assert counts["ok"] == 80207
    assert counts["sent"] == counts["offered"] == 80207 + 1637


def test_late_answers_are_in_its_rate_and_not_in_its_latencies() -> None:
    """wrk's own `timeout 40` is of the 160 requests, not beside them."""
    result = parse(recorded("late"))
    assert result.counts.sent == result.counts.ok == 160
    assert result.throughput_rps == pytest.approx(52.95, abs=0.01)
    assert result.latency_us.max == 7004.0
    [late] = result.errors_detail
    assert (late.kind, late.count) == ("late", 40)


def test_where_all_answers_are_late_there_are_no_latencies() -> None:
    result = parse(recorded("very-late"))
    assert result.counts.ok == 40
    assert result.latency_us is None


def test_requests_that_hang_are_not_in_its_figures() -> None:
    """A limit of wrk: twenty requests were never answered, and it does not say so."""
    counts = parse(recorded("hang")).counts.by_kind()
    assert counts["sent"] == counts["ok"] == 80


def test_without_a_result_its_last_words_are_told() -> None:
    with pytest.raises(
        GeneratorError, match=r"unable to connect to 127\.0\.0\.1:4000 Connection ref"
    ):
        parse(recorded("refused"))


class Page(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "10")
        self.end_headers()
        self.wfile.write(b"Count is 1")

    def log_message(self, *arguments: Any) -> None: ...


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("wrk") is None, reason="wrk is not installed")
def test_the_real_wrk_is_run_and_read() -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        load = Closed(kind="closed", connections=4, duration=1.0, threads=2)
        try:
            result = Wrk().run(job(load, server.server_port))
        finally:
            server.shutdown()
    assert result.counts.ok > 0
    assert result.counts.ok == result.counts.offered
    assert 0 < result.latency_us.p50 <= result.latency_us.max
    assert result.generator.cpu_seconds > 0
