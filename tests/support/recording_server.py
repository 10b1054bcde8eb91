"""A server that records its requests, for tests of load generators, and jobs against it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from webdyno.catalog.loads.load import Load
from webdyno.catalog.scenarios.scenario import ScenarioManifest
from webdyno.generators.job import Job


class RecordingHandler(BaseHTTPRequestHandler):
    """Records each request, and leaves its answer to `answer`."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    requests: list[tuple[str, str, str, str]]
    """Method, path, the header X-N and body of each request."""

    def answer(self) -> None:
        """Answers the request."""
        raise NotImplementedError

    def _record(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", "0"))).decode()
        self.requests.append((self.command, self.path, self.headers.get("X-N", ""), body))
        self.answer()

    do_GET = do_POST = _record  # noqa: N815

    def log_message(self, format: str, *args: Any) -> None:
        pass


class RecordingServer:
    """A server whose answers are those of `kind`."""

    def __init__(self, kind: type[RecordingHandler]) -> None:
        self.requests: list[tuple[str, str, str, str]] = []
        handler = type("Handler", (kind,), {"requests": self.requests})
        self.http = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.http.daemon_threads = True
        threading.Thread(target=self.http.serve_forever, args=(0.05,), daemon=True).start()

    def job(
        self,
        requests: list[dict[str, Any]],
        load: Load,
        record: Path | None = None,
        **scenario: Any,
    ) -> Job:
        """The load of these requests; `scenario` are further keys of their scenario."""
        manifest = {"name": "s", "title": "t", "description": "d", "requests": requests, **scenario}
        return Job(
            scenario=ScenarioManifest.model_validate(manifest),
            load=load,
            port=self.http.server_address[1],
            cpus=(),
            seed=1,
            record=record,
        )


@contextmanager
def recording_server(kind: type[RecordingHandler]) -> Iterator[RecordingServer]:
    """Until the end of the block."""
    server = RecordingServer(kind)
    try:
        yield server
    finally:
        server.http.shutdown()
        server.http.server_close()
