"""PHP behind Nginx, real and under our own configuration: proven against a real PostgreSQL."""

from __future__ import annotations

import hashlib
import os
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
import pytest

from support.services import postgresql
from support.toolchains import needs
from webdyno.catalog.servers.server import read_server
from webdyno.runtime.ports import free_port, is_listening
from webdyno.runtime.services.psql import Psql

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


def test_a_folder_too_deep_for_a_socket_is_refused_in_one_line(tmp_path: Path) -> None:
    deep = tmp_path / ("d" * 90)
    deep.mkdir()
    done = subprocess.run(
        [ROOT / "servers" / "php" / "plain" / "serve.sh"],
        env={
            **os.environ,
            "PORT": str(free_port()),
            "WEBDYNO_SCENARIO": "hello",
            "WEBDYNO_CPUS": "1",
            "TMPDIR": str(deep),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == (
        "server: TMPDIR is too long a path for a socket: set it to a shorter one\n"
    )
    assert list(deep.iterdir()) == []


# Nobody connects here: the database is not asked before the first request.
NO_DATABASE = {"PGHOST": "127.0.0.1", "PGPORT": "1", "PGDATABASE": "none", "PGUSER": "none"}


@contextmanager
def serving(
    scenario: str,
    port: int,
    folder: Path,
    *,
    server: str = "php/plain",
    database: Mapping[str, str] = NO_DATABASE,
) -> Iterator[subprocess.Popen[bytes]]:
    """A server in a scenario, listening, with its files in `folder`."""
    environment = {
        **os.environ,
        **database,
        "PORT": str(port),
        "WEBDYNO_SCENARIO": scenario,
        "WEBDYNO_CPUS": "1",
        "WEBDYNO_POOL": "2",
        "TMPDIR": str(folder),
    }
    process = subprocess.Popen(
        [ROOT / "servers" / server / "serve.sh"],
        env=environment,
        start_new_session=True,
    )
    try:
        while not is_listening(port):
            assert process.poll() is None, "the server did not start"
            time.sleep(0.01)
        yield process
    finally:
        if process.poll() is None:
            process.terminate()  # php-fpm is in a group of its own: only the script ends it.
            process.wait(30)


def test_sigterm_ends_both_programs_and_leaves_no_file(tmp_path: Path) -> None:
    port = free_port()
    with serving("page", port, tmp_path) as process:
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


def test_a_body_that_is_said_to_be_a_form_is_hashed_as_it_is(tmp_path: Path) -> None:
    """PHP parses a form with parts before the program runs, and leaves it nothing to read."""
    body = b'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\n'
    port = free_port()
    with serving("upload", port, tmp_path):
        answer = httpx.post(
            f"http://127.0.0.1:{port}/upload",
            content=body,
            headers={"Content-Type": "multipart/form-data; boundary=b"},
        )
    assert answer.text == f"sha256:{hashlib.sha256(body).hexdigest()} {len(body)}"


def test_the_name_of_a_program_is_an_unknown_path(tmp_path: Path) -> None:
    port = free_port()
    with serving("hello", port, tmp_path):
        statuses = [
            httpx.get(f"http://127.0.0.1:{port}/{path}").status_code
            for path in ("hello", "hello.php")
        ]
    assert statuses == [200, 404]


SLOW_PAGE = """
    CREATE TABLE stored (number INTEGER, title TEXT, author TEXT, summary TEXT);
    INSERT INTO stored VALUES (1, 'first', '', '');
    CREATE VIEW articles AS SELECT stored.* FROM stored, (SELECT pg_sleep(0.5)) AS slowly;
"""


def test_the_page_that_nginx_keeps_is_whole_and_never_older_than_its_second(tmp_path: Path) -> None:
    database = postgresql(tmp_path, all_rights=True)
    port = free_port()
    address = f"http://127.0.0.1:{port}/page"
    try:
        with (
            Psql(database.env) as psql,
            # In a short path, as its socket must be.
            TemporaryDirectory() as files,
            serving("page", port, Path(files), server="nginx/cache", database=database.env),
            ThreadPoolExecutor(8) as visitors,
        ):
            psql.rows(SLOW_PAGE)
            assert httpx.head(address).status_code == 200
            assert "first" in httpx.get(address).text
            psql.rows("UPDATE stored SET title = 'second'")
            time.sleep(2.5)  # Nginx counts whole seconds.
            pages = list(visitors.map(lambda _: httpx.get(address).text, range(8)))
    finally:
        database.stop()
    assert all("second" in page for page in pages)
