"""A run of a study: what is asked, built and planned, and then measured block by block."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass

from webdyno.catalog.catalog import Catalog
from webdyno.catalog.studies.study import StudyManifest
from webdyno.run.bench import observe
from webdyno.run.bench.adapted_study import adapted_study
from webdyno.run.bench.server_resources import ServerResources
from webdyno.run.blocks.context import RunContext
from webdyno.run.blocks.fitted_loads import cells_that_wait, fit_loads
from webdyno.run.blocks.generator_cores import CellPlacements
from webdyno.run.blocks.make_blocks import make_blocks
from webdyno.run.blocks.run_deadline import in_time
from webdyno.run.budget.agenda import agenda, planned_matchups
from webdyno.run.budget.budget import Budget
from webdyno.run.budget.estimates import estimates
from webdyno.run.budget.planned import blocks_planned
from webdyno.run.judgement.lab_failures import none_can_be_made
from webdyno.run.preparation.servers import ReadyServer, server_record
from webdyno.run.preparation.sources import sources_of
from webdyno.run.preparation.timed_builds import with_build_times
from webdyno.run.record.identity import refuse_changed_sources, refuse_changed_versions
from webdyno.run.record.keeping import (
    closing,
    merged_versions,
    new_run,
    seconds_of,
    telling_of_others,
    timed,
)
from webdyno.run.record.passing_notes import NONE_BUILT, ended_by_the_lab, not_without, other_budget
from webdyno.run.record.resume import resumed
from webdyno.run.record.unmeasured_cells import requested_cells
from webdyno.run.record.writer import sole_writer
from webdyno.run.settings import USUAL, RunEnvironment, RunSettings
from webdyno.run.study.plan import Cell, Entry, Matchup, cells_of, entries_of, matchups_of
from webdyno.runtime.disk import check_room
from webdyno.runtime.machine.placement import narrowed_to
from webdyno.runtime.processes.private_folder import private_folder
from webdyno.store.agenda import PlanRecord
from webdyno.store.records import RunRecord, Skipped
from webdyno.store.store import Store
from webdyno.trial.events import Listener, Noted, PlanMade, RunStarted, ServerSkipped
from webdyno.words import duration


def run_study(
    study: StudyManifest, environment: RunEnvironment, settings: RunSettings = USUAL
) -> RunRecord:
    """Run `study`, or continue the run of it that `settings` names.

    Every finished trial is stored before the next starts. An interrupt stores what is there,
    marks the run as interrupted, and returns it. Raises `UserError` for wrong content.
    """
    home, store, bench = environment.home, environment.store, environment.bench
    listener, resume = environment.listener, settings.resume
    study, left_out = adapted_study(study, environment.catalog, bench)
    request = _checked_request(study, environment)
    run = resume or new_run(study, home, settings.command, bench, settings.board)
    if resume is None and settings.grown is not None:
        run.grown = [settings.grown.model_copy(update={"measured_anew": 0})]
    with ExitStack() as stack:
        stack.enter_context(sole_writer(run, store))
        if resume is not None:  # Read again: until now another process may have written it.
            run = resumed(store.run(run.id), anew=resume.plan is None)
            skipped = {left.server for left in request.skipped}
            refuse_changed_sources(run, request.sources, skipped)
        store.save_run(run)
        stack.enter_context(closing(run, store, listener))
        listener(
            RunStarted(study=study, total_entries=len(request.matchups), budget_s=study.budget)
        )
        stack.enter_context(telling_of_others(run, listener))
        if left_out:
            listener(Noted(text=left_out))
            if left_out not in run.notes:  # Already there where a run goes on.
                run.notes.append(left_out)
        ready = _build(request, run, environment)
        if study.build_times and not run.build_times:
            with_build_times(
                run,
                request.entries,
                ready,
                private_folder(home.temporary),
                listener,
                budget_s=None if settings.time_builds else study.budget,
                measure=bench.measure_builds,
            )
            store.save_run(run)
        built = [m for m in request.matchups if m.entry.server_variant.server.build_id in ready]
        if not built:
            run.notes.append(NONE_BUILT)
            return run
        required = settings.required_entry
        if required and all(matchup.entry.label != required for matchup in built):
            run.notes.append(not_without(required))
            return run
        if run.plan is None:
            run.plan = _plan(study, built, run, store, settings)
        elif run.plan.budget_s != study.budget:
            tell_other_budget(run, run.plan, study.budget, listener)
        listener(PlanMade(plan=run.plan))
        matchups = planned_matchups(built, run.plan)
        _describe(run, run.plan, request, matchups, ready)
        store.save_run(run)
        earlier = len(run.trials)

        def may_end(run: RunRecord) -> bool:
            # What kept earlier trials from being made may be mended by now.
            return settings.stop_when(run) or none_can_be_made(run.trials[earlier:])

        context = RunContext(
            run=run,
            study=study,
            matchups=matchups,
            ready=ready,
            placement=request.resources.placement,
            share=request.resources.share,
            store=store,
            budget=Budget(study.budget, spent_before=seconds_of(run.trials)),
            listener=listener,
            temporary=private_folder(home.temporary),
            sources=request.sources,
            placements=CellPlacements(request.resources, run.grown),
            bench=bench,
            done={trial.index: trial for trial in run.trials},
            stop_when=may_end,
        )
        with in_time(context, run.plan):
            planned = {cell.key for cell in run.plan.cells if cell.planned}
            fit_loads(context, planned - cells_that_wait(context, planned))
            # What that took is not the trials': the budget begins with them.
            context.budget = Budget(study.budget, spent_before=context.budget.spent_before)
            make_blocks(context)
        if none_can_be_made(made := run.trials[earlier:]):
            tell(run, ended_by_the_lab(len(made), made[-1].reason), listener)
        tell_changed_builds(run, bench.changed_builds(ready), listener)
    return run


@dataclass(frozen=True)
class _CheckedRequest:
    """What a study asks for: who competes at what, `skipped` ones left out, and what each server
    is `given`. `sources` are digests of what trials run, by entry and scenario."""

    study: StudyManifest
    catalog: Catalog
    entries: list[Entry]
    skipped: list[Skipped]
    cells: list[Cell]
    matchups: list[Matchup]
    resources: ServerResources
    sources: dict[tuple[str, str], dict[str, str]]


def _checked_request(study: StudyManifest, environment: RunEnvironment) -> _CheckedRequest:
    """What `study` asks for, checked before anything is built or measured. Raises `UserError`."""
    catalog, home, bench = environment.catalog, environment.home, environment.bench
    entries, skipped = entries_of(study, catalog)
    cells = cells_of(study, catalog)
    matchups = matchups_of(entries, cells)
    check_room(home.written)
    bench.check(cells, private_folder(home.temporary))
    resources = bench.server_resources(study, cells)
    for cell in cells:
        narrowed_to(resources.placement, cell.load.cores)
    sources = {(m.entry.label, m.cell.title): sources_of(m) for m in matchups}
    return _CheckedRequest(study, catalog, entries, skipped, cells, matchups, resources, sources)


def _build(
    request: _CheckedRequest, run: RunRecord, environment: RunEnvironment
) -> dict[str, ReadyServer]:
    """Build the servers that compete, by build id; `run` notes those that cannot take part."""
    with timed(run, "build"):
        entries = [
            entry for entry in request.entries if any(m.entry == entry for m in request.matchups)
        ]
        ready, unavailable = environment.bench.prepare(
            entries, environment.home.builds, environment.listener
        )
    builds = {entry.label: entry.server_variant.server.build_id for entry in entries}
    refuse_changed_versions(
        run, {label: ready[id_].versions for label, id_ in builds.items() if id_ in ready}
    )
    run.skipped = request.skipped + unavailable
    run.absent = requested_cells(request.study, request.catalog, run.skipped)
    for left_out in request.skipped:
        environment.listener(ServerSkipped(server=left_out.server, reason=left_out.reason))
    return ready


def _describe(
    run: RunRecord,
    plan: PlanRecord,
    request: _CheckedRequest,
    matchups: list[Matchup],
    ready: dict[str, ReadyServer],
) -> None:
    """Write into `run` who takes part, in what, on what, and how many blocks are planned."""
    study = request.study
    for label in plan.left_out:
        # The plan's words tell it.
        run.skipped.append(Skipped(server=label, reason=no_time(plan, study.budget)))
    taking_part = {matchup.entry.label for matchup in matchups}
    kinds = {kind for cell in request.cells for kind in cell.scenario.manifest.parts}
    run.servers = [
        server_record(entry, kinds, ready[entry.server_variant.server.build_id].versions)
        for entry in request.entries
        if not entry.control and entry.label in taking_part
    ]
    run.review = {
        cell.scenario.id: list(cell.scenario.manifest.review)
        for cell in request.cells
        if cell.scenario.manifest.review
    }
    run.placement = request.resources.placement.describe()
    run.limits = request.resources.share.words
    if run.planned_blocks is None and not study.blocks.late:
        headline = [m for m in matchups if m.cell.key == plan.headline]
        run.planned_blocks = blocks_planned(study, matchups if plan.everything else headline)
    # Those of services that trials had before are not known yet where a run goes on.
    run.versions = {**run.versions, **observe.versions(), **merged_versions(ready)}


def no_time(plan: PlanRecord, budget_s: float) -> str:
    """Why an entry was left out by `plan`, which a run that goes on with another budget keeps."""
    remedy = "give a longer --budget" if budget_s == plan.budget_s else "start a new run"
    return f"the budget of {duration(plan.budget_s)} left no time for it; {remedy}"


def tell_other_budget(
    run: RunRecord, plan: PlanRecord, budget_s: float, listener: Listener
) -> None:
    """Note in `run`, which goes on by its `plan`, that it has another budget than its plan was made
    for; a plan of everything is the same for any, and takes it over."""
    if plan.everything:
        run.plan = plan.model_copy(update={"budget_s": budget_s})
        return
    tell(run, other_budget(budget_s, plan.budget_s), listener)


def tell_changed_builds(run: RunRecord, changed: Mapping[str, str], listener: Listener) -> None:
    """Note in `run` whose build was changed while trials were made: what they ran is not known."""
    for id_, how in changed.items():
        tell(run, f"do not trust the trials of {id_}: {how}", listener)


def tell(run: RunRecord, note: str, listener: Listener) -> None:
    """Keep `note` in `run`, and show it now."""
    run.notes.append(note)
    listener(Noted(text=note))


def _plan(
    study: StudyManifest,
    matchups: list[Matchup],
    run: RunRecord,
    store: Store,
    settings: RunSettings,
) -> PlanRecord:
    servers = {matchup.entry.server_variant.server.id for matchup in matchups}
    known = store.timings(servers, run.machine.fingerprint)
    expected = estimates(study, matchups, known)
    plan = agenda(study, matchups, expected, whole=settings.whole, everybody=settings.everybody)
    if run.trials:  # Of a version that made no plans: everybody took part, at full length.
        everyone = [*plan.entries, *plan.left_out]
        plan = plan.model_copy(update={"entries": everyone, "left_out": [], "lengths_s": {}})
    return plan
