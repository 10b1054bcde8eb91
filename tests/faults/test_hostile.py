"""A hostile server a kind: each is one trial's result, told as what it was, and nothing is left."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.hello_server import write_hello_server
from support.quiet import first_in_line
from webdyno.catalog import Catalog, StudyManifest
from webdyno.run.loop import run_study
from webdyno.runtime.home import Home
from webdyno.runtime.proc import descendants, is_zombie
from webdyno.store.records import RunRecord, TrialRecord
from webdyno.store.store import Store
from webdyno.trial.plan import Listener, silent

WHEN_LOADED = """
if os.path.exists({sign!r}):
    {then}
"""

ESCAPES = r"""
import sys
sys.stderr.write("Fatal error: \x1b]0;owned\x07\x1b[31mno\x9b2J luck\n")
sys.exit(1)
"""

DRIPS = """
self.connection.settimeout(None)
for byte in b"HTTP/1.1 200 OK\\r\\n" * 1000:
    self.connection.sendall(bytes([byte]))
    time.sleep(0.2)
"""

CHATTERS = """
import sys
line = b"x" * 65535 + b"\\n"
for _ in range(400):
    sys.stderr.buffer.write(line)
"""

FAULTY = """
from webdyno.verifier import Verifier

class Scenario(Verifier):
    def verify(self, probe):
        {}["nobody foresaw this"]

    def audit(self, samples):
        pass
"""


def study(*servers: str, **changes: Any) -> StudyManifest:
    fields: dict[str, Any] = {
        "name": "hostile",
        "title": "Hostile",
        "question": "What comes of them?",
        "servers": list(servers),
        "scenarios": ["hello"],
        "loads": [{"kind": "closed", "connections": 2, "duration": 0.6, "timeout": "1s"}],
        "warmup": {"min": 0.3, "max": 0.3},
        "blocks": {"min": 1, "max": 1},
        "budget": "60s",
        "sentinel": False,
    }
    return StudyManifest.model_validate({**fields, **changes})


@pytest.fixture
def content(tmp_path: Path) -> Iterator[Path]:
    """A content folder; nothing that was started from it lives on."""
    before = set(descendants(os.getpid()))
    with first_in_line():
        yield tmp_path
    left = [pid for pid in set(descendants(os.getpid())) - before if not is_zombie(pid)]
    assert not left, "a process was left behind"


def run(what: StudyManifest, content: Path, listener: Listener = silent) -> RunRecord:
    home, store = Home(content / "home"), Store.open(content / "store.sqlite")
    made = run_study(what, Catalog.with_overlay(content), home, store, listener=listener)
    assert store.run(made.id).trials == made.trials  # What is told is what is stored.
    store.close()
    return made


def by_server(made: RunRecord) -> dict[str, TrialRecord]:
    return {trial.server: trial for trial in made.trials}


def test_servers_that_end_are_told_as_what_they_are(content: Path) -> None:
    sign = content / "loaded"
    for name, then in (("dies", "os.kill(os.getpid(), 9)"), ("leaves", "os._exit(3)")):
        write_hello_server(content, name, each=WHEN_LOADED.format(sign=str(sign), then=then))
    write_hello_server(content, "escapes", setup=ESCAPES)

    def listener(kind: str, **data: Any) -> None:
        if kind == "trial_started":
            sign.unlink(missing_ok=True)
        if (kind, data.get("name")) == ("step", "measure"):
            threading.Timer(0.2, sign.touch).start()

    made = run(study("python/dies", "python/leaves", "python/escapes"), content, listener)
    seen = by_server(made)
    assert made.status == "finished"
    for name, how in (("dies", "was killed (SIGKILL)"), ("leaves", "ended with 3")):
        trial = seen[f"python/{name}"]
        assert trial.status == "failed"
        assert f"the server {how}" in trial.reason
        assert "s into the measurement" in trial.reason
    assert seen["python/escapes"].status == "error"
    assert "Fatal error: no luck" in seen["python/escapes"].reason
    shown = "".join(trial.reason + trial.log_tail for trial in made.trials)
    assert not {"\x1b", "\x9b"} & set(shown)


def test_an_unexpected_fault_is_its_trials_result_and_the_run_goes_on(content: Path) -> None:
    write_hello_server(content, "plain")
    manifest = content / "servers" / "python" / "plain" / "server.toml"
    manifest.write_text(manifest.read_text().replace('["hello"]', '["hello", "faulty"]'))
    folder = content / "scenarios" / "faulty"
    folder.mkdir(parents=True)
    (folder / "verifier.py").write_text(FAULTY)
    (folder / "scenario.toml").write_text(
        'name = "faulty"\ntitle = "F"\ndescription = "F."\n'
        '[[requests]]\nname = "f"\npath = "/hello"\n'
    )
    made = run(study("python/plain", scenarios=["faulty", "hello"]), content)
    seen = {trial.scenario: trial for trial in made.trials}
    assert made.status == "finished"
    assert seen["hello"].status == "ok", seen["hello"].reason
    assert seen["faulty"].status == "error"
    assert "KeyError: 'nobody foresaw this'" in seen["faulty"].reason
    log = (Path(made.folder) / seen["faulty"].log).read_text()
    assert "Traceback" in log
    assert "nobody foresaw this" in log


def test_a_server_that_drips_and_one_that_chatters_cost_neither_time_nor_disk(
    content: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webdyno.trial.start.START_TIMEOUT_S", 2.0)
    write_hello_server(content, "drips", each=DRIPS)
    write_hello_server(content, "chatters", setup=CHATTERS)
    began = time.monotonic()
    made = run(study("python/drips", "python/chatters"), content)
    assert time.monotonic() - began < 20
    seen = by_server(made)
    assert seen["python/drips"].status == "error"
    assert "gave no answer" in seen["python/drips"].reason
    assert seen["python/chatters"].status == "ok", seen["python/chatters"].reason
    # Of 26 MB the end is kept, and it is told how much there was.
    log = Path(made.folder) / seen["python/chatters"].log
    assert log.stat().st_size < 12_000_000
    assert b"of 26,214,400 bytes" in log.read_bytes()[:200]
