"""What `webdyno new` writes works at once: built, started, proven by the real verifiers."""

from __future__ import annotations

import http.client
import os
import signal
import socket
import subprocess
from pathlib import Path
from threading import Timer

import pytest

from support.command_line import webdyno
from support.one_trial import plan_of, skip_where_unbuildable, started
from webdyno.catalog.catalog import Catalog, ServerVariant
from webdyno.catalog.loads.load import Closed
from webdyno.cli.new import languages, new_scenario, new_server, new_study
from webdyno.runtime.ports import free_port
from webdyno.runtime.toolchains import find
from webdyno.trial.plan import TrialPlan

pytestmark = pytest.mark.concurrent

ROOT = Path(__file__).resolve().parents[2]


def verify(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "WEBDYNO_CONTENT": ""}
    return webdyno("verify", *arguments, cwd=folder, env=env, timeout_s=900)


QUICK = ("node", "php", "python", "ruby")
"""Languages whose servers are built within seconds, without fetching anything large."""

in_each_language = pytest.mark.parametrize(
    "language",
    [
        language if language in QUICK else pytest.param(language, marks=pytest.mark.long)
        for language in languages()
    ],
)


def planned(folder: Path, language: str, *replaced: str) -> TrialPlan:
    """A trial of a new server, built. `replaced` are a file of it, a text in there and another."""
    written, _ = new_server(folder, f"{language}/scaffolded")
    if replaced:
        name, old, new = replaced
        (path,) = (one for one in written if one.name == name)
        assert path.read_text().count(old) == 1
        path.write_text(path.read_text().replace(old, new))
    catalog = Catalog([ROOT, folder])
    server_variant = ServerVariant(catalog.server(f"{language}/scaffolded"))
    load = Closed(kind="closed", connections=1, duration=1.0)
    with skip_where_unbuildable():
        return plan_of(catalog, server_variant, "hello", load, folder)


@in_each_language
def test_a_new_server_passes_verification(language: str, tmp_path: Path) -> None:
    new_server(tmp_path, f"{language}/scaffolded")
    (server,) = Catalog([tmp_path]).servers()
    lacking = [spec for spec in server.manifest.toolchain if not find(spec).ok]
    if lacking:
        pytest.skip(f"needs {', '.join(lacking)}")
    done = verify(tmp_path, f"{language}/scaffolded")
    assert "1 proven, 0 failed, 0 left out" in done.stdout, done.stdout + done.stderr
    assert done.returncode == 0


@in_each_language
def test_a_new_server_refuses_a_scenario_that_it_does_not_know(
    language: str, tmp_path: Path
) -> None:
    plan = planned(tmp_path, language)
    run = plan.server_variant.server.manifest.run
    done = subprocess.run(
        run.command,
        cwd=plan.build.folder,
        env={
            **os.environ,
            **run.env,
            "PORT": str(free_port()),
            "TMPDIR": str(tmp_path),
            "WEBDYNO_SCENARIO": "nothing",
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert "'nothing'" in done.stderr
    assert "hello" in done.stderr
    assert done.stderr.count("\n") == 1


@in_each_language
def test_a_new_server_ends_at_sigterm_whatever_its_clients_have_sent(
    language: str, tmp_path: Path
) -> None:
    with started(planned(tmp_path, language)) as running:
        address = ("127.0.0.1", running.port)
        with socket.create_connection(address), socket.create_connection(address) as halfway:
            halfway.sendall(b"GET /hel")
            idle = http.client.HTTPConnection(*address, timeout=10)
            idle.request("GET", "/hello")
            assert idle.getresponse().read() == b"Hello World"
            running.process.stop()
            idle.close()
    assert not running.process.killed


@pytest.mark.long
def test_a_new_server_in_go_answers_what_is_in_flight_at_sigterm(tmp_path: Path) -> None:
    waits = "time.Sleep(time.Second)\n\t\t"
    writes = 'io.WriteString(answer, "Hello World")'
    with started(planned(tmp_path, "go", "main.go", writes, waits + writes)) as running:
        asking = http.client.HTTPConnection("127.0.0.1", running.port, timeout=10)
        asking.request("GET", "/hello")
        Timer(0.3, os.kill, (running.process.pid, signal.SIGTERM)).start()
        assert asking.getresponse().read() == b"Hello World"
        asking.close()


@pytest.mark.long
@pytest.mark.parametrize("thrown", ['std::runtime_error{"of the server alone"}', "42"])
def test_a_new_server_in_cpp_answers_what_a_handler_throws_with_500(
    thrown: str, tmp_path: Path
) -> None:
    writes = 'response.set_content("Hello World", '
    throws = f"if (response.body.empty()) throw {thrown};\n        {writes}"
    with started(planned(tmp_path, "cpp", "main.cpp", writes, throws)) as running:
        asking = http.client.HTTPConnection("127.0.0.1", running.port, timeout=10)
        for _ in range(2):  # The connection is kept.
            asking.request("GET", "/hello")
            answer = asking.getresponse()
            assert answer.status == 500
            assert answer.read() == b"Internal Server Error"
            assert "of the server alone" not in str(answer.headers)
        asking.close()


FAILING = {
    "swift": (
        "Server.swift",
        ") -> Response {\n",
        """) throws -> Response {
    struct OfTheServerAlone: Error {}
    if request.method == "POST" { throw OfTheServerAlone() }
""",
    ),
    "zig": (
        "main.zig",
        "    const head = &request.head;\n    const path",
        """    if (request.head.method == .POST) return error.OfTheServerAlone;
    const head = &request.head;
    const path""",
    ),
}
"""How the handlers of a new server are made to fail: a file, a text in it and its replacement."""


@pytest.mark.long
@pytest.mark.parametrize("language", FAILING)
def test_a_new_server_answers_500_where_a_handler_fails_and_logs_why(
    language: str, tmp_path: Path
) -> None:
    with started(planned(tmp_path, language, *FAILING[language])) as running:
        asking = http.client.HTTPConnection("127.0.0.1", running.port, timeout=10)
        for body in ("", "unread", ""):
            asking.request("POST", "/hello", body)
            answer = asking.getresponse()
            assert (answer.status, answer.read()) == (500, b"Internal Server Error")
            asking.request("GET", "/hello")
            assert asking.getresponse().read() == b"Hello World"
        asking.close()
        said = running.process.log.read_text()
    assert said.count("a request could not be answered: OfTheServerAlone") == 3


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
