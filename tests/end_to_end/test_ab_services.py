"""`webdyno ab` of a service with a database: one of its own for each start, gone afterwards."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from support.command_line import webdyno

ROOT = Path(__file__).resolve().parents[2]

SERVICE = """
import os, subprocess, sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SQL = "SELECT string_agg(name, ',' ORDER BY name) FROM " + sys.argv[1]
command = ["psql", os.environ["SHOP_DATABASE"], "-Atc", SQL]
names = subprocess.run(command, capture_output=True, text=True).stdout.strip()

class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.send_response(200 if names == "by prepare,by seed" else 500)
        self.send_header("Content-Length", str(len(names)))
        self.end_headers()
        self.wfile.write(names.encode())

    def log_message(self, *_):
        pass

ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Handler).serve_forever()
"""

DESCRIPTION = """
name = "shop"
requests = ["GET /"]
[run]
command = "python3 main.py items"
prepare = ["psql -q -c \\"INSERT INTO items VALUES ('by prepare')\\""]
env = { SHOP_DATABASE = "${DATABASE_URL}?application_name=shop" }
[services.postgresql]
seed = ["tables.sql", "rows.sql"]
"""


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    if os.geteuid() == 0:  # PostgreSQL runs as another user then, who must reach its data.
        for private in (tmp_path, *tmp_path.parents):
            if private.stat().st_mode & 0o011 == 0:
                private.chmod(private.stat().st_mode | 0o011)
    (folder / "main.py").write_text(SERVICE)
    (folder / "webdyno.toml").write_text(DESCRIPTION)
    # As its owner may write it, who is no server under suspicion.
    (folder / "tables.sql").write_text(
        "CREATE ROLE clerk SUPERUSER;\nCREATE TABLE items (name text NOT NULL);\n"
        "ALTER TABLE items OWNER TO clerk;\n"
    )
    # As a dump has them.
    (folder / "rows.sql").write_text("COPY items (name) FROM stdin;\nby seed\n\\.\n")
    return folder


def ab(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    env = {
        **os.environ,
        "WEBDYNO_HOME": str(folder.parent / "home"),
        "PYTHONPATH": str(ROOT / "src"),
        "TMPDIR": str(folder.parent),
    }
    return webdyno("ab", "--plain", *arguments, cwd=folder, env=env, timeout_s=180)


def processes_of(folder: Path) -> list[str]:
    """What runs with a path below the folder in its command line."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            command = (entry / "cmdline").read_bytes()
        except OSError:
            continue
        if str(folder.parent / "home").encode() in command:
            found.append(command.decode())
    return found


@pytest.mark.concurrent
def test_each_start_has_the_same_data(shop: Path) -> None:
    # A is asked twice and has the same rows both times; B looks for a table that there is not.
    done = ab(shop, "--command", "python3 main.py items", "--command", "python3 main.py others")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "B fails verification" in done.stdout
    assert "answered 500" in done.stdout
    assert processes_of(shop) == []


MARIADB = """
name = "shop"
requests = ["GET /"]
[run]
command = "python3 main.py items"
prepare = ["sh -c 'mysql -h $MYSQL_HOST -P $MYSQL_PORT -u $MYSQL_USER $MYSQL_DATABASE <more.sql'"]
env = { SHOP_DATABASE = "${MYSQL_URL}" }
[services.mariadb]
seed = ["tables.sql", "rows.sql"]
"""

IN_MARIADB = """
SQL = "SELECT GROUP_CONCAT(name ORDER BY name) FROM " + sys.argv[1]
from urllib.parse import urlsplit
url = urlsplit(os.environ["SHOP_DATABASE"])
command = ["mysql", "-h", url.hostname, "-P", str(url.port), "-u", url.username, "-N", "-e", SQL,
           url.path[1:]]
"""


@pytest.fixture
def mariadb_shop(shop: Path) -> Path:
    """The shop with its rows in MariaDB."""
    before, _, rest = SERVICE.partition("SQL = ")
    _, _, after = rest.partition("names = ")
    (shop / "main.py").write_text(f"{before}{IN_MARIADB}names = {after}")
    (shop / "webdyno.toml").write_text(MARIADB)
    (shop / "tables.sql").write_text("CREATE TABLE items (name TEXT NOT NULL);\n")
    (shop / "rows.sql").write_text("INSERT INTO items VALUES\n('by seed');\n")
    (shop / "more.sql").write_text("INSERT INTO items VALUES ('by prepare');\n")
    return shop


@pytest.mark.concurrent
def test_each_start_has_the_same_data_in_mariadb(mariadb_shop: Path) -> None:
    shop = mariadb_shop
    done = ab(shop, "--command", "python3 main.py items", "--command", "python3 main.py others")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "B fails verification" in done.stdout
    assert "answered 500" in done.stdout
    assert processes_of(shop) == []
    (shop / "rows.sql").write_text("INSERT INTO things VALUES ('x');\n")
    done = ab(shop)
    assert done.returncode == 2, done.stdout + done.stderr
    said = done.stderr.strip().splitlines()[-1]
    assert "services.mariadb.seed: rows.sql: ERROR 1146: Table 'webdyno.things'" in said
    assert processes_of(shop) == []


@pytest.mark.concurrent
def test_a_seed_that_fails_is_told_in_a_line_with_its_file(shop: Path) -> None:
    (shop / "rows.sql").write_text("\nINSERT INTO things VALUES (1);\n")
    done = ab(shop)
    assert done.returncode == 2, done.stdout + done.stderr
    said = done.stderr.strip().splitlines()[-1]
    assert 'rows.sql:2: ERROR: relation "things" does not exist' in said
    assert "services.postgresql.seed" in said
    assert processes_of(shop) == []


@pytest.mark.concurrent
def test_what_prepares_a_start_and_fails_is_told_by_what_it_said(shop: Path) -> None:
    text = (shop / "webdyno.toml").read_text()
    (shop / "webdyno.toml").write_text(text.replace("INSERT INTO items", "INSERT INTO things"))
    done = ab(shop)
    assert done.returncode == 2, done.stdout + done.stderr
    said = done.stderr.strip().splitlines()[-1]
    assert "exited with 1: " in said
    assert 'relation "things" does not exist' in said


@pytest.mark.concurrent
@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"rows.sql"', '"none.sql"', "services.postgresql.seed: no file none.sql in"),
        (
            "services.postgresql",
            "services.oracle",
            "key 'services.oracle': should be mariadb or postgresql",
        ),
        ('"rows.sql"', '"../rows.sql"', "must be a path within the manifest's folder"),
    ],
)
def test_a_description_that_is_wrong_is_told_in_a_line(
    shop: Path, old: str, new: str, said: str
) -> None:
    text = (shop / "webdyno.toml").read_text()
    (shop / "webdyno.toml").write_text(text.replace(old, new))
    done = ab(shop)
    assert done.returncode == 2, done.stdout + done.stderr
    assert said in done.stderr
    assert "Traceback" not in done.stderr
