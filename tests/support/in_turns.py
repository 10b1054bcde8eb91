"""Servers that take turns, and a study of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from support.hello_server import write_hello_server
from support.left_behind import nothing_left_behind
from support.quiet import first_in_line
from webdyno.catalog.catalog import Catalog
from webdyno.catalog.studies.study import StudyManifest
from webdyno.run.run_study import run_study
from webdyno.run.settings import RunEnvironment
from webdyno.runtime.home import Home
from webdyno.store.records import RunRecord
from webdyno.store.store import Store
from webdyno.trial.events import Listener, silent

BUSY = """
def burn():
    while True:
        pass

threading.Thread(target=burn, daemon=True).start()
"""
"""A server that always works, asked or not: it is full however busy the generator's core is."""

APART = """
if os.fork() == 0:
    os.setpgid(0, 0)
    while True:
        pass
"""
"""A server with a busy process in a group of its own."""

DIES = """
DOOMED = os.environ["TMPDIR"] + "/doomed"
if os.path.exists(DOOMED) and time.time() - os.path.getmtime(DOOMED) > 1.2:
    os._exit(3)
open(DOOMED, "a").close()
"""
"""Its end comes 1.2 s after its first request."""

WAITS = "time.sleep(0.02)"
"""A server that waits for a clock, which goes on while it is frozen."""

CALLS = (
    """
import socket

def call():
    held = []
    while True:
        for port in (int(os.environ["PORT"]) - 1, int(os.environ["PORT"]) + 1):
            try:
                held.append(socket.create_connection(("127.0.0.1", port), 0.1))
                held[-1].send(b"GET /hello HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n")
            except OSError:
                pass
        time.sleep(0.01)

threading.Thread(target=call, daemon=True).start()
"""
    + BUSY
)
"""A server that has those on the ports beside its own work for it."""

TAKES = """
import contextlib, resource

def is_rival(pid):
    parent = open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()[1]
    program = open(f"/proc/{pid}/cmdline").read()
    return pid != os.getpid() and int(parent) == os.getppid() and "server.py" in program

def take():
    while True:
        for pid in map(int, filter(str.isdigit, os.listdir("/proc"))):
            with contextlib.suppress(OSError):
                if is_rival(pid):
                    resource.prlimit(pid, resource.RLIMIT_NOFILE, (64, 64))
        time.sleep(0.02)

threading.Thread(target=take, daemon=True).start()
"""
"""A server that takes all but 64 open files from its rival, enough for the load of these tests."""

SLICE_S = 0.05
DURATION_S = 0.8


def study(*servers: str, **changes: Any) -> StudyManifest:
    """One block of `servers` in turns, unless `changes` say otherwise."""
    fields: dict[str, Any] = {
        "name": "turns",
        "title": "turns",
        "question": "do they take turns?",
        "servers": list(servers),
        "scenarios": ["hello"],
        "loads": [
            {
                "kind": "closed",
                "connections": 4,
                "duration": DURATION_S,
                "slice": SLICE_S,
                "timeout": "2s",
            }
        ],
        "warmup": {"min": 0.5, "max": 0.5},
        "blocks": {"min": 1, "max": 1},
        "budget": "60s",
        "sentinel": False,
    }
    return StudyManifest.model_validate({**fields, **changes})


Run = Callable[..., RunRecord]


@contextmanager
def runs(tmp_path: Path) -> Iterator[Run]:
    """`run(study, listener)` with `python/plain`, `busy`, `eager`, `apart`, `dies`, `waits`,
    `calls`, `takes`."""
    write_hello_server(tmp_path, "plain")
    write_hello_server(tmp_path, "busy", setup=BUSY)
    write_hello_server(tmp_path, "eager", setup=BUSY)
    write_hello_server(tmp_path, "apart", setup=APART)
    write_hello_server(tmp_path, "dies", each=DIES)
    write_hello_server(tmp_path, "waits", each=WAITS)
    write_hello_server(tmp_path, "calls", setup=CALLS)
    write_hello_server(tmp_path, "takes", setup=TAKES)
    catalog = Catalog.with_overlay(tmp_path)

    def run(manifest: StudyManifest, listener: Listener = silent) -> RunRecord:
        home, store = Home(tmp_path / "home"), Store.open(tmp_path / "store.sqlite")
        return run_study(manifest, RunEnvironment(catalog, home, store, listener))

    with nothing_left_behind(), first_in_line():
        yield run


def long_load() -> dict[str, Any]:
    """One of two seconds."""
    return {
        "kind": "closed", "connections": 4, "duration": 2.0, "slice": SLICE_S, "timeout": "1s",
    }  # fmt: skip
