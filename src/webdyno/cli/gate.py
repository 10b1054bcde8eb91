"""`webdyno gate`: fail where a run is certainly worse than its baseline."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webdyno.cli.option_values import MOST_BLOCKS, budget_s
from webdyno.errors import UserError
from webdyno.runtime.home import Home
from webdyno.runtime.processes.supervision import supervised

if TYPE_CHECKING:
    from webdyno.catalog.study import StudyManifest
    from webdyno.run.comparison.compare import Comparison
    from webdyno.store.records import RunRecord
    from webdyno.store.store import Store

LEAST_BLOCKS = 5
"""Blocks of a run that is made for a gate: fewer would only find large regressions."""

LEAST_IN_PAIRS = 3
"""Blocks that it takes to tell two servers apart that ran side by side: `LEAST_BLOCKS` of
`webdyno.verdict.looks`, which is too heavy to be imported before the warden is forked."""


@dataclass(frozen=True)
class NewRun:
    """What was typed of a run to be made now; None stands for an option that was not given."""

    servers: str | None
    blocks: int | None
    budget_s: float | None
    unpaired: bool
    resume: str | None


def gate(
    new: Annotated[
        str | None,
        typer.Argument(
            help="The run to judge: an id, 'latest' of the baseline's study, or a JSON file "
            "(default: run it now)."
        ),
    ] = None,
    baseline: Annotated[
        str, typer.Option(help="The run to judge it by: an id, or a file from `run --json`.")
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
    budget: Annotated[str | None, typer.Option(help="Time for the run, such as 3m.")] = None,
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
    """Compare today's servers with a baseline: exit 0 no worse, 1 worse, 2 bad input or nothing to
    compare, 130 interrupted.

    Worse: a settled regression beyond the margin, or a server that worked in the baseline and can
    no longer be built, started, verified or measured.

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
            f"--blocks {blocks}: too few for servers beside their baseline; give {LEAST_IN_PAIRS} "
            "or more, or --unpaired"
        )
    seconds = None if budget is None else budget_s(budget)
    wanted = NewRun(servers, blocks, seconds, unpaired, resume)
    files = {"markdown": markdown, "junit": junit, "json": json, "run": run_json}

    def judged() -> int:
        return _gate(new, baseline, across, wanted, files)

    # A run made now needs a warden, forked before anything heavy is imported.
    code = judged() if new is not None else supervised(judged, Home.default().temporary)
    raise typer.Exit(code)


def _gate(
    new: str | None,
    baseline: str,
    across: list[str] | None,
    wanted: NewRun,
    files: dict[str, Path | None],
) -> int:
    from webdyno.ab.paired import as_baseline, compare_pairs
    from webdyno.cli import context
    from webdyno.cli.chosen_run import across_of, finished_run
    from webdyno.cli.failures import INTERRUPTED
    from webdyno.cli.output import check_writable, remove_former, write, write_and_show
    from webdyno.report.formats import comparison
    from webdyno.report.formats.compare_document import CompareDocument
    from webdyno.report.formats.json_export import dumps
    from webdyno.report.formats.junit import render_junit
    from webdyno.run.comparison.compare import compare_runs
    from webdyno.store.document import written

    kinds = across_of(across) | {"source"}
    check_writable(*files.values())
    judged_by = {Path(name).resolve() for name in (baseline, new) if name is not None}
    answers = (files[kind] for kind in ("markdown", "junit", "json"))
    remove_former(*(one for one in answers if one and one.resolve() not in judged_by))
    # Before a new run there is nothing to write: a mistyped store must not be made by a look.
    with contextlib.closing(context.reading_store()) as stored:
        before = finished_run(baseline, stored)
    lost = ""
    if new is not None:
        # What an earlier gate of the study measured is judged as it was then.
        study = before.asked.name
        with contextlib.closing(context.reading_store()) as stored:
            after = finished_run(_latest(stored, study) if new == "latest" else new, stored)
    else:
        with contextlib.closing(context.store_to_go_on(wanted.resume)) as store:
            after, lost = _run_now(before, wanted, store)
    in_pairs = after.baseline == before.id
    if after.status == "interrupted":
        typer.echo(f"to continue, repeat the command with --resume {after.id}", err=True)
        return INTERRUPTED
    # Not before: no half of a run may take the place of the last baseline.
    if files["run"] is not None:
        write(files["run"], dumps(as_baseline(after, before) if in_pairs else after))
    if in_pairs and not wanted.unpaired:
        found = compare_pairs(before, after)
    elif in_pairs:
        found = compare_runs(before, as_baseline(after, before), across=kinds)
        lost = f"--unpaired was given; run {after.id} measured the baseline again, beside"
    else:
        found = compare_runs(before, after, across=kinds)
    if lost:
        found.cautions.insert(0, f"measured at another time: {lost}")
    text: dict[str, Callable[[Comparison], str]] = {
        "markdown": comparison.markdown,
        "junit": render_junit,
        "json": lambda held: written(CompareDocument.of(held)),
    }
    asked = [(files[kind], partial(render, found)) for kind, render in text.items()]
    write_and_show(asked, lambda: comparison.show(found))
    if found.regressions or found.broken:
        return 1
    if not found.says_something:
        remedy = (
            "give more time, such as --budget 10m, or more --blocks"
            if found.rows
            else "the result names each server with the reason"
        )
        raise UserError(f"{comparison.headline(found).removesuffix('.')}; {remedy}")
    return 0


def _latest(store: Store, study: str) -> str:
    """The id of the newest run of `study`, or of a gate of it. Raises `UserError` where there is
    none."""
    from webdyno.catalog.made_names import of_gate

    both = [*store.listed(study), *store.listed(of_gate(study))]
    for listed in sorted(both, key=lambda one: one.started, reverse=True):
        # A study of the user's own may be called as a gate's is.
        if listed.study == study or _is_of_gate(store.run(listed.id)):
            return listed.id
    raise UserError(f"no run of the study '{study}' is stored yet; `webdyno run` makes one")


def _is_of_gate(run: RunRecord) -> bool:
    return bool(run.baseline) or run.made_by == "gate"


def _run_now(before: RunRecord, wanted: NewRun, store: Store) -> tuple[RunRecord, str]:
    """The baseline's study once more, with a fixed number of blocks: it is looked at once. Beside
    the servers of then, or with the reason why these could not be had."""
    from webdyno.ab.paired import PairedStudy, pairs_of
    from webdyno.catalog.made_names import of_gate
    from webdyno.cli import context
    from webdyno.report.live.views import view_for
    from webdyno.run.comparison.broken import missing_in, removed_rows
    from webdyno.run.record.resume import refuse_early, to_resume
    from webdyno.run.run_study import run_study
    from webdyno.run.study.narrow import narrowed
    from webdyno.runtime.processes.supervision import private_folder
    from webdyno.trial.events import Noted

    study = study_to_gate(before, wanted)
    catalog, home = context.catalog(), context.home()
    gone = {} if wanted.servers is not None else missing_in(catalog, study.servers)
    there = [reference for reference in study.servers if reference not in gone]
    if not there:
        raise UserError(
            f"run {before.id}: none of its servers exists any more: {'; '.join(gone.values())}"
        )
    # All that can be refused is refused before anything is built.
    for reference in there:
        catalog.server_variant(reference)
    for entry in study.entries():
        catalog.scenario(entry.name)
    if gone:
        study = narrowed(study, servers=there)
    if wanted.resume is not None:
        refuse_early(store, wanted.resume, (study.name, of_gate(study.name)), study.blocks)
    with view_for() as view:
        found: PairedStudy | str = "--unpaired was given"
        if not wanted.unpaired:
            into = private_folder(home.temporary) / "gate"
            found = pairs_of(before, study, catalog, home.builds, into, view.event)
        if isinstance(found, PairedStudy):
            study, catalog = found.study, found.catalog
            if wanted.budget_s is None:
                # Both sides, and the control.
                study = narrowed(study, budget=study.budget * (2 + 1 / len(there)))
            for label, told in found.told.items():
                view.event(Noted(text=f"beside its baseline: {label}, {told}"))
        else:
            view.event(Noted(text=f"measured at another time: {found}"))
        resume = wanted.resume
        earlier = None if resume is None else to_resume(store, study, resume, catalog)
        record = run_study(
            study, catalog, home, store, listener=view.event, resume=earlier, whole=True
        )
    if isinstance(found, PairedStudy):
        record.baseline = before.id
    if gone:
        record.absent += removed_rows(before, gone)
    store.save_run(record)
    return record, "" if isinstance(found, PairedStudy) else found


def study_to_gate(before: RunRecord, wanted: NewRun) -> StudyManifest:
    """The study of `before`, with the blocks, servers and budget that are wanted. Raises
    `UserError` for servers that are not among its own."""
    from webdyno.catalog.manifest import parse_manifest
    from webdyno.catalog.reference import without_default
    from webdyno.catalog.study import StudyManifest
    from webdyno.cli.name_lists import names
    from webdyno.run.study.narrow import narrowed

    made = 1 + max((trial.block for trial in before.trials), default=0)
    blocks = wanted.blocks or max(made, LEAST_BLOCKS)
    where = f"the study of run {before.id}"
    study = parse_manifest(before.study, StudyManifest, where)
    number = {**study.blocks.model_dump(), "min": blocks, "max": blocks}
    study = parse_manifest({**study.model_dump(), "blocks": number}, StudyManifest, where)
    servers = None if wanted.servers is None else names(wanted.servers, "--servers")
    for one in servers or ():
        if without_default(one) not in study.servers:
            raise UserError(
                f"--servers {one}: not among the servers of run {before.id}; choose from "
                f"{', '.join(study.servers)}"
            )
    return narrowed(study, budget=wanted.budget_s, servers=servers)
