"""A spike that a server cannot carry: every request has one ending, and they add up."""

from __future__ import annotations

import socket
import threading
import time

import pytest

from support.measurement_of import measurement_of
from webdyno.catalog.loads.load import Open
from webdyno.catalog.scenarios.scenario import ScenarioManifest
from webdyno.generators.engine import Engine
from webdyno.generators.job import Job
from webdyno.report.tables.endings import KINDS
from webdyno.verdict.integrity import check

pytestmark = pytest.mark.concurrent

SCENARIO = ScenarioManifest.model_validate(
    {
        "name": "any",
        "title": "any",
        "description": "any",
        "requests": [{"name": "one", "path": "/", "checks": [{"kind": "status", "equals": 200}]}],
    }
)
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


class OneAtATime:
    """Answers one request after the other, 20 ms each, and now and then drops a connection."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self._listener.getsockname()[1]
        self._turn = threading.Lock()
        self._served = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                peer, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(peer,), daemon=True).start()

    def _serve(self, peer: socket.socket) -> None:
        try:
            while peer.recv(4096):
                with self._turn:
                    time.sleep(0.02)
                    self._served += 1
                    if self._served % 25 == 0:
                        return
                peer.sendall(ANSWER)
        except OSError:
            pass
        finally:
            peer.close()


@pytest.mark.parametrize("connections", [8, 400])
def test_the_kinds_of_ending_add_up_to_what_was_asked_for(connections: int) -> None:
    server = OneAtATime()
    load = Open(kind="open", phases=["20/s:1s", "300/s:2s"], timeout=0.5, connections=connections)
    try:
        found = Engine().run(Job(SCENARIO, load, port=server.port, cpus=(), seed=11))
    finally:
        server.close()
    counts = found.counts.by_kind()
    assert sum(counts[kind] for kind in KINDS) == counts["offered"]
    # About 620 were asked for, and 50 a second can be answered.
    assert counts["offered"] > 400
    assert counts["ok"] < 0.6 * counts["offered"]
    # With few connections they wait to be sent, with many they wait to be answered.
    assert counts["timed_out" if connections > 100 else "not_sent"] > 50
    assert "counts" not in {flag.code for flag in check(measurement_of(found), load)}
    # And second by second as in all.
    by_second = found.series
    assert sum(second.offered for second in by_second) == counts["offered"]
    assert sum(second.ok for second in by_second) == counts["ok"]
    # What was never sent fails in no second of its own.
    failed = sum(counts[k] for k in KINDS if k not in ("ok", "unfinished", "not_sent"))
    assert sum(second.errors for second in by_second) == failed
    spike = next(second for second in by_second if second.ok)
    assert None not in (spike.p50_us, spike.p90_us, spike.p95_us, spike.p99_us)
    assert spike.p50_us <= spike.p90_us <= spike.p95_us <= spike.p99_us  # type: ignore[operator]
