"""A small board as a user keeps it: stopped half-way, gone on with, one server changed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from support.output_schemas import validated

ROOT = Path(__file__).resolve().parents[2]

MANIFEST = """
name = "{name}"
language = "python"
framework = "http.server"
framework_version = "3.11"
licence = "PSF-2.0"
toolchain = ["python >= 3.11"]
scenarios = {scenarios}
[run]
command = ["python3", "main.py"]
[concurrency]
model = "a thread a connection"
[parts]
{parts}
[warmup]
min = "200ms"
max = "10s"
answers = 100
cpu = "200ms"
"""

# WORK sets the servers so far apart that three blocks settle it, on a busy machine, too.
PROGRAM = """
import json, os, random, signal, socketserver, sys
from http.server import BaseHTTPRequestHandler

class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1

    def do_GET(self):
        for _ in range(WORK):
            pass
        if self.path == "/" + os.environ["WEBDYNO_SCENARIO"]:
            numbers = {f"Test Number {i}": random.randint(0, 1000) for i in range(1, 11)}
            kind, body = {
                "/hello": ("text/plain", "Hello World"),
                "/json": ("application/json", json.dumps(numbers)),
            }[self.path]
            self.send_response(200)
        else:
            kind, body = "text/plain", ""
            self.send_response(404)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_):
        pass

class Server(socketserver.ThreadingMixIn, socketserver.TCPServer):
    allow_reuse_address = daemon_threads = True
    request_queue_size = 128

# A thread keeps the interpreter for 5 ms by default: on a slow core some get none for seconds.
sys.setswitchinterval(0.0005)
server = Server(("127.0.0.1", int(os.environ["PORT"])), Handler)
signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
server.serve_forever()
"""


@dataclass(frozen=True)
class Board:
    """Servers in a content folder, and a home for what is measured of them."""

    folder: Path

    def add(self, name: str, work: int, *scenarios: str) -> None:
        """A server that does so much useless work for each request."""
        folder = self.folder / "content" / "servers" / "python" / name
        folder.mkdir(parents=True)
        parts = 'json = "json.dumps"' if "json" in scenarios else ""
        (folder / "server.toml").write_text(
            MANIFEST.format(name=name, scenarios=list(scenarios), parts=parts)
        )
        (folder / "main.py").write_text(PROGRAM.replace("WORK", str(work)))

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [
                sys.executable, "-m", "webdyno", "--content", str(self.folder / "content"),
                "run", "board", "--servers", "python/quick,python/slow,python/slower",
                "--scenarios", "hello,json", "--reference", "python/quick", *arguments,
            ],
            cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={
                **os.environ,
                "WEBDYNO_HOME": str(self.folder / "home"),
                "PYTHONPATH": str(ROOT / "src"),
            },
        )  # fmt: skip

    def sit(self, *arguments: str, code: int = 0) -> str:
        """A sitting to its end; gives what it printed."""
        process = self.start(*arguments)
        out, error = process.communicate(timeout=300)
        assert process.returncode == code, out + error
        return out

    def matrix(self) -> dict[tuple[str, str], dict[str, Any]]:
        """The cells of the last sitting's JSON."""
        held = validated("board", (self.folder / "board.json").read_text())
        return {
            (row["server"], scenario): cell
            for row in held["rows"]
            for scenario, cell in row["cells"].items()
        }


@pytest.fixture
def board(tmp_path: Path) -> Board:
    made = Board(tmp_path)
    made.add("quick", 0, "hello", "json")
    made.add("slow", 20_000, "hello", "json")
    made.add("slower", 60_000, "hello")
    return made


@pytest.mark.long
def test_stopped_gone_on_with_and_only_what_changed_is_measured_anew(board: Board) -> None:
    files = ["--json", str(board.folder / "board.json"), "--html", str(board.folder / "board.html")]
    told = board.sit("--dry-run")
    assert "5 cells of 3 servers and 2 scenarios: 5 without a place yet" in told
    assert "to place every cell: 2 pieces" in told

    # Stopped after its first trial.
    process = board.start("--budget", "2m", "--plain")
    assert process.stderr is not None
    for line in process.stderr:
        if line.startswith("block 1, 1 of"):
            break
    process.send_signal(signal.SIGINT)
    out, error = process.communicate(timeout=60)
    assert process.returncode == 130, out + error

    # Gone on with: what was begun comes first. A busy machine may have no time for json.
    told = board.sit("--budget", "3m", "--plain", *files)
    assert told.startswith("hello: continuing")
    assert "this sitting: " in told
    first = board.matrix()
    assert len(first) == 5
    cells = [first[f"python/{name}", "hello"] for name in ("quick", "slow", "slower")]
    assert [(cell["kind"], cell["first"], cell["last"]) for cell in cells] == [
        ("placed", 1, 1), ("placed", 2, 2), ("placed", 3, 3),
    ]  # fmt: skip
    slow = first["python/slow", "hello"]
    assert slow["low"] < slow["ratio"] < slow["high"] < 1
    page = (board.folder / "board.html").read_text()
    assert "python/slower" in page
    assert slow["run"] in page

    # One source changes: its cells alone are measured anew.
    program = board.folder / "content" / "servers" / "python" / "slower" / "main.py"
    program.write_text(program.read_text() + "# changed\n")
    told = board.sit("--dry-run")
    assert "5 cells of 3 servers and 2 scenarios: 1 changed since, " in told
    assert "first: hello: python/quick, python/slower (its source changed)" in told
    told = board.sit("--budget", "60s", "--plain", *files)
    assert told.startswith("hello: python/quick, python/slower (its source changed)")
    again = board.matrix()
    assert again["python/slower", "hello"]["kind"] == "placed"
    assert again["python/slower", "hello"]["run"] != first["python/slower", "hello"]["run"]
    assert again["python/slow", "hello"] == {
        **first["python/slow", "hello"], "of": again["python/slow", "hello"]["of"],
    }  # fmt: skip
