"""Which answers of a load are the page as the table was, when they were given or rendered."""

from __future__ import annotations

from webdyno.verifier import Sample, beside
from webdyno.verifier.html import Token
from webdyno.verifier.states import States

wrong = beside(__file__, "articles").wrong
caching = beside(__file__, "caching")


class Judge:
    """Judges sampled answers; most are the same, to the byte, as one that was judged before."""

    def __init__(self, pages: States[list[Token]], kept_s: float) -> None:
        """`pages` of the load, of which a cache may keep one for `kept_s`."""
        self._pages, self._kept_s = pages, kept_s
        self._judged: dict[tuple[object, ...], str | None] = {}

    def problem(self, sample: Sample) -> str | None:
        """What is wrong with an answer, by the pages that it may be; None where nothing is."""
        settled_s = sample.sent_s
        if caching.is_kept(sample):
            # It may have been rendered so long ago.
            settled_s = min(settled_s, sample.answered_by_s - self._kept_s - caching.SLACK_S)
        return self._pages.problem(
            lambda expected: self._compared(sample, expected), settled_s, sample.answered_by_s
        )

    def _compared(self, sample: Sample, expected: list[Token]) -> str | None:
        answer = sample.status, sample.header("content-type"), sample.body
        # Each state of the table has tokens of its own, which last as long as the load's states.
        key = (*answer, id(expected))
        if key not in self._judged:
            self._judged[key] = wrong(*answer, expected)
        return self._judged[key]
