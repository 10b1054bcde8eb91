"""The real autocannon, installed from its lock, against a server that counts."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.offline import fetching
from support.recording_server import RecordingHandler, RecordingServer, recording_server
from webdyno.catalog.loads.load import Closed
from webdyno.errors import UserError
from webdyno.generators.plugins.autocannon import Autocannon
from webdyno.generators.registry import make_ready
from webdyno.generators.tools import installed, is_installed
from webdyno.runtime.home import Home
from webdyno.runtime.toolchains import find

pytestmark = [
    pytest.mark.concurrent,
    pytest.mark.skipif(
        not (find("node >= 20").ok and find("npm >= 10").ok), reason="needs Node.js and npm"
    ),
]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    """A home of its own, into which autocannon is installed once."""
    root = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WEBDYNO_HOME", str(root))
        with fetching(UserError):
            installed("autocannon")
        yield Home(root)


class Counting(RecordingHandler):
    def answer(self) -> None:
        self.send_response(404 if self.path == "/none" else 200)
        self.send_header("Content-Length", "11")
        self.end_headers()
        self.wfile.write(b"Hello World")


LOAD = Closed(kind="closed", connections=4, duration=1.0)


@pytest.fixture
def server() -> Iterator[RecordingServer]:
    with recording_server(Counting) as made:
        yield made


def hello(text: str = "Hello World", path: str = "/hello") -> dict[str, Any]:
    return {"name": "hello", "path": path, "checks": [{"kind": "equals", "text": text}]}


def test_its_counts_are_those_of_the_server(home: Home, server: RecordingServer) -> None:
    looks = itertools.count()
    result = Autocannon().run(server.job([hello()], LOAD), watch=lambda _: next(looks) < 0)
    time.sleep(0.2)  # for requests that were under way at the end
    counts = result.counts.by_kind()
    assert counts["ok"] > 0
    assert counts["ok"] <= len(server.requests) <= counts["sent"]
    assert counts["failed_check"] == counts["wrong_status"] == counts["reset"] == 0
    assert {path for _, path, _, _ in server.requests} == {"/hello"}
    assert 0.9 < result.elapsed_s < 5
    assert result.generator.cpu_seconds > 0
    assert next(looks) > 1


def test_wrong_bodies_and_statuses_are_counted(home: Home, server: RecordingServer) -> None:
    wrong = Autocannon().run(server.job([hello("Hello Moon")], LOAD)).counts.by_kind()
    assert wrong["failed_check"] > 0
    assert wrong["ok"] == 0
    missing = Autocannon().run(server.job([hello(path="/none")], LOAD)).counts.by_kind()
    assert missing["wrong_status"] > 0
    assert missing["ok"] == 0


def test_drawn_requests_arrive_as_they_were_drawn(home: Home, server: RecordingServer) -> None:
    requests = [
        {"name": "page", "path": "/page?n={n}", "headers": {"X-N": "{n}"}},
        {"name": "form", "method": "POST", "path": "/form", "body": "name=a+b&n={n}"},
    ]
    variables = {"n": {"kind": "int", "min": 1, "max": 10**6}}
    result = Autocannon().run(server.job(requests, LOAD, variables=variables))
    assert result.counts.ok > 50
    pages = [one for one in server.requests if one[0] == "GET"]
    forms = [one for one in server.requests if one[0] == "POST"]
    assert all(path == f"/page?n={n}" for _, path, n, _ in pages)
    assert all(path == "/form" and body.startswith("name=a+b&n=") for _, path, _, body in forms)
    assert len({path for _, path, _, _ in pages}) > 10
    assert abs(len(pages) - len(forms)) <= 4


def test_it_is_installed_once(home: Home) -> None:
    first = installed("autocannon", home)
    stamp = (first / "webdyno-tool.stamp").stat().st_mtime_ns
    assert installed("autocannon", home) == first
    assert (first / "webdyno-tool.stamp").stat().st_mtime_ns == stamp
    assert (first / "node_modules" / "autocannon" / "package.json").is_file()


@pytest.mark.long
def test_an_interrupted_installation_is_made_again(home: Home, tmp_path: Path) -> None:
    # Where it would be, without the stamp, and with something in it that must not stay.
    remains = tmp_path / "tools" / installed("autocannon", home).name
    remains.mkdir(parents=True)
    (remains / "half").touch()
    folder = installed("autocannon", Home(tmp_path))
    assert folder == remains
    assert not (folder / "half").exists()


def test_a_failing_npm_is_told_in_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:9/")
    monkeypatch.setenv("npm_config_cache", str(tmp_path / "cache"))
    monkeypatch.setenv("npm_config_fetch_retries", "0")
    with pytest.raises(UserError, match=r"npm ci exited with 1: .*check the network") as found:
        installed("autocannon", Home(tmp_path))
    assert "\n" not in str(found.value)
    assert not list(tmp_path.glob("tools/*/webdyno-tool.stamp"))


@pytest.mark.long
def test_it_is_made_ready_before_any_trial_and_only_where_a_load_asks_for_it(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WEBDYNO_HOME", str(tmp_path))
    make_ready({"engine", "wrk"}, tmp_path)
    assert not is_installed("autocannon")
    make_ready({"engine", "autocannon"}, tmp_path)
    assert is_installed("autocannon")
