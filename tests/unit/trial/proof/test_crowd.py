"""The second proof: on connections of its own, and in the midst of load where it can be."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from support.crowd_verifiers import (
    CONNECTIONS,
    HONEST,
    LIE,
    Asking,
    AskingAlone,
    AskingBesideLoad,
    AskingInTurn,
    AskingOnOne,
    prove_twice,
    smaller_crowds,
    verifier_in,
)
from support.scripted_server import UNAVAILABLE, ClientConnection, scripted_server
from webdyno.trial.proof import crowd
from webdyno.verifier import Mismatch, Probe, Verifier

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("patient")]


def test_amid_a_load_the_proof_is_asked_from_the_cores_of_the_load(tmp_path: Path) -> None:
    """A server sees which core a request comes from."""
    before = os.sched_getaffinity(0)
    cores: list[set[int]] = []

    class AskingFrom(AskingInTurn):
        def verify(self, probe: Probe) -> None:
            cores.append(os.sched_getaffinity(0))
            probe.on_each(lambda number, ask: cores.append(os.sched_getaffinity(0)))
            super().verify(probe)

    loads = max(before)
    with scripted_server(lambda connection: HONEST) as server:
        prove_twice(server, verifier_in(tmp_path, AskingFrom), cpus=(loads,))
    each = Probe("").connections
    assert cores == [before] * (1 + each) + [{loads}] * (1 + each)
    assert os.sched_getaffinity(0) == before


@pytest.mark.parametrize("kind", [Asking, AskingAlone])
def test_the_connections_of_the_first_proof_are_not_those_of_the_second(
    tmp_path: Path, kind: type[Verifier]
) -> None:
    """Or whoever ever asked what the load does not would be known."""
    asked: list[str] = []

    def respond(connection: ClientConnection) -> bytes:
        asked.append(connection.paths[-1])
        return HONEST

    with scripted_server(respond) as server:
        prove_twice(server, verifier_in(tmp_path, kind))
        both = [connection for connection in server.connections if "/check" in connection.paths]
        in_turn = [connection for connection in both if connection.paths.count("/check") > 1]
    assert asked.count("/check") == 32
    assert [connection.paths.count("/check") for connection in in_turn] == [2] * 8


def answer_of(connection: ClientConnection, crowded: bytes | None, is_crowd: bool) -> bytes | None:
    """What one says who asks what the load does not, while it is crowded; all others hear yes."""
    return crowded if is_crowd and connection.paths[-1] == "/check" else HONEST


BESIDE_7 = "beside a load of 7 connections (measured: 12)"
BESIDE_8 = "beside a load of 8 connections (measured: 12)"


@pytest.mark.parametrize(
    ("crowded", "message"),
    [
        (b"", r"no answer \(.*disconnected"),
        (None, "no answer within 2.0 s"),
        (UNAVAILABLE, "answered 503"),
        (LIE, "the answer is yes: answered 200: b'no!'"),
    ],
)
@pytest.mark.parametrize("kind", [Asking, AskingInTurn])
def test_who_breaks_off_a_proof_in_a_crowd_is_asked_in_one_as_large_as_the_loads(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    crowded: bytes | None,
    message: str,
    kind: type[Verifier],
) -> None:
    """Whether it lies there, or never answers: it is never asked in a larger one."""
    if crowded is None:  # Each proof waits for it to the end, beside a load that takes a core.
        monkeypatch.setattr(crowd, "_TRIES", 1)
    asked_before: list[str] = []

    def respond(connection: ClientConnection) -> bytes | None:
        if connection.server.open > CONNECTIONS:
            return answer_of(connection, LIE, True)
        if connection.server.open < CONNECTIONS:
            return HONEST
        asked_before.extend(connection.paths[-1:])
        broke_off = asked_before.count("/check") > 1
        return answer_of(connection, crowded if broke_off else UNAVAILABLE, True)

    with (
        scripted_server(respond) as server,
        pytest.raises(Mismatch, match=message) as found,
    ):
        prove_twice(server, verifier := verifier_in(tmp_path, kind), CONNECTIONS, timeout=2.0)
    assert found.value.is_breakdown is (crowded != LIE)
    [(claim, _)] = smaller_crowds(verifier)
    assert claim == (BESIDE_8 if kind is AskingInTurn else BESIDE_7)


@pytest.mark.parametrize("kind", [Asking, AskingInTurn])
@pytest.mark.parametrize("connections", [1, 2, 3, 5, CONNECTIONS])
def test_as_many_are_open_in_the_crowd_as_the_load_had(
    tmp_path: Path, connections: int, kind: type[Verifier]
) -> None:
    asked_beside: list[int] = []

    def respond(connection: ClientConnection) -> bytes | None:
        if connection.paths[-1] == "/check":
            asked_beside.append(connection.server.open)
        return HONEST

    room = max(connections, 4 + kind.held_at_once)
    with scripted_server(respond, workers=room) as server:
        first = verifier_in(tmp_path, kind)
        prove_twice(server, first, connections)
    assert smaller_crowds(first) == []
    again = asked_beside[-2 * 4 * (1 + kind.held_at_once) :]
    assert connections <= max(again) <= room
    assert max(4, connections - kind.held_at_once) <= min(again)


@pytest.mark.parametrize("workers", [CONNECTIONS, CONNECTIONS + 4])
def test_an_honest_server_without_a_worker_to_spare_passes(tmp_path: Path, workers: int) -> None:
    with scripted_server(lambda _: HONEST, workers=workers) as server:
        prove_twice(server, verifier := verifier_in(tmp_path), CONNECTIONS)
    assert smaller_crowds(verifier) == []
    assert verifier.evidence[16].phase == "after"


def test_an_honest_server_that_hangs_up_on_more_passes(tmp_path: Path) -> None:
    with scripted_server(lambda _: HONEST, most=CONNECTIONS) as server:
        prove_twice(server, verifier := verifier_in(tmp_path, AskingOnOne), CONNECTIONS)
    assert smaller_crowds(verifier) == []


def test_an_honest_server_that_is_unavailable_to_more_passes(tmp_path: Path) -> None:
    def respond(connection: ClientConnection) -> bytes:
        return UNAVAILABLE if connection.server.open > CONNECTIONS else HONEST

    with scripted_server(respond) as server:
        prove_twice(server, verifier := verifier_in(tmp_path, AskingOnOne), CONNECTIONS)
    assert smaller_crowds(verifier) == []


def test_an_honest_server_with_room_for_all_is_asked_once(tmp_path: Path) -> None:
    with scripted_server(lambda _: HONEST) as server:
        prove_twice(server, verifier := verifier_in(tmp_path), CONNECTIONS)
    assert {item.claim for item in verifier.evidence} == {"the answer is yes"}
    assert len(verifier.evidence) == 32


def test_one_that_lies_in_a_crowd_is_a_liar(tmp_path: Path) -> None:
    with (
        scripted_server(
            lambda connection: answer_of(connection, LIE, connection.server.open >= CONNECTIONS)
        ) as server,
        pytest.raises(Mismatch, match="the answer is yes: answered 200: b'no!'") as found,
    ):
        prove_twice(server, verifier := verifier_in(tmp_path), CONNECTIONS)
    assert not found.value.is_breakdown
    assert smaller_crowds(verifier) == []


def test_who_has_to_be_alone_asks_some_of_it_beside_the_load(tmp_path: Path) -> None:
    def respond(connection: ClientConnection) -> bytes | None:
        return answer_of(connection, LIE, connection.server.open >= CONNECTIONS)

    with scripted_server(respond) as server:
        prove_twice(server, verifier_in(tmp_path, AskingAlone), CONNECTIONS)
        with pytest.raises(Mismatch, match="the answer is yes: answered 200: b'no!'"):
            prove_twice(server, verifier_in(tmp_path, AskingBesideLoad), CONNECTIONS)
    with scripted_server(lambda _: HONEST) as server:
        prove_twice(server, crowded := verifier_in(tmp_path, AskingBesideLoad), CONNECTIONS)
        # Beside no more than itself it has nothing to add.
        prove_twice(server, alone := verifier_in(tmp_path, AskingBesideLoad), 3)
    assert (len(crowded.evidence), len(alone.evidence)) == (17, 16)


def test_one_that_lies_on_connections_opened_beside_others_is_a_liar(tmp_path: Path) -> None:
    """Those of a proof are opened anywhere among the crowd's, by the trial's own random numbers: in
    the first and the last of these trials, after 6 and 3 of the load's 8."""
    caught: list[Mismatch] = []
    for trial in range(4):
        verifier = verifier_in(tmp_path, AskingInTurn)
        verifier.random.seed(trial)
        with scripted_server(
            lambda connection: answer_of(
                connection, LIE, connection.open_at_start > CONNECTIONS / 2
            )
        ) as server:
            try:
                prove_twice(server, verifier, CONNECTIONS)
            except Mismatch as mismatch:
                caught.append(mismatch)
    assert len(caught) >= 2
    assert not any(mismatch.is_breakdown for mismatch in caught)


@pytest.mark.parametrize(
    ("rps", "questions", "beside"),
    [(100.0, 100, 5), (100.0, 13, 8), (25.0, 100, 1), (19.0, 100, 0), (0.0, 100, 0)],
)
def test_a_slow_server_is_verified_beside_as_many_as_it_answers_in_time(
    tmp_path: Path, rps: float, questions: int, beside: int
) -> None:
    """Else whoever is slow could lie in every crowd."""
    asked_beside: list[int] = []

    def respond(connection: ClientConnection) -> bytes:
        if connection.paths[-1] == "/check":
            asked_beside.append(connection.server.open)
        return HONEST

    class AskingSo(AskingInTurn):
        asked_again = questions

    with scripted_server(respond) as server:
        prove_twice(server, verifier := verifier_in(tmp_path, AskingSo), CONNECTIONS, rps=rps)
    assert asked_beside[-1] == 4 + beside
    crowd = f"beside a load of {beside} connections (measured: 12)"
    told = [(crowd, "beside more, it would take longer than 5 s")]
    if not beside:
        alone = "without a load (measured: 12 connections)"
        told = [(alone, "beside even one connection it would take longer than 5 s")]
    assert smaller_crowds(verifier) == (told if beside < 8 else [])
