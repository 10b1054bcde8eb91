"""What helps where a service answers with another status than the right one."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from webdyno.ab.asking import answers_of
from webdyno.ab.listeners import Running
from webdyno.ab.proof import scenario_of
from webdyno.catalog.description import Description
from webdyno.verifier import Mismatch


class _Service(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(int(self.path.partition("?")[0].strip("/")))
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


def asked(line: str, folder: Path) -> None:
    """Ask a service the question of `line`."""
    description = Description.model_validate({"name": "x", "requests": [line]})
    scenario_of(description, folder)
    with HTTPServer(("127.0.0.1", 0), _Service) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            url, port = f"http://127.0.0.1:{server.server_port}", server.server_port
            answers_of(Running(url, f"127.0.0.1:{port}", "127.0.0.1", port, "/", None), folder)
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.parametrize(
    ("status", "remedy"),
    [
        (302, "; ask for the address that it leads to, log in by -H 'Cookie: …', or give `webdyno"),
        (401, "; log in by -H 'Authorization: …', or give `webdyno ab` --status 401 (`status` in"),
        (404, "; check the path, or give `webdyno ab` --status 404 (`status` in webdyno.toml) if"),
        (429, "; raise the limit on requests of the service while it is compared"),
        (500, ""),
    ],
)
def test_the_remedy_is_named(tmp_path: Path, status: int, remedy: str) -> None:
    with pytest.raises(Mismatch) as raised:
        asked(f"GET /{status}", tmp_path)
    said = f"GET /{status} was answered {status}, not 2xx"
    assert str(raised.value).startswith(said + remedy)
    assert bool(remedy) or str(raised.value) == said


def test_a_secret_in_the_path_is_not_told(tmp_path: Path) -> None:
    with pytest.raises(Mismatch) as raised:
        asked("GET /500?token=hunter2&page=2", tmp_path)
    assert str(raised.value) == "GET /500?token=…&page=2 was answered 500, not 2xx"
