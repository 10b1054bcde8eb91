"""`GET /benchmark?n=N` answers `OK`, whatever was done for it: all that can be verified is that."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from webdyno.verifier import Preparation, Probe, Sample, Verifier, media_problem

FILE_BYTES = 16 * 1024
LARGEST = 100_000


class Scenario(Verifier):
    bounds: ClassVar = {"n": (1, LARGEST)}
    in_a_crowd = True

    def prepare(self) -> Preparation:
        file = self.work / "file.bin"
        file.write_bytes(self.random.randbytes(FILE_BYTES))
        n = self.whole("n")
        return Preparation(
            env={"WEBDYNO_FILE": str(file)},
            variables={"n": {"kind": "choice", "values": [str(n)]}},
        )

    def verify(self, probe: Probe) -> None:
        answer = probe.get(f"/benchmark?n={self.whole('n')}", timeout=60.0)
        self.expect_http(answer)
        kind = answer.headers.get("content-type", "")
        wrong = problem(answer.status_code, kind, answer.content)
        self.expect_each("the answer is OK, which proves nothing about the work", [wrong])
        self.expect_not_found(probe, f"/benchmark-{self.token()}")

    def audit(self, samples: Sequence[Sample]) -> None:
        self.expect_samples(samples)
        self.expect_each(
            f"{len(samples)} answers of the load are OK, which proves nothing about the work",
            (problem(each.status, each.header("content-type"), each.body) for each in samples),
        )


def problem(status: int, content_type: str, body: bytes) -> str | None:
    """What is wrong with an answer; None where it is right."""
    if (status, body) != (200, b"OK"):
        return f"it was answered {status}: {body[:70]!r}"
    return media_problem(content_type, "text/plain")
