"""The answer as JSON; its schema is schemas/ab.schema.json, made from these classes."""

from __future__ import annotations

from typing import Final, Literal

from webdyno.ab.conclusion.answer import ComparisonAnswer
from webdyno.ab.conclusion.answer_differences import AnswersCompared
from webdyno.ab.conclusion.broken import BrokenVersion
from webdyno.ab.conclusion.claims import Claim
from webdyno.ab.conclusion.secondary_figures import SecondaryFigure
from webdyno.run.comparison.outcome import ComparisonOutcome
from webdyno.store.document import Document
from webdyno.store.record import Record

FORMAT: Final = 1
"""Counts up when a key changes its meaning or goes; new keys do not count."""


class VersionTold(Record):
    """One of the two versions."""

    told: str
    """As the user named it."""
    commit: str | None
    """Its hash; null where it is no commit."""


class VersionsTold(Record):
    """The two versions."""

    a: VersionTold
    """What B is compared with."""
    b: VersionTold
    """What is judged."""


class AbDocument(Document):
    """An answer to whether B is slower than A. Shares are of 1, so 0.046 is 4.6%."""

    format: Literal[1] = FORMAT
    """Version of this format."""
    service: str
    """Its name."""
    run: str | None
    """Id of the stored run; null where two running services were compared."""
    outcome: ComparisonOutcome
    """Of B."""
    exit_code: int
    """The command's: 0 no worse, 1 worse, 2 where A does not do its work, 3 not settled, 130 where
    the user ended it. `hit URL_A URL_B` ends with 0 whichever is faster."""
    headline: str
    """The answer in a sentence."""
    versions: VersionsTold
    """What was compared."""
    margin: float
    """The smallest difference that counts, as a share."""
    confidence: float
    """With which all intervals hold together."""
    steady_rate: str | None
    """Of the steady load, such as `1,200/s`; null where there was none."""
    claims: list[Claim]
    """What is known, by load and metric."""
    beside: list[SecondaryFigure]
    """Figures that decide nothing: memory, time to start, size."""
    broken: list[BrokenVersion]
    """Versions that do not do their work."""
    answers: AnswersCompared
    """What the versions answer differently to the same requests."""
    notes: list[str]
    """What else has to be known, a line each."""

    @classmethod
    def of(cls, answer: ComparisonAnswer, exit_code: int | None = None) -> AbDocument:
        """Of an answer; `exit_code` is the command's, where that is not the answer's."""
        about = answer.about
        a, b = (
            VersionTold(told=name, commit=commit or None)
            for name, commit in zip(about.names, about.commits, strict=True)
        )
        return cls(
            service=about.service,
            run=about.run or None,
            outcome=answer.outcome,
            exit_code=answer.exit_code if exit_code is None else exit_code,
            headline=answer.headline,
            versions=VersionsTold(a=a, b=b),
            margin=about.margin,
            confidence=about.confidence,
            steady_rate=about.rate or None,
            claims=answer.claims,
            beside=answer.secondary_figures,
            broken=answer.broken,
            answers=answer.compared,
            notes=answer.notes,
        )
