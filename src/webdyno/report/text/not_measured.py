"""What was asked for and not measured, in words: a clause of the headline, and cautions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webdyno.report import summary
from webdyno.run.record.unmeasured_cells import unmeasured_cells
from webdyno.store.unmeasured_cell import UnmeasuredKind
from webdyno.words import listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webdyno.store.records import RunRecord
    from webdyno.store.unmeasured_cell import UnmeasuredCell

FEW = 3
"""More names than this are counted, not named."""

KINDS: dict[UnmeasuredKind, str] = {
    "not-reached": "not reached",
    "not-implemented": "not implemented",
    "unbuildable": "unbuildable",
    "toolchain-missing": "toolchain missing",
    "packages-out-of-reach": "packages out of reach",
    "build-failed": "build failed",
    "removed": "no such server",
}
"""Each kind of reason in a word or two."""


def clause(run: RunRecord) -> str:
    """Who is missing from the ranking, as a sentence for the headline; empty where nobody is."""
    entries = _entries(run)
    if not entries or len(entries) > FEW:
        return count(run)
    return f"Not measured{_where(run)}: {listed(entries)}."


def count(run: RunRecord) -> str:
    """How many are missing, as the shortest sentence; empty where nobody is."""
    entries = _entries(run)
    asked = max(len(set(run.study.servers)), len(entries))
    return f"Not measured{_where(run)}: {len(entries)} of {asked} servers." if entries else ""


def _entries(run: RunRecord) -> list[str]:
    return list(dict.fromkeys(row.entry for row in _unplanned(run)))


def _unplanned(run: RunRecord) -> list[UnmeasuredCell]:
    """What is missing beside what the plan had no time for: a report that opens with one question
    tells that there (see `planned.sentences`), with what it would take."""
    rows, plan = unmeasured_cells(run), run.plan
    if plan is None or plan.everything:
        return rows
    made = {trial.cell for trial in run.trials}
    made |= {cell.key for cell in plan.cells if cell.planned}
    return [
        row
        for row in rows
        if row.kind != "not-reached" or (row.cell in made and row.entry not in plan.left_out)
    ]


def by_reason(rows: Sequence[UnmeasuredCell]) -> list[tuple[str, str]]:
    """Entries that lack the same, as (names, reason)."""
    found: dict[str, dict[str, None]] = {}
    for row in rows:
        found.setdefault(row.reason, {})[row.entry] = None
    return [(listed(entries), reason) for reason, entries in found.items()]


def _where(run: RunRecord) -> str:
    """Says of some that they were measured elsewhere."""
    return " everywhere" if {trial.entry for trial in run.trials} & set(_entries(run)) else ""


def cautions(run: RunRecord) -> list[str]:
    """One sentence: who was not measured, where, and for what kind of reason."""
    places: dict[tuple[str, str], list[str]] = {}
    for row in _unplanned(run):
        where = summary.scope(run, row.scenario, row.load)
        places.setdefault((row.entry, KINDS[row.kind]), []).append(where)
    if not places:
        return []
    sections = len(summary.sections(run))
    alike: dict[str, list[str]] = {}
    for (entry, kind), scopes in places.items():
        alike.setdefault(kind + _in(scopes, sections), []).append(entry)
    told = "; ".join(f"{listed(entries)} ({why})" for why, entries in alike.items())
    return [f"Not measured: {told}."]


def _in(scopes: list[str], sections: int) -> str:
    """Where, of all the run's `sections`; empty where it is all of them."""
    if len(scopes) == sections:
        return ""
    return f" in {listed(scopes) if len(scopes) <= FEW else f'{len(scopes)} of {sections}'}"
