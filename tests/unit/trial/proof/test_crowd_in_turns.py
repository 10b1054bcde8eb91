"""Which second proofs are made in turns, and that those are made like the load's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from support.crowd_verifiers import HONEST, LIE, AskingInTurn, prove_twice, verifier_in
from support.scripted_server import ClientConnection, scripted_server
from webdyno.catalog.loads.load import Closed
from webdyno.catalog.scenarios.scenario import read_scenario
from webdyno.generators.job import Job
from webdyno.trial.loads.loading import EDGES, WatchedLoad
from webdyno.trial.proof.crowd import rhythm_of
from webdyno.trial.turn_taking.rhythm import Rhythm
from webdyno.trial.watching.measure import CoreUsage
from webdyno.verifier import Mismatch

ROOT = Path(__file__).resolve().parents[4]


class Server:
    """What can be frozen."""

    frozen = 0
    awake = True

    def freeze(self) -> None:
        self.frozen += 1
        self.awake = False

    def hold(self) -> None:
        """It has started nothing."""

    def thaw(self) -> None:
        self.awake = True


def load(**changes: Any) -> WatchedLoad:
    cores: Any = CoreUsage(None, None, 1.0)
    made: dict[str, Any] = {"slices": 3, "slice_s": 0.1, "pauses_s": (0.1, 0.2, 0.1), **changes}
    return WatchedLoad(None, cores, EDGES, **made)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changes", "thorough", "elsewhere", "in_turns"),
    [
        ({}, True, False, True),
        ({}, False, False, False),
        ({}, True, True, False),
        ({"slices": 1, "slice_s": None, "pauses_s": ()}, True, False, False),
    ],
)
def test_half_of_the_thorough_proofs_take_the_turns_of_their_load(
    tmp_path: Path, changes: dict[str, Any], thorough: bool, elsewhere: bool, in_turns: bool
) -> None:
    verifier = verifier_in(tmp_path)
    verifier.thorough = thorough
    job = Job(
        scenario=read_scenario(ROOT / "scenarios" / "hello").manifest,
        load=Closed(kind="closed", connections=4, duration=1.0, slice=0.1),
        port=1,
        cpus=(),
        seed=1,
    )
    if elsewhere:
        job = Job(**{**vars(job), "make_load": lambda _: None})
    made = load(**changes)
    drawn = [rhythm_of(made, Server(), job, verifier) is not None for _ in range(64)]
    # By lot: all 64 alike would be a chance of one in 10^19.
    assert set(drawn) == ({True, False} if in_turns else {False})


@pytest.mark.slow
@pytest.mark.usefixtures("patient")
def test_who_lies_while_it_is_frozen_now_and_then_is_asked_then(tmp_path: Path) -> None:
    process = Server()

    def respond(connection: ClientConnection) -> bytes:
        return LIE if connection.paths[-1] == "/check" and process.frozen > 1 else HONEST

    with scripted_server(respond) as server:
        prove_twice(server, verifier_in(tmp_path, AskingInTurn))
        rhythm = Rhythm(process, 0.02, [0.02])
        with pytest.raises(Mismatch, match="answered 200: b'no!'"):
            prove_twice(server, verifier_in(tmp_path, AskingInTurn), rhythm=rhythm)
    assert process.awake


@pytest.mark.slow
@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("connections", [4, 12])
def test_it_is_told_that_a_proof_was_made_in_turns(tmp_path: Path, connections: int) -> None:
    """Also where the load had no more connections than the proof."""
    process, verifier = Server(), verifier_in(tmp_path, AskingInTurn)
    with scripted_server(lambda _: HONEST) as server:
        prove_twice(server, verifier, connections, rhythm=Rhythm(process, 0.01, [0.01, 0.02]))
    told = [item.detail for item in verifier.evidence if "in turns" in item.claim]
    assert told == ["awake for 0.01 s, then frozen for 0.01 to 0.02 s"]
    assert process.frozen > 1
    assert process.awake
