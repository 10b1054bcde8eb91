"""The second proof: on connections of its own, and in the midst of load where it can be."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import ClassVar

import pytest

from support.hall import UNAVAILABLE, Hall, Visit, hall
from webdyno.catalog.loads.load import Closed
from webdyno.catalog.scenarios.scenario import read_scenario
from webdyno.generators.base import Job
from webdyno.store.measurement import GeneratorFigures
from webdyno.store.records import Measurement
from webdyno.trial.proof import crowd
from webdyno.trial.proof.crowd import life_of, verify_again
from webdyno.trial.proof.prove import verifier_of
from webdyno.verifier import Breakdown, Mismatch, Probe, Verifier

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[4]
HONEST, LIE = b"yes", b"no!"
crowd_share = crowd._share


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server in Python, beside its load, takes a while to know all connections, and to answer."""
    monkeypatch.setattr(crowd, "_OPENING_S", 0.2)
    monkeypatch.setattr(crowd, "_REQUESTS", 60)
    monkeypatch.setattr(crowd, "_share", lambda: 0.0)
    monkeypatch.setattr(crowd, "_TRIES", 2)


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


def asking(tmp_path: Path, kind: type[Verifier] = Asking) -> Verifier:
    like = verifier_of(read_scenario(ROOT / "scenarios" / "hello"), {}, tmp_path, 1)
    return kind(parameters={}, folder=like.folder, work=tmp_path, random=like.random)


def ask_again(
    place: Hall,
    verifier: Verifier,
    connections: int = 12,
    timeout: float = 10.0,
    lives_s: float = math.inf,
    rps: float = 100_000.0,
    cpus: tuple[int, ...] = (),
) -> None:
    """The first proof, and the second beside so many connections of a load."""
    job = Job(
        scenario=read_scenario(ROOT / "scenarios" / "hello").manifest,
        load=Closed(kind="closed", connections=connections, duration=1.0),
        port=place.port,
        cpus=cpus,
        seed=1,
    )
    with Probe(f"http://127.0.0.1:{place.port}", timeout=timeout) as probe:
        verifier.verify(probe)
        verifier.phase = "after"
        verify_again(verifier, probe, job, rps=rps, lives_s=lives_s)


def smaller(verifier: Verifier) -> list[tuple[str, str]]:
    """What is told of a smaller crowd, and why there was one."""
    told = [item for item in verifier.evidence if item.claim.startswith("verified again beside")]
    return [(item.claim.removeprefix("verified again beside "), item.detail) for item in told]


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
    with hall(lambda visit: HONEST) as place:
        ask_again(place, asking(tmp_path, AskingFrom), cpus=(loads,))
    each = Probe("").connections
    assert cores == [before] * (1 + each) + [{loads}] * (1 + each)
    assert os.sched_getaffinity(0) == before


@pytest.mark.parametrize("kind", [Asking, AskingAlone])
def test_the_connections_of_the_first_proof_are_not_those_of_the_second(
    tmp_path: Path, kind: type[Verifier]
) -> None:
    """Or whoever ever asked what the load does not would be known."""
    asked: list[str] = []

    def conduct(visit: Visit) -> bytes:
        asked.append(visit.paths[-1])
        return HONEST

    with hall(conduct) as place:
        ask_again(place, asking(tmp_path, kind))
        both = [visit for visit in place.visits if "/check" in visit.paths]
        in_turn = [visit for visit in both if visit.paths.count("/check") > 1]
    assert asked.count("/check") == 32
    assert [visit.paths.count("/check") for visit in in_turn] == [2] * 8


CONNECTIONS = 12


def says(visit: Visit, crowded: bytes | None, is_crowd: bool) -> bytes | None:
    """What one says who asks what the load does not, while it is crowded; all others hear yes."""
    return crowded if is_crowd and visit.paths[-1] == "/check" else HONEST


BESIDE_7 = "7 connections of a load of 12"
BESIDE_8 = "8 connections of a load of 12"


@pytest.mark.parametrize(
    ("crowded", "message"),
    [
        (b"", r"no answer \(.*disconnected"),
        (None, "no answer within 0.3 s"),
        (UNAVAILABLE, "answered 503"),
        (LIE, "the answer is yes: answered 200: b'no!'"),
    ],
)
@pytest.mark.parametrize("kind", [Asking, AskingInTurn])
def test_who_breaks_off_a_proof_in_a_crowd_is_asked_in_one_as_large_as_the_loads(
    tmp_path: Path, crowded: bytes | None, message: str, kind: type[Verifier]
) -> None:
    """Whether it lies there, or never answers: it is never asked in a larger one."""
    asked_before: list[str] = []

    def conduct(visit: Visit) -> bytes | None:
        if visit.hall.open > CONNECTIONS:
            return says(visit, LIE, True)
        if visit.hall.open < CONNECTIONS:
            return HONEST
        asked_before.extend(visit.paths[-1:])
        broke_off = asked_before.count("/check") > 1
        return says(visit, crowded if broke_off else UNAVAILABLE, True)

    with (
        hall(conduct) as place,
        pytest.raises(Mismatch, match=message) as found,
    ):
        ask_again(place, verifier := asking(tmp_path, kind), CONNECTIONS, timeout=0.3)
    assert found.value.is_breakdown is (crowded != LIE)
    [(claim, _)] = smaller(verifier)
    assert claim == (BESIDE_8 if kind is AskingInTurn else BESIDE_7)


@pytest.mark.parametrize("kind", [Asking, AskingInTurn])
@pytest.mark.parametrize("connections", [1, 2, 3, 5, CONNECTIONS])
def test_as_many_are_open_in_the_crowd_as_the_load_had(
    tmp_path: Path, connections: int, kind: type[Verifier]
) -> None:
    asked_beside: list[int] = []

    def conduct(visit: Visit) -> bytes | None:
        if visit.paths[-1] == "/check":
            asked_beside.append(visit.hall.open)
        return HONEST

    room = max(connections, 4 + kind.held_at_once)
    with hall(conduct, workers=room) as place:
        first = asking(tmp_path, kind)
        ask_again(place, first, connections, timeout=2.0)
    assert smaller(first) == []
    again = asked_beside[-2 * 4 * (1 + kind.held_at_once) :]
    assert connections <= max(again) <= room
    assert max(4, connections - kind.held_at_once) <= min(again)


def test_who_ends_the_connections_of_a_proof_to_have_young_ones_is_told(tmp_path: Path) -> None:
    with (
        hall(lambda visit: says(visit, b"", len(visit.paths) > 50)) as place,
        pytest.raises(Breakdown, match="the server ended 4 connections soon after it answered"),
    ):
        ask_again(place, asking(tmp_path), CONNECTIONS)


def test_who_ends_workers_under_load_may_do_so_in_the_proof(tmp_path: Path) -> None:
    with hall(lambda _: HONEST, every=1000) as place:
        ask_again(place, verifier := asking(tmp_path), CONNECTIONS, lives_s=0.02)
    assert smaller(verifier) == []


@pytest.mark.parametrize("workers", [CONNECTIONS, CONNECTIONS + 4])
def test_an_honest_server_without_a_worker_to_spare_passes(tmp_path: Path, workers: int) -> None:
    with hall(lambda _: HONEST, workers=workers) as place:
        ask_again(place, verifier := asking(tmp_path), CONNECTIONS, timeout=1.0)
    assert smaller(verifier) == []
    assert verifier.evidence[16].phase == "after"


def test_an_honest_server_that_hangs_up_on_more_passes(tmp_path: Path) -> None:
    with hall(lambda _: HONEST, most=CONNECTIONS) as place:
        ask_again(place, verifier := asking(tmp_path, AskingOnOne), CONNECTIONS)
    assert smaller(verifier) == []


def test_an_honest_server_that_is_unavailable_to_more_passes(tmp_path: Path) -> None:
    def conduct(visit: Visit) -> bytes:
        return UNAVAILABLE if visit.hall.open > CONNECTIONS else HONEST

    with hall(conduct) as place:
        ask_again(place, verifier := asking(tmp_path, AskingOnOne), CONNECTIONS)
    assert smaller(verifier) == []


def test_an_honest_server_with_room_for_all_is_asked_once(tmp_path: Path) -> None:
    with hall(lambda _: HONEST) as place:
        ask_again(place, verifier := asking(tmp_path), CONNECTIONS)
    assert {item.claim for item in verifier.evidence} == {"the answer is yes"}
    assert len(verifier.evidence) == 32


def test_one_that_lies_in_a_crowd_is_a_liar(tmp_path: Path) -> None:
    with (
        hall(lambda visit: says(visit, LIE, visit.hall.open >= CONNECTIONS)) as place,
        pytest.raises(Mismatch, match="the answer is yes: answered 200: b'no!'") as found,
    ):
        ask_again(place, verifier := asking(tmp_path), CONNECTIONS)
    assert not found.value.is_breakdown
    assert smaller(verifier) == []


def test_who_has_to_be_alone_asks_some_of_it_beside_the_load(tmp_path: Path) -> None:
    def conduct(visit: Visit) -> bytes | None:
        return says(visit, LIE, visit.hall.open >= CONNECTIONS)

    with hall(conduct) as place:
        ask_again(place, asking(tmp_path, AskingAlone), CONNECTIONS)
        with pytest.raises(Mismatch, match="the answer is yes: answered 200: b'no!'"):
            ask_again(place, asking(tmp_path, AskingBesideLoad), CONNECTIONS)
    with hall(lambda _: HONEST) as place:
        ask_again(place, crowded := asking(tmp_path, AskingBesideLoad), CONNECTIONS)
        # Beside no more than itself it has nothing to add.
        ask_again(place, alone := asking(tmp_path, AskingBesideLoad), 3)
    assert (len(crowded.evidence), len(alone.evidence)) == (17, 16)


def test_one_that_lies_on_connections_opened_beside_others_is_a_liar(tmp_path: Path) -> None:
    """Those of a proof are opened anywhere among the crowd's, by the trial's own random numbers."""
    caught: list[Mismatch] = []
    for trial in range(8):
        verifier = asking(tmp_path, AskingInTurn)
        verifier.random.seed(trial)
        with hall(lambda visit: says(visit, LIE, visit.born > CONNECTIONS / 2)) as place:
            try:
                ask_again(place, verifier, CONNECTIONS)
            except Mismatch as mismatch:
                caught.append(mismatch)
    assert len(caught) >= 2
    assert not any(mismatch.is_breakdown for mismatch in caught)


def test_connections_of_a_proof_are_as_old_as_others(tmp_path: Path) -> None:
    asked: list[int] = []

    def conduct(visit: Visit) -> bytes:
        if visit.paths[-1] == "/check":
            asked.append(len(visit.paths))
        return HONEST

    with hall(conduct) as place:
        ask_again(place, asking(tmp_path, AskingInTurn), CONNECTIONS)
    assert asked[:8] == [1, 1, 1, 1, 2, 2, 2, 2]
    assert min(asked[8:]) > 10


def test_connections_of_a_proof_grow_as_old_as_those_of_the_load(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever is honest on the first requests of a connection is not on most of the load's."""
    monkeypatch.setattr(crowd, "_share", lambda: 1.0)

    def conduct(visit: Visit) -> bytes:
        return LIE if visit.paths[-1] == "/check" and len(visit.paths) > 120 else HONEST

    with hall(conduct) as place, pytest.raises(Mismatch, match="answered 200: b'no!'"):
        # 200 requests on each connection of the load, in a second.
        ask_again(place, asking(tmp_path, AskingInTurn), CONNECTIONS, rps=200.0 * CONNECTIONS)


@pytest.mark.parametrize(
    ("share", "lives_s", "thorough", "age"),
    [
        (0.0, math.inf, True, (60, 2.0, 5)),
        (0.5, math.inf, True, (2500, 5.0, 5)),
        (0.5, math.inf, False, (60, 2.0, 5)),
        (1.0, math.inf, True, (5000, 10.0, 5)),
        (0.5, 4.0, True, (1000, 2.0, 5)),
        (0.5, 0.01, True, (60, 2.0, 5)),
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
    drawn = {crowd_share() for _ in range(100)}
    assert len(drawn) == 100
    assert min(drawn) < 0.3
    assert max(drawn) > 0.7


@pytest.mark.parametrize(("share", "ahead"), [(0.0, "/hello"), (0.9, "/check")])
def test_a_share_of_the_questions_follows_what_the_load_asks(
    share: float, ahead: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pause before it would tell of it: a load's connection makes none."""
    monkeypatch.setattr(crowd, "_share", lambda: share)
    before: list[str] = []

    def conduct(visit: Visit) -> bytes:
        if visit.paths[-1] == "/check" and len(visit.paths) > 20:
            before.append(visit.paths[-2])
        return HONEST

    with hall(conduct) as place:
        ask_again(place, asking(tmp_path, AskingInTurn), CONNECTIONS)
    assert before[-4:] == [ahead] * 4


@pytest.mark.parametrize(
    ("rps", "questions", "beside"),
    [(100.0, 100, 5), (100.0, 13, 8), (25.0, 100, 1), (19.0, 100, 0), (0.0, 100, 0)],
)
def test_a_slow_server_is_verified_beside_as_many_as_it_answers_in_time(
    tmp_path: Path, rps: float, questions: int, beside: int
) -> None:
    """Else whoever is slow could lie in every crowd."""
    asked_beside: list[int] = []

    def conduct(visit: Visit) -> bytes:
        if visit.paths[-1] == "/check":
            asked_beside.append(visit.hall.open)
        return HONEST

    class AskingSo(AskingInTurn):
        asked_again = questions

    with hall(conduct) as place:
        ask_again(place, verifier := asking(tmp_path, AskingSo), CONNECTIONS, rps=rps)
    assert asked_beside[-1] == 4 + beside
    told = [(f"{beside} connections of a load of 12", "beside more it would take longer than 5 s")]
    if not beside:
        told = [("none of a load of 12", "beside one it would take longer than 5 s")]
    assert smaller(verifier) == (told if beside < 8 else [])


def test_how_long_the_connections_of_a_load_live_is_told_by_their_number() -> None:
    load = Closed(kind="closed", connections=8, duration=2.0)

    def lived_s(opened: int | None, of: Closed = load) -> float:
        figures = GeneratorFigures(connections_opened=opened)
        return life_of(of, Measurement.model_construct(elapsed_s=2.0, generator=figures))

    assert lived_s(8) == lived_s(None) == math.inf
    assert lived_s(40) == 0.5
    # Users that leave end their connections themselves.
    assert lived_s(40, load.model_copy(update={"visits": 3})) == math.inf
