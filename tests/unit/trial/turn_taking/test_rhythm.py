"""A server is verified in the turns that its load had, and has all its time while it is awake."""

from __future__ import annotations

import itertools
import math
import socket
import threading
import time
from dataclasses import dataclass, field
from typing import Any

import pytest

from webdyno.generators.generator import GeneratorFault
from webdyno.trial.turn_taking import rhythm as rhythms
from webdyno.trial.turn_taking.rhythm import Rhythm
from webdyno.verifier import Breakdown, Probe

TURN_S, PAUSE_S = 0.03, 0.06


@dataclass
class Server:
    """What can be frozen, and when that was done to it."""

    seen: list[tuple[str, float]] = field(default_factory=list)
    awake: threading.Event = field(default_factory=threading.Event)

    def freeze(self) -> None:
        self.awake.clear()
        self.seen.append(("frozen", time.monotonic()))

    def hold(self) -> None:
        self.seen.append(("held", time.monotonic()))

    def thaw(self) -> None:
        self.seen.append(("thawed", time.monotonic()))
        self.awake.set()

    def lengths(self, begin: str, end: str) -> list[float]:
        """How long it was so, each time but the last, which the end of the proof cuts off."""
        begins = [at for what, at in self.seen if what == begin]
        ends = [at for what, at in self.seen if what == end]
        return [next(e for e in ends if e > b) - b for b in begins if any(e > b for e in ends)][:-1]


class TurnedLoad:
    """Takes its time, and tells what was done while the server stood still."""

    by_the_clock = False

    def __init__(self, server: Server, fails_after: float = math.inf) -> None:
        self.server, self.fails_after = server, fails_after
        self.went_on: list[bool] = []

    def agree(self, seconds: float) -> None:
        pass

    def await_turn(self, before_s: float = 0.0) -> None:
        pass

    def go_on(self, seconds: float) -> None:
        if len(self.went_on) >= self.fails_after:
            raise GeneratorFault("engine: gone")
        self.went_on.append(self.server.awake.is_set())
        time.sleep(seconds)

    def hold(self) -> Any:
        return None


def test_it_is_awake_for_a_turn_and_stands_still_for_a_pause_of_the_load() -> None:
    server = Server()
    load = TurnedLoad(server)
    with Rhythm(server, TURN_S, [PAUSE_S]).kept(load):
        time.sleep(8 * (TURN_S + PAUSE_S))
    # A busy machine makes both longer, never shorter.
    assert min(server.lengths("thawed", "frozen")) >= TURN_S
    assert min(server.lengths("frozen", "thawed")) >= PAUSE_S
    assert len(load.went_on) >= 2
    assert all(load.went_on)
    assert server.seen[0][0] == "frozen"
    assert server.awake.is_set()


def test_pauses_are_drawn_from_those_of_the_load() -> None:
    server = Server()
    with Rhythm(server, 0.001, [0.002, 0.08]).kept(TurnedLoad(server)):
        time.sleep(1.5)
    longer = [length >= 0.08 for length in server.lengths("frozen", "thawed")]
    assert any(longer)
    assert not all(longer)


def test_a_server_beside_many_others_stands_still_for_no_more_than_so_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rhythms, "MOST_FROZEN_S", 0.0)
    server = Server()
    with Rhythm(server, 0.01, [0.5]).kept(TurnedLoad(server)):
        time.sleep(1.0)
    lengths = server.lengths("frozen", "thawed")
    assert lengths[0] >= 0.5
    assert min(lengths[1:]) < 0.5


def test_its_clock_stands_still_with_it() -> None:
    server = Server()
    rhythm = Rhythm(server, TURN_S, [PAUSE_S])
    began_s, began = rhythm.now(), time.monotonic()
    with rhythm.kept(TurnedLoad(server)):
        rhythm.sleep(4 * TURN_S)
        awake_s, took_s = rhythm.now() - began_s, time.monotonic() - began
    frozen_s = sum(server.lengths("frozen", "thawed"))
    assert awake_s >= 4 * TURN_S
    assert took_s - awake_s == pytest.approx(frozen_s, rel=0.5)
    assert took_s - awake_s >= 3 * PAUSE_S
    assert rhythm.stood_still(began, began + took_s)
    assert not rhythm.stood_still(began - 2.0, began - 1.0)
    times = [rhythm.now() for _ in range(100)]
    assert all(one <= later for one, later in itertools.pairwise(times))


def test_an_answer_may_take_its_time_while_the_server_is_awake() -> None:
    """Frozen for most of the time, it answers long after the time-out by the clock on the wall."""
    server = Server()
    listening = socket.create_server(("127.0.0.1", 0))

    def answer() -> None:
        connected, _ = listening.accept()
        with connected:
            connected.recv(1000)
            work_s = 0.0
            while work_s < 4 * TURN_S:  # Of its own time.
                server.awake.wait()
                time.sleep(TURN_S / 10)
                work_s += TURN_S / 10
            connected.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nyes")

    rhythm = Rhythm(server, TURN_S, [0.3])
    url = f"http://127.0.0.1:{listening.getsockname()[1]}"
    threading.Thread(target=answer, daemon=True).start()
    began = time.monotonic()
    with listening, rhythm.kept(TurnedLoad(server)), Probe(url, timeout=0.5, clock=rhythm) as probe:
        assert probe.get("/").content == b"yes"
    assert time.monotonic() - began > 0.5


def test_one_that_never_answers_is_told_of() -> None:
    server = Server()
    rhythm = Rhythm(server, TURN_S, [PAUSE_S])
    with socket.create_server(("127.0.0.1", 0)) as listening, rhythm.kept(TurnedLoad(server)):
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        with (
            Probe(url, timeout=0.1, clock=rhythm) as probe,
            pytest.raises(Breakdown, match=r"no answer within 0\.1 s"),
        ):
            probe.get("/")
    assert server.awake.is_set()


def test_a_load_that_fails_is_told_of_and_leaves_the_server_awake() -> None:
    server = Server()
    with (
        pytest.raises(GeneratorFault, match="gone"),
        Rhythm(server, TURN_S, [PAUSE_S]).kept(TurnedLoad(server, fails_after=1)),
    ):
        time.sleep(3 * (TURN_S + PAUSE_S))
    assert server.awake.is_set()


def test_without_a_first_turn_nothing_is_asked() -> None:
    server = Server()
    with (
        pytest.raises(GeneratorFault, match="gone"),
        Rhythm(server, TURN_S, [PAUSE_S]).kept(TurnedLoad(server, fails_after=0)),
    ):
        pytest.fail("whoever asks would wait for a load that never began")
    assert server.awake.is_set()


def test_a_pause_in_which_another_server_was_started_is_left_out() -> None:
    rhythm = Rhythm(Server(), TURN_S, [0.1, 0.11, 0.12, 7.8])
    assert rhythm.longest_s(0.0) < 1.0
    assert rhythm.told() == "awake for 0.03 s, then frozen for 0.1 to 0.12 s"
