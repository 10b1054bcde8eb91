"""Whether the rows that a statement compares can bear it.

A ratio of figures that cannot be compared shows nothing, however well it fits.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from webdyno.catalog.studies.published import PublishedManifest
from webdyno.catalog.studies.published_statement import Statement
from webdyno.catalog.terms.printed import figure
from webdyno.claims.finding import SUREST, Finding
from webdyno.claims.statements import statements
from webdyno.words import listed

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


def concluded(manifest: PublishedManifest, findings: Iterable[Finding]) -> list[Finding]:
    """One finding for each statement of `manifest`, in their order, beside the other checks'
    `findings`.

    A statement that fits the figures is undecided where a row it uses failed one of these checks.
    """
    known = [one for one in findings if one.check in _BUT and one.rows]
    judged = zip(manifest.statements, statements(manifest), strict=True)
    return [_borne(statement, one, known) for statement, one in judged]


def _borne(statement: Statement, finding: Finding, findings: list[Finding]) -> Finding:
    against = [one for one in findings if _is_against(one, statement)]
    if finding.outcome != "holds" or not against:
        return finding
    first = min(against, key=lambda one: SUREST[one.sureness])
    rows = listed([row for row in first.rows if row in (statement.of, statement.to)])
    but = _BUT[first.check].format(rows=rows)
    sentence = f"{finding.sentence.removesuffix('.')}, but {but}."
    return replace(finding, outcome="untold", sureness=first.sureness, sentence=sentence)


def _is_against(finding: Finding, statement: Statement) -> bool:
    if finding.table != statement.table:
        return False
    if finding.check in _OF_THROUGHPUT and statement.metric != "throughput":
        return False
    used = {statement.of, statement.to}
    if finding.check == "resolution":
        return used == set(finding.rows) and not _says_equal(statement)
    return bool(used & set(finding.rows))


def _says_equal(statement: Statement) -> bool:
    times = statement.times
    return times is not None and abs(figure(times, "number").value - 1) < _EQUAL
