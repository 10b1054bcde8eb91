"""A stage for verifiers: a test server, honest or cheating, and the scenario's real verifier."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from support.services import postgresql
from webdyno.catalog.loads.load import Closed, Load
from webdyno.catalog.scenarios.scenario import Scenario, read_scenario
from webdyno.generators.engine import Engine
from webdyno.generators.job import Job
from webdyno.generators.result import LoadResult
from webdyno.runtime.ports import free_port, is_listening
from webdyno.runtime.services import RunningService, table_work
from webdyno.runtime.services.psql import Psql
from webdyno.trial.proof import crowd
from webdyno.trial.proof.crowd import verify_again
from webdyno.trial.proof.distinct import expect_distinct
from webdyno.trial.proof.prove import samples_of, verifier_of
from webdyno.trial.services import tell
from webdyno.trial.turn_taking.rhythm import Rhythm
from webdyno.verifier import Change, Mismatch, Preparation, Probe, Verifier

ROOT = Path(__file__).parents[3]
PROGRAM = ROOT / "tests" / "servers" / "python" / "cheat" / "main.py"

WARM = 1000
"""Requests after which a server that is honest until it is warm begins to cheat."""

WARMED_S, MOST_LONGER = 0.7, 4.0
"""Two cores that nobody else uses send so many within this; and how much longer the loads of slower
ones may be."""

OLD = 48
"""More requests than those that count them let a connection make before they cheat on it."""


class Stopped:
    """A process that can be frozen, as a `ManagedProcess` can."""

    def __init__(self, pid: int) -> None:
        self.pid = pid

    def freeze(self) -> None:
        os.kill(self.pid, signal.SIGSTOP)

    def hold(self) -> None:
        """It starts nothing."""

    def thaw(self) -> None:
        os.kill(self.pid, signal.SIGCONT)


class Stage:
    """A server that runs, and the verifier that was prepared for it."""

    def __init__(
        self, scenario: Scenario, verifier: Verifier, prepared: Preparation, cheat: str
    ) -> None:
        self.scenario = scenario
        self.verifier = verifier
        self.prepared = prepared
        self.cheat = cheat
        self.port = free_port()
        self.pid = 0

    @contextlib.contextmanager
    def restart(self, changed: Mapping[str, str]) -> Iterator[Probe]:
        """The server once more, beside the first, as a trial starts it again."""
        port = free_port()
        with self.served(port, changed), Probe(f"http://127.0.0.1:{port}") as probe:
            yield probe

    @contextlib.contextmanager
    def served(self, port: int, changed: Mapping[str, str]) -> Iterator[int]:
        """The server as it runs on `port`, with `changed` in its environment; its process id."""
        environment = {
            **os.environ,
            "PORT": str(port),
            "WEBDYNO_SCENARIO": self.scenario.id,
            "WEBDYNO_CPUS": "1",
            "CHEAT": self.cheat,
            **self.verifier.services,
            **self.prepared.env,
            **changed,
        }
        process = subprocess.Popen([sys.executable, str(PROGRAM)], env=environment)
        try:
            deadline = time.monotonic() + 30
            while not is_listening(port):
                assert process.poll() is None, "the test server did not start"
                assert time.monotonic() < deadline, "the test server does not listen"
                time.sleep(0.01)
            yield process.pid
        finally:
            process.terminate()
            process.wait(30)

    def verify(self, phase: str = "before", timeout: float = 10.0) -> None:
        self.verifier.phase = phase
        with Probe(f"http://127.0.0.1:{self.port}", timeout=timeout) as probe:
            self.verifier.verify(probe)

    def verify_restarted(self) -> None:
        with Probe(f"http://127.0.0.1:{self.port}") as probe:
            self.verifier.verify_restarted(probe, self.restart)

    def warm(self, path: str = "/warm") -> None:
        """Send as many requests as the cheats count that begin when they are warm."""
        with contextlib.closing(HTTPConnection("127.0.0.1", self.port, timeout=30)) as connection:
            for _ in range(WARM + 1):
                connection.request("GET", path)
                connection.getresponse().read()

    def warm_up(self, seconds: float) -> None:
        """Load the server as a trial's warm-up does, and tell the verifier of it."""
        self.verifier.before_warm_up()
        samples = type(self.verifier).warm_up_samples
        job = self.job(seconds, connections=10, moves=False)
        result = Engine().run(replace(job, samples=samples, body_bytes=0))
        self.verifier.warmed(samples_of(result), result.counts.ok)
        self.verifier.answered_before += result.counts.ok

    def job(
        self, seconds: float = 1.0, *, connections: int = 20, load: Load | None = None,
        moves: bool = True,
    ) -> Job:  # fmt: skip
        """A closed load on it, or `load`; its verifier `moves` what state it has meanwhile."""
        return Job(
            scenario=self.scenario.manifest.with_bodies(self.prepared.bodies),
            load=load or Closed(kind="closed", connections=connections, duration=seconds),
            port=self.port,
            cpus=(),
            seed=1,
            samples=self.verifier.samples,
            variables=self.prepared.variables,
            lookups={name: dict(bodies) for name, bodies in self.prepared.lookups.items()},
            changes=self.verifier.change if moves else None,
        )

    def loaded(self, seconds: float = 0.7) -> LoadResult:
        """Verify the server, warm it up and load it as a trial does; the engine's result.

        On a busy machine the load is longer, so that about as many answers come.
        """
        self.verify("before")
        began_s = time.monotonic()
        self.warm()
        slow = (time.monotonic() - began_s) / WARMED_S
        with Probe(f"http://127.0.0.1:{self.port}") as probe:
            self.verifier.before_load(probe)
        longer = min(max(1.0, slow), MOST_LONGER)
        result = Engine().run(self.job(seconds * longer, connections=10))
        self.verifier.phase = "during"
        return result

    def judged(self, result: LoadResult) -> str:
        """What the audit, distinct answers and the services' counts say; "" where they agree."""
        with Probe(f"http://127.0.0.1:{self.port}") as probe:
            self.verifier.sampled_from = result.counts.ok
            try:
                self.verifier.audit(samples_of(result))
                expect_distinct(self.verifier, self.scenario, result)
                self.verifier.reconcile(probe, result.counts.by_kind())
            except Mismatch as mismatch:
                return str(mismatch)
        return ""

    def verify_in_a_crowd(
        self,
        connections: int = 32,
        rps: float = 4000.0,
        changes: Callable[[], Change | None] | None = None,
        rhythm: Rhythm | None = None,
    ) -> None:
        """The second proof, as a trial makes it in the midst of load, in which there were
        `changes`; in turns of that `rhythm`, if any."""
        job = replace(self.job(connections=connections, moves=False), changes=changes)
        self.verifier.phase = "after"
        with Probe(f"http://127.0.0.1:{self.port}") as probe:
            verify_again(self.verifier, probe, job, rps=rps, rhythm=rhythm)

    def rhythm(self, turn_s: float = 0.1, pauses_s: Sequence[float] = (0.1, 0.2)) -> Rhythm:
        """Turns like those of a load."""
        return Rhythm(Stopped(self.pid), turn_s, pauses_s)

    def passes(self, **crowd: Any) -> LoadResult:
        """Prove an honest server from start to end, at last in a `crowd`; the load's result."""
        result = self.loaded()
        assert result.counts.ok > 0
        assert result.counts.errors == 0, result.errors_detail
        assert self.judged(result) == ""
        for phase in ("after", "before"):
            self.verify(phase)
        self.verify_in_a_crowd(**crowd)
        assert all(item.ok for item in self.verifier.evidence)
        return result

    def caught(self, phase: str = "before") -> str:
        """What the verifier says against the server; fails the test where it says nothing."""
        with pytest.raises(Mismatch) as found:
            self.verify(phase)
        assert not self.verifier.evidence[-1].ok
        return str(found.value)

    def caught_restarted(self) -> str:
        """As `caught`, of a server that nothing but further starts of it shows to cheat."""
        self.verify()
        with pytest.raises(Mismatch) as found:
            self.verify_restarted()
        assert not self.verifier.evidence[-1].ok
        return str(found.value)


@contextlib.contextmanager
def staged(
    work: Path, name: str, cheat: str, service: RunningService | None, **parameters: Any
) -> Iterator[Stage]:
    scenario = read_scenario(ROOT / "scenarios" / name)
    verifier = verifier_of(scenario, parameters, work, int.from_bytes(os.urandom(8)))
    tell(verifier, [] if service is None else [service])
    stage = Stage(scenario, verifier, verifier.prepare(), cheat)
    with contextlib.closing(verifier), stage.served(stage.port, {}) as stage.pid:
        yield stage


def read_services(name: str) -> list[str]:
    return read_scenario(ROOT / "scenarios" / name).manifest.services


HONEST = ("", "in-postgresql", "revalidated", "says-it-is-kept")
"""Kinds of servers that do all of their work."""

TOLD_LATE_S = table_work.TOLD_LATE_S


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """An idle backend tells of its work after ten seconds: of a cheat's, none is to come then."""
    monkeypatch.setattr(table_work, "TOLD_LATE_S", 12.0)


@pytest.fixture
def aged(monkeypatch: pytest.MonkeyPatch) -> None:
    """The connections of a proof beside a load grow as old as cheats count, on any machine."""
    monkeypatch.setattr(crowd, "_WITHIN_S", 20.0)
    monkeypatch.setattr(crowd, "_REQUESTS", OLD)


Staged = Callable[..., Stage]
EmptyDatabase = Callable[[], RunningService]
# What the owner of the database made, and what servers made in their own schema.
EMPTIED = """
    SELECT format('DROP TABLE public.%I CASCADE', tablename) FROM pg_tables
        WHERE schemaname = 'public' \\gexec
    DROP SCHEMA webdyno CASCADE; CREATE SCHEMA webdyno AUTHORIZATION webdyno;
"""


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmptyDatabase]:
    """Gives a PostgreSQL without tables, the same one for all tests; started when first asked."""
    folder = tmp_path_factory.mktemp("services")
    running: list[RunningService] = []

    def empty() -> RunningService:
        if not running:
            running.append(postgresql(folder))
        service = running[0]
        Psql(service.as_owner).rows(EMPTIED)
        return service

    yield empty
    for service in running:
        service.stop()


@pytest.fixture
def stage(
    tmp_path: Path, empty_database: EmptyDatabase, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Staged]:
    """Starts servers, `stage(scenario, cheat, **parameters)`, and stops them after the test."""
    with contextlib.ExitStack() as stack:
        count = 0

        def start(name: str, cheat: str = "", **parameters: Any) -> Stage:
            nonlocal count
            count += 1
            if cheat in HONEST:
                # On a busy machine its backends are later; as soon as they have told, it goes on.
                monkeypatch.setattr(table_work, "TOLD_LATE_S", TOLD_LATE_S)
            work = tmp_path / str(count)
            work.mkdir()
            service = empty_database() if read_services(name) else None
            return stack.enter_context(staged(work, name, cheat, service, **parameters))

        yield start
