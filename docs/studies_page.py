"""Write docs/studies.md: what the write-ups published, and what `webdyno claims` makes of it.

Run it after a change of their figures or of the checks:
`.webdyno/venv/bin/python docs/studies_page.py`. What is said of each write-up in prose is in
studies_prose.toml beside it, and so are the flaws, of which flaws_table.py tells what they do.
"""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import flaws_table

from webdyno.catalog import Catalog
from webdyno.catalog.studies.published import PublishedManifest
from webdyno.catalog.studies.published_table import PublishedRow, PublishedTable
from webdyno.claims import Finding, examine
from webdyno.claims.finding import name_of
from webdyno.report.tables.figures import MAIN, OTHER, printed
from webdyno.report.text.limits import word
from webdyno.verdict.comparison.lacking import lacking

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
    "time-outs": "mostly time-outs",
    "thread rates": "threads' rates",
    "least CPU": "too little CPU",
    "contained work": "faster than what it contains",
    "whole requests": "no mean of counts",
    "pace": "the servers were loaded together",
}
"""What a check that failed is called in a cell."""
FORMER = {
    "only 1 of its trials yielded a measurement; 3 are": "one valid trial; three are",
    "only 2 of its trials yielded a measurement; 3 are": "two valid trials; three are",
    "getting faster: CPU time": "getting faster, as CPU time",
}
"""Former wordings of a reason, kept in the files of measured figures, and today's: the figures stay
as they were stored, and the page tells one reason in one way."""


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
        *flaws_table.table(PROSE["flaws"], _in_todays_words(MADE)),
        PROSE["left_out"],
    ]
    return "\n".join([*head, *(_study(manifests[name], STUDIES[name]) for name in STUDIES)])


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
    for table in manifest.tables:
        lines += _published(table, found)
        lines += [line for run in runs for line in _here(table, run, prose.get("beside", []))]
    lines += [line for run in runs for line in _builds(run)]
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
    told = [f"- {row.label or 'no name'}: {_escaped(row.note)}." for row in table.rows if row.note]
    return [f"Notes on the published rows of `{table.name}`:", "", *told, ""] if told else []


def _runs(name: str) -> list[dict[str, Any]]:
    """Our runs of studies that name the write-up."""
    return [run for run in MADE if run["published"] == name]


def _here(table: PublishedTable, run: dict[str, Any], beside: list[dict[str, Any]]) -> list[str]:
    """The same systems in a run of ours, a table for each load."""
    lines = []
    for cell in run["cells"]:
        labels = {row.server: row.label for row in table.rows if row.server}
        if cell["scenario"] != table.scenario or not any(
            row["entry"] in labels for row in cell["rows"]
        ):
            continue
        reference = next((row["reference"] for row in cell["rows"] if row["reference"]), None)
        rows = cell["rows"]
        place = (cell["scenario"], cell["load"])
        notes = [one for one in beside if (one["scenario"], one["load"]) == place]
        if cell["load"] in table.unlike:
            rows = [{**row, "agrees": None} for row in rows]
        by_cpu = any(row.get("ratio_of") == "cpu_us_per_request" for row in rows)
        of = " CPU per request" if by_cpu else ""
        head = ["Requests/s", "p99", "CPU per request", "Limit"]
        head += (
            [f"Published ratio{of}, {reference} = 1", "Ratio here"]
            if reference
            else ["Memory", "Threads"]
        )
        made = cell["run"]
        lines += [
            f"*Measured here, `{cell['scenario']}` under `{cell['load']}`: "
            f"{_trials(rows)}; a run of {made['minutes']} minutes on "
            f"{made['date']}, on {made['machine']}.*",
            "",
            *(line for one in notes for line in (one["says"].strip(), "")),
            f"| Here | {' | '.join(head)} |",
            f"|---|{'---:|' * 3}---|---:|---:|",
            *(_ours(labels.get(row["entry"], ""), row, bool(reference)) for row in rows),
            "",
            *_absent(labels, rows),
        ]
    return lines


def _absent(labels: dict[str, str], rows: list[dict[str, Any]]) -> list[str]:
    """Systems of the published table that the run did not measure."""
    measured = {row["entry"] for row in rows}
    names = [f"{label} (`{server}`)" for server, label in labels.items() if server not in measured]
    return [f"Not measured in this run: {', '.join(names)}.", ""] if names else []


def _builds(run: dict[str, Any]) -> list[str]:
    """How long our builds took, a table for each day and machine; nothing where none was timed."""
    timed: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for one in run.get("builds", []):
        timed.setdefault((one["run"]["date"], one["run"]["machine"]), []).append(one)
    lines = []
    for (date, machine), mine in timed.items():
        of = _spread({one["builds"] for one in mine}, "build")
        lines += [
            f"*Build times measured here: median of {of} each, on {date}, on {machine}.*",
            "",
            "| Built here | Nothing compiled before | After a line was added |",
            "|---|---:|---:|",
            *(
                f"| `{one['server']}` | {_seconds(one['clean_s'])} "
                f"| {_seconds(one['incremental_s'])} |"
                for one in mine
            ),
            "",
        ]
    return lines


def _seconds(value: float | None) -> str:
    return "–" if value is None else f"{value:,.3g} s"


def _trials(rows: list[dict[str, Any]]) -> str:
    counts = {row["trials"] for row in rows}
    if counts == {1}:
        return "one trial"
    return f"median of {_spread(counts, 'trial')}, lowest to highest"


def _spread(counts: set[int], what: str) -> str:
    """`1 trial`, `3 trials` or `1 to 3 trials`."""
    least, most = min(counts), max(counts)
    told = f"{most}" if least == most else f"{least} to {most}"
    return f"{told} {what if most == 1 else what + 's'}"


def _ours(label: str, row: dict[str, Any], compared: bool) -> str:
    name = f"{label} (`{row['entry']}`)" if label else f"`{row['entry']}`"
    if not row["rps"] or not row["range"]:
        return f"| {name} | – | – | – | {_reason(row) or 'no figure'} | – | – |"
    low, high = row["range"]
    holds = {True: ", agrees", False: ", differs", None: ""}[row["agrees"]]
    last = [row["ratio_published"] or "–", f"{row['ratio_here'] or '–'}{holds}"]
    if not compared:
        last = [f"{row['memory_bytes'] / 1e6:.3g} MB", f"{row['threads']:.0f}"]
    limit = _reason(row) or word(row["limit"])
    return (
        f"| {name} | {row['rps']:,.0f} ({low:,.0f} to {high:,.0f}) | {_time(row['p99_us'])} "
        f"| {_time(row['cpu_us'])} | {_escaped(limit)} | {' | '.join(last)} |"
    )


def _in_todays_words(runs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The runs, with the reasons of their rows as they are told today."""
    return [
        {
            **run,
            "cells": [
                {**cell, "rows": [{**row, "reason": _reason(row)} for row in cell["rows"]]}
                for cell in run["cells"]
            ],
        }
        for run in runs
    ]


def _reason(row: dict[str, Any]) -> str:
    """Why it was not ranked, in today's words."""
    reason = str(row["reason"] or "")
    for former, today in FORMER.items():
        reason = reason.replace(former, today)
    # A row tells of its trials.
    few = re.fullmatch(r"(?:one|two) blocks?; three are needed", reason)
    return lacking(row["trials"], "valid trial", 3) if few else reason


def _time(us: float | None) -> str:
    if us is None:
        return "–"
    return f"{us / 1000:,.3g} ms" if us >= 1000 else f"{us:.3g} µs"


def _header(cells: list[str], last: str = "---:") -> list[str]:
    cells = [f"Published: {cells[0]}", *cells[1:]]
    return [f"| {' | '.join(cells)} |", f"|---|{'---:|' * (len(cells) - 2)}{last}|"]


def _row(cells: list[str], row: PublishedRow) -> str:
    return f"| {' | '.join([row.label or 'no name', *cells])} |"


def _cells(row: PublishedRow, keys: list[str]) -> list[str]:
    return [_escaped(str(getattr(row, key) or "–")) for key in keys]


def _verdict(row: PublishedRow, table: PublishedTable, found: list[Finding]) -> str:
    """What fails of the row's own figures, whatever is said of how they were made."""
    name = name_of(row, table)
    mine = [one for one in found if one.table == table.name and one.outcome == "contradicts"]
    about = (f"{name}: ", f"{name} runs on ", *(("The total",) if row.total else ()))
    bad = [one.check for one in mine if one.sentence.startswith(about)]
    if bad:
        return "fails: " + ", ".join(dict.fromkeys(FAILS.get(one, one) for one in bad))
    if row.throughput and row.mean:
        return "agrees with itself"
    return "too few figures" if not row.cpu_cores else "possible by its CPU"


def _line(one: Finding, manifest: PublishedManifest) -> str:
    where = f"{one.table}: " if one.table and len(manifest.tables) > 1 else ""
    sure = "" if one.outcome == "holds" else f"*{one.sureness}*: "
    return f"- {sure}{where}{_escaped(one.sentence)}"


def _escaped(text: str) -> str:
    return text.replace("<", "&lt;").replace("*", "\\*").replace("~", "\\~")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
