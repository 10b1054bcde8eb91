"""`GET /@NAME@?n=N` answers N squared, as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from webdyno.verifier import Preparation, Probe, Sample, Verifier, media_problem


def problem(n: int, status: int, content_type: str, body: bytes) -> str | None:
    """What is wrong with the answer for `n`; None where it is right."""
    if status != 200:
        return f"n={n} was answered {status}"
    if body != str(n * n).encode():
        return f"n={n} was answered {body[:40]!r}"
    return media_problem(content_type, "text/plain")


class Scenario(Verifier):
    """Proves it with fresh numbers: a server that keeps answers ready cannot know them."""

    bounds: ClassVar = {"n_max": (1, None), "n_values": (1, None)}

    def draw(self) -> int:
        """A number that no server has seen before this trial."""
        return self.random.randint(1, self.whole("n_max"))

    def prepare(self) -> Preparation:
        """Draw the numbers of the load and work out what must be answered to each."""
        expected = {
            str(n): str(n * n) for n in (self.draw() for _ in range(self.whole("n_values")))
        }
        return Preparation(variables={"n": {"values": list(expected)}}, lookups={"n": expected})

    def verify(self, probe: Probe) -> None:
        """Before the load and again after it."""
        numbers = [self.draw() for _ in range(20)]
        answers = [(n, probe.get(f"/@NAME@?n={n}")) for n in numbers]
        self.expect_http(answers[0][1])
        seen = (
            problem(n, a.status_code, a.headers.get("content-type", ""), a.content)
            for n, a in answers
        )
        self.expect_each("20 fresh numbers are squared", seen)
        self.expect_not_found(probe, f"/@NAME@-{self.token()}")

    def audit(self, samples: Sequence[Sample]) -> None:
        """Answers of the load, checked in full."""
        self.expect_samples(samples)
        seen = (
            problem(int(s.variables["n"]), s.status, s.header("content-type"), s.body)
            for s in samples
        )
        self.expect_each(f"{len(samples)} answers of the load are squares", seen)
