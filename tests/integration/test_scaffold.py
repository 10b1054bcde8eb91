"""What `webdyno new` writes works at once: built, started, proven by the real verifiers."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from support.command_line import webdyno
from webdyno.catalog import Catalog
from webdyno.cli.new import languages, new_scenario, new_server, new_study
from webdyno.runtime.toolchains import find

pytestmark = pytest.mark.concurrent

ROOT = Path(__file__).resolve().parents[2]


def verify(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "WEBDYNO_CONTENT": ""}
    return webdyno("verify", *arguments, cwd=folder, env=env, timeout_s=900)


QUICK = ("node", "python")
"""Languages whose servers are built within seconds."""


@pytest.mark.parametrize(
    "language",
    [
        language if language in QUICK else pytest.param(language, marks=pytest.mark.long)
        for language in languages()
    ],
)
def test_a_new_server_passes_verification(language: str, tmp_path: Path) -> None:
    new_server(tmp_path, f"{language}/scaffolded")
    (server,) = Catalog([tmp_path]).servers()
    lacking = [spec for spec in server.manifest.toolchain if not find(spec).ok]
    if lacking:
        pytest.skip(f"needs {', '.join(lacking)}")
    done = verify(tmp_path, f"{language}/scaffolded")
    assert "1 proven, 0 failed, 0 left out" in done.stdout, done.stdout + done.stderr
    assert done.returncode == 0


SQUARES = '''
class Squares(Hello):
    """The scenario `squares`."""

    def do_GET(self) -> None:
        found = self.path.startswith("/squares?n=")
        body = WORK.encode() if found else b""
        self.send_response(200 if found else 404)
        self.send_header("Content-Type", "text/plain; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


APPS = {"hello": Hello, "squares": Squares}
'''


@pytest.mark.parametrize(
    ("work", "proven"),
    [('str(int(self.path.partition("=")[2]) ** 2)', True), ('"144"', False)],
    ids=["honest", "constant"],
)
def test_a_new_scenario_proves_an_honest_server_and_finds_a_cheat(
    work: str, proven: bool, tmp_path: Path
) -> None:
    new_scenario(tmp_path, "squares")
    new_server(tmp_path, "python/scaffolded")
    folder = tmp_path / "servers" / "python" / "scaffolded"
    program = (folder / "server.py").read_text()
    (folder / "server.py").write_text(
        program.replace('APPS = {"hello": Hello}\n', SQUARES.replace("WORK", work))
    )
    manifest = (folder / "server.toml").read_text()
    (folder / "server.toml").write_text(
        manifest.replace('scenarios = ["hello"]', 'scenarios = ["hello", "squares"]')
    )
    done = verify(tmp_path, "python/scaffolded", "--scenario", "squares")
    assert done.returncode == (0 if proven else 1), done.stdout + done.stderr
    assert ("1 proven" if proven else "1 failed") in done.stdout
    if not proven:
        assert "was answered b'144'" in done.stdout


def test_a_new_studys_servers_and_scenarios_exist(tmp_path: Path) -> None:
    new_study(tmp_path, "mine")
    catalog = Catalog([ROOT, tmp_path])
    study = catalog.study("mine")
    for reference in study.servers:
        scenarios = catalog.server_variant(reference).server.manifest.scenarios
        assert {entry.name for entry in study.entries()} <= set(scenarios)
