"""Answers of many parts, each of which says for which request and when it was made."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import ClassVar

from webdyno.verifier import remedies
from webdyno.verifier.base import Verifier, media_problem
from webdyno.verifier.records import Sample

SLACK_S = 0.05
"""By what the system's clock may be put forward or back between two looks at it."""


class StampedParts(Verifier):
    """A scenario whose requests draw a `tag` of eighteen digits. Each of its answers has as many
    parts as were asked for, each with that tag and the time at which it was made."""

    reads_the_day = True

    media: ClassVar[str]
    """The media type of its answers."""
    part: ClassVar[str]
    """What a part is, in claims: "piece"."""
    loaded: ClassVar[int]
    """Parts of an answer of the load."""
    problem_of: ClassVar[Callable[..., str | None]]
    """What is wrong with a body, of so many parts, with this tag, made between `since_s` and
    `until_s`."""
    made_us: ClassVar[Callable[..., Sequence[int]]]
    """When the parts of a body that is right say that they were made, in microseconds since
    1970."""

    def audit(self, samples: Sequence[Sample]) -> None:
        """Each answer kept holds its request's tag, and times between the request and its arrival,
        of a clock that was read for each part."""
        self.expect_samples(samples)
        # The samples' clock is the monotonic one, the parts' that of the day.
        ahead_s = time.time() - time.monotonic()
        problem, remedy = next(
            filter(None, (self._sampled(sample, ahead_s) for sample in samples)), ("", "")
        )
        self.expect(
            f"{len(samples)} answers of the load hold {self.loaded} {self.part}s with the request's"
            " tag, each with a time between the request's and the answer's, and have no"
            " Content-Length",
            not problem,
            problem,
            remedy=remedy,
        )
        # To make and write that many parts takes longer than a microsecond.
        alike = sum(has_one_time(self.made_us(sample.body)) for sample in samples)
        self.expect(
            f"the clock is read for each {self.part}",
            2 * alike <= len(samples),
            f"in {alike} of {len(samples)} answers of the load all {self.loaded} {self.part}s have"
            " the same time",
            remedy=f"make each {self.part} by itself, and read the clock for it",
        )

    def tag(self) -> str:
        """A tag of eighteen digits, as the load draws them."""
        return str(self.random.randint(10**17, 10**18 - 1))

    def _sampled(self, sample: Sample, ahead_s: float) -> tuple[str, str] | None:
        """What is wrong with an answer of the load, and the remedy, empty where none is known."""
        if sample.status != 200:
            return f"answered {sample.status}", ""
        if length := sample.header("content-length"):
            return f"content-length is {length}", remedies.streamed(self.part)
        problem = media_problem(sample.header("content-type"), self.media) or self.problem_of(
            sample.body,
            self.loaded,
            sample.variables["tag"],
            # Else answers could be kept, to be sent again to whoever asks with the same tag.
            since_s=sample.sent_s + ahead_s,
            until_s=sample.answered_by_s + ahead_s,
        )
        return (problem, "") if problem else None


def has_one_time(made_us: Sequence[int]) -> bool:
    """Whether all parts of an answer have the same time, by a clock finer than milliseconds: its
    server did not read the clock for each."""
    return len(set(made_us)) == 1 and made_us[0] % 1000 != 0


class Stamps:
    """The times of an answer's parts, one after the other: none made before the last, or before
    `since_s`, or after `until_s` (in seconds since 1970)."""

    def __init__(self, part: str, since_s: float = 0.0, until_s: float = math.inf) -> None:
        self._part = part
        self._last_s, self._until_s = since_s, until_s
        self._before = "the request"

    def problem_of(self, number: int, made_s: float) -> str | None:
        """What is wrong with the time of the next part, called `number`; None where it is right."""
        what = f"{self._part} {number} was made"
        if made_s < self._last_s - SLACK_S:
            return f"{what} {self._last_s - made_s:.6f} s before {self._before}"
        if made_s > self._until_s + SLACK_S:
            return f"{what} {made_s - self._until_s:.6f} s after it arrived"
        self._last_s, self._before = made_s, f"the {self._part} before"
        return None
