"""A hostile server a kind: each is one trial's result, told as what it was, and nothing is left."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import pytest
from tests.faults.short_runs import by_server, run, study
from tests.faults.test_stalls import servers

from support.hello_server import write_hello_server
from webdyno.runtime.proc import is_zombie
from webdyno.trial.events import Event, StepStarted, TrialStarted

pytestmark = pytest.mark.concurrent

WHEN_LOADED = """
if os.path.exists({sign!r}):
    {then}
"""

ESCAPES = r"""
import sys
sys.stderr.write("Fatal error: \x1b]0;owned\x07\x1b[31mno\x9b2J luck\n")
sys.exit(1)
"""

LABELS = r"""
self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: \x1b]0;owned\x07\r\nContent-Length: 11\r\n\r\n")
self.wfile.write(b"Hello World")
return
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


def test_servers_that_end_are_told_as_what_they_are(content: Path) -> None:
    sign = content / "loaded"
    ways = {
        "dies": "os.kill(os.getpid(), 9)",
        "leaves": "os._exit(3)",
        "breaks": "self.send_error(500); return",
    }
    for name, then in ways.items():
        write_hello_server(content, name, each=WHEN_LOADED.format(sign=str(sign), then=then))
    write_hello_server(content, "escapes", setup=ESCAPES)
    write_hello_server(content, "labels", each=LABELS)

    def listener(event: Event) -> None:
        if isinstance(event, TrialStarted):
            sign.unlink(missing_ok=True)
        if isinstance(event, StepStarted) and event.name == "measure":
            threading.Timer(0.2, sign.touch).start()

    names = (*ways, "escapes", "labels")
    made = run(study(*(f"python/{name}" for name in names)), content, listener)
    seen = by_server(made)
    assert made.status == "finished"
    for name, how in (("dies", "was killed (SIGKILL)"), ("leaves", "exited with 3")):
        trial = seen[f"python/{name}"]
        assert trial.status == "failed"
        assert f"the server {how}" in trial.reason
        assert "s into the measurement" in trial.reason
    assert seen["python/breaks"].status == "failed"
    assert not seen["python/breaks"].lie
    assert seen["python/escapes"].status == "error"
    assert "Fatal error: no luck" in seen["python/escapes"].reason
    told = [trial.reason + trial.lie + trial.log_tail for trial in made.trials]
    told += [claim.detail for trial in made.trials for claim in trial.evidence]
    assert "content-type is ''" in "".join(told)
    assert not {"\x1b", "\x9b"} & set("".join(told))


def test_one_that_ended_before_its_load_is_told_so(content: Path) -> None:
    write_hello_server(content, "gone")

    def listener(event: Event) -> None:
        if isinstance(event, StepStarted) and event.name == "settle":
            for pid in servers("server.py"):
                os.kill(pid, signal.SIGKILL)
                while not is_zombie(pid):
                    time.sleep(0.01)

    trial = by_server(run(study("python/gone"), content, listener))["python/gone"]
    assert trial.reason == "the server was killed (SIGKILL) before the measurement"
    assert not trial.lie


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
    monkeypatch.setattr("webdyno.trial.starting.awaiting.START_TIMEOUT_S", 2.0)
    write_hello_server(content, "drips", each=DRIPS)
    write_hello_server(content, "chatters", setup=CHATTERS)
    began = time.monotonic()
    made = run(study("python/drips", "python/chatters"), content)
    # To its end it would drip for an hour.
    assert time.monotonic() - began < 90
    seen = by_server(made)
    assert seen["python/drips"].status == "error"
    assert "gave no answer" in seen["python/drips"].reason
    assert seen["python/chatters"].status == "ok", seen["python/chatters"].reason
    # Of 26 MB the end is kept, and it is told how much there was.
    log = Path(made.folder) / seen["python/chatters"].log
    assert log.stat().st_size < 12_000_000
    assert b"of 26,214,400 bytes" in log.read_bytes()[:200]
