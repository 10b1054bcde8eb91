"""A stage for the middleware scenarios: an application in a thread, and the real verifier."""

from __future__ import annotations

import contextlib
import itertools
import os
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from integration.stacks.server import App, Running
from webdyno.catalog.loads.load import Closed
from webdyno.catalog.scenarios.scenario import read_scenario
from webdyno.generators.drawn import draw
from webdyno.generators.job import Job
from webdyno.trial.proof.prove import verifier_of
from webdyno.verifier import Mismatch, Probe, Sample, Spent, access_log

ROOT = Path(__file__).parents[3]


class Trial:
    """What a trial does with a verifier, with a few requests in place of the load."""

    def __init__(
        self, work: Path, name: str, make: Callable[[dict[str, str]], App], **parameters: Any
    ) -> None:
        self.scenario = read_scenario(ROOT / "scenarios" / name)
        work.mkdir()
        self.verifier = verifier_of(self.scenario, parameters, work, int.from_bytes(os.urandom(8)))
        self.prepared = self.verifier.prepare()
        self.make = make
        self.running = Running(make(dict(self.prepared.env)))

    @contextlib.contextmanager
    def restart(self, changed: Mapping[str, str]) -> Iterator[Probe]:
        """The application once more, beside the first."""
        again = Running(self.make({**self.prepared.env, **changed}))
        try:
            with Probe(f"http://127.0.0.1:{again.port}") as probe:
                yield probe
        finally:
            again.stop()

    def run(self, rounds: int = 20, processes: int = 1) -> None:
        """The whole course, of a server of so many `processes`. Raises `Mismatch`."""
        with Probe(f"http://127.0.0.1:{self.running.port}") as probe:
            self.verifier.phase = "before"
            self.verifier.verify(probe)
            self.verifier.verify_restarted(probe, self.restart)
            self.load_and_prove(probe, rounds, processes)

    def load_and_prove(self, probe: Probe, rounds: int, processes: int = 1) -> None:
        """A load, and what is proven with it and after it. Raises `Mismatch`."""
        self.verifier.before_load(probe)
        samples = self._load(rounds)
        self.verifier.phase = "during"
        self.verifier.sampled_from = len(samples)
        self.verifier.audit(samples)
        self.verifier.reconcile(probe, {"ok": len(samples)})
        self.verifier.account(Spent(len(samples), server_cpu_s=0.0, processes=processes))
        self.verifier.phase = "after"
        self.verifier.verify(probe)
        self.verifier.verify_beside_load(probe)

    def caught(self, rounds: int = 20) -> str:
        """What the verifier says against the server; fails the test where it says nothing."""
        with pytest.raises(Mismatch) as found:
            self.run(rounds)
        return f"{self.verifier.phase}: {found.value}"

    def _load(self, rounds: int) -> list[Sample]:
        job = Job(
            scenario=self.scenario.manifest,
            load=Closed(kind="closed", connections=1, duration=1.0),
            port=self.running.port,
            cpus=(),
            seed=int.from_bytes(os.urandom(4)),
            variables=self.prepared.variables,
        )
        samples = []
        with Probe(f"http://127.0.0.1:{job.port}", connections=1) as user:
            drawn = draw(job, rounds)
            number = rounds * len(self.scenario.manifest.requests)
            for place, asked in enumerate(itertools.islice(itertools.cycle(drawn), number), 1):
                if place % 10 == 0 and (change := self.verifier.change()) is not None:
                    change.apply()
                asked_s = time.monotonic()
                answer = user.request(
                    asked.method, asked.path, headers=dict(asked.headers), content=asked.body
                )
                samples.append(
                    Sample(
                        request=asked.name,
                        variables=asked.variables,
                        status=answer.status_code,
                        headers=list(answer.headers.multi_items()),
                        body=answer.content,
                        at_s=0.0,
                        sent_s=asked_s,
                        answered_by_s=time.monotonic(),
                    )
                )
        return samples


Staged = Callable[..., Trial]


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here a line that is to come comes at once."""
    monkeypatch.setattr(access_log, "_WAIT_S", 0.3)


@pytest.fixture
def trial(tmp_path: Path) -> Iterator[Staged]:
    """Starts a trial: `trial(scenario, application, **parameters)`; ends it after the test."""
    made: list[Trial] = []

    def start(name: str, make: Callable[[dict[str, str]], App], **parameters: Any) -> Trial:
        made.append(Trial(tmp_path / str(len(made)), name, make, **parameters))
        return made[-1]

    yield start
    for one in made:
        one.running.stop()
