"""Whatever becomes of a server, the run and the gate name it and say why."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.concurrent

Cli = Callable[..., subprocess.CompletedProcess[str]]

SERVER = """
import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

{before}


class Hello(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        if self.path != "/hello":
            self.answer(404, b"")
            return
        {within}
        self.answer(200, b"Hello World")

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Type", "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("127.0.0.1", {port}), Hello).serve_forever()
"""

MANIFEST = """
name = "{name}"
language = "python"
framework = "none"
framework_version = "1"
licence = "MIT"
toolchain = ["{toolchain}"]
scenarios = ["{scenario}"]
[build]
commands = {commands}
[run]
command = ["python3", "server.py"]
"""

STUDY = """
name = "{name}"
title = "Rows"
question = "Who is there?"
servers = {servers}
scenarios = ["hello"]
budget = "{budget}"
sentinel = false
[[loads]]
kind = "closed"
connections = 2
duration = "300ms"
[warmup]
min = "100ms"
max = "200ms"
[blocks]
min = 1
max = 1
"""

BREAKS = """
        print("RuntimeError: the pool is gone", file=sys.stderr, flush=True)
        self.answer(500, b"")
        return
"""


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One server of each fate."""
    root = tmp_path_factory.mktemp("content")

    def server(
        name: str, *, before: str = "", within: str = "pass", port: str = 'int(os.environ["PORT"])',
        toolchain: str = "python >= 3.11", scenario: str = "hello", commands: str = "[]",
    ) -> None:  # fmt: skip
        folder = root / "servers" / "python" / name
        folder.mkdir(parents=True)
        text = SERVER.format(before=before, within=within.strip(), port=port)
        (folder / "server.py").write_text(text)
        (folder / "server.toml").write_text(
            MANIFEST.format(name=name, toolchain=toolchain, scenario=scenario, commands=commands)
        )

    server("good")
    server("fine")
    server("unbuilt", commands='[["python3", "-c", "import no_such_module"]]')
    server("future", toolchain="node >= 999")
    server("other", scenario="json")
    server("crashes", before='raise OSError("no licence was found")')
    server("elsewhere", port="0")
    server("breaks", within=BREAKS)
    return root


def run(cli: Cli, content: Path, tmp_path: Path, budget: str, *servers: str) -> dict[str, Any]:
    """The exported run of a study of `servers`, with what the terminal said as `said`."""
    (content / "studies").mkdir(exist_ok=True)
    (content / "studies" / "rows.toml").write_text(
        STUDY.format(name="rows", budget=budget, servers=json.dumps(servers))
    )
    out, html = tmp_path / "run.json", tmp_path / "run.html"
    done = cli(
        "--content", str(content), "run", "rows", "--plain", "--json", str(out), "--html", str(html)
    )
    assert out.is_file(), done.stdout + done.stderr
    held: dict[str, Any] = json.loads(out.read_text())
    return {**held, "said": done.stdout, "code": done.returncode, "html": html.read_text()}


def test_every_server_has_a_row_and_a_reason(cli: Cli, content: Path, tmp_path: Path) -> None:
    names = ("good", "unbuilt", "future", "other", "crashes", "elsewhere", "breaks")
    seen = run(cli, content, tmp_path, "180s", *(f"python/{name}" for name in names))
    absent = {row["entry"]: (row["kind"], row["reason"]) for row in seen["absent"]}
    tried = {trial["entry"]: (trial["status"], trial["reason"]) for trial in seen["trials"]}
    assert set(absent) | set(tried) == {f"python/{name}" for name in names}
    kind, reason = absent["python/unbuilt"]
    assert kind == "build-failed"
    assert "ModuleNotFoundError: No module named 'no_such_module'" in reason
    assert absent["python/future"][0] == "toolchain-missing"
    assert absent["python/other"] == ("not-implemented", "does not implement hello")
    assert "OSError: no licence was found" in tried["python/crashes"][1]
    assert "read PORT from the environment" in tried["python/elsewhere"][1]
    assert "its log says: RuntimeError: the pool is gone" in tried["python/breaks"][1]
    assert tried["python/good"][0] == "ok", tried["python/good"]
    for name in names:
        assert f"python/{name}" in seen["said"]
        assert f"python/{name}" in seen["html"]


def test_whom_the_budget_did_not_reach_is_told(cli: Cli, content: Path, tmp_path: Path) -> None:
    seen = run(cli, content, tmp_path, "1ms", "python/good", "python/crashes")
    assert len(seen["trials"]) == 1
    assert [row["reason"] for row in seen["absent"]] == ["the time budget ended first"]
    assert seen["absent"][0]["entry"] in seen["said"]


def test_a_run_in_which_nothing_could_be_built_tells_why(
    cli: Cli, content: Path, tmp_path: Path
) -> None:
    seen = run(cli, content, tmp_path, "10s", "python/unbuilt")
    assert seen["code"] == 1
    assert seen["status"] == "finished"
    assert "No module named 'no_such_module'" in seen["said"]


@pytest.mark.long
def test_the_gate_fails_by_name_what_can_be_built_no_more(
    cli: Cli, content: Path, tmp_path: Path
) -> None:
    run(cli, content, tmp_path, "180s", "python/good")
    manifest = content / "servers" / "python" / "good" / "server.toml"
    sound = manifest.read_text()
    try:
        manifest.write_text(sound.replace("commands = []", 'commands = [["python3", "none.py"]]'))
        done = cli(
            "--content", str(content), "gate", "--baseline", str(tmp_path / "run.json"),
            "--blocks", "3",
        )  # fmt: skip
    finally:
        manifest.write_text(sound)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "python/good (hello) no longer works" in done.stdout
    assert "can't open file" in done.stdout


@pytest.mark.long
def test_the_gate_tells_whom_its_budget_did_not_reach(
    cli: Cli, content: Path, tmp_path: Path
) -> None:
    run(cli, content, tmp_path, "180s", "python/good", "python/fine")
    done = cli(
        "--content", str(content), "gate", "--baseline", str(tmp_path / "run.json"),
        "--unpaired", "--blocks", "3", "--budget", "1ms",
    )  # fmt: skip
    assert done.returncode == 3, done.stdout + done.stderr
    assert "(hello) was not reached before the time budget ended; everything takes" in done.stdout
    assert "(--budget 1m)" in done.stdout
    assert "no longer works" not in done.stdout


def test_verify_applies_the_checks_of_the_manifest(cli: Cli, content: Path, tmp_path: Path) -> None:
    folder = content / "scenarios" / "hello"
    folder.mkdir(parents=True, exist_ok=True)
    shipped = Path(__file__).resolve().parents[2] / "scenarios" / "hello"
    (folder / "verifier.py").write_text((shipped / "verifier.py").read_text())
    text = (shipped / "scenario.toml").read_text()
    try:
        checks = '{ kind = "contains", text = "Goodbye" },'
        (folder / "scenario.toml").write_text(text.replace("checks = [", f"checks = [{checks}", 1))
        done = cli("--content", str(content), "verify", "python/good")
    finally:
        (folder / "scenario.toml").unlink()
    assert done.returncode == 1, done.stdout + done.stderr
    assert "FAILED python/good hello wrong answers under load: failed check" in done.stdout
    assert "proving python/good at hello (1 of 1)" in done.stderr
