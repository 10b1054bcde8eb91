"""The engine's Python classes against a real server."""

from __future__ import annotations

import base64
import itertools
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest
from hdrh.histogram import HdrHistogram  # type: ignore[import-untyped]

from webdyno._engine import Load, Observer

pytestmark = pytest.mark.concurrent


class Handler(BaseHTTPRequestHandler):
    """`/hello`; `/number?n=N` answers N; `/flaky` fails every fourth time."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    flaky = itertools.count(1)

    def do_GET(self) -> None:
        status, body = 200, b"Hello World"
        if self.path.startswith("/number"):
            body = self.path.partition("=")[2].encode()
        elif self.path == "/flaky" and next(self.flaky) % 4 == 0:
            status, body = 503, b"Try later"
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_address[1]
    server.shutdown()
    server.server_close()


def specification(port: int, load: dict[str, Any], **more: Any) -> str:
    request = {
        "name": "hello",
        "path": "/hello",
        "checks": [{"kind": "status", "equals": 200}, {"kind": "equals", "text": "Hello World"}],
    }
    target = {"host": "127.0.0.1", "port": port, "host_header": None}
    return json.dumps({"target": target, "load": load, "requests": [request], **more})


def run(spec: str) -> dict[str, Any]:
    load = Load(spec)
    load.start()
    assert load.wait(30.0)
    result: dict[str, Any] = json.loads(load.result())
    return result


def iterations(users: int, each: int) -> dict[str, Any]:
    return {"kind": "iterations", "users": users, "iterations": each}


def test_every_request_of_a_load_of_iterations_is_counted(port: int) -> None:
    result = run(specification(port, iterations(3, 30)))
    assert result["counts"]["ok"] == result["counts"]["offered"] == 90
    assert result["generator"]["reactor"] in ("epoll", "io_uring")
    assert abs(result["started_unix_s"] - time.time()) < 60


def test_a_closed_load_can_be_watched_while_it_runs(port: int) -> None:
    load = Load(specification(port, {"kind": "closed", "connections": 2, "duration_s": 0.6}))
    load.start()
    looks = []
    while not load.wait(0.1):
        looks.append(json.loads(load.progress()))
    last = json.loads(load.progress())
    assert len(looks) >= 3
    assert last["done"]
    assert last["phase"] == "done"
    answers = [look["ok_total"] for look in [*looks, last]]
    assert answers == sorted(answers)
    assert last["counts"] == json.loads(load.result())["counts"]


@pytest.mark.parametrize("arrivals", ["uniform", "poisson"])
def test_an_open_load_offers_its_schedule(port: int, arrivals: str) -> None:
    phases = [{"rate": 100.0, "to_rate": None, "duration_s": 0.3}]
    load = {"kind": "open", "phases": phases, "arrivals": arrivals, "connections": 8}
    first, again = (run(specification(port, load)) for _ in range(2))
    offered = first["counts"]["offered"]
    # At random their number is, too, but the seed decides it.
    assert offered == pytest.approx(30, abs=0 if arrivals == "uniform" else 25)
    assert again["counts"]["offered"] == offered
    assert sum(second["offered"] for second in first["series"]) == offered


def test_histograms_can_be_read_and_agree_with_the_quantiles(port: int) -> None:
    result = run(specification(port, iterations(2, 100)))
    names = {
        "from_intended": "latency_us",
        "from_send": "latency_from_send_us",
        "send_lag": "send_lag_us",
    }
    for histogram, quantiles in names.items():
        decoded = HdrHistogram.decode(result["histograms"][histogram].encode())
        assert decoded.get_total_count() == 200
        median = decoded.get_value_at_percentile(50.0) / 1000
        assert median == pytest.approx(result[quantiles]["p50"], rel=0.002)


def test_failures_are_told_apart_and_named(port: int) -> None:
    flaky = {"name": "flaky", "path": "/flaky", "checks": [{"kind": "status", "equals": 200}]}
    spec = json.loads(specification(port, iterations(2, 20)))
    spec["requests"] = [flaky]
    result = run(json.dumps(spec))
    assert result["counts"]["wrong_status"] == 10
    assert result["counts"]["ok"] == 30
    [detail] = result["errors_detail"]
    assert detail["kind"] == "wrong_status"
    assert detail["request"] == "flaky"
    assert detail["count"] == 10


def test_samples_hold_what_was_asked_and_answered(port: int) -> None:
    spec = json.loads(
        specification(
            port,
            iterations(2, 20),
            variables={"n": {"kind": "choice", "values": ["11", "22", "33"]}},
            audit={"samples": 7, "max_body_bytes": 100},
        )
    )
    expected = {value: value for value in ("11", "22", "33")}
    check = {"kind": "lookup", "variable": "n", "expected": expected}
    spec["requests"] = [{"name": "number", "path": "/number?n={n}", "checks": [check]}]
    result = run(json.dumps(spec))
    assert result["counts"]["ok"] == 40
    assert len(result["samples"]) == 7
    for sample in result["samples"]:
        assert base64.b64decode(sample["body_base64"]).decode() == sample["variables"]["n"]


def test_a_load_that_is_stopped_keeps_its_result(port: int) -> None:
    load = Load(specification(port, {"kind": "closed", "connections": 2, "duration_s": 3600}))
    load.start()
    assert not load.wait(0.2)
    load.stop()
    assert load.wait(30.0)
    result = json.loads(load.result())
    assert result["stopped_early"]
    assert result["elapsed_s"] < 60
    assert result["counts"]["ok"] > 0


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"load": {"kind": "closed", "connections": 0, "duration_s": 1}}, "load.connections"),
        ({"load": {"kind": "burst"}}, "burst"),
        ({"target": {"host": "192.0.2.1", "port": 80}}, "allow_remote"),
        ({"requests": []}, "requests"),
        ({"request": []}, "request"),
    ],
)
def test_a_wrong_specification_is_one_line(change: dict[str, Any], named: str) -> None:
    spec = json.loads(specification(1, iterations(1, 1)))
    with pytest.raises(ValueError, match=named) as refused:
        Load(json.dumps({**spec, **change}))
    assert "\n" not in str(refused.value)


def test_a_result_before_the_end_is_an_error(port: int) -> None:
    load = Load(specification(port, iterations(1, 1)))
    with pytest.raises(RuntimeError, match="start"):
        load.result()


def test_the_observer_sees_what_a_process_uses() -> None:
    spin = "import time\nend = time.monotonic() + 20\nwhile time.monotonic() < end: pass"
    process = subprocess.Popen([sys.executable, "-c", spin])
    try:
        observer = Observer({"server": process.pid}, interval_s=0.02)
        observer.start()
        observer.mark("start")
        time.sleep(0.5)
        observer.mark("end")
        seen = json.loads(observer.stop())
    finally:
        process.kill()
        process.wait()
    start, end = (seen["marks"][name]["roles"]["server"] for name in ("start", "end"))
    used = end["cpu_user_s"] + end["cpu_system_s"] - start["cpu_user_s"] - start["cpu_system_s"]
    assert 0.02 < used < 1.5
    assert seen["roles"]["server"]["peak"]["rss_bytes"] > 1_000_000
    assert len(seen["roles"]["server"]["series"]) >= 5
