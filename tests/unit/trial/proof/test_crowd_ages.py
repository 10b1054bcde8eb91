"""How old the connections of the second proof are, and how soon its requests follow others."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from support.crowd_verifiers import (
    CONNECTIONS,
    HONEST,
    LIE,
    AskingInTurn,
    prove_twice,
    smaller_crowds,
    verifier_in,
)
from support.scripted_server import ClientConnection, scripted_server
from webdyno.catalog.loads.load import Closed
from webdyno.store.measurement import GeneratorFigures
from webdyno.store.records import Measurement
from webdyno.trial.proof import crowd
from webdyno.trial.proof.crowd import life_of
from webdyno.verifier import Breakdown, Mismatch

pytestmark = pytest.mark.slow


@pytest.mark.usefixtures("patient")
def test_who_ends_the_connections_of_a_proof_to_have_young_ones_is_told(tmp_path: Path) -> None:
    def respond(connection: ClientConnection) -> bytes:
        return b"" if connection.paths[-1] == "/check" and len(connection.paths) > 50 else HONEST

    with (
        scripted_server(respond) as server,
        pytest.raises(
            Breakdown, match=r"the server ended [4-8] connections soon after it answered"
        ),
    ):
        prove_twice(server, verifier_in(tmp_path), CONNECTIONS)


@pytest.mark.usefixtures("patient")
def test_who_ends_workers_under_load_may_do_so_in_the_proof(tmp_path: Path) -> None:
    with scripted_server(lambda _: HONEST, every=250) as server:
        prove_twice(server, verifier := verifier_in(tmp_path), CONNECTIONS, lives_s=0.01)
    assert smaller_crowds(verifier) == []
    # Some were ended: of two proofs, and the load beside one, there would be no more than these.
    assert len(server.connections) > 2 * (4 + 8) + CONNECTIONS - (4 + 1)


@pytest.mark.usefixtures("patient")
def test_connections_of_a_proof_are_as_old_as_others(tmp_path: Path) -> None:
    asked: list[int] = []

    def respond(connection: ClientConnection) -> bytes:
        if connection.paths[-1] == "/check":
            asked.append(len(connection.paths))
        return HONEST

    with scripted_server(respond) as server:
        prove_twice(server, verifier_in(tmp_path, AskingInTurn), CONNECTIONS)
    assert asked[:8] == [1, 1, 1, 1, 2, 2, 2, 2]
    assert min(asked[8:]) > 10


@pytest.mark.usefixtures("patient")
def test_connections_of_a_proof_grow_as_old_as_those_of_the_load(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever is honest on the first requests of a connection is not on most of the load's."""
    monkeypatch.setattr(crowd, "_share", lambda: 1.0)

    def respond(connection: ClientConnection) -> bytes:
        return LIE if connection.paths[-1] == "/check" and len(connection.paths) > 120 else HONEST

    with scripted_server(respond) as server, pytest.raises(Mismatch, match="answered 200: b'no!'"):
        # 200 requests on each connection of the load, in a second.
        prove_twice(
            server, verifier_in(tmp_path, AskingInTurn), CONNECTIONS, rps=200.0 * CONNECTIONS
        )


@pytest.mark.parametrize(
    ("share", "lives_s", "thorough", "age"),
    [
        (0.0, math.inf, True, (100, 2.0, 5)),
        (0.5, math.inf, True, (2500, 5.0, 5)),
        (0.5, math.inf, False, (100, 2.0, 5)),
        (1.0, math.inf, True, (5000, 10.0, 5)),
        (0.5, 4.0, True, (1000, 2.0, 5)),
        (0.5, 0.01, True, (100, 2.0, 5)),
    ],
)
def test_the_age_of_a_proof_is_drawn_from_that_of_the_load(
    share: float,
    lives_s: float,
    thorough: bool,
    age: tuple[int, float, int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(crowd, "_share", lambda: share)
    load = Closed(kind="closed", connections=8, duration=10.0)
    assert crowd._age_of(load, 4000.0, lives_s, thorough=thorough) == age


def test_the_share_of_an_age_is_drawn_anew_each_time() -> None:
    drawn = {crowd._share() for _ in range(100)}
    assert len(drawn) == 100
    assert min(drawn) < 0.3
    assert max(drawn) > 0.7


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("share", [0.0, 0.9])
def test_each_question_follows_what_the_load_asks(
    share: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pause before it would tell of it: a load's connection makes none."""
    monkeypatch.setattr(crowd, "_share", lambda: share)
    before: list[str] = []

    def respond(connection: ClientConnection) -> bytes:
        if connection.paths[-1] == "/check" and len(connection.paths) > 20:
            before.append(connection.paths[-2])
        return HONEST

    with scripted_server(respond) as server:
        # 100 requests a second on each connection of the load: one has the time to go ahead.
        prove_twice(
            server, verifier_in(tmp_path, AskingInTurn), CONNECTIONS, rps=100.0 * CONNECTIONS
        )
    assert before[-4:] == ["/hello"] * 4


def test_how_long_the_connections_of_a_load_live_is_told_by_their_number() -> None:
    load = Closed(kind="closed", connections=8, duration=2.0)

    def lived_s(opened: int | None, of: Closed = load) -> float:
        figures = GeneratorFigures(connections_opened=opened)
        return life_of(of, Measurement.model_construct(elapsed_s=2.0, generator=figures))

    assert lived_s(8) == lived_s(None) == math.inf
    assert lived_s(40) == 0.5
    # Users that leave end their connections themselves.
    assert lived_s(40, load.model_copy(update={"visits": 3})) == math.inf
