"""A stage for verifiers: a test server, honest or cheating, and the scenario's real verifier."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from webdyno.catalog.scenario import Scenario, read_scenario
from webdyno.runtime.ports import free_port, is_listening
from webdyno.trial.prove import verifier_of
from webdyno.verifier import Mismatch, Preparation, Probe, Verifier

ROOT = Path(__file__).parents[3]
PROGRAM = ROOT / "tests" / "servers" / "python" / "cheat" / "main.py"


class Stage:
    """A server that runs, and the verifier that was prepared for it."""

    def __init__(self, scenario: Scenario, verifier: Verifier, prepared: Preparation) -> None:
        self.scenario = scenario
        self.verifier = verifier
        self.prepared = prepared
        self.port = free_port()

    def verify(self, phase: str = "before", timeout: float = 10.0) -> None:
        self.verifier.phase = phase
        with Probe(f"http://127.0.0.1:{self.port}", timeout=timeout) as probe:
            self.verifier.verify(probe)

    def caught(self, phase: str = "before") -> str:
        """What the verifier says against the server; fails the test where it says nothing."""
        with pytest.raises(Mismatch) as found:
            self.verify(phase)
        assert not self.verifier.evidence[-1].ok
        return str(found.value)


@contextlib.contextmanager
def staged(work: Path, name: str, cheat: str = "", **parameters: Any) -> Iterator[Stage]:
    scenario = read_scenario(ROOT / "scenarios" / name)
    verifier = verifier_of(scenario, parameters, work, int.from_bytes(os.urandom(8)))
    stage = Stage(scenario, verifier, verifier.prepare())
    environment = {
        **os.environ,
        "PORT": str(stage.port),
        "WEBDYNO_SCENARIO": name,
        "WEBDYNO_CPUS": "1",
        "CHEAT": cheat,
        **stage.prepared.env,
    }
    process = subprocess.Popen([sys.executable, str(PROGRAM)], env=environment)
    try:
        deadline = time.monotonic() + 30
        while not is_listening(stage.port):
            assert process.poll() is None, "the test server did not start"
            assert time.monotonic() < deadline, "the test server does not listen"
            time.sleep(0.01)
        yield stage
    finally:
        process.terminate()
        process.wait(10)


Staged = Callable[..., Stage]


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Staged]:
    """Starts servers, `stage(scenario, cheat, **parameters)`, and stops them after the test."""
    with contextlib.ExitStack() as stack:
        count = 0

        def start(name: str, cheat: str = "", **parameters: Any) -> Stage:
            nonlocal count
            count += 1
            work = tmp_path / str(count)
            work.mkdir()
            return stack.enter_context(staged(work, name, cheat, **parameters))

        yield start
