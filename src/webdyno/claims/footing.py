"""Whether the rows that a statement compares can bear it.

A ratio of figures that cannot be compared shows nothing, however well it fits.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from webdyno.catalog.studies.published import PublishedManifest, Statement
from webdyno.catalog.terms.printed import figure
from webdyno.claims.finding import SUREST, Finding, listed
from webdyno.claims.statements import statements

_BUT = {
    "pace": "the load set the pace, not the servers",
    "time-outs": "requests to {rows} timed out, which shows overload, not what the work costs",
    "contained work": "{rows} cannot do the same work and be faster than what it contains",
    "resolution": "so small a difference could be chance",
}
"""Why nothing follows from a row that failed a check."""
_OF_THROUGHPUT = ("pace", "resolution")
"""Checks that leave a statement about anything else as it is."""
_EQUAL = 0.01
"""A statement of a smaller difference says that there is none."""


def concluded(manifest: PublishedManifest, found: Iterable[Finding]) -> list[Finding]:
    """One finding for each statement of `manifest`, in their order; `found` are the other checks'.

    A statement that fits the figures is undecided where a row it uses failed one of these checks.
    """
    known = [one for one in found if one.check in _BUT and one.rows]
    judged = zip(manifest.statements, statements(manifest), strict=True)
    return [_borne(statement, one, known) for statement, one in judged]


def _borne(statement: Statement, judged: Finding, known: list[Finding]) -> Finding:
    against = [one for one in known if _is_against(one, statement)]
    if judged.outcome != "holds" or not against:
        return judged
    first = min(against, key=lambda one: SUREST[one.sureness])
    rows = listed([row for row in first.rows if row in (statement.of, statement.to)])
    but = _BUT[first.check].format(rows=rows)
    sentence = f"{judged.sentence.removesuffix('.')}, but {but}."
    return replace(judged, outcome="untold", sureness=first.sureness, sentence=sentence)


def _is_against(one: Finding, statement: Statement) -> bool:
    if one.table != statement.table:
        return False
    if one.check in _OF_THROUGHPUT and statement.metric != "throughput":
        return False
    used = {statement.of, statement.to}
    if one.check == "resolution":
        return used == set(one.rows) and not _says_equal(statement)
    return bool(used & set(one.rows))


def _says_equal(statement: Statement) -> bool:
    times = statement.times
    return times is not None and abs(figure(times, "number").value - 1) < _EQUAL
