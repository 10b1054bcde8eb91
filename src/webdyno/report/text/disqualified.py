"""Who was proven to lie, in words: a clause of the headline, a sentence, the first caution."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webdyno.report.numbers import is_or_are
from webdyno.store.disqualification import disqualifications
from webdyno.words import listed

if TYPE_CHECKING:
    from webdyno.store.records import RunRecord
    from webdyno.store.verdicts import VerdictRecord


def clause(verdict: VerdictRecord) -> list[str]:
    """Who is disqualified in one verdict, without the reasons; nothing where nobody is."""
    entries = _programs(verdict.disqualified)
    return [f"{listed(entries)} {is_or_are(entries)} disqualified"] if entries else []


def sentences(verdict: VerdictRecord) -> list[str]:
    """Who is disqualified in one verdict, each with what it was proven to do."""
    return [
        f"{left.entry} is {left.reason}"
        for left in verdict.not_ranked
        if left.kind == "disqualified" and not left.entry.endswith("(control)")
    ]


def cautions(run: RunRecord) -> list[str]:
    """One line for each server and scenario: what it was proven to do."""
    several = len({trial.scenario for trial in run.trials}) > 1
    return [
        f"{entry}{f' in {scenario}' if several else ''} is {reason}."
        for (scenario, entry), reason in disqualifications(run.trials).items()
        if not entry.endswith("(control)")
    ]


def _programs(entries: list[str]) -> list[str]:
    """Without the second entry of an A/A pair."""
    return [entry for entry in entries if not entry.endswith("(control)")]
