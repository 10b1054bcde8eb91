"""`GET /hello` answers `Hello World` behind `count` middlewares, and every one of them runs.

Each middleware adds one to a number; `GET /passed` tells it, beside how many requests the process
has answered. Asked before the load and after it, the one must be `count` times the other: exactly,
for all requests that ever came, the warm-up's included.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import ClassVar, NamedTuple

import httpx

from webdyno.verifier import Mismatch, Preparation, Probe, Restart, Sample, Verifier, media_problem

BODY = b"Hello World"
MOST = 10_000
MORE = 7
PROCESSES = 4
"""Times that the counts are asked for: each worker process has its own, and the probe's connections
may lead to several."""


class Passed(NamedTuple):
    """What a process says it has seen."""

    requests: int
    passed: int


class Scenario(Verifier):
    bounds: ClassVar = {"count": (0, MOST), "answers": (1, None)}

    @property
    def count(self) -> int:
        return self.whole("count")

    def prepare(self) -> Preparation:
        return Preparation(env={"WEBDYNO_MIDDLEWARE": str(self.count)})

    def verify(self, probe: Probe) -> None:
        number = self.whole("answers")
        answers = [probe.get("/hello") for _ in range(number)]
        self.expect_http(answers[0])
        seen = (
            problem(a.status_code, a.headers.get("content-type", ""), a.content) for a in answers
        )
        self.expect_each(f"{number} answers are exactly 'Hello World', as plain text", seen)
        self._counts_on(probe)
        self._counted(probe)
        if self.phase == "after":
            # Last of all: a request that no route answers passes middlewares without being counted.
            self.expect_not_found(probe, f"/hello-{self.token()}")

    def verify_restarted(self, probe: Probe, restart: Restart) -> None:
        other = self.count + MORE
        with restart({"WEBDYNO_MIDDLEWARE": str(other)}) as more:
            more.get("/hello")
            told = passed(more.get("/passed"))
        self.expect_each(
            f"restarted with WEBDYNO_MIDDLEWARE={other}, it mounts that many middlewares",
            [miscounted(told, other)],
        )

    def audit(self, samples: Sequence[Sample]) -> None:
        self.expect_samples(samples)
        seen = (problem(s.status, s.header("content-type"), s.body) for s in samples)
        self.expect_each(
            f"{len(samples)} answers of the load are exactly 'Hello World', as plain text", seen
        )

    def reconcile(self, probe: Probe, counts: Mapping[str, int]) -> None:
        told = self._counted(probe)
        last = told[-1].requests
        # A single process counts on by one from one answer to the next, and has seen all of the
        # load; of several, each has seen a part.
        if [one.requests for one in told] == list(range(last + 1 - len(told), last + 1)):
            self.expect(
                "the server counted every answer of the load",
                last >= counts["ok"],
                f"{last} requests counted, {counts['ok']} answers of the load",
            )

    def _counts_on(self, probe: Probe) -> None:
        # One connection leads to one process, which nobody else asks meanwhile.
        with Probe(probe.base_url, connections=1) as user:
            first = passed(user.get("/passed"))
            for _ in range(MORE):
                user.get("/hello")
            last = passed(user.get("/passed"))
        counted = last.requests - first.requests
        self.expect(
            f"{MORE} requests and the one that reads the count are counted as {MORE + 1}",
            counted == MORE + 1,
            f"{counted} were counted",
        )

    def _counted(self, probe: Probe) -> list[Passed]:
        told = [passed(probe.get("/passed")) for _ in range(PROCESSES)]
        largest = max(one.requests for one in told)
        self.expect_each(
            f"each of {largest} requests so far passed {self.count} middlewares",
            (miscounted(one, self.count) for one in told),
        )
        return told


def miscounted(told: Passed, count: int) -> str | None:
    """What is wrong with the sum of `count` middlewares; None where nothing is."""
    expected = told.requests * count
    if told.passed == expected:
        return None
    return f"{told.requests} requests passed {told.passed} middlewares, not {expected}"


def passed(answer: httpx.Response) -> Passed:
    """The counts that a process answered. Raises `Mismatch` where they are none."""
    if answer.status_code == 200:
        try:
            told = json.loads(answer.content.decode("utf-8"))
            counts = Passed(**told)
        except (ValueError, TypeError):
            counts = None
        if counts is not None and all(type(count) is int for count in counts):
            return counts
    shown = answer.content[:80]
    raise Mismatch(f"GET /passed was answered {answer.status_code}, without the counts: {shown!r}")


def problem(status: int, content_type: str, body: bytes) -> str | None:
    """What is wrong with an answer of `/hello`; None where it is right."""
    if status != 200:
        return f"answered {status}"
    if body != BODY:
        return f"the body is {body[:80]!r}"
    return media_problem(content_type, "text/plain")
