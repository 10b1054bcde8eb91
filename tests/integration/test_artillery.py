"""The real Artillery against a server that counts; where it has been installed before.

Its installation is 459 MB, which no test asks of a machine: a run of a study that uses it does.
"""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

import pytest

from webdyno.catalog.loads.load import Open
from webdyno.catalog.scenarios.scenario import ScenarioManifest
from webdyno.generators.job import Job
from webdyno.generators.plugins.artillery import Artillery
from webdyno.generators.tools import is_installed
from webdyno.verdict.integrity import SENT_KINDS

pytestmark = pytest.mark.skipif(
    not is_installed("artillery"), reason="Artillery is not installed (459 MB)"
)

SCENARIO = ScenarioManifest.model_validate(
    {
        "name": "any",
        "title": "any",
        "description": "any",
        "variables": {"n": {"kind": "int", "min": 1, "max": 9}},
        "requests": [{"name": "one", "path": "/n?n={n}"}],
    }
)


class Counting(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    seen: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        self.seen.append(self.path)
        self.send_response(404 if self.path.endswith("9") else 200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"ok")

    def log_message(self, format: str, *args: Any) -> None:
        pass


def test_what_artillery_tells_is_what_the_server_saw() -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Counting)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    load = Open(
        kind="open", phases=["12.5/s:2s", "25/s:2s"], generator="artillery", arrivals="uniform"
    )
    try:
        found = Artillery().run(Job(SCENARIO, load, port=server.server_address[1], cpus=(), seed=3))
    finally:
        server.shutdown()
        server.server_close()
    counts, seen = found.counts.by_kind(), Counting.seen
    assert counts["offered"] == pytest.approx(75, abs=2)
    assert counts["sent"] == len(seen)
    assert counts["wrong_status"] == sum(path.endswith("9") for path in seen)
    assert counts["ok"] == len(seen) - counts["wrong_status"]
    assert sum(counts[kind] for kind in SENT_KINDS) == counts["sent"]
    assert len(set(seen)) > 5
    assert found.latency_us.p50 <= found.latency_us.max
    assert found.generator.cpu_seconds > 0
