"""What an answer of server-sent events may be made of."""

from __future__ import annotations

import contextlib
import re
import socket
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from threading import Thread

import pytest

from webdyno.catalog.scenarios.checks import LengthCheck, MatchesCheck
from webdyno.catalog.scenarios.scenario import read_scenario
from webdyno.verifier import Breakdown, Mismatch, Sample, beside
from webdyno.verifier.stamped import has_one_time

SCENARIO = Path(__file__).parents[3] / "scenarios" / "sse" / "verifier.py"
events = beside(str(SCENARIO), "events")
problem_of, most_in_one = events.problem_of, events.most_in_one
arriving = beside(str(SCENARIO), "arriving")
verifier = beside(str(SCENARIO), "verifier")

TAG = "1" * 18


def event(number: int) -> bytes:
    data = f'{{"number":{number},"tag":"{TAG}","made":1700000000000000}}'
    return f"id: {number}\ndata: {data}\n\n".encode()


def test_events_are_right_with_an_empty_line_before_them_and_without() -> None:
    assert problem_of(event(1) + event(2), 2, TAG) is None
    assert problem_of(b"\n" + event(1) + event(2), 2, TAG) is None


def crlf(body: bytes) -> bytes:
    return body.replace(b"\n", b"\r\n")


def test_lines_may_end_with_a_carriage_return_too() -> None:
    both = event(1) + event(2)
    assert problem_of(crlf(both), 2, TAG) is None
    assert problem_of(crlf(b"\n" + both), 2, TAG) is None
    assert problem_of(event(1) + crlf(event(2)), 2, TAG) is None
    assert problem_of(crlf(both)[:-2], 2, TAG) is not None
    assert problem_of(both.replace(b"\n", b"\r"), 2, TAG) is not None
    assert problem_of(both.replace(b"}\n", b"}\r\r\n"), 2, TAG) is not None
    assert most_in_one([crlf(event(1)), crlf(event(2))]) == 1
    assert most_in_one([crlf(event(1))[:-1], b"\n", crlf(event(2))]) == 1
    assert most_in_one([crlf(both)]) == 2


@pytest.mark.parametrize("written", [bytes, crlf])
@pytest.mark.parametrize("spaced", [False, True])
@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("first", [b"", b"\n"])
def test_the_checks_under_load_take_whatever_the_verifier_takes(
    written: Callable[[bytes], bytes], spaced: bool, last: bool, first: bytes
) -> None:
    body = first + b"".join(map(event, range(1, 21)))
    if last:
        body = re.sub(rb"(id.*\n)(data.*\n)", rb"\2\1", body)
    if not spaced:
        body = re.sub(rb"(id|data): ", rb"\1:", body)
    body = written(body)
    assert problem_of(body, 20, TAG) is None
    for check in read_scenario(SCENARIO.parent).manifest.requests[0].checks:
        if isinstance(check, LengthCheck):
            assert check.min <= len(body) <= (check.max or 0)
        elif isinstance(check, MatchesCheck):
            assert re.search(check.pattern.encode(), body)


def test_no_more_than_one_empty_line_may_stand_before_them() -> None:
    assert problem_of(b"\n\n" + event(1), 1, TAG) is not None
    assert problem_of(event(1) + b"\n" + event(2), 2, TAG) is not None


def test_an_event_may_come_in_several_chunks_but_no_two_in_one() -> None:
    body = [event(number) for number in (1, 2, 3)]
    lines = [line for each in body for line in each.splitlines(keepends=True)]
    assert most_in_one(body) == 1
    assert most_in_one([b"\n", *body]) == 1
    assert most_in_one([b"\n" + body[0], *body[1:]]) == 1
    assert most_in_one(lines) == 1
    assert most_in_one([bytes([byte]) for byte in b"".join(body)]) == 1
    assert most_in_one([body[0], body[1] + body[2]]) == 2
    assert most_in_one([b"".join(body)]) == 3
    # The end of one is held back until the next is made.
    assert most_in_one([*lines[:2], lines[2] + lines[3], *lines[4:]]) == 2
    assert most_in_one([]) == 0


@pytest.mark.slow
def test_an_answer_without_an_end_is_not_read_for_ever() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            connection, _ = listening.accept()
            with connection, contextlib.suppress(ConnectionError):
                connection.recv(65536)
                connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                while True:
                    connection.sendall(b"%x\r\n%b\r\n" % (len(event(1)), event(1)))

        thread = Thread(target=serve)
        thread.start()
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        with pytest.raises(Breakdown, match=r"GET /events: not read to the end \(timed out\)"):
            arriving.read(url, "/events", timeout=0.2)
        thread.join()


@pytest.mark.parametrize(
    ("times", "one"),
    [
        ([1700000000000001] * 3, True),
        ([1700000000000001, 1700000000000001, 1700000000000002], False),
        ([1700000000123000] * 3, False),  # A clock of milliseconds stands still that long.
    ],
)
def test_events_with_one_time_are_told_from_those_of_a_coarse_clock(
    times: list[int], one: bool
) -> None:
    body = b"".join(
        event(number).replace(b"1700000000000000", str(made).encode())
        for number, made in enumerate(times, 1)
    )
    assert has_one_time(events.made_us(body)) is one


@pytest.mark.parametrize(
    ("status", "length", "pieces", "says", "remedy"),
    [
        (200, {}, 1, "20 events came in 1 chunks", "flush it before the next is made"),
        (200, {"Content-Length": "9"}, 20, "content-length is 9", "send the events as a stream"),
        (500, {}, 1, "answered 500", ""),
    ],
)
def test_what_sampled_answers_show_has_its_own_remedy(
    status: int, length: dict[str, str], pieces: int, says: str, remedy: str, tmp_path: Path
) -> None:
    subject = verifier.Scenario(
        parameters={}, folder=SCENARIO.parent, work=tmp_path, random=Random(1)
    )
    body = b"".join(map(event, range(1, verifier.LOADED + 1)))
    headers = [("Content-Type", "text/event-stream"), *length.items()]
    # Sent before the events were made, which was years ago.
    sample = Sample(
        "events", {"tag": TAG}, status, headers, body, 0.0, sent_s=-time.time(), pieces=pieces
    )
    with pytest.raises(Mismatch, match=says):
        subject.audit([sample])
    told = subject.evidence[-1].remedy
    assert remedy in told
    assert bool(told) == bool(remedy)


def test_sampled_events_were_made_after_their_own_request(tmp_path: Path) -> None:
    subject = verifier.Scenario(
        parameters={}, folder=SCENARIO.parent, work=tmp_path, random=Random(1)
    )
    body = b"".join(map(event, range(1, verifier.LOADED + 1)))
    headers = [("Content-Type", "text/event-stream")]
    now_s = time.monotonic()
    sample = Sample("events", {"tag": TAG}, 200, headers, body, 0.0, sent_s=now_s, pieces=20)
    with pytest.raises(Mismatch, match=r"event 1 was made \d+\.\d+ s before the request"):
        subject.audit([sample])
