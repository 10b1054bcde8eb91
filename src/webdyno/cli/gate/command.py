"""`webdyno gate`: fail where a run is certainly worse than its baseline."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webdyno.cli.gate.new_run import NewRun
from webdyno.cli.option_values import MOST_BLOCKS, budget_s
from webdyno.errors import UserError
from webdyno.runtime.home import Home
from webdyno.runtime.processes.supervision import supervised

if TYPE_CHECKING:
    from collections.abc import Collection

    from webdyno.run.comparison.compare import Comparison
    from webdyno.store.records import RunRecord
    from webdyno.store.store import Store

LEAST_IN_PAIRS = 3
"""Blocks that it takes to tell two servers apart that ran side by side: `LEAST_BLOCKS` of
`webdyno.verdict.sequential.looks`, which is too heavy to be imported before the warden is
forked."""


@dataclass(frozen=True)
class GateFiles:
    """What is to be written where; None stands for an option that was not given."""

    markdown: Path | None = None
    junit: Path | None = None
    json: Path | None = None
    run: Path | None = None
    """The new run, which is the next baseline."""


def gate(
    new: Annotated[
        str | None,
        typer.Argument(
            help="The run to judge: an id, 'latest' of the baseline's study, or a JSON file "
            "(default: run it now)."
        ),
    ] = None,
    baseline: Annotated[
        str,
        typer.Option(help="The run to judge it by: an id, or a file from `run --json` (required)."),
    ] = "",
    across: Annotated[
        list[str] | None,
        typer.Option(help="Compare despite these differences: machines, versions, work."),
    ] = None,
    servers: Annotated[
        str | None, typer.Option(help="Run only these of the baseline's servers, comma-separated.")
    ] = None,
    blocks: Annotated[
        int | None,
        typer.Option(
            help="Blocks to run (default: as many as the baseline, at least 5).",
            min=2,
            max=MOST_BLOCKS,
        ),
    ] = None,
    budget: Annotated[
        str | None,
        typer.Option(help="Time for the run, such as 3m (default: by the baseline's study)."),
    ] = None,
    unpaired: Annotated[
        bool,
        typer.Option(
            "--unpaired",
            help="Compare with the baseline's stored figures; do not run the baseline again.",
        ),
    ] = False,
    resume: Annotated[
        str | None, typer.Option(help="Resume this interrupted run of a gate, or 'latest'.")
    ] = None,
    markdown: Annotated[
        Path | None, typer.Option(help="Write the result as Markdown to this file.")
    ] = None,
    junit: Annotated[Path | None, typer.Option(help="Write it as JUnit XML.")] = None,
    json: Annotated[Path | None, typer.Option(help="Write it as JSON.")] = None,
    run_json: Annotated[
        Path | None, typer.Option(help="Write the new run as JSON: the next baseline.")
    ] = None,
) -> None:
    """Compare today's servers with a baseline.

    Today's servers and the baseline's run side by side, in turns, if the sources of the latter are
    in git or their builds are kept; otherwise the baseline's stored figures are compared. The
    servers' sources may differ; that is what a gate is for.
    """
    if not baseline:
        raise UserError("gate needs --baseline; give a run's id, or a file that `run --json` wrote")
    if new is not None and any(given is not None for given in (servers, blocks, budget)):
        raise UserError(
            "--servers, --blocks and --budget are for a new run; leave the run's name out"
        )
    if new is not None and resume is not None:
        raise UserError(f"--resume and {new} cannot be combined; leave {new} out")
    if blocks is not None and blocks < LEAST_IN_PAIRS and not unpaired:
        raise UserError(
            f"--blocks {blocks}: too few to compare servers with their baseline in pairs; give "
            f"{LEAST_IN_PAIRS} or more, or --unpaired"
        )
    seconds = None if budget is None else budget_s(budget)
    wanted = NewRun(servers, blocks, seconds, unpaired, resume)
    files = GateFiles(markdown, junit, json, run_json)

    def judged() -> int:
        return _gate(new, baseline, across, wanted, files)

    # A run made now needs a warden, forked before anything heavy is imported.
    code = judged() if new is not None else supervised(judged, Home.default().temporary)
    raise typer.Exit(code)


def _gate(
    new: str | None,
    baseline: str,
    across: list[str] | None,
    options: NewRun,
    files: GateFiles,
) -> int:
    """Judge the run `new`, or one made now, and write what was asked for. Gives the exit code."""
    from webdyno.ab.baselines.paired import as_baseline
    from webdyno.cli import context
    from webdyno.cli.chosen_run import across_of, finished_run
    from webdyno.cli.failures import INTERRUPTED
    from webdyno.cli.gate.new_run import run_now
    from webdyno.cli.output import check_writable, remove_former, write
    from webdyno.report.formats.json_export import dumps

    kinds = across_of(across) | {"source"}
    answers = (files.markdown, files.junit, files.json)
    check_writable(*answers, files.run)
    judged_by = {Path(name).resolve() for name in (baseline, new) if name is not None}
    remove_former(*(one for one in answers if one and one.resolve() not in judged_by))
    # Before a new run there is nothing to write: a mistyped store must not be made by a look.
    with contextlib.closing(context.reading_store()) as stored:
        before = finished_run(baseline, stored)
    lost = ""
    if new is not None:
        after = _stored(new, before)
    else:
        with contextlib.closing(context.store_to_go_on(options.resume)) as store:
            after, lost = run_now(before, options, store)
    if after.status == "interrupted":
        typer.echo(f"to continue, repeat the command with --resume {after.id}", err=True)
        return INTERRUPTED
    # Not before: no half of a run may take the place of the last baseline.
    if files.run is not None:
        in_pairs = after.baseline == before.id
        write(files.run, dumps(as_baseline(after, before) if in_pairs else after))
    found = _compared(before, after, kinds, unpaired=options.unpaired, lost=lost)
    _tell(found, files)
    return _exit_code(found)


def _stored(new: str, before: RunRecord) -> RunRecord:
    """The run `new`, which may be one that an earlier gate of the baseline's study made: what that
    measured is judged as it was then."""
    from webdyno.cli import context
    from webdyno.cli.chosen_run import finished_run

    with contextlib.closing(context.reading_store()) as stored:
        name = _latest(stored, before.study.name) if new == "latest" else new
        return finished_run(name, stored)


def _latest(store: Store, study: str) -> str:
    """The id of the newest run of `study`, or of a gate of it. Raises `UserError` where there is
    none."""
    from webdyno.catalog.studies.made_names import of_gate

    both = [*store.listed(study), *store.listed(of_gate(study))]
    for listed in sorted(both, key=lambda one: one.started, reverse=True):
        # A study of the user's own may be called as a gate's is.
        if listed.study == study or _is_of_gate(store.run(listed.id)):
            return listed.id
    raise UserError(f"no run of the study '{study}' is stored yet; `webdyno run` makes one")


def _is_of_gate(run: RunRecord) -> bool:
    return bool(run.baseline) or run.made_by == "gate"


def _compared(
    before: RunRecord, after: RunRecord, kinds: Collection[str], *, unpaired: bool, lost: str
) -> Comparison:
    """`after` beside its baseline: in pairs where they were measured so, else across the `kinds` of
    differences. `lost` is why there are no pairs; empty where there are, or where that is known."""
    from webdyno.ab.baselines.paired import as_baseline, compare_pairs
    from webdyno.run.comparison.compare import compare_runs

    in_pairs = after.baseline == before.id
    if in_pairs and not unpaired:
        comparison = compare_pairs(before, after)
    elif in_pairs:
        comparison = compare_runs(before, as_baseline(after, before), across=kinds)
        lost = f"--unpaired was given, although run {after.id} measured the baseline again"
    else:
        comparison = compare_runs(before, after, across=kinds)
    if lost:
        comparison.cautions.insert(0, f"measured at another time: {lost}")
    return comparison


def _tell(compared: Comparison, files: GateFiles) -> None:
    """Write the result to those files that were asked for, and show it."""
    from webdyno.cli.output import write_and_show
    from webdyno.report.formats import comparison
    from webdyno.report.formats.compare_document import CompareDocument
    from webdyno.report.formats.junit import render_junit
    from webdyno.store.document import written

    write_and_show(
        [
            (files.markdown, lambda: comparison.markdown(compared)),
            (files.junit, lambda: render_junit(compared)),
            (files.json, lambda: written(CompareDocument.of(compared))),
        ],
        lambda: comparison.show(compared),
    )


def _exit_code(compared: Comparison) -> int:
    """That of the outcome. Raises `UserError` where nothing could be said."""
    from webdyno.report.formats import comparison
    from webdyno.run.comparison.outcome import EXIT_CODES

    told = compared.says_something or compared.not_reached or compared.outcome == "worse"
    if not told:
        remedy = (
            "give more time, such as --budget 10m, or more --blocks"
            if compared.rows
            else "the result names each server with the reason"
        )
        raise UserError(f"{comparison.headline(compared).removesuffix('.')}; {remedy}")
    return EXIT_CODES[compared.outcome]
