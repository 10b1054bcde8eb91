"""Write docs/studies.md: what the write-ups published, and what `webdyno claims` makes of it.

Run it after a change of their figures or of the checks:
`.webdyno/venv/bin/python docs/studies_page.py`. What is said of each write-up in prose is in
studies_prose.toml beside it, and so are the flaws, of which flaws_table.py tells what they do.
"""

from __future__ import annotations

import json
import textwrap
import tomllib
from pathlib import Path
from typing import Any

import flaws_table
import measured_tables
from measured_tables import escaped

from webdyno.catalog import Catalog
from webdyno.catalog.studies.published import PublishedManifest
from webdyno.catalog.studies.published_table import PublishedRow, PublishedTable
from webdyno.claims import Finding, examine
from webdyno.claims.finding import name_of
from webdyno.report.tables.figures import MAIN, OTHER, printed

WIDTH = 118
"""Columns of a line of prose."""

DOCS = Path(__file__).resolve().parent
PAGE = DOCS / "studies.md"
MEASURED = DOCS / "measured"
"""Our own figures, as measured.py wrote them, a file for each study."""
MADE = [json.loads(path.read_text("utf-8")) for path in sorted(MEASURED.glob("*.json"))]
PROSE: dict[str, Any] = tomllib.loads((DOCS / "studies_prose.toml").read_text(encoding="utf-8"))
STUDIES: dict[str, dict[str, Any]] = PROSE["studies"]
"""Of each: `said` and `found` are cells of the overview, `text` opens the section, `commands`
repeat the study, `after` says what to expect of them. `held` sets what is claimed without figures
beside ours: the claim, what of it (`of`), what we found, and whether it holds here. `beside` says
how a scenario and load of ours differ from the published one; the published table has them under
`unlike`, so that their ratios are given no verdict, here as in a report."""

HEADINGS = {"contradicts": "What fails", "untold": "What stays undecided", "holds": "What holds"}
FAILS = {
    "Little's law": "requests in flight",
    "samples": "too many requests",
    "rate and time": "rate × time",
    "time-outs": "mostly time-outs",
    "thread rates": "threads' rates",
    "least CPU": "too little CPU",
    "contained work": "faster than what it contains",
    "whole requests": "no mean of counts",
    "pace": "the servers were loaded together",
    "total": "not that of its rows",
}
"""What a check that failed is called in a cell."""


def page() -> str:
    """The page, as Markdown."""
    catalog = Catalog()
    manifests = {name: catalog.published(name) for name in STUDIES}
    counts = {name: _systems(manifests[name]) for name in STUDIES}
    here, all_five = (sum(both) for both in zip(*counts.values(), strict=True))
    rows = [
        f"| [{manifests[name].title}](#{_anchor(manifests[name].title)}) | {prose['said']} "
        f"| {prose['found']} | {_counted(manifests[name])} "
        f"| {counts[name][0]} of {counts[name][1]} |"
        for name, prose in STUDIES.items()
    ]
    head = [
        PROSE["head"],
        "| Write-up | What it says | What we found | Contradictions | Systems measured here |",
        "|---|---|---|---:|---:|",
        *rows,
        f"| All five | | | | {here} of {all_five} |",
        "",
        PROSE["own_figures"],
        PROSE["flaws_head"],
        *flaws_table.table(PROSE["flaws"], measured_tables.in_todays_words(MADE)),
        PROSE["left_out"],
    ]
    whole = "\n".join([*head, *(_study(manifests[name], STUDIES[name]) for name in STUDIES)])
    return "\n".join(_wrapped(line) for line in whole.split("\n"))


def _wrapped(line: str) -> str:
    """A paragraph or an item of a list that is too long for a line; tables and headings stay."""
    if len(line) <= WIDTH or line.startswith(("|", "#", "<")):
        return line
    indent = "  " if line.startswith("- ") else ""
    return textwrap.fill(
        line,
        WIDTH,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _counted(manifest: PublishedManifest) -> int:
    return sum(one.outcome == "contradicts" for one in examine(manifest))


def _systems(manifest: PublishedManifest) -> tuple[int, int]:
    """Of how many systems of the write-up we have a figure in one of its scenarios, and how many
    it compares."""
    cells = [cell for run in _runs(manifest.name) for cell in run["cells"]]
    ours = {row["entry"] for cell in cells for row in cell["rows"] if row["rps"]}
    systems: dict[str, bool] = {}
    for table in manifest.tables:
        for row in table.rows:
            if row.server and not row.total:
                systems[row.label] = systems.get(row.label, False) or row.server in ours
    return sum(systems.values()), len(systems)


def _anchor(title: str) -> str:
    kept = "".join(c for c in title.lower() if c.isalnum() or c in " -_")
    return kept.replace(" ", "-")


def _study(manifest: PublishedManifest, prose: dict[str, Any]) -> str:
    found = examine(manifest)
    lines = [f"## {manifest.title}", "", f"*{manifest.source}.*", "", prose["text"]]
    runs = _runs(manifest.name)
    systems = {row.server: row.label for table in manifest.tables for row in table.rows
               if row.server}  # fmt: skip
    said: set[str] = set()
    for table in manifest.tables:
        lines += _published(table, found)
        for run in runs:
            lines += measured_tables.here(table, run, prose.get("beside", []), systems, said)
    lines += [line for run in runs for line in measured_tables.builds(run)]
    if held := prose.get("held"):
        lines += ["| Claim | Here | Verdict |", "|---|---|---|"]
        lines += [
            *(
                f"| “{one['says']}”{one.get('of', '')} | {one['here']} | {one['verdict']} |"
                for one in held
            ),
            "",
        ]
    for outcome, heading in HEADINGS.items():
        mine = [one for one in found if one.outcome == outcome]
        if mine:
            lines += [f"### {heading}", "", *(_line(one, manifest) for one in mine), ""]
    lines += ["### See for yourself", "", "```", f"./webdyno claims {manifest.name}"]
    lines += [*prose["commands"], "```", "", prose["after"]]
    return "\n".join(lines)


def _published(table: PublishedTable, found: list[Finding]) -> list[str]:
    """Two tables: what a reader compares, with our verdict; and whatever else was printed."""
    short, rest = printed(table, MAIN), printed(table, OTHER)
    if not short:
        return _notes(table)
    rows = [row for row in table.rows if any(getattr(row, key) for key in short)]
    head = [table.name, *(MAIN[key] for key in short), "Verdict"]
    lines = [*_header(head, "---"), *(_row([*_cells(row, short), _verdict(row, table, found)], row)
                               for row in rows), ""]  # fmt: skip
    if rest:
        head = [table.name, *(OTHER[key] for key in rest)]
        lines += ["<details><summary>The other figures</summary>", "", *_header(head)]
        lines += [*(_row(_cells(row, rest), row) for row in rows), "", "</details>", ""]
    return lines + _notes(table)


def _notes(table: PublishedTable) -> list[str]:
    """What is said of rows beside their figures."""
    told = [f"- {row.label or 'no name'}: {escaped(row.note)}." for row in table.rows if row.note]
    return [f"Notes on the published rows of `{table.name}`:", "", *told, ""] if told else []


def _runs(name: str) -> list[dict[str, Any]]:
    """Our runs of studies that name the write-up."""
    return [run for run in MADE if run["published"] == name]


def _header(cells: list[str], last: str = "---:") -> list[str]:
    cells = [f"Published: {cells[0]}", *cells[1:]]
    return [f"| {' | '.join(cells)} |", f"|---|{'---:|' * (len(cells) - 2)}{last}|"]


def _row(cells: list[str], row: PublishedRow) -> str:
    return f"| {' | '.join([row.label or 'no name', *cells])} |"


def _cells(row: PublishedRow, keys: list[str]) -> list[str]:
    return [escaped(str(getattr(row, key) or "–")) for key in keys]


def _verdict(row: PublishedRow, table: PublishedTable, found: list[Finding]) -> str:
    """What fails of the row's own figures, whatever is said of how they were made."""
    name = name_of(row, table)
    mine = [one for one in found if one.table == table.name and one.outcome == "contradicts"]
    of_all = ("The total", "The rows") if row.total else ()
    about = (f"{name}: ", f"{name} runs on ", *of_all)
    bad = [one.check for one in mine if one.sentence.startswith(about)]
    if bad:
        return "fails: " + ", ".join(dict.fromkeys(FAILS.get(one, one) for one in bad))
    if row.throughput and row.mean:
        return "agrees with itself"
    return "too few figures" if not row.cpu_cores else "possible by its CPU"


def _line(one: Finding, manifest: PublishedManifest) -> str:
    where = f"{one.table}: " if one.table and len(manifest.tables) > 1 else ""
    sure = "" if one.outcome == "holds" else f"*{one.sureness}*: "
    return f"- {sure}{where}{escaped(one.sentence)}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
