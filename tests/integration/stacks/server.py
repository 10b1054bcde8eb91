"""A small HTTP server in a thread, and what the scenarios' honest applications share."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

TEXT, JSON, SCRIPT = "text/plain; charset=utf-8", "application/json", "text/javascript"


@dataclass(frozen=True)
class Request:
    method: str
    target: str
    headers: dict[str, str]
    body: str

    @property
    def path(self) -> str:
        return urlsplit(self.target).path

    @property
    def query(self) -> dict[str, str]:
        return {k: v[0] for k, v in parse_qs(urlsplit(self.target).query).items()}


@dataclass
class Response:
    body: bytes | str
    media: str = TEXT
    status: int = 200
    headers: list[tuple[str, str]] = field(default_factory=list)

    @property
    def content(self) -> bytes:
        return self.body.encode() if isinstance(self.body, str) else self.body


NOT_FOUND = Response("not found", status=404)
App = Callable[[Request], Response]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    app: App

    def _answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", "0"))).decode()
        headers = {name.lower(): value for name, value in self.headers.items()}
        response = type(self).app(Request(self.command, self.path, headers, body))
        self.send_response(response.status)
        self.send_header("Content-Type", response.media)
        self.send_header("Content-Length", str(len(response.content)))
        for name, value in response.headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(response.content)

    do_GET = do_POST = _answer  # noqa: N815

    def log_message(self, format: str, *args: Any) -> None:
        pass


class Running:
    """An application that is served on a free port until `stop`."""

    def __init__(self, app: App) -> None:
        handler = type("One", (Handler,), {"app": staticmethod(app)})
        self.http = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.http.daemon_threads = True
        threading.Thread(target=self.http.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def port(self) -> int:
        return int(self.http.server_address[1])

    def stop(self) -> None:
        self.http.shutdown()
        self.http.server_close()


def log_line(request: Request, response: Response) -> str:
    """A line in the Common Log Format."""
    at = time.strftime("%d/%b/%Y:%H:%M:%S +0000", time.gmtime())
    asked = f"{request.method} {request.target} HTTP/1.1"
    return f'127.0.0.1 - - [{at}] "{asked}" {response.status} {len(response.content)}\n'
