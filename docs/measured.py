"""Write docs/measured/STUDY.json: what runs of ours found where a write-up published a figure.

`.webdyno/venv/bin/python docs/measured.py RUN...` takes runs of the store by their ids. What a
later run measured of a scenario and load replaces what an earlier one did, if it holds each server
of that one with as many trials or enough of them; else both stay, each a table of its own, for
only servers of one run were measured side by side. A server's build times are the latest.
`studies_page.py` sets the figures beside the published ones. Of a study without published figures,
such as those of the programs' flaws, all servers are kept, for what flaws_table.py compares.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from statistics import median
from typing import Any

from webdyno.cli.context import open_store
from webdyno.cli.failures import USAGE
from webdyno.errors import UserError
from webdyno.report import metrics, summary
from webdyno.report.section import EntryRow, Section
from webdyno.report.tables import published
from webdyno.store.records import RunRecord
from webdyno.verdict.comparison.lacking import lacking

FOLDER = Path(__file__).resolve().parent / "measured"
ENOUGH = 3
"""Trials that a figure is ranked from."""
METRICS = ("throughput_rps", "cpu_us_per_request")
"""Which ratio is told: the first of these that was published of the scenario."""


def measured(run: RunRecord) -> list[dict[str, Any]]:
    """The run's figures beside the published ones, for each scenario and load."""
    known = published.figures(run)
    made = {
        "id": run.id,
        **where(run),
        "minutes": round((run.took_s or 0.0) / 60),
    }
    cells = [
        {
            **_cell(section, known, _servers(run, section.scenario)),
            "kind": run.study.kind_of(section.load),
        }
        for section in summary.sections(run)
    ]
    return [{**cell, "run": made} for cell in cells if cell["rows"]]


def where(run: RunRecord) -> dict[str, Any]:
    """The day on which it was measured, and the machine."""
    machine = run.machine
    told = [machine.cpu_model, f"{machine.cores} cores", machine.virtualised]
    return {"date": run.started.date().isoformat(), "machine": ", ".join(told)}


def _cell(section: Section, known: list[Any], entries: set[str] | None) -> dict[str, Any]:
    tables = published.tables(section, known)
    told = next((t for name in METRICS for t in tables if t.key == name), None)
    # Where a server has several rows, as before and in a spike, it is its first one.
    ratios = {row.entry: row for row in reversed(told.rows)} if told else {}
    rows = []
    for row in section.rows:
        if row.control or not _is_kept(row.entry, entries, beside=told is not None):
            continue
        found = ratios.get(row.entry)
        rows.append({
            "entry": row.entry,
            "trials": row.good,
            "rps": rounded(row.medians.get(section.rate)),
            "range": _range(row.rates),
            "p99_us": rounded(row.medians.get("p99_us")),
            "cpu_us": rounded(row.medians.get("cpu_us_per_request")),
            "cpu_range": _range(_cpu_us(row)),
            "memory_bytes": rounded(row.medians.get("memory_peak_bytes")),
            "threads": rounded(row.medians.get("threads_peak")),
            "limit": row.limit,
            "place": row.place if section.verdict else None,
            "reason": row.reason or _too_few(section, row.good),
            "reference": told and found and told.reference,
            "ratio_of": told and found and told.key,
            "ratio_published": found and found.theirs,
            "ratio_here": found and found.ours,
            "agrees": found and found.agrees,
        })  # fmt: skip
    return {"scenario": section.scenario, "load": section.load, "rows": rows}


def _too_few(section: Section, valid: int) -> str:
    """Why a server of too few blocks has no place, in the words for one of too few trials: its row
    on the page tells of trials. Empty where the section has enough."""
    if section.verdict is None or not section.few:
        return ""
    return lacking(valid, "valid trial", section.verdict.blocks_needed)


def _range(values: list[float]) -> list[float | None] | None:
    return [rounded(min(values)), rounded(max(values))] if values else None


def _cpu_us(row: EntryRow) -> list[float]:
    """The CPU time per request of each trial that counts; none of an entry without figures."""
    good = [] if row.disqualified else [trial for trial in row.trials if trial.status == "ok"]
    found = (metrics.values(trial)["cpu_us_per_request"] for trial in good)
    return [value for value in found if value is not None]


def _is_kept(entry: str, published: set[str] | None, *, beside: bool) -> bool:
    """Whether `entry` is kept: each one where nothing is `published`, or no figure of the scenario
    to stand `beside`; none of a scenario that the write-up has not."""
    if published is None:
        return True
    return bool(published) and (not beside or of_published(entry, published))


def of_published(entry: str, published: set[str]) -> bool:
    """Whether `entry` is a published server, or a variant of one: what sets it apart from the
    server shows how much of a ratio is the framework's."""
    return entry.partition("@")[0] in {one.partition("@")[0] for one in published}


def _servers(run: RunRecord, scenario: str) -> set[str] | None:
    """The servers of the write-up's tables of `scenario`; None where the study names none."""
    manifest = published.manifest(run)
    if manifest is None:
        return None
    tables = [table for table in manifest.tables if table.scenario == scenario]
    return {row.server for table in tables for row in table.rows if row.server}


def merged(earlier: list[dict[str, Any]], later: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The cells of a later run after those of earlier ones that they do not replace."""
    return [cell for cell in earlier if not any(_replaces(new, cell) for new in later)] + later


def _replaces(new: dict[str, Any], old: dict[str, Any]) -> bool:
    if (new["scenario"], new["load"]) != (old["scenario"], old["load"]):
        return False
    trials = {row["entry"]: row["trials"] for row in new["rows"]}
    return all(trials.get(row["entry"], 0) >= min(row["trials"], ENOUGH) for row in old["rows"])


def builds(run: RunRecord) -> list[dict[str, Any]]:
    """Median seconds that building each server took, and of how many builds, where the run timed
    it."""
    return [
        {
            "server": times.server,
            "clean_s": rounded(median(times.clean_s)),
            "incremental_s": rounded(median(times.incremental_s)) if times.incremental_s else None,
            "builds": len(times.clean_s),
            "run": where(run),
        }
        for times in run.build_times
        if times.clean_s
    ]


def rounded(value: float | None) -> float | None:
    """To three significant digits: more is noise."""
    return None if value is None else float(f"{value:.3g}")


def main() -> None:
    """Write the cells of each run named on the command line over those of runs before it."""
    FOLDER.mkdir(exist_ok=True)
    with closing(open_store()) as store:
        for name in sys.argv[1:]:
            run = store.run(name)
            file = FOLDER / f"{run.study.name}.json"
            held = json.loads(file.read_text("utf-8")) if file.exists() else {}
            cells = merged(held.get("cells", []), measured(run))
            timed = {each["server"]: each for each in [*held.get("builds", []), *builds(run)]}
            manifest = published.manifest(run)
            found = {
                "study": run.study.name,
                "published": manifest.name if manifest else None,
                "cells": cells,
                **({"builds": list(timed.values())} if timed else {}),
            }
            text = json.dumps(found, indent=1, ensure_ascii=False)
            file.write_text(text + "\n", encoding="utf-8")


def ended(script: Callable[[], None]) -> int:
    """Run a script; 2 for bad input, which is told in a line."""
    try:
        script()
    except UserError as error:
        print(f"{Path(sys.argv[0]).name}: {error}", file=sys.stderr)
        return USAGE
    return 0


if __name__ == "__main__":
    raise SystemExit(ended(main))
