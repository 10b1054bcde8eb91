"""Whatever hangs is ended, told as what it was, and the run goes on or ends in time."""

from __future__ import annotations

import os
import signal
import threading
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.faults.short_runs import by_server, run, study

from support.hello_server import write_hello_server
from support.left_behind import is_ended
from support.services import wait_until
from webdyno.runtime.proc import descendants
from webdyno.runtime.services import ServiceMissing
from webdyno.runtime.services.registry import look_for
from webdyno.store.records import TrialRecord
from webdyno.trial import step_deadlines
from webdyno.trial.events import Event, StepStarted, TrialStarted
from webdyno.trial.starting import awaiting
from webdyno.verifier import Probe

pytestmark = pytest.mark.concurrent

CONTINUES = """
if self.path == "/hello" and not os.path.exists({sign!r}):
    while True:
        self.wfile.write(b"HTTP/1.1 100 Continue\\\\r\\\\n\\\\r\\\\n" * 100)
"""

DRIPS_LATER = """
if os.path.exists({sign!r}):
    self.connection.settimeout(None)
    for byte in b"HTTP/1.1 200 OK\\\\r\\\\nContent-Length: 11\\\\r\\\\n\\\\r\\\\nHello World":
        self.connection.sendall(bytes([byte]))
        time.sleep(0.2)
"""

SCENARIO = """
name = "{name}"
title = "T"
description = "D."
services = [{services}]
[[requests]]
name = "f"
path = "/hello"
"""

VERIFIER = """
import time
from webdyno.verifier import Verifier

class Scenario(Verifier):
    def verify(self, probe):
        {verify}

    def audit(self, samples):
        {audit}

    def before_load(self, probe):
        {before_load}
"""


def add_scenario(content: Path, name: str, services: str = "", **steps: str) -> None:
    """A scenario whose verifier does what `steps` say, which `python/plain` implements."""
    manifest = content / "servers" / "python" / "plain" / "server.toml"
    if not manifest.exists():
        write_hello_server(content, "plain")
    manifest.write_text(manifest.read_text().replace('["hello"', f'["hello", "{name}"'))
    folder = content / "scenarios" / name
    folder.mkdir(parents=True)
    (folder / "scenario.toml").write_text(SCENARIO.format(name=name, services=services))
    done = {"verify": "pass", "audit": "pass", "before_load": "pass", **steps}
    (folder / "verifier.py").write_text(VERIFIER.format(**done))


def by_scenario(made: Any) -> dict[str, TrialRecord]:
    return {trial.scenario: trial for trial in made.trials}


def test_a_proof_and_an_audit_that_do_not_end_are_ended(
    content: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    add_scenario(content, "slow", verify="[probe.get('/hello') for _ in iter(int, 1)]")
    add_scenario(content, "stuck", audit="time.sleep(1000)")
    usual = {"VERIFY": step_deadlines.VERIFY, "AUDIT": step_deadlines.AUDIT}
    # Of what never ends alone: what does may take its time on a busy machine.
    shorter = {"slow": ("VERIFY", 2.0), "stuck": ("AUDIT", 3.0)}

    def listener(event: Event) -> None:
        if isinstance(event, TrialStarted):
            of, seconds = shorter.get(event.scenario, ("", 0.0))
            for name, (usually_s, what) in usual.items():
                limit = (seconds if name == of else usually_s, what)
                monkeypatch.setattr(step_deadlines, name, limit)

    began = time.monotonic()
    made = run(study("python/plain", scenarios=["slow", "stuck", "hello"]), content, listener)
    assert time.monotonic() - began < 60
    seen = by_scenario(made)
    assert made.status == "finished"
    assert seen["hello"].status == "ok", seen["hello"].reason
    for name, what in (
        ("slow", "the verification did not end within 2 s"),
        ("stuck", "the audit did not end within 3 s"),
    ):
        assert seen[name].status == "error"
        assert seen[name].reason == f"{what}; the log shows where it was waiting"
        log = (Path(made.folder) / seen[name].log).read_text()
        assert "verifier.py" in log


def test_a_run_that_hangs_past_its_limit_ends_and_says_so(
    content: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("webdyno.run.blocks.run_deadline.LEAST_S", 4.0)
    monkeypatch.setattr("webdyno.run.blocks.run_deadline.OVERRUN", 0.0)
    add_scenario(content, "stuck", before_load="time.sleep(1000)")
    began = time.monotonic()
    # Whichever trial comes first hangs; the other's turn never comes.
    two = {"min": 2, "max": 2}
    made = run(study("python/plain", scenarios=["stuck"], blocks=two), content)
    assert time.monotonic() - began < 30
    assert made.status == "finished"
    assert any(note.startswith("stopped after 4 s") and "hung" in note for note in made.notes)
    (trial,) = made.trials
    assert trial.status == "error"
    assert "the run's trials did not end within 4 s" in trial.reason


def test_endless_interim_answers_and_drips_have_an_end(
    content: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("webdyno.trial.life.Probe", partial(Probe, timeout=1.0))
    sign = content / "started"
    for name, each in (("continues", CONTINUES), ("drips", DRIPS_LATER)):
        write_hello_server(content, name, each=each.format(sign=str(sign)))
    usually_s = awaiting.START_TIMEOUT_S

    def listener(event: Event) -> None:
        if isinstance(event, TrialStarted):
            sign.unlink(missing_ok=True)
            endless = event.server == "python/continues"
            monkeypatch.setattr(awaiting, "START_TIMEOUT_S", 2.0 if endless else usually_s)
        if isinstance(event, StepStarted) and event.name == "verify":
            sign.touch()

    began = time.monotonic()
    seen = by_server(run(study("python/continues", "python/drips"), content, listener))
    assert time.monotonic() - began < 25
    assert "gave no answer" in seen["python/continues"].reason
    assert seen["python/drips"].status == "failed"
    assert "GET /hello: no answer within 1.0 s" in seen["python/drips"].reason


def database() -> list[int]:
    """Processes of PostgreSQL that we started."""
    found = []
    for pid in descendants(os.getpid()):
        try:
            if Path(f"/proc/{pid}/comm").read_text().strip() == "postgres":
                found.append(pid)
        except OSError:
            continue
    return [pid for pid in found if not is_ended(pid)]


def signal_database(number: signal.Signals) -> None:
    for pid in database():
        os.kill(pid, number)


@pytest.fixture
def with_database(content: Path) -> Path:
    """Content for scenarios that ask a PostgreSQL, or a skipped test where there is none."""
    try:
        look_for("postgresql")
    except ServiceMissing as missing:
        pytest.skip(str(missing))
    for private in [content, *content.parents]:  # The database has a user of its own.
        if private.stat().st_mode & 0o011 == 0:
            private.chmod(private.stat().st_mode | 0o011)
    return content


ASK = "from webdyno.runtime.services.psql import Psql; rows = Psql(self.services).rows; "


def test_a_database_stopped_in_the_midst_of_a_proof_is_named(
    with_database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webdyno.trial.step_deadlines.VERIFY", (4.0, "the verification"))
    asked = with_database / "asked"
    endlessly = "[rows('SELECT pg_sleep(0.05)') for _ in iter(int, 1)]"
    verify = f"{ASK}rows('SELECT 1'); open({str(asked)!r}, 'w').close(); {endlessly}"
    add_scenario(with_database, "kept", '"postgresql"', verify=verify)

    def stop() -> None:
        wait_until(asked.exists)
        signal_database(signal.SIGSTOP)

    def listener(event: Event) -> None:
        if isinstance(event, StepStarted) and event.name == "verify":
            threading.Thread(target=stop).start()

    began = time.monotonic()
    made = run(study("python/plain", scenarios=["kept"]), with_database, listener)
    assert time.monotonic() - began < 40
    (trial,) = made.trials
    assert trial.status == "error"
    assert trial.reason == "PostgreSQL was stopped (SIGSTOP) during the trial"
    assert not database()


def test_a_database_killed_in_the_midst_of_a_load_is_named(with_database: Path) -> None:
    killed = with_database / "killed"
    # On a busy machine the load may be over by then: what is asked after it waits for the end.
    audit = (
        f"while not __import__('os').path.exists({str(killed)!r}): time.sleep(0.01)\n"
        f"        {ASK}rows('SELECT 1')"
    )
    add_scenario(with_database, "kept", '"postgresql"', audit=audit)

    def kill() -> None:
        signal_database(signal.SIGKILL)
        killed.touch()

    def listener(event: Event) -> None:
        if isinstance(event, StepStarted) and event.name == "measure":
            threading.Timer(0.2, kill).start()

    made = run(study("python/plain", scenarios=["kept"]), with_database, listener)
    (trial,) = made.trials
    assert trial.status == "error"
    assert trial.reason == "PostgreSQL was killed (SIGKILL) during the trial"
    assert not database()
