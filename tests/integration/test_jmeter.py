"""The real JMeter, against a server that counts, fails in every way, and gives cookies."""

from __future__ import annotations

import contextlib
import csv
import http.cookies
import json
import socket
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.offline import fetching
from support.recording_server import RecordingHandler, RecordingServer, recording_server
from webdyno.catalog.loads.load import Closed, Iterations
from webdyno.errors import UserError
from webdyno.generators.engine import Engine
from webdyno.generators.jtl import read_jtl
from webdyno.generators.plugins.jmeter import JMeter, program
from webdyno.runtime.toolchains import find

pytestmark = [
    pytest.mark.concurrent,
    pytest.mark.long,
    pytest.mark.skipif(
        not (find("java >= 17").ok and find("mvn >= 3.6.3").ok), reason="needs Java and Maven"
    ),
]


@pytest.fixture(scope="module", autouse=True)
def assembled(tmp_path_factory: pytest.TempPathFactory) -> None:
    with fetching(UserError):
        program(tmp_path_factory.mktemp("preferences"))


class Counting(RecordingHandler):
    """Answers with what stands behind `=`, and fails as the path says."""

    def answer(self) -> None:
        if self.path == "/reset":
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        if self.path == "/slow":
            with contextlib.suppress(OSError):
                self.connection.recv(1)  # Until the client hangs up.
            self.close_connection = True
            return
        cookie = http.cookies.SimpleCookie(self.headers.get("Cookie", ""))
        visits = int(cookie["visits"].value) + 1 if "visits" in cookie else 1
        text = f"visit {visits}" if self.path == "/visit" else self.path.rpartition("=")[2]
        self.send_response(404 if self.path == "/none" else 200)
        if self.path == "/visit":
            self.send_header("Set-Cookie", f"visits={visits}; Path=/")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())


LOAD = Iterations(kind="iterations", users=3, iterations=20, timeout=10)


@pytest.fixture
def server() -> Iterator[RecordingServer]:
    with recording_server(Counting) as made:
        yield made


def test_values_are_drawn_and_every_answer_is_checked(
    server: RecordingServer, tmp_path: Path
) -> None:
    variables = {
        "n": {"kind": "int", "min": 1, "max": 10**6},
        "word": {"kind": "choice", "values": ["a,b", 'say "x"', "ü", "${n}"]},
    }
    requests = [
        {
            "name": "page",
            "path": "/page?n={n}",
            "headers": {"X-N": "{n}"},
            "checks": [{"kind": "status", "equals": 200}, {"kind": "equals", "text": "{n}"}],
        },
        {"name": "form", "method": "POST", "path": "/form", "body": "{{word}} is {word}"},
    ]
    record = tmp_path / "samples.jtl"
    result = JMeter().run(server.job(requests, LOAD, record=record, variables=variables))
    assert result.counts.ok == result.counts.offered == 60 == len(server.requests)
    pages = [one for one in server.requests if one[0] == "GET"]
    assert all(path == f"/page?n={n}" for _, path, n, _ in pages)
    assert len(pages) == 30
    assert len({path for _, path, _, _ in pages}) > 20
    bodies = {body for method, _, _, body in server.requests if method == "POST"}
    assert bodies <= {f"{{word}} is {word}" for word in variables["word"]["values"]}
    assert len(bodies) > 1
    assert sum(second.ok for second in result.series) == 60
    assert result.latency_us.max < 10e6
    assert result.histograms["from_send"]
    assert result.generator.cpu_seconds > 0
    assert read_jtl(record).counts == result.counts.by_kind()


def test_failures_are_counted_by_kind(server: RecordingServer) -> None:
    def one(path: str, **check: Any) -> dict[str, Any]:
        return {"name": path, "path": path, "checks": [check] if check else []}

    requests = [
        one("/none"),
        one("/fine=yes", kind="equals", text="no"),
        one("/fine=404", kind="status", equals=404),
        one("/reset"),
        one("/slow"),
        one("/none", kind="status", equals=404),
    ]
    # What is answered is so in time, by a JVM that has just begun, too.
    load = Iterations(kind="iterations", users=2, iterations=12, timeout=4)
    result = JMeter().run(server.job(requests, load))
    counts = result.counts.by_kind()
    assert {kind: count for kind, count in counts.items() if count} == {
        "offered": 24,
        "sent": 24,
        "ok": 4,
        "wrong_status": 8,
        "failed_check": 4,
        "reset": 4,
        "timed_out": 4,
    }
    assert {line.kind for line in result.errors_detail} == {
        "wrong_status",
        "failed_check",
        "reset",
        "timed_out",
    }


def test_nobody_listens(server: RecordingServer) -> None:
    server.http.server_close()
    result = JMeter().run(server.job([{"name": "x", "path": "/x"}], LOAD))
    assert result.counts.refused == result.counts.offered == 60
    assert result.counts.sent == 0
    assert result.latency_us is None


def test_users_keep_their_cookies_and_a_closed_load_ends(server: RecordingServer) -> None:
    visit = {
        "name": "visit",
        "path": "/visit",
        "checks": [{"kind": "counter", "pattern": "visit (\\d+)"}],
    }
    load = Closed(kind="closed", connections=2, duration=1.0)
    result = JMeter().run(server.job([visit], load, cookies=True))
    assert 0.5 < result.elapsed_s < 10
    assert result.counts.ok > 4
    assert result.generator.unchecked == ["counter"]


def test_jmeter_opens_what_the_engine_recorded(server: RecordingServer, tmp_path: Path) -> None:
    requests = [
        {"name": "right, and quoted", "path": "/fine=yes"},
        {
            "name": "wrong",
            "path": "/fine=no",
            "checks": [{"kind": "equals", "text": 'a "word", another'}],
        },
    ]
    record = tmp_path / "engine.jtl"
    result = Engine().run(server.job(requests, LOAD, record=record))
    assert read_jtl(record).counts == result.counts.by_kind()
    opened = subprocess.run(
        [*program(tmp_path), "-g", str(record), "-o", str(tmp_path / "report")],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert opened.returncode == 0, opened.stdout + opened.stderr
    seen = json.loads((tmp_path / "report" / "statistics.json").read_text())
    assert seen["Total"]["sampleCount"] == 60
    assert seen["Total"]["errorCount"] == seen["wrong"]["errorCount"] == 30
    assert seen["right, and quoted"]["errorCount"] == 0
    longest: Counter[str] = Counter()
    with record.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            longest[row["label"]] = max(longest[row["label"]], int(row["elapsed"]))
    assert seen["Total"]["maxResTime"] == max(longest.values())
    # Whole milliseconds, cut off; a histogram has three digits, of its bucket's upper end.
    right_ms = longest["right, and quoted"]
    assert right_ms <= result.latency_from_send_us.max / 1e3 < (right_ms + 1) * 1.001
