"""`GET /hello` answers exactly `Hello World`, as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from webdyno.verifier import Probe, Sample, Verifier, media_problem

BODY = b"Hello World"


def problem(status: int, content_type: str, body: bytes) -> str | None:
    """What is wrong with an answer; None where it is right."""
    if status != 200:
        return f"GET /hello was answered {status}: {body[:80]!r}"
    if body != BODY:
        return f"the body is {body[:80]!r}, not {BODY!r}"
    return media_problem(content_type, "text/plain")


class Scenario(Verifier):
    bounds: ClassVar = {"answers": (1, None)}
    in_a_crowd = True

    def verify(self, probe: Probe) -> None:
        number = self.whole("answers")
        answers = [probe.get("/hello") for _ in range(number)]
        self.expect_http(answers[0])
        seen = (
            problem(a.status_code, a.headers.get("content-type", ""), a.content) for a in answers
        )
        self.expect_each(f"{number} answers are exactly 'Hello World', as plain text", seen)
        self.expect_not_found(probe, f"/hello-{self.token()}")

    def audit(self, samples: Sequence[Sample]) -> None:
        self.expect_samples(samples)
        seen = (problem(s.status, s.header("content-type"), s.body) for s in samples)
        self.expect_each(
            f"{len(samples)} answers of the load are exactly 'Hello World', as plain text", seen
        )
