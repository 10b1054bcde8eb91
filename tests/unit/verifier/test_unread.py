"""What is wrong with the answers to a client that sends on while it reads nothing."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from wsproto.events import BytesMessage, CloseConnection, Event, TextMessage

from webdyno.verifier import Breakdown, beside
from webdyno.verifier.websocket import Came, Taken

SCENARIO = Path(__file__).parents[3] / "scenarios" / "websocket-echo" / "verifier.py"
unread = beside(str(SCENARIO), "unread")

FRAME_BYTES = 65_550
MANY = 769
SILENT = "nothing more comes"


class Socket:
    """A connection to a server that takes so many messages while nothing is read, and the next one
    later; `answers` makes what it sends of all that it took."""

    def __init__(
        self, takes: int, answers: Callable[[list[Came]], list[Came]], ended: bool
    ) -> None:
        self.takes, self.answers, self.ended = takes, answers, ended
        self.came: list[Came] = []
        self.rest: Event | None = None
        self.sends: deque[Came] | None = None

    def press(self, events: Iterable[Event], *, pause_s: float, longest_s: float) -> Taken:
        for event in events:
            if len(self.came) == self.takes:
                self.rest = event
                break
            self.take(event)
        return Taken(len(self.came), len(self.came) * FRAME_BYTES, self.ended)

    def send(self) -> None:
        assert self.rest is not None
        self.take(self.rest)
        if self.sends is not None:
            self.sends.append(self.came[-1])

    def receive(self) -> Came:
        if self.sends is None:
            self.sends = deque(self.answers(self.came))
        came = self.sends.popleft() if self.sends else None
        if came == SILENT:
            raise Breakdown("received nothing")
        return came

    def take(self, event: Event) -> None:
        assert isinstance(event, (TextMessage, BytesMessage))
        self.came.append(event.data if isinstance(event.data, str) else bytes(event.data))


def found(
    takes: int,
    answers: Callable[[list[Came]], list[Came]] = list,
    *,
    ended: bool = False,
) -> str | None:
    socket: Any = Socket(takes, answers, ended)
    problem: str | None = unread.wrong_with(Random(1), socket)
    return problem


def without_the_third(came: list[Came]) -> list[Came]:
    return came[:2] + came[3:]


def cut(came: list[Came]) -> list[Came]:
    return came[: len(came) // 2]


def closed(came: list[Came]) -> list[Came]:
    return [*cut(came), CloseConnection(code=1008)]


@pytest.mark.parametrize("takes", [0, 1, 90, MANY - 1])
def test_a_server_that_stops_reading_and_answers_all_is_right(takes: int) -> None:
    assert found(takes) is None


@pytest.mark.parametrize("answers", [cut, closed])
def test_one_that_ends_the_connection_is_right_once_enough_is_unread(
    answers: Callable[[list[Came]], list[Came]],
) -> None:
    assert found(129, answers, ended=True) is None
    # Its close may be seen only once it is read.
    assert found(129, answers) is None
    assert found(120, answers, ended=True) == "it ended the connection after 7.5 MiB"
    assert found(120, answers) == "it ended the connection after 7.5 MiB"


def test_one_that_takes_everything_is_told_that_it_kept_it() -> None:
    assert found(MANY) == "it took 48.1 MiB and kept them until they were read"


@pytest.mark.parametrize("ended", [False, True])
@pytest.mark.parametrize("takes", [90, 300])
def test_a_message_that_is_left_out_is_told(takes: int, ended: bool) -> None:
    says = f"message 3 of {takes}: a binary message of 65536 bytes (b'00000002"
    assert (found(takes, without_the_third, ended=ended) or "").startswith(says)


def test_the_last_messages_that_are_left_out_are_told_where_the_server_took_all() -> None:
    def silent(came: list[Came]) -> list[Came]:
        return [*came[:500], SILENT]

    assert found(MANY, silent) == "it took 48.1 MiB, and message 501 is lost"
    with pytest.raises(Breakdown):
        found(600, silent)
