"""A server that stands still is told so: under load it is not "ok, p99 8 ms", nor a liar."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from tests.faults.short_runs import by_server, run, study

from support.hello_server import write_hello_server
from webdyno.runtime.proc import descendants
from webdyno.trial.events import Event, Listener, StepStarted
from webdyno.verifier import Probe

pytestmark = pytest.mark.concurrent

LOAD = [{"kind": "closed", "connections": 8, "duration": "2500ms", "timeout": "9s"}]

SETUP = """
lock, napped = threading.Lock(), []
"""

NAPS = """
with lock: pass
if os.path.exists({sign!r}) and not napped:
    with lock:
        if not napped:
            napped.append(True)
            time.sleep(1.5)
"""
"""Once, while all of its threads wait."""


def servers(name: str) -> list[int]:
    """Processes that run a server's program."""
    found = []
    for pid in descendants(os.getpid()):
        try:
            if name.encode() in Path(f"/proc/{pid}/cmdline").read_bytes():
                found.append(pid)
        except OSError:
            continue
    return found


def in_the_measurement(after_s: float, then: Callable[[], None]) -> Listener:
    """A listener that does something so long after the measurement began."""

    def listener(event: Event) -> None:
        if isinstance(event, StepStarted) and event.name == "measure":
            threading.Timer(after_s, then).start()

    return listener


def test_one_that_was_stopped_near_the_end_is_told_so(content: Path) -> None:
    write_hello_server(content, "stopped")

    def stop() -> None:
        pids = servers("server.py")
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        time.sleep(3.0)
        for pid in pids:
            os.kill(pid, signal.SIGCONT)

    made = run(study("python/stopped", loads=LOAD), content, in_the_measurement(1.5, stop))
    trial = by_server(made)["python/stopped"]
    assert trial.status == "failed"
    assert trial.reason.startswith("the server was stopped (SIGSTOP) for ")
    assert "while 8 requests waited; " in trial.reason
    assert "stopped" in {flag.code for flag in trial.flags}
    assert not trial.lie


@pytest.mark.parametrize("step", ["verify", "settle", "audit"])
def test_one_that_stands_still_beside_its_load_is_told_so_and_is_no_liar(
    content: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    monkeypatch.setattr("webdyno.trial.life.Probe", partial(Probe, timeout=1.0))
    write_hello_server(content, "stopped")

    def listener(event: Event) -> None:
        if isinstance(event, StepStarted) and event.name == step:
            for pid in servers("server.py"):
                os.kill(pid, signal.SIGSTOP)

    trial = by_server(run(study("python/stopped"), content, listener))["python/stopped"]
    assert trial.status == "failed"
    assert trial.reason.startswith("the server was stopped (SIGSTOP)")
    assert not trial.lie


def test_one_that_stops_while_it_starts_is_told_so(
    content: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webdyno.trial.starting.awaiting.START_TIMEOUT_S", 2.0)
    write_hello_server(content, "stops", "import signal; os.kill(os.getpid(), signal.SIGSTOP)")
    trial = by_server(run(study("python/stops"), content))["python/stops"]
    assert trial.reason == "python/stops was stopped (SIGSTOP) while it started"


def test_one_that_works_for_long_before_its_first_answer_is_waited_for(
    content: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webdyno.trial.starting.awaiting.START_TIMEOUT_S", 1.0)
    monkeypatch.setattr("webdyno.trial.starting.awaiting.PATIENCE", 60)
    write_hello_server(content, "slow", "while time.process_time() < 2: pass")
    write_hello_server(content, "idle", "time.sleep(1000)")
    seen = by_server(run(study("python/slow", "python/idle"), content))
    assert "gave no answer" not in seen["python/slow"].reason
    assert seen["python/slow"].start_seconds is not None
    assert seen["python/slow"].start_seconds > 2
    assert "python/idle gave no answer on" in seen["python/idle"].reason


def test_one_that_gave_no_answer_for_long_is_told_so(content: Path) -> None:
    sign = content / "nap"
    write_hello_server(content, "naps", SETUP, NAPS.format(sign=str(sign)))
    made = run(study("python/naps", loads=LOAD), content, in_the_measurement(0.5, sign.touch))
    trial = by_server(made)["python/naps"]
    assert trial.status == "failed", (trial.status, trial.flags)
    assert "it gave no answer for 1." in trial.reason
    assert "stalled-long" in {flag.code for flag in trial.flags}
