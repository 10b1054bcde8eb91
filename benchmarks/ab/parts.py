"""The parts of the benchmark: each measures what the file lacks, and prints its table."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator

from benchmarks.ab import live, others, resampled, tables
from benchmarks.ab.calibrate import CALIBRATION, rounds_for
from benchmarks.ab.journal import Journal, Line
from webdyno.catalog.terms.quantity import duration
from webdyno.cli import context
from webdyno.errors import UserError
from webdyno.runtime.home import Home
from webdyno.runtime.processes.private_folder import private_folder


def run(options: argparse.Namespace) -> None:
    """Make the part that was asked for, and print what the file holds. Raises `UserError`."""
    if not 0 <= options.neighbour <= 1:
        raise UserError("--neighbour: a part of a core, from 0 to 1")
    journal = Journal(options.results)
    if options.part != "table":
        duration(options.budget)
        _measure(options, journal)
    for line in page(journal):
        print(line)


def _measure(options: argparse.Namespace, journal: Journal) -> None:
    languages = tuple(options.languages)
    comparison_options = live.ComparisonOptions(options.budget, options.neighbour, languages)
    if options.part == "false-alarms":
        live.compare_same(journal, comparison_options, options.pairs)
    elif options.part == "resampled":
        folder = private_folder(Home.default().temporary) / "resampled"
        with contextlib.closing(context.open_store()) as store:
            resampled.resample(
                journal, store, languages, options.draws, options.slower,
                duration(options.budget), folder,
            )  # fmt: skip
    else:
        rounds = {name: rounds_for(journal, name, options.slower) for name in languages}
        if options.part == "found":
            live.compare_slower(journal, comparison_options, options.pairs, options.slower, rounds)
        else:
            others.compare_others(
                journal, comparison_options, options.tools, options.pairs, options.slower, rounds
            )


def page(journal: Journal) -> Iterator[str]:
    """All that the file holds, as Markdown."""
    if same := journal.lines(live.FALSE_ALARMS):
        yield from ["", "## The same twice, live", "", *tables.said(same), ""]
        yield tables.false_alarms(same)
    for (slower, budget_s), those in _groups(journal.lines(resampled.RESAMPLED), "budget_s"):
        about = f"B {slower:.1%} slower" if slower else "the same twice"
        yield from ["", f"## Resampled, {about}, {budget_s:.0f} s", "", *tables.said(those), ""]
        yield tables.found(those) if slower else tables.false_alarms(those)
    if calibrations := journal.lines(CALIBRATION):
        yield from ["", "## What was added", "", *tables.calibrations(calibrations)]
    for (slower, budget), those in _groups(journal.lines(live.FOUND), "budget"):
        yield from ["", f"## B {slower:.1%} slower, live, {budget}", "", *tables.said(those), ""]
        yield tables.found(those)
    if them := journal.lines(others.OTHERS):
        ours = [*({**line, "slower": 0.0} for line in same), *journal.lines(live.FOUND)]
        yield from ["", "## Beside scripts around other tools", "", *tables.beside(ours, them)]


def _groups(lines: list[Line], key: str) -> list[tuple[tuple[float, str | float], list[Line]]]:
    kinds = sorted({(line["slower"], line[key]) for line in lines})
    return [
        ((slower, value), [o for o in lines if (o["slower"], o[key]) == (slower, value)])
        for slower, value in kinds
    ]
