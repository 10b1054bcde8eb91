"""Nginx alone serves the files of the scenario `static`, and leaves nothing behind."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest

from webdyno.runtime.ports import free_port
from webdyno.runtime.toolchains import find

ROOT = Path(__file__).resolve().parents[2]
SERVER = ROOT / "servers" / "nginx" / "static" / "serve.sh"
Cli = Callable[..., subprocess.CompletedProcess[str]]

pytestmark = [
    pytest.mark.concurrent,
    pytest.mark.skipif(not find("nginx").ok, reason="not installed: nginx"),
]


def test_the_server_is_proven(cli: Cli) -> None:
    done = cli("verify", "nginx/static", "--scenario", "static", "--verbose")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 proven, 0 failed" in done.stdout
    assert "a changed file is served as it is now" in done.stdout


def test_a_variable_that_is_not_set_is_told_in_one_line() -> None:
    environment = {key: value for key, value in os.environ.items() if key != "WEBDYNO_STATIC"}
    done = subprocess.run(
        [SERVER],
        env={**environment, "PORT": str(free_port()), "WEBDYNO_CPUS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == "server: the environment variable WEBDYNO_STATIC is not set\n"


def test_sigterm_ends_it_and_leaves_no_file(tmp_path: Path) -> None:
    files, temporary = tmp_path / "with a space", tmp_path / "temporary"
    files.mkdir()
    temporary.mkdir()
    (files / "a.css").write_text("b{}", encoding="ascii")
    port = free_port()
    environment = {
        **os.environ,
        "PORT": str(port),
        "WEBDYNO_CPUS": "2",
        "WEBDYNO_STATIC": str(files),
        "TMPDIR": str(temporary),
    }
    server = subprocess.Popen([SERVER], env=environment, start_new_session=True)
    try:
        assert _get(f"http://127.0.0.1:{port}/a.css") == ("text/css", b"b{}")
        with socket.create_connection(("127.0.0.1", port)) as halfway:
            halfway.sendall(b"GET /a")
            time.sleep(0.2)
            server.send_signal(signal.SIGTERM)
            code = server.wait(10)
    finally:
        if server.poll() is None:
            os.killpg(server.pid, signal.SIGKILL)
    assert code == 0
    assert list(temporary.iterdir()) == []
    with pytest.raises(ProcessLookupError):
        os.killpg(server.pid, 0)


def _get(url: str, within_s: float = 10.0) -> tuple[str, bytes]:
    end = time.monotonic() + within_s
    while True:
        try:
            with urllib.request.urlopen(url, timeout=2) as answer:
                return answer.headers["Content-Type"], answer.read()
        except OSError:
            assert time.monotonic() < end, "no answer"
            time.sleep(0.02)
