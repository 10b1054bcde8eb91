"""`GET /json` answers ten fresh random integers of 0..1000, uniform and independent."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, ClassVar

import httpx

from webdyno.verifier import Probe, Sample, Verifier, remedies
from webdyno.verifier.dependence import mixed, recurring, summed, tied
from webdyno.verifier.json_answers import Wrong, value_of
from webdyno.verifier.read_whole import expect_read_whole
from webdyno.verifier.statistics import chained, ends, repeated, uneven

KEYS = [f"Test Number {number}" for number in range(1, 11)]
LARGEST = 1000
# Of LARGEST + 1, and how many bits its numbers have.
PRIMES, BITS = (7, 11, 13), 10
# Answers after which an honest server has shown both 0 and 1000, but for a chance of 1e-9 each.
BOTH_ENDS = 2200
# Answers in which a number that is made of others shows as well as in more.
ENOUGH = 200

Answer = tuple[int, ...]


def numbers(status: int, content_type: str, body: bytes) -> Answer:
    """The ten numbers of an answer. Raises `Wrong`."""
    pairs = value_of(status, content_type, body)
    if not isinstance(pairs, list) or not all(isinstance(pair, tuple) for pair in pairs):
        raise Wrong(f"not a JSON object: {body[:80]!r}")
    # The members of an object have no order (RFC 8259), and some languages' serialisers keep none.
    if sorted(key for key, _ in pairs) != sorted(KEYS):
        raise Wrong(other_keys([key for key, _ in pairs]))
    for key, value in pairs:
        if type(value) is not int:
            raise Wrong(f"'{key}' is {json.dumps(value)[:80]}, not an integer")
        if not 0 <= value <= LARGEST:
            raise Wrong(f"'{key}' is {value}, out of range 0..{LARGEST}")
    by_key = dict(pairs)
    return tuple(by_key[key] for key in KEYS)


def problem_of(answer: httpx.Response) -> str | None:
    """What is wrong with an answer by itself; None where nothing is."""
    try:
        numbers(answer.status_code, answer.headers.get("content-type", ""), answer.content)
    except Wrong as error:
        return f"GET /json: {error}"
    return None


def other_keys(keys: Sequence[str]) -> str:
    """In what `keys` differ from the ten, in words."""
    lacking = [key for key in KEYS if key not in keys]
    foreign = [key for key in dict.fromkeys(keys) if key not in KEYS]
    twice = [key for key in KEYS if keys.count(key) > 1]
    told = (
        (lacking, "missing"),
        (foreign, "none of the ten keys"),
        (twice, "there more than once"),
    )
    return "; ".join(f"{quoted(found)} {what}" for found, what in told if found)


def quoted(keys: Sequence[str]) -> str:
    """Up to three of `keys` as the subject of a sentence."""
    shown = ", ".join(f"'{key[:40]}'" for key in keys[:3])
    return f"{shown}{' and others' if len(keys) > 3 else ''} {'is' if len(keys) == 1 else 'are'}"


class Scenario(Verifier):
    bounds: ClassVar = {"answers": (20, None)}
    in_a_crowd = True
    # A part of an answer that is used twice is seen twice among so many, hardly among a few.
    samples = 2000

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.earlier: list[Answer] = []

    def verify(self, probe: Probe) -> None:
        number = self.whole("answers")
        if self.phase == "after":
            number = number // 2
        elif self.parameters["both_ends"]:
            number = max(number, BOTH_ENDS)
        responses = [probe.get("/json") for _ in range(number)]
        self.expect_http(responses[0])
        self._judge(
            [(r.status_code, r.headers.get("content-type", ""), r.content) for r in responses],
            "answers",
        )
        self.expect_not_found(probe, f"/json-{self.token()}")
        expect_read_whole(self, probe, "/json", problem_of)

    def audit(self, samples: Sequence[Sample]) -> None:
        self.expect_samples(samples)
        self._judge(
            [(s.status, s.header("content-type"), s.body) for s in samples], "answers of the load"
        )

    def _judge(self, responses: Sequence[tuple[int, str, bytes]], what: str) -> None:
        answers: list[Answer] = []
        wrong = None
        try:
            answers += (numbers(*response) for response in responses)
        except Wrong as error:
            wrong = f"GET /json: {error}"
        values = list(chain.from_iterable(answers))
        cells = LARGEST + 1
        self.expect_each(
            f"{len(responses)} {what} hold each of the ten keys once, and integers of 0..{LARGEST}",
            [wrong],
        )
        self.earlier += answers
        same = repeated(self.earlier)
        self.expect_each(
            f"no answer is repeated, in {len(self.earlier)} so far",
            [f"{same} came more than once" if same else None],
            remedy=remedies.DRAWN_ANEW,
        )
        self.expect_each(
            f"{len(values)} values of the {what} are uniform on 0..{LARGEST}",
            (uneven(values, cells, drawn="the values"), ends(values, 0, LARGEST)),
            remedy=f"draw integers from 0 to {LARGEST}, both included and equally likely; rounding"
            " a random fraction makes both ends half as likely",
        )
        self.expect_each(
            f"{len(values)} values of the {what} are independent of the ten before each",
            (
                chained(values, cells, lag=lag, drawn=f"values {lag} apart")
                for lag in range(1, len(KEYS) + 1)
            ),
        )
        self.expect_each(
            f"each of the ten numbers of the {what} is drawn independently: none follows from"
            " another, or from a sum of others, and no three of them recur together",
            self._dependent(answers),
            remedy="draw each of the ten numbers independently",
        )

    def _dependent(self, answers: Sequence[Answer]) -> Iterator[str | None]:
        yield tied(answers, LARGEST + 1)
        yield recurring(answers, LARGEST + 1)
        some = answers[:ENOUGH]
        yield from (summed(some, prime) for prime in PRIMES)
        yield mixed(some, BITS)
