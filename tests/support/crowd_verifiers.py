"""Verifiers that ask a `ScriptedServer`, and both proofs of it: the first, and the second beside a
load."""

from __future__ import annotations

import math
from pathlib import Path
from typing import ClassVar

from support.scripted_server import ScriptedServer
from webdyno.catalog.loads.load import Closed
from webdyno.catalog.scenarios.scenario import read_scenario
from webdyno.generators.job import Job
from webdyno.trial.proof.crowd import verify_again
from webdyno.trial.proof.prove import verifier_of
from webdyno.trial.turn_taking.rhythm import Rhythm
from webdyno.verifier import Probe, Verifier

ROOT = Path(__file__).resolve().parents[2]
HONEST, LIE = b"yes", b"no!"

CONNECTIONS = 12
"""Of the load."""


class Asking(Verifier):
    """Asks `/check`, on the probe's connections and on one of its own each time."""

    in_a_crowd = True
    held_at_once = 1
    rounds: ClassVar = 2

    def verify(self, probe: Probe) -> None:
        for _ in range(self.rounds * probe.connections):
            self._check(probe)
            if self.held_at_once:
                with probe.another() as other:
                    self._check(other)

    def _check(self, probe: Probe) -> None:
        answer = probe.get("/check")
        said = f"answered {answer.status_code}: {answer.content!r}"
        self.expect("the answer is yes", answer.content == HONEST, said)


class AskingAlone(Asking):
    in_a_crowd = False


class AskingInTurn(Asking):
    held_at_once = 0


class AskingBesideLoad(AskingInTurn):
    """Alone with the server, and once more beside the load."""

    in_a_crowd = False

    def verify_beside_load(self, probe: Probe) -> None:
        self._check(probe)


class AskingOnOne(Asking):
    """On one of its own all the while: no server has to notice the end of another first."""

    def verify(self, probe: Probe) -> None:
        with probe.another(connections=1) as other:
            for _ in range(self.rounds * probe.connections):
                self._check(probe)
                self._check(other)


def verifier_in(tmp_path: Path, kind: type[Verifier] = Asking) -> Verifier:
    template = verifier_of(read_scenario(ROOT / "scenarios" / "hello"), {}, tmp_path, 1)
    return kind(parameters={}, folder=template.folder, work=tmp_path, random=template.random)


def prove_twice(
    server: ScriptedServer,
    verifier: Verifier,
    connections: int = CONNECTIONS,
    timeout: float = 10.0,
    lives_s: float = math.inf,
    rps: float = 100_000.0,
    cpus: tuple[int, ...] = (),
    rhythm: Rhythm | None = None,
) -> None:
    """The first proof, and the second beside so many connections of a load, in its `rhythm`."""
    job = Job(
        scenario=read_scenario(ROOT / "scenarios" / "hello").manifest,
        load=Closed(kind="closed", connections=connections, duration=1.0),
        port=server.port,
        cpus=cpus,
        seed=1,
    )
    with Probe(f"http://127.0.0.1:{server.port}", timeout=timeout) as probe:
        verifier.verify(probe)
        verifier.phase = "after"
        verify_again(verifier, probe, job, rps=rps, lives_s=lives_s, rhythm=rhythm)


def smaller_crowds(verifier: Verifier) -> list[tuple[str, str]]:
    """Of each crowd that was smaller than the load: how large it was, and why."""
    told = [item for item in verifier.evidence if item.claim.startswith("verified again ")]
    return [(item.claim.removeprefix("verified again "), item.detail) for item in told]
