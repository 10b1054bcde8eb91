"""A laboratory for faults: a home, a temporary folder and content of its own, and a short study."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.hello_server import write_hello_server

from webdyno.runtime.proc import below, descendants, is_zombie, processes
from webdyno.runtime.processes.listening import listening_ports
from webdyno.runtime.processes.supervision import adopt_orphans
from webdyno.runtime.services import ServiceError
from webdyno.runtime.services.registry import look_for

ROOT = Path(__file__).resolve().parents[2]

STUDY = """
name = "{name}"
title = "Faults"
question = "What is left of it?"
servers = [{servers}]
scenarios = ["{scenario}"]
budget = "60s"
[[loads]]
kind = "closed"
connections = 2
duration = "300ms"
timeout = "2s"
{slice}
[warmup]
min = "200ms"
max = "200ms"
[blocks]
min = 1
max = 1
"""

SCENARIO = """
name = "stored"
title = "Stored"
description = "Hello, beside a database that is asked before the load and after it."
services = ["postgresql"]
[[requests]]
name = "hello"
path = "/hello"
checks = [{ kind = "equals", text = "Hello World" }]
"""

VERIFIER = """
from webdyno.runtime.services.psql import Psql
from webdyno.verifier import Verifier

class Scenario(Verifier):
    def prepare(self):
        self.rows = Psql(self.services_as_owner).rows
        self.rows("CREATE TABLE seen AS SELECT generate_series(1, 1000) AS n")
        return super().prepare()

    def verify(self, probe):
        self.expect("it answers", probe.get("/hello").status_code == 200)
        self.expect("the rows are there", self.rows("SELECT count(*) FROM seen") == [["1000"]])

    def audit(self, samples):
        self.expect_samples(samples)
"""

Key = tuple[str, int]
"""A stored trial, by its run and its index."""


@dataclass(frozen=True)
class Left:
    """What is there that should not be."""

    processes: list[str] = field(default_factory=list)
    ports: list[int] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)
    memory: list[str] = field(default_factory=list)
    """Shared memory that no process has: by its number (System V), or its name (POSIX)."""

    def __bool__(self) -> bool:
        lists = (self.processes, self.ports, self.files, self.groups, self.memory)
        return any(lists)


class Lab:
    """In `folder`, which others must be able to enter where we are root."""

    def __init__(self, folder: Path) -> None:
        adopt_orphans()  # Whatever is left behind comes to us, and is known by that.
        self.home, self.temporary = folder / "home", folder / "tmp"
        self.content, self.log = folder / "content", folder / "log"
        self.home.mkdir()
        self.temporary.mkdir()
        write_hello_server(self.content, "one")
        write_hello_server(self.content, "two")
        self.studies = [folder / "in-turns.toml"]
        """Short ones: servers in turns, and one beside a database where there is one."""
        self.studies[0].write_text(
            STUDY.format(
                name="in-turns",
                servers='"python/one", "python/two"',
                scenario="hello",
                slice='slice = "100ms"',
            )
        )
        self.has_database = self._add_database()
        if self.has_database:
            self.studies.append(folder / "beside.toml")
            self.studies[1].write_text(
                STUDY.format(name="beside", servers='"python/one"', scenario="stored", slice="")
            )
        self._seen: set[tuple[int, int]] = set()
        """Every process that lived of what was started: its id and when it started."""
        table = processes()
        self._others = {(pid, table[pid].started) for pid in below([os.getpid()], table)}
        """What earlier tests of this process have started and keep, such as a browser."""
        self._others_memory = {*_system_v(), *_posix()}

    def _add_database(self) -> bool:
        try:
            look_for("postgresql")
        except ServiceError:
            return False
        manifest = self.content / "servers" / "python" / "one" / "server.toml"
        manifest.write_text(manifest.read_text().replace('["hello"]', '["hello", "stored"]'))
        folder = self.content / "scenarios" / "stored"
        folder.mkdir(parents=True)
        (folder / "scenario.toml").write_text(SCENARIO)
        (folder / "verifier.py").write_text(VERIFIER)
        return True

    def start(self, study: Path, *arguments: str) -> subprocess.Popen[bytes]:
        """`webdyno run STUDY --plain ARGUMENTS`, in a session of its own."""
        command = [sys.executable, "-m", "webdyno", "--content", str(self.content)]
        command += ["run", str(study), "--plain", *arguments]
        environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT / "src"),
            "WEBDYNO_HOME": str(self.home),
            "TMPDIR": str(self.temporary),
        }
        with self.log.open("wb") as log:
            return subprocess.Popen(
                command,
                env=environment,
                cwd=self.home,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def said(self) -> str:
        """What the last command printed."""
        return self.log.read_text(errors="replace")

    def tree(self) -> list[int]:
        """All processes that live of what was started."""
        table = processes()
        others = [
            pid for pid, began in self._others if pid in table and table[pid].started == began
        ]
        not_ours = {*others, *below(others, table)}
        ours = [pid for pid in below([os.getpid()], table) if pid not in not_ours]
        alive = [table[pid] for pid in ours if not table[pid].zombie]
        self._seen.update((process.pid, process.started) for process in alive)
        return [process.pid for process in alive]

    def wait(self, process: subprocess.Popen[bytes], within_s: float) -> bool:
        """Whether it has ended within so many seconds; orphans that ended are reaped meanwhile."""
        until = time.monotonic() + within_s
        while process.poll() is None:
            if time.monotonic() > until:
                return False
            self.tree()
            self.reap(process)
            time.sleep(0.02)
        return True

    def reap(self, *but: subprocess.Popen[bytes]) -> None:
        """Take note of ended orphans, whom nobody else asks how they ended."""
        kept = {process.pid for process in but}
        for pid in descendants(os.getpid()):
            if pid not in kept and is_zombie(pid):
                with suppress(ChildProcessError):  # Its parent's to ask.
                    os.waitpid(pid, os.WNOHANG)

    def left(self, within_s: float = 10.0) -> Left:
        """What is left once nothing runs any more, or after so many seconds."""
        until = time.monotonic() + within_s
        while True:
            self.reap()
            found = self._left()
            if not found or time.monotonic() > until:
                return found
            time.sleep(0.05)

    def _left(self) -> Left:
        alive = self.tree()
        return Left(
            [f"{pid} {_command(pid)}" for pid in alive],
            sorted(listening_ports(alive)),
            [str(path.relative_to(self.temporary)) for path in self._files()],
            [str(path) for path in _groups(self._seen)],
            sorted(self._memory()),
        )

    def _memory(self) -> Iterator[str]:
        """Shared memory of databases that are gone. Its System V segments tell who made them; a
        POSIX one that is new and that nobody has is taken for ours."""
        ours = {pid for pid, _ in self._seen}
        for number, (maker, attached) in _system_v().items():
            if maker in ours and not attached and number not in self._others_memory:
                yield number
        for name in _posix():
            if name not in self._others_memory and not _is_mapped(name):
                yield name

    def _files(self) -> list[Path]:
        """What is in the temporary folder beside the cache, half-made parts of that included."""
        own = self.temporary / f"webdyno-{os.geteuid()}"
        found = [path for path in self.temporary.iterdir() if path != own]
        if own.is_dir():
            found += [path for path in own.iterdir() if path.name not in ("cache", "tmp")]
            found += list((own / "tmp").glob("*"))
            found += [path for path in (own / "cache").rglob("*.[0-9]*") if path.is_dir()]
        return [path for path in found if not path.name.startswith("postgresql-")]

    def stored(self) -> dict[Key, str]:
        """Every stored trial, with a digest of its record as it stands in the database."""
        rows = self._rows('SELECT run_id, "index", document FROM trial')
        return {
            (run, index): hashlib.sha256(text.encode()).hexdigest() for run, index, text in rows
        }

    def runs(self) -> dict[str, str]:
        """Every stored run, with its status."""
        return dict(self._rows("SELECT id, status FROM run"))

    def is_whole(self, run: str) -> bool:
        """Whether the run has a trial for each of the plan's cells and entries."""
        rows = self._rows("SELECT document FROM run WHERE id = ?", run)
        plan = json.loads(rows[0][0])["plan"]
        wanted = sum(len(cell["seconds"]) for cell in plan["cells"])
        return sum(key[0] == run for key in self.stored()) >= wanted

    def _rows(self, sql: str, *values: str) -> list[tuple[str, ...]]:
        path = self.home / "webdyno.sqlite"
        if not path.is_file():
            return []
        with closing(sqlite3.connect(path, timeout=30)) as database:
            try:
                return database.execute(sql, values).fetchall()
            except sqlite3.OperationalError as error:
                if "no such table" in str(error):  # Nothing was stored in it yet.
                    return []
                raise

    def clear(self) -> None:
        """Remove what was found to be left, so that it is told once."""
        for pid in self.tree():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        for path in self._files():
            shutil.rmtree(path, ignore_errors=True)
        self._others_memory |= {*_system_v(), *_posix()}


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()[:100]
    except OSError:
        return ""


def _groups(makers: set[tuple[int, int]]) -> list[Path]:
    """Control groups that processes of ours made: ids come again, and others may run here."""
    ours = {f"webdyno-{pid}-{started}" for pid, started in makers}
    found = Path("/sys/fs/cgroup").rglob("webdyno-*")
    return [path for path in found if "-".join(path.name.split("-")[:3]) in ours]


def _system_v() -> dict[str, tuple[int, int]]:
    """By its number, who made a System V segment and how many have it."""
    rows = [row.split() for row in Path("/proc/sysvipc/shm").read_text().splitlines()[1:]]
    return {row[1]: (int(row[4]), int(row[6])) for row in rows}


def _posix() -> list[str]:
    return [path.name for path in Path("/dev/shm").glob("PostgreSQL.*")]


def _is_mapped(name: str) -> bool:
    """Whether a process has this POSIX segment."""
    for maps in Path("/proc").glob("[0-9]*/maps"):
        with suppress(OSError):
            if f"/dev/shm/{name}\n" in maps.read_text(errors="replace"):
                return True
    return False
