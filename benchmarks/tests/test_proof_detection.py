"""Signs that separate proof from load: found where they are, and guessing where there are none."""

from __future__ import annotations

import json

import pytest
from benchmarks.proof_detection.signs import (
    ObservedRequest,
    observed_requests,
    shape,
    sign_accuracies,
)


def line(at: float, event: str, connection: int, head: str = "") -> str:
    return "seen " + json.dumps({"at": at, "event": event, "connection": connection, "head": head})


def test_requests_are_seen_as_they_come() -> None:
    head = "GET /json HTTP/1.1\r\nHost: x"
    log = "\n".join(
        [
            'seen {"environment": {}}',
            "something else",
            line(1.0, "open", 1),
            line(1.1, "request", 1, head),
            line(2.0, "open", 2),
            line(2.1, "request", 2, head + "\r\ncookie: a=b"),
            line(2.105, "request", 1, head),
            line(2.2, "close", 1),
            line(2.3, "request", 2, head),
        ]
    )
    plain, with_cookie = "GET HTTP/1.1 Host", "GET HTTP/1.1 Host cookie"
    assert observed_requests(log, [(0.5, "verify"), (2.05, "measure")]) == [
        ObservedRequest("verify", plain, 1, 1, 0),
        ObservedRequest("measure", with_cookie, 1, 2, 0),
        ObservedRequest("measure", plain, 2, 2, 1),
        ObservedRequest("measure", plain, 2, 1, 0),
    ]
    assert shape(head) == plain


def test_the_load_that_goes_on_beside_the_proof_is_left_out() -> None:
    head = "GET / HTTP/1.1"
    mine = [line(0.9, "open", 1), *(line(1 + n / 10, "request", 1, head) for n in range(3))]
    others = [line(1.0, "open", 2), *(line(1 + n / 500, "request", 2, head) for n in range(200))]
    steps, beside, young = [(0.5, "audit")], [(0.95, 1.05)], [(1.15, 1.25)]
    found = observed_requests("\n".join(mine + others), steps, beside, young)
    assert [one.number for one in found] == [1, 2]


def test_a_sign_that_is_certain_and_one_that_is_none() -> None:
    seen = [ObservedRequest("verify", "a", number, 4, number % 3) for number in range(300)]
    seen += [ObservedRequest("measure", "a", number, 32, number % 3) for number in range(300)]
    found = {one.sign: one for one in sign_accuracies(seen, "verify")}
    assert found["connections that are open"].accuracy == 1.0
    assert found["connections that are open"].spared_share == 1.0
    for sign in ("form of the head", "requests in the last 10 ms"):
        assert found[sign].accuracy == pytest.approx(0.5)
        assert found[sign].spared_share == 0.0


def test_a_header_that_only_the_proof_sends() -> None:
    seen = [
        ObservedRequest("audit", "GET cookie", 1, 1, 0),
        ObservedRequest("measure", "GET Cookie", 1, 1, 0),
    ]
    found = {one.sign: one for one in sign_accuracies(seen, "audit")}["form of the head"]
    assert (found.accuracy, found.rule) == (1.0, "only in proof: GET cookie")


@pytest.mark.parametrize("step", ["verify", "measure"])
def test_where_one_of_both_was_not_seen_nothing_is_told(step: str) -> None:
    seen = [ObservedRequest(step, "GET", 1, 1, 0)]
    assert sign_accuracies(seen, "verify") == []
    other = ObservedRequest("measure" if step == "verify" else "verify", "GET", 1, 1, 0)
    assert len(sign_accuracies([*seen, other], "verify")) == 4
