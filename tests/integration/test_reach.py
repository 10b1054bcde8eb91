"""What a server can reach: one that tries, in a real trial."""

from __future__ import annotations

import json
import os
import pty
from pathlib import Path

import pytest

from support.hello_server import write_hello_server
from support.quiet import first_in_line
from webdyno.catalog.catalog import Catalog
from webdyno.catalog.studies.study import StudyManifest
from webdyno.run.run_study import run_study
from webdyno.run.settings import RunEnvironment
from webdyno.runtime.confinement.protection import landlock_holds
from webdyno.runtime.home import Home
from webdyno.store.records import RunRecord
from webdyno.store.store import Store

pytestmark = pytest.mark.concurrent

TRIES = """
import json, signal, sqlite3, sys
HOME, LAB, CHECKOUT = {home!r}, {lab}, {checkout!r}
def attempt(what):
    try:
        what()
        return True
    except Exception as error:
        return False
def poison():
    for name in os.listdir(HOME + "/builds"):
        if "victim" in name and not name.endswith(".lock"):
            open(HOME + "/builds/" + name + "/server.py", "a").write("# poisoned")
            return
    raise OSError
def halve():
    base = sqlite3.connect(HOME + "/webdyno.sqlite")
    base.execute("create table if not exists forged (x)")
    base.commit()
reached = {{
    "another's build": attempt(poison),
    "its own build": attempt(lambda: open("server.py", "a").write("# changed")),
    "the results": attempt(halve),
    "the results, reading": attempt(lambda: open(HOME + "/webdyno.sqlite", "rb").read()),
    "the checkout": attempt(lambda: open(CHECKOUT + "/README.md").read()),
    "the shared temporary folder": attempt(lambda: open({shared!r}, "w")),
    "the user's terminal, reading": attempt(lambda: open({terminal!r}).close()),
    "the user's terminal": attempt(lambda: open({terminal!r}, "w").close()),
    "a signal to the lab": attempt(lambda: os.kill(LAB, 0)),
    "its own temporary folder": attempt(
        lambda: open(os.environ["TMPDIR"] + "/20MB", "wb").write(b"x" * 20_000_000)
    ),
    "user": os.geteuid(),
}}
print("REACHED " + json.dumps(reached), file=sys.stderr, flush=True)
"""


def a_run(tmp_path: Path, home: Home, terminal: str) -> RunRecord:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    write_hello_server(tmp_path, "victim")
    tries = TRIES.format(
        home=str(home.root), lab=os.getpid(), checkout=str(Path(__file__).parents[2]),
        shared=str(shared / "planted"), terminal=terminal,
    )  # fmt: skip
    write_hello_server(tmp_path, "thief", setup=tries)
    study = StudyManifest.model_validate(
        {
            "name": "reach",
            "title": "reach",
            "question": "what can it reach?",
            "servers": ["python/victim", "python/thief"],
            "scenarios": ["hello"],
            "loads": [{"kind": "closed", "connections": 4, "duration": "0.5s", "timeout": "2s"}],
            "warmup": {"min": 0.2, "max": 0.2},
            "blocks": {"min": 1, "max": 1},
            "budget": "60s",
            "sentinel": False,
        }
    )
    with first_in_line():
        catalog, store = Catalog.with_overlay(tmp_path), Store.open(home.database)
        return run_study(study, RunEnvironment(catalog, home, store))


@pytest.mark.skipif(not landlock_holds(), reason="this kernel has no Landlock")
def test_a_server_reaches_its_own_folder_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("WEBDYNO_STORE", raising=False)
    home = Home(tmp_path / "home")
    ours, users = pty.openpty()
    terminal = os.ttyname(users)
    os.chmod(terminal, 0o666)  # As if the server were the user's.
    run = a_run(tmp_path, home, terminal)
    for file in (ours, users):
        os.close(file)
    trial = next(trial for trial in run.trials if trial.server == "python/thief")
    assert trial.status == "ok", trial.reason
    log = (home.runs / run.id / trial.log).read_text()
    line = next(line for line in log.splitlines() if line.startswith("REACHED "))
    reached = json.loads(line.removeprefix("REACHED "))
    reached.pop("user")
    assert {what for what, done in reached.items() if done} == {"its own temporary folder"}
    left = next(flag for flag in trial.flags if flag.code == "left-files")
    assert left.message.startswith("it left 20 MB in its temporary folder")
    assert not (tmp_path / "shared" / "planted").exists()
