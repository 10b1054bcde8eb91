"""PHP behind Nginx, real and under our own configuration: proven against a real PostgreSQL."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from support.toolchains import needs
from webdyno.catalog.server import read_server
from webdyno.runtime.ports import free_port, is_listening

ROOT = Path(__file__).resolve().parents[2]
NEEDED = (*read_server(ROOT / "servers" / "php" / "plain").manifest.toolchain, "postgres")

Cli = Callable[..., subprocess.CompletedProcess[str]]

pytestmark = [
    pytest.mark.concurrent,
    needs(*NEEDED),
]


@pytest.mark.parametrize(
    ("server", "scenario"),
    [
        ("php/plain", "session-counter"),
        ("php/plain@connect", "session-counter"),
        ("php/plain", "page"),
        ("nginx/cache", "page"),
    ],
)
def test_the_server_is_proven(cli: Cli, server: str, scenario: str) -> None:
    done = cli("verify", server, "--scenario", scenario, "--verbose")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 proven, 0 failed" in done.stdout


def test_an_unknown_scenario_is_refused_in_one_line() -> None:
    done = subprocess.run(
        [ROOT / "servers" / "php" / "plain" / "serve.sh"],
        env={**os.environ, "PORT": str(free_port()), "WEBDYNO_SCENARIO": "nothing"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    folders = sorted(one.name for one in (ROOT / "servers/php/plain/public").iterdir())
    assert done.stderr == (
        f"server: unknown WEBDYNO_SCENARIO 'nothing': set it to one of {' '.join(folders)}\n"
    )


def test_sigterm_ends_both_programs_and_leaves_no_file(tmp_path: Path) -> None:
    port = free_port()
    environment = {
        **os.environ,
        "PORT": str(port),
        "WEBDYNO_SCENARIO": "page",
        "WEBDYNO_CPUS": "1",
        "WEBDYNO_POOL": "2",
        "TMPDIR": str(tmp_path),
        # Nobody connects here: the database is not asked before the first request.
        "PGHOST": "127.0.0.1",
        "PGPORT": "1",
        "PGDATABASE": "none",
        "PGUSER": "none",
    }
    process = subprocess.Popen(
        [ROOT / "servers" / "php" / "plain" / "serve.sh"],
        env=environment,
        start_new_session=True,
    )
    try:
        while not is_listening(port):
            assert process.poll() is None, "the server did not start"
        assert len(list(tmp_path.iterdir())) == 1
        with socket.create_connection(("127.0.0.1", port)) as halfway:
            halfway.sendall(b"GET /pa")
            time.sleep(0.2)
            process.terminate()
            assert process.wait(30) == 0
        assert list(tmp_path.iterdir()) == []
        assert not is_listening(port)
        with pytest.raises(ProcessLookupError):
            os.killpg(process.pid, 0)  # nobody is left in its session
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
