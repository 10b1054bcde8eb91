"""The check as JSON; its schema is schemas/check.schema.json, made from this class."""

from __future__ import annotations

from typing import Final, Literal

from webdyno.check.check_servers import CheckedRow, CheckResult
from webdyno.run.comparison.outcome import EXIT_CODES, ComparisonOutcome
from webdyno.store.document import Document

FORMAT: Final = 1
"""Counts up when a key changes its meaning or goes; new keys do not count."""


class CheckDocument(Document):
    """What a change does to the servers and scenarios it touches. Changes are shares, so 0.046 is
    4.6%."""

    format: Literal[1] = FORMAT
    """Version of this format."""
    since: str
    """What was compared with, as the user called it."""
    base: str
    """The commit that it led to."""
    outcome: ComparisonOutcome
    """The worst of all rows."""
    exit_code: int
    """The outcome's: 0 no worse, 1 worse, 3 not settled. The command exits with it, but with 130
    after an interrupt."""
    headline: str
    """What came of it, in a line."""
    margin: float
    """By how much CPU time per request may grow, as a share."""
    confidence: float
    """With which all intervals hold together."""
    rows: list[CheckedRow]
    """The servers that are touched, in their scenarios."""
    removed: list[str]
    """Servers and variants that are gone."""
    dropped: dict[str, list[str]]
    """Scenarios that a server, which is still there, implements no more."""
    prose: list[str]
    """Parts of the content that were left out, since only their comments, descriptions and the like
    have changed."""
    runs: list[str]
    """Ids of the runs that measured."""
    cautions: list[str]
    """What casts doubt on all of it, a line each."""

    @classmethod
    def of(cls, checked: CheckResult, headline: str) -> CheckDocument:
        """Of a check."""
        return cls(
            since=checked.changes.reference,
            base=checked.changes.base.hash,
            outcome=checked.outcome,
            exit_code=EXIT_CODES[checked.outcome],
            headline=headline,
            margin=checked.margin,
            confidence=checked.confidence,
            rows=checked.rows,
            removed=checked.removed,
            dropped={server: list(names) for server, names in checked.dropped.items()},
            prose=checked.prose,
            runs=checked.runs,
            cautions=list(checked.changes.cautions),
        )
