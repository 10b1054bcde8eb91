"""Our own figures in docs/studies.md: a table for each load of a run, and its build times."""

from __future__ import annotations

import re
from typing import Any

from webdyno.catalog.studies.published_table import PublishedTable
from webdyno.report.tables.published import wide
from webdyno.report.text.limits import word
from webdyno.verdict.comparison.lacking import lacking

FORMER = {
    "only 1 of its trials yielded a measurement; 3 are": "one valid trial; three are",
    "only 2 of its trials yielded a measurement; 3 are": "two valid trials; three are",
    "getting faster: CPU time": "getting faster, as CPU time",
}
"""Former wordings of a reason, kept in the files of measured figures, and today's: the figures stay
as they were stored, and the page tells one reason in one way."""


def here(
    table: PublishedTable,
    run: dict[str, Any],
    beside: list[dict[str, Any]],
    systems: dict[str, str] | None = None,
    said: set[str] | None = None,
) -> list[str]:
    """The same systems in a run of ours, a table for each load. `systems` are the labels of all of
    the write-up's, by our server: one of which this table prints nothing is shown too. What stands
    `beside` a table is added to `said`, and not told again above a later one."""
    said = set() if said is None else said
    lines = []
    for cell in run["cells"]:
        labels = {row.server: row.label for row in table.rows if row.server}
        known = {**(systems or {}), **labels}
        # What a search found is no rate under a load of its own.
        if cell["scenario"] != table.scenario or cell.get("kind") == "objective":
            continue
        if not any(row["entry"] in known for row in cell["rows"]):
            continue
        reference = next((row["reference"] for row in cell["rows"] if row["reference"]), None)
        rows = cell["rows"]
        place = (cell["scenario"], cell["load"])
        mine = (one["says"] for one in beside if (one["scenario"], one["load"]) == place)
        notes = [text.strip() for text in mine if text.strip() not in said]
        said.update(notes)
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
            *(line for text in notes for line in (text, "")),
            f"| Here | {' | '.join(head)} |",
            f"|---|{'---:|' * 3}---|---:|---:|",
            *(_ours(known.get(row["entry"], ""), row, bool(reference)) for row in rows),
            "",
            *_absent(labels, rows),
        ]
    return lines


def _absent(labels: dict[str, str], rows: list[dict[str, Any]]) -> list[str]:
    """Systems of the published table that the run did not measure."""
    measured = {row["entry"] for row in rows}
    names = [f"{label} (`{server}`)" for server, label in labels.items() if server not in measured]
    return [f"Not measured in this run: {', '.join(names)}.", ""] if names else []


def builds(run: dict[str, Any]) -> list[str]:
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
    last = [row["ratio_published"] or "–", f"{row['ratio_here'] or '–'}{_verdict(row)}"]
    if not compared:
        last = [f"{row['memory_bytes'] / 1e6:.3g} MB", f"{row['threads']:.0f}"]
    limit = _reason(row) or word(row["limit"])
    return (
        f"| {name} | {row['rps']:,.0f} ({low:,.0f} to {high:,.0f}) | {_time(row['p99_us'])} "
        f"| {_time(row['cpu_us'])} | {escaped(limit)} | {' | '.join(last)} |"
    )


def _verdict(row: dict[str, Any]) -> str:
    """Whether the published ratio agrees with ours; of an interval that holds nearly every ratio,
    as files of before a report knew of them hold, that it does not tell."""
    ends = re.search(r"\[([0-9.,]+), ([0-9.,]+)\]", row["ratio_here"] or "")
    if row["agrees"] and ends and wide(*(float(end.replace(",", "")) for end in ends.groups())):
        return ", too wide to tell"
    return {True: ", agrees", False: ", differs", None: ""}[row["agrees"]]


def in_todays_words(runs: list[dict[str, Any]]) -> list[dict[str, Any]]:
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


def escaped(text: str) -> str:
    return text.replace("<", "&lt;").replace("*", "\\*").replace("~", "\\~")
