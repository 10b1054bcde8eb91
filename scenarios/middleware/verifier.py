"""`GET /hello` answers `Hello World` behind `count` middlewares, and every one of them runs.

Each middleware adds one to a number; `GET /passed` tells it, beside how many requests the process
has received. Asked before the load and after it, the one must be `count` times the other: exactly,
for all requests that ever came, the warm-up's included. Which of a server's processes tells it, or
how many there are, nobody can see who only asks. Event loops of one process may each have numbers
of their own; those are found by their counts, on as many connections as surely lead to all of them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import ClassVar, NamedTuple

import httpx

from webdyno.verifier import (
    Mismatch,
    Preparation,
    Probe,
    Restart,
    Sample,
    Spent,
    Verifier,
    media_problem,
)
from webdyno.verifier.read_whole import (
    expect_path_read,
    expect_request_read,
)

BODY = b"Hello World"
MOST = 10_000
MORE = 7
PROCESSES = 4
"""Times that the counts are asked for: each worker process has its own, and the probe's connections
may lead to several."""
IN_A_ROW = 8
"""Counts that follow each other: they are one process's, or a proxy chanced upon it each time."""
CONNECTIONS = 16 * (os.cpu_count() or 1)
"""That the counts of a process are asked for on: each leads to one of its event loops, of which
there are no more than cores."""
TRIES = 3
"""So often requests must not be counted before that is told: a proxy may chance upon one process
for all counts, and upon another for what comes between them."""


class Passed(NamedTuple):
    """What a process says it has seen."""

    requests: int
    passed: int


class Scenario(Verifier):
    bounds: ClassVar = {"count": (0, MOST), "answers": (1, None)}

    before_load_counted = 0
    after_load_counted = 0
    unknown = 0
    """Unknown paths asked for so far: they pass the middlewares, too, without being counted."""

    @property
    def count(self) -> int:
        return self.whole("count")

    def prepare(self) -> Preparation:
        return Preparation(env={"WEBDYNO_MIDDLEWARE": str(self.count)})

    def verify(self, probe: Probe) -> None:
        number = self.whole("answers")
        answers = [probe.get("/hello") for _ in range(number)]
        self.expect_http(answers[0])
        self.expect_each(
            f"{number} answers are exactly 'Hello World', as plain text", map(problem_of, answers)
        )
        self._counts_on(probe)
        self._counted(probe)
        expect_request_read(self, probe, "/hello", problem_of)
        if self.phase == "after":
            # Only now: until the load is over, the sum of all requests is to be exact.
            self.unknown += 1 + probe.connections
            self.expect_not_found(probe, f"/hello-{self.token()}")
            expect_path_read(self, probe, "/hello")

    def verify_beside_load(self, probe: Probe) -> None:
        self.unknown += 1 + probe.connections
        expect_path_read(self, probe, "/hello")
        expect_request_read(self, probe, "/hello", problem_of)
        self.expect_not_found(probe, f"/hello-{self.token()}")

    def verify_restarted(self, probe: Probe, restart: Restart) -> None:
        other = self.count + MORE
        with restart({"WEBDYNO_MIDDLEWARE": str(other)}) as more:
            more.get("/hello")
            told = passed(more.get("/passed"))
        self.expect_each(
            f"restarted with WEBDYNO_MIDDLEWARE={other}, it mounts that many middlewares",
            [miscounted(told, other)],
            remedy="read WEBDYNO_MIDDLEWARE at the start, and mount as many",
        )

    def audit(self, samples: Sequence[Sample]) -> None:
        self.expect_samples(samples)
        seen = (problem(s.status, s.header("content-type"), s.body) for s in samples)
        self.expect_each(
            f"{len(samples)} answers of the load are exactly 'Hello World', as plain text", seen
        )

    def before_load(self, probe: Probe) -> None:
        # Requests of the warm-up may be on their way past the middlewares.
        self.before_load_counted = _all_counted(probe)

    def reconcile(self, probe: Probe, counts: Mapping[str, int]) -> None:
        self.after_load_counted = _all_counted(probe) - CONNECTIONS
        self._counted(probe)

    def account(self, spent: Spent) -> None:
        """A single process has seen all of the load; of several, each has seen a part."""
        if spent.processes == 1:
            counted = max(0, self.after_load_counted - self.before_load_counted)
            self.expect(
                "the server counted every answer of the load",
                counted >= spent.answers,
                f"{counted} requests counted, {spent.answers} answers of the load",
            )

    def _counts_on(self, probe: Probe) -> None:
        """Requests on a connection are counted, where it leads to one process: to several of them,
        their counts do not follow each other."""
        with Probe(probe.base_url, connections=1) as user:
            for _ in range(TRIES):
                first = self._in_a_row(user)
                for _ in range(MORE):
                    user.get("/hello")
                last = self._in_a_row(user)
                # Behind each connection may be another process.
                if first is None or last is None or user.opened > 1:
                    return
                counted = last - IN_A_ROW - first
                if counted == MORE:
                    break
        self.expect(f"{MORE} requests are counted", counted == MORE, f"{counted} were counted")

    def _in_a_row(self, user: Probe) -> int | None:
        """The last of some counts; None where they do not follow each other."""
        told = [passed(user.get("/passed")).requests for _ in range(IN_A_ROW)]
        return told[-1] if told == list(range(told[0], told[0] + IN_A_ROW)) else None

    def _counted(self, probe: Probe) -> None:
        """All requests that those who are asked have counted passed the middlewares."""
        told = [passed(probe.get("/passed")) for _ in range(PROCESSES)]
        largest = max(one.requests for one in told)
        self.expect_each(
            f"each of {largest} requests so far passed {self.count} middlewares",
            (miscounted(one, self.count, self.unknown) for one in told),
            remedy="mount the middlewares before both routes, /hello and /passed; each adds one,"
            " atomically where threads share the sum",
        )


def _all_counted(probe: Probe) -> int:
    """The requests that all event loops of a process have counted, those that ask included.

    Whoever is asked counts that: a count that is one more than one of those so far is the same
    loop's, any other is that of a loop which had not been asked yet.
    """
    counts: set[int] = set()
    for _ in range(CONNECTIONS):
        with Probe(probe.base_url, connections=1) as user:
            count = passed(user.get("/passed")).requests
        counts.discard(count - 1)
        counts.add(count)
    return sum(counts)


def miscounted(told: Passed, count: int, unknown: int = 0) -> str | None:
    """What is wrong with the sum of `count` middlewares, which as many requests as are `unknown`
    may have passed besides; None where nothing is."""
    if told.passed in (count * (told.requests + more) for more in range(unknown + 1)):
        return None
    expected = told.requests * count
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


def problem_of(answer: httpx.Response) -> str | None:
    """The same as `problem`, of an answer to a probe."""
    return problem(answer.status_code, answer.headers.get("content-type", ""), answer.content)


def problem(status: int, content_type: str, body: bytes) -> str | None:
    """What is wrong with an answer of `/hello`; None where it is right."""
    if status != 200:
        return f"answered {status}"
    if body != BODY:
        return f"the body is {body[:80]!r}"
    return media_problem(content_type, "text/plain")
