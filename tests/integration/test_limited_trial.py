"""A server that wants more memory than its limit: its trial fails, and says why."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from webdyno.catalog.catalog import Catalog
from webdyno.catalog.study import StudyManifest
from webdyno.report.facts import machine
from webdyno.run.loop import run_study
from webdyno.runtime.confine import means
from webdyno.runtime.home import Home
from webdyno.store.store import Store

SERVER = """
import os, threading, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

class Hello(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def log_message(self, *_): pass
    def do_GET(self):
        body = b"Hello World" if self.path == "/hello" else b""
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

def hoard():
    time.sleep(1.0)
    held = []
    while True:
        held.append(os.urandom(4 << 20))
        time.sleep(0.01)

threading.Thread(target=hoard, daemon=True).start()
ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Hello).serve_forever()
"""

MANIFEST = f"""
name = "hog"
language = "python"
framework = "none"
framework_version = "1"
licence = "MIT"
toolchain = []
scenarios = ["hello"]
[run]
command = ["{sys.executable}", "server.py"]
"""


@pytest.mark.skipif(
    not means().memory.startswith("cgroup"), reason="no control group for memory may be written"
)
def test_out_of_memory_is_the_reason_of_the_trial(tmp_path: Path) -> None:
    folder = tmp_path / "servers" / "python" / "hog"
    folder.mkdir(parents=True)
    (folder / "server.py").write_text(SERVER)
    (folder / "server.toml").write_text(MANIFEST)
    study = StudyManifest.model_validate(
        {
            "name": "limited",
            "title": "limited",
            "question": "does the limit hold?",
            "servers": ["python/hog"],
            "scenarios": ["hello"],
            "loads": [{"kind": "closed", "connections": 2, "duration": "8s", "timeout": "2s"}],
            "limits": {"cpus": 0.9, "memory": "150MB"},
            "warmup": {"min": 0.2, "max": 0.2},
            "blocks": {"min": 1, "max": 1},
            "budget": "60s",
        }
    )
    catalog = Catalog.with_overlay(tmp_path)
    run = run_study(study, catalog, Home(tmp_path / "home"), Store.open(tmp_path / "store.sqlite"))
    (trial,) = run.trials
    assert trial.status == "failed"
    assert trial.reason.startswith("out of memory: the limit is 150 MB")
    told = {fact.label: fact.value for fact in machine(run)}
    assert "150 MB of memory asked: held by cgroup" in told["Limits"]
