"""A server of a test's own, which answers `hello` and misbehaves as the test asks."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path

PROGRAM = """
import os, threading, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

{setup}

class Hello(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # Or each answer waits 40 ms for an acknowledgement.
    def log_message(self, *_): pass
    def do_GET(self):
{each}
        body = b"Hello World" if self.path == "/hello" else b""
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

class Server(ThreadingHTTPServer):
    request_queue_size = 512
    daemon_threads = True
    def handle_error(self, *_): pass

Server((os.environ.get("HOST", "127.0.0.1"), int(os.environ["PORT"])), Hello).serve_forever()
"""

MANIFEST = f"""
name = "{{name}}"
language = "python"
framework = "none"
framework_version = "1"
licence = "MIT"
toolchain = []
scenarios = ["hello"]
[run]
command = ["{sys.executable}", "server.py"]
"""


def write_hello_server(content: Path, name: str, setup: str = "", each: str = "pass") -> None:
    """Write `python/NAME` into the folder `content`: `setup` is run once, `each` for every request,
    on a thread of its connection."""
    folder = content / "servers" / "python" / name
    folder.mkdir(parents=True)
    each = textwrap.indent(textwrap.dedent(each).strip(), " " * 8)
    program = PROGRAM.format(setup=textwrap.dedent(setup).strip(), each=each)
    (folder / "server.py").write_text(program)
    (folder / "server.toml").write_text(MANIFEST.format(name=name))
