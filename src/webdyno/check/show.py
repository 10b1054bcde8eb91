"""The check as a table in a terminal, as Markdown for a pull request, and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rich.console import Console

from webdyno.check.check_servers import CheckedRow, CheckResult
from webdyno.check.document import CheckDocument
from webdyno.printable import markdown_cell
from webdyno.report.layout import KEPT, Column, say, table
from webdyno.report.numbers import counted, percent, signed_interval, signed_percent
from webdyno.report.text.planned import budget_option, whole_minutes
from webdyno.run.comparison.outcome import MARKS
from webdyno.store.document import written
from webdyno.words import duration

_TITLES = ("server", "builds", "scenario", "proven", "CPU/request", "difference", "")
_FIGURES, _NAMES = _TITLES[4:6], ("server", "scenario")
_MOST = 5.0
"""An interval that reaches further (500%) says nothing."""


def headline(checked: CheckResult) -> str:
    """What came of it, in a line."""
    since = f"since {checked.changes.name}"
    servers = {row.server for row in checked.rows}
    if not servers and checked.removed:
        return f"{counted(len(checked.removed), 'server')} removed {since}, and none to check"
    if not servers:
        but = ", except in comments and descriptions" if checked.prose else ""
        return f"no server or scenario has changed {since}{but}"
    found = Counter(_word(row) for row in checked.rows)
    said = ", ".join(f"{count} {word}" for word, count in found.items() if word)
    return f"{counted(len(servers), 'server')} to check {since}: {said}"


def show(checked: CheckResult, console: Console | None = None) -> None:
    """Print the table, and what has to be known beside it."""
    console = console or Console()
    if checked.rows:
        columns = [
            Column(title, right=title in _FIGURES, names=title in _NAMES) for title in _TITLES
        ]
        cells = _cells(checked)
        styles = ["bold red" if row.outcome == "worse" else "" for row in checked.rows]
        console.print(table(columns, cells, console.width, styles=styles))
    for line in notes(checked):
        say(console, line)
    say(console, headline(checked))


def markdown(checked: CheckResult) -> str:
    """A comment for a pull request."""
    lines = [f"### {MARKS[checked.outcome]} Webdyno: {_escaped(headline(checked))}", ""]
    if checked.rows:
        lines += ["| " + " | ".join(_TITLES) + " |", "|---|---|---|---|---:|---:|---|"]
        for row, cells in zip(checked.rows, _cells(checked), strict=True):
            said = map(_escaped, cells)
            # What is escaped has no bold in it.
            shown = (f"**{one}**" if one and row.outcome == "worse" else one for one in said)
            lines.append("| " + " | ".join(shown) + " |")
        lines.append("")
    lines += [f"- {_escaped(line)}" for line in notes(checked)]
    return "\n".join(lines) + "\n"


def notes(checked: CheckResult) -> list[str]:
    """Reasons, and how sure the figures are."""
    found = list(checked.changes.cautions)
    found += [f"{name} was removed" for name in checked.removed]
    if checked.prose:
        parts = ", ".join(checked.prose)
        found.append(f"not checked, because only comments and descriptions changed: {parts}")
    for server, names in checked.dropped.items():
        found.append(f"{server} no longer implements {', '.join(names)}")
    for row in checked.rows:
        where = f"{row.server} {row.scenario}".strip()
        if row.detail:
            found.append(f"{where}: {'left out: ' if row.proof == 'skipped' else ''}{row.detail}")
        if row.remedy:
            found.append(f"{where}: remedy: {row.remedy}")
    found += _unsettled(checked.rows)
    open_ = any(row.cpu and row.cpu.outcome == "not settled" for row in checked.rows)
    if checked.needed_s and open_ and not checked.interrupted:
        found.append(
            "the budget was too short for all comparisons, which take about "
            f"{duration(whole_minutes(checked.needed_s))} here: "
            f"--budget {budget_option(checked.needed_s)}"
        )
    whys: dict[str, list[str]] = {}
    for row in checked.rows:
        if row.why != "its own files" and row.server not in whys.setdefault(row.why, []):
            whys[row.why].append(row.server)
    found += [f"because of {why}: {', '.join(servers)}" for why, servers in whys.items() if servers]
    if checked.runs:
        found.append(
            f"worse: certainly by more than {percent(checked.margin)}; no worse: certainly not. "
            f"All intervals together hold with {percent(checked.confidence)} confidence. "
            f"{'Run' if len(checked.runs) == 1 else 'Runs'} {', '.join(checked.runs)}"
        )
    return found


def _unsettled(rows: Sequence[CheckedRow]) -> list[str]:
    """Why comparisons are open, each reason of a server once."""
    where: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        if row.cpu and row.cpu.reason:
            where.setdefault((row.server, row.cpu.reason), []).append(row.scenario)
    return [
        f"{server} {', '.join(names)}: not settled: {why}" for (server, why), names in where.items()
    ]


def dumps(checked: CheckResult) -> str:
    """The check as JSON, for a file."""
    return written(CheckDocument.of(checked, headline(checked)))


def _cells(checked: CheckResult) -> list[list[str]]:
    """The server and its build are told once, in its first row."""
    found, last = [], ""
    for row in checked.rows:
        builds = {"failed": "no", "skipped": "left out"}.get(row.proof, "yes")
        first = (
            [row.server, builds if not row.scenario else "yes"] if row.server != last else ["", ""]
        )
        last = row.server
        proven = {"proven": "yes", "failed": "NO", "skipped": "left out"}[row.proof]
        found.append([*first, row.scenario, proven if row.scenario else "", *_figures(row)])
    return found


def _figures(row: CheckedRow) -> list[str]:
    cpu = row.cpu
    if cpu is None:
        return ["", "", row.beside]
    before, now = ("–" if one is None else f"{one:,.1f}" for one in (cpu.before, cpu.now))
    both = f"{before}{KEPT}→{KEPT}{now}{KEPT}µs" if cpu.before or cpu.now else ""
    difference = "–"
    if cpu.change is not None and cpu.low is not None and cpu.high is not None and cpu.high < _MOST:
        within = signed_interval(cpu.low, cpu.high).replace(" ", KEPT)
        difference = f"{signed_percent(cpu.change)}%{KEPT}{within}"
    return [both, difference, cpu.outcome]


def _word(row: CheckedRow) -> str:
    """What the headline counts a row as."""
    if row.proof != "proven":
        which = "not proven" if row.scenario else "not built"
        return which if row.proof == "failed" else "left out"
    return row.cpu.outcome if row.cpu else (row.beside if row.beside == "new" else "proven")


def _escaped(text: str) -> str:
    return markdown_cell(text).replace(KEPT, "&nbsp;")
