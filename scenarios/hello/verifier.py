"""`GET /hello` answers exactly `Hello World`, as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import httpx

from webdyno.verifier import Probe, Sample, Verifier, media_problem
from webdyno.verifier.read_whole import expect_read_whole

BODY = b"Hello World"


def problem(status: int, content_type: str, body: bytes) -> str | None:
    """What is wrong with an answer; None where it is right."""
    if status != 200:
        return f"GET /hello was answered {status}: {body[:80]!r}"
    if body != BODY:
        return f"the body is {body[:80]!r}, not {BODY!r}"
    return media_problem(content_type, "text/plain")


def problem_of(answer: httpx.Response) -> str | None:
    """The same of an answer to a probe."""
    kind = answer.headers.get("content-type", "")
    return problem(answer.status_code, kind, answer.content)


class Scenario(Verifier):
    bounds: ClassVar = {"answers": (1, None)}
    in_a_crowd = True

    def verify(self, probe: Probe) -> None:
        number = self.whole("answers")
        answers = [probe.get("/hello") for _ in range(number)]
        self.expect_http(answers[0])
        self.expect_each(
            f"{number} answers are exactly 'Hello World', as plain text", map(problem_of, answers)
        )
        self.expect_not_found(probe, f"/hello-{self.token()}")
        expect_read_whole(self, probe, "/hello", problem_of)

    def audit(self, samples: Sequence[Sample]) -> None:
        self.expect_samples(samples)
        seen = (problem(s.status, s.header("content-type"), s.body) for s in samples)
        self.expect_each(
            f"{len(samples)} answers of the load are exactly 'Hello World', as plain text", seen
        )
