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
from webdyno.verifier import Probe, Verifier

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
    """A server that knows its connections, and behaves to each as the test has it."""

    def __init__(self, conduct: Conduct) -> None:
        self._conduct = conduct
        self._listening = socket.create_server(("127.0.0.1", 0), backlog=128)
        self._lock = threading.Lock()
        self.visits: list[Visit] = []
        self.open = 0
        self.most = 0
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
                self.most = max(self.most, self.open)
                visit = Visit(self, len(self.visits))
                self.visits.append(visit)
            threading.Thread(target=self._talk, args=(peer, visit), daemon=True).start()

    def _talk(self, peer: socket.socket, visit: Visit) -> None:
        peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            with peer:
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
def hall(conduct: Conduct) -> Iterator[Hall]:
    made = Hall(conduct)
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


def ask_again(place: Hall, verifier: Verifier, connections: int = 12, timeout: float = 1.0) -> None:
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
