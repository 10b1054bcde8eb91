"""The second proof: on connections of its own, and in the midst of load where it can be."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar

import pytest

from webdyno.catalog.load import Closed
from webdyno.catalog.scenario import read_scenario
from webdyno.generators.base import Job
from webdyno.trial.proof.crowd import verify_again
from webdyno.trial.proof.prove import verifier_of
from webdyno.verifier import Breakdown, Mismatch, Probe, Unheard, Verifier

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]
HONEST, LIE = b"yes", b"no!"


class Visit:
    """A connection to a `Hall`, and what it has asked so far."""

    def __init__(self, hall: Hall, number: int) -> None:
        self.hall = hall
        self.number = number
        self.paths: list[str] = []


Conduct = Callable[[Visit], bytes | None]
"""What a connection's newest request is answered; nothing ends it, and None leaves it waiting."""


class Hall:
    """A server that knows its connections, and behaves to each as the test has it; its `workers`
    stay with a connection to its end."""

    def __init__(self, conduct: Conduct, workers: int = 1000) -> None:
        self._conduct = conduct
        self._workers = threading.Semaphore(workers)
        self._listening = socket.create_server(("127.0.0.1", 0), backlog=128)
        self._lock = threading.Lock()
        self.visits: list[Visit] = []
        self.open = 0
        self.port = self._listening.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()

    def _accept(self) -> None:
        while True:
            try:
                peer, _ = self._listening.accept()
            except OSError:
                return
            with self._lock:
                self.open += 1
                visit = Visit(self, len(self.visits))
                self.visits.append(visit)
            threading.Thread(target=self._talk, args=(peer, visit), daemon=True).start()

    def _talk(self, peer: socket.socket, visit: Visit) -> None:
        peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            with peer, self._workers:
                while data := peer.recv(65536):
                    visit.paths.append(data.split()[1].decode())
                    body = self._conduct(visit)
                    if body is None:
                        continue
                    if not body:
                        return
                    head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\n\r\n"
                    peer.sendall(head.encode() + body)
        except OSError:
            pass
        finally:
            with self._lock:
                self.open -= 1


@contextmanager
def hall(conduct: Conduct, workers: int = 1000) -> Iterator[Hall]:
    made = Hall(conduct, workers)
    try:
        yield made
    finally:
        made.close()


class Asking(Verifier):
    """Asks `/check`, on the probe's connections and on one of its own each time."""

    in_a_crowd = True
    rounds: ClassVar = 2

    def verify(self, probe: Probe) -> None:
        for _ in range(self.rounds * probe.connections):
            self._check(probe)
            with probe.another() as other:
                self._check(other)

    def _check(self, probe: Probe) -> None:
        said = probe.get("/check").content
        self.expect("the answer is yes", said == HONEST, f"it is {said!r}")


class AskingAlone(Asking):
    in_a_crowd = False


def asking(tmp_path: Path, kind: type[Verifier] = Asking) -> Verifier:
    like = verifier_of(read_scenario(ROOT / "scenarios" / "hello"), {}, tmp_path, 1)
    return kind(parameters={}, folder=like.folder, work=tmp_path, random=like.random)


def ask_again(
    place: Hall, verifier: Verifier, connections: int = 12, timeout: float = 10.0
) -> None:
    """The first proof, and the second beside so many connections of a load."""
    job = Job(
        scenario=read_scenario(ROOT / "scenarios" / "hello").manifest,
        load=Closed(kind="closed", connections=connections, duration=1.0),
        port=place.port,
        cpus=(),
        seed=1,
    )
    with Probe(f"http://127.0.0.1:{place.port}", timeout=timeout) as probe:
        verifier.verify(probe)
        verifier.phase = "after"
        verify_again(verifier, probe, job, rps=100_000.0)


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


@pytest.mark.parametrize(
    ("crowded", "message"), [(b"", r"no answer \(.*disconnected"), (None, "no answer within 1.0 s")]
)
def test_who_hangs_up_or_falls_silent_on_a_proof_gets_no_quieter_one(
    tmp_path: Path, crowded: bytes | None, message: str
) -> None:
    with (
        hall(lambda visit: says(visit, crowded, visit.hall.open >= CONNECTIONS)) as place,
        pytest.raises(Breakdown, match=message) as found,
    ):
        ask_again(place, asking(tmp_path), CONNECTIONS, timeout=1.0)
    assert not isinstance(found.value, Unheard)


def test_who_answers_no_new_connection_must_do_so_beside_a_smaller_crowd(tmp_path: Path) -> None:
    def conduct(visit: Visit) -> bytes | None:
        is_new = len(visit.paths) == 1
        return says(visit, None, is_new and visit.hall.open >= CONNECTIONS)

    with hall(conduct) as place, pytest.raises(Unheard, match=r"no answer within 1\.0 s"):
        ask_again(place, verifier := asking(tmp_path), CONNECTIONS, timeout=1.0)
    told = [item.claim for item in verifier.evidence if "verified again" in item.claim]
    assert told == ["verified again beside 7 connections of the load instead of 12"]


def test_who_ends_the_connections_of_a_proof_to_have_young_ones_is_told(tmp_path: Path) -> None:
    with (
        hall(lambda visit: says(visit, b"", len(visit.paths) > 50)) as place,
        pytest.raises(Breakdown, match="the server ended 4 connections soon after it answered"),
    ):
        ask_again(place, asking(tmp_path), CONNECTIONS)


@pytest.mark.parametrize("workers", [CONNECTIONS, CONNECTIONS + 4])
def test_an_honest_server_without_a_worker_to_spare_passes(tmp_path: Path, workers: int) -> None:
    with hall(lambda _: HONEST, workers) as place:
        ask_again(place, verifier := asking(tmp_path), CONNECTIONS, timeout=1.0)
    [told] = [item for item in verifier.evidence if "verified again" in item.claim]
    assert told.claim.endswith("beside 7 connections of the load instead of 12")
    assert told.detail == "beside all: GET /check: no answer within 1.0 s"
    assert told.phase == "after"


def test_an_honest_server_with_room_for_all_is_asked_once(tmp_path: Path) -> None:
    with hall(lambda _: HONEST) as place:
        ask_again(place, verifier := asking(tmp_path), CONNECTIONS)
    assert {item.claim for item in verifier.evidence} == {"the answer is yes"}
    assert len(verifier.evidence) == 32


def test_one_that_lies_in_a_crowd_is_a_liar(tmp_path: Path) -> None:
    with (
        hall(lambda visit: says(visit, LIE, visit.hall.open >= CONNECTIONS)) as place,
        pytest.raises(Mismatch, match="the answer is yes: it is b'no!'") as found,
    ):
        ask_again(place, asking(tmp_path), CONNECTIONS)
    assert not found.value.is_breakdown
