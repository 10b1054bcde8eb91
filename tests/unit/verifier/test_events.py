"""What an answer of server-sent events may be made of."""

from __future__ import annotations

from pathlib import Path

from webdyno.verifier import beside

SCENARIO = Path(__file__).parents[3] / "scenarios" / "sse" / "verifier.py"
problem_of = beside(str(SCENARIO), "events").problem_of

TAG = "1" * 18


def event(number: int) -> bytes:
    data = f'{{"number":{number},"tag":"{TAG}","made":1700000000000000}}'
    return f"id: {number}\ndata: {data}\n\n".encode()


def test_events_are_right_with_an_empty_line_before_them_and_without() -> None:
    assert problem_of(event(1) + event(2), 2, TAG) is None
    assert problem_of(b"\n" + event(1) + event(2), 2, TAG) is None


def test_no_more_than_one_empty_line_may_stand_before_them() -> None:
    assert problem_of(b"\n\n" + event(1), 1, TAG) is not None
    assert problem_of(event(1) + b"\n" + event(2), 2, TAG) is not None
