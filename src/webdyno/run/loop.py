"""The run: blocks of trials until every comparison is settled or the budget is spent."""

from __future__ import annotations

from contextlib import ExitStack
from contextlib import closing as closing_iterator
from dataclasses import replace

from webdyno.catalog.catalog import Catalog
from webdyno.catalog.load import Load, Open
from webdyno.catalog.study import StudyManifest
from webdyno.generators.registry import generator_named
from webdyno.run import observe
from webdyno.run.absent import asked_for
from webdyno.run.agenda import agenda, as_planned
from webdyno.run.all_cores import with_all_cores
from webdyno.run.budget import Budget
from webdyno.run.costs import costs_of
from webdyno.run.course import Course, plan_of, trials_of
from webdyno.run.estimates import estimates, key_of
from webdyno.run.given import given
from webdyno.run.hanging import in_time, is_over
from webdyno.run.identity import (
    refuse_changed_sources,
    refuse_changed_versions,
    still_to_make,
)
from webdyno.run.judge import conditions_of, judge
from webdyno.run.keeping import closing, merged_versions, new_run, seconds_of, timed
from webdyno.run.needs import check_needs
from webdyno.run.plan import (
    Cell,
    Matchup,
    cells_of,
    entries_of,
    matchups_of,
    seed_of,
    together,
)
from webdyno.run.planned import blocks_planned
from webdyno.run.prepare import measure_builds, prepare, server_record, tell_changed_builds
from webdyno.run.resume import taken_up
from webdyno.run.sameness import differences_of
from webdyno.run.scalability import scalability_of
from webdyno.run.scale import apply, scalings
from webdyno.run.schedule import GRACE, Unit, next_unit, without_those_in_the_way
from webdyno.run.sources import sources_of
from webdyno.run.widen import Widths
from webdyno.run.writer import sole_writer
from webdyno.runtime.disk import check_room
from webdyno.runtime.home import Home
from webdyno.runtime.placement import narrowed_to
from webdyno.runtime.supervision import private_folder
from webdyno.store.agenda import PlanRecord
from webdyno.store.lies import honest
from webdyno.store.records import RunRecord, Skipped, TrialRecord
from webdyno.store.store import Store
from webdyno.trial.life import run_trial
from webdyno.trial.plan import Listener, silent
from webdyno.trial.sentinel import run_sentinel
from webdyno.verdict.steady import warm_imports

CALIBRATION_INDEX = 9999
"""Names the logs of the short trials that fit loads to the machine; they are not kept as trials."""


def run_study(
    study: StudyManifest,
    catalog: Catalog,
    home: Home,
    store: Store,
    *,
    listener: Listener = silent,
    resume: RunRecord | None = None,
    command: str | None = None,
    whole: bool = False,
) -> RunRecord:
    """Run `study`, or go on with the killed run `resume`.

    With `whole` nothing is preferred or left out where the budget is small: every block is one of
    everything, as far as it goes.

    Every finished trial is stored before the next starts. An interrupt stores what is there,
    marks the run as interrupted, and gives it back. Raises `UserError` for content that is wrong.
    """
    study = with_all_cores(study, catalog)
    entries, skipped = entries_of(study, catalog)
    cells = cells_of(study, catalog)
    asked = matchups_of(entries, cells)
    # Before anything is built or measured.
    check_room([home.root, home.temporary])
    check_needs(cells, private_folder(home.temporary))
    sources = {(m.entry.label, m.cell.title): sources_of(m) for m in asked}
    run = resume or new_run(study, home, command)
    with ExitStack() as held:
        held.enter_context(sole_writer(run))
        if resume is not None:  # Read again: until now another process may have written it.
            run = taken_up(store.run(run.id))
            refuse_changed_sources(run, sources)
        store.save_run(run)
        held.enter_context(closing(run, store, listener))
        warm_imports()
        listener(
            "run_started",
            study=study,
            total_entries=len(asked),
            budget_s=study.budget,
        )
        with timed(run, "build"):
            wanted = [entry for entry in entries if any(m.entry == entry for m in asked)]
            ready, unavailable = prepare(wanted, home.builds, listener)
        refuse_changed_versions(run, ready)
        run.skipped = skipped + unavailable
        run.absent = asked_for(study, catalog, run.skipped)
        for left_out in skipped:
            listener("server_skipped", server=left_out.server, reason=left_out.reason)
        if study.build_times and not run.build_times:
            temporary = private_folder(home.temporary)
            run.build_times = measure_builds(entries, ready, temporary, listener)
            store.save_run(run)
        competing = [entry for entry in entries if entry.contender.server.build_id in ready]
        every = [matchup for matchup in asked if matchup.entry in competing]
        if not every:
            run.notes.append("none of the servers could be built")
            return run
        if run.plan is None:
            run.plan = _plan(study, every, run, store, whole)
        listener("planned", plan=run.plan)
        for label in run.plan.left_out:
            why = f"no time for it in {study.budget:.0f} s; a longer --budget measures it"
            run.skipped.append(Skipped(server=label, reason=why))  # The plan's words tell it.
        matchups = as_planned(every, run.plan)
        taking_part = {matchup.entry.label for matchup in matchups}
        kinds = {kind for cell in cells for kind in cell.scenario.manifest.parts}
        run.servers = [
            server_record(entry, kinds)
            for entry in competing
            if not entry.control and entry.label in taking_part
        ]
        run.review = {
            cell.scenario.id: list(cell.scenario.manifest.review)
            for cell in cells
            if cell.scenario.manifest.review
        }
        having = given(study, any(cell.scenario.manifest.services for cell in cells))
        placement, share = having.placement, having.share
        run.placement, run.limits = placement.describe(), share.words
        if run.planned_blocks is None:
            headline = [m for m in matchups if key_of(m.cell) == (run.plan.scenario, run.plan.load)]
            run.planned_blocks = blocks_planned(
                study, matchups if run.plan.everything else headline
            )
        for cell in cells:
            narrowed_to(placement, cell.load.cores)  # Refused now rather than in its trial.
        run.versions = {**observe.versions(), **merged_versions(ready)}
        store.save_run(run)
        course = Course(
            run=run,
            study=study,
            matchups=matchups,
            ready=ready,
            placement=placement,
            share=share,
            store=store,
            budget=Budget(study.budget, spent_before=seconds_of(run.trials)),
            listener=listener,
            temporary=private_folder(home.temporary),
            sources=sources,
            widths=Widths(having, run.grown),
            done={trial.index: trial for trial in run.trials},
        )
        with in_time(course, run.plan):
            _fit_loads(course, {(c.scenario, c.load) for c in run.plan.cells if c.planned})
            # What that took is not the trials': the budget begins with them.
            course.budget = Budget(study.budget, spent_before=course.budget.spent_before)
            _blocks(course)
        tell_changed_builds(run, ready, listener)
    return run


def _plan(
    study: StudyManifest, matchups: list[Matchup], run: RunRecord, store: Store, whole: bool
) -> PlanRecord:
    servers = {matchup.entry.contender.server.id for matchup in matchups}
    known = store.timings(servers, str(run.machine.get("fingerprint", "")))
    plan = agenda(study, matchups, estimates(study, matchups, known), whole=whole)
    if run.trials:  # Of a version that made no plans: everybody took part, at full length.
        everybody = [*plan.entries, *plan.left_out]
        plan = plan.model_copy(update={"entries": everybody, "left_out": [], "lengths_s": {}})
    return plan


def _fit_loads(course: Course, cells: set[tuple[str, str]]) -> None:
    """Settle rates and lengths of the loads of `cells` that leave them open, once a run."""
    run = course.run
    settled = {(scaling.scenario, scaling.load) for scaling in run.scalings or []}
    mine = [
        matchup
        for matchup in course.matchups
        if key_of(matchup.cell) in cells - settled
        and (run.scalings is None or isinstance(matchup.cell.load, Open))
    ]
    if mine:

        def measure(matchup: Matchup, load: Load) -> TrialRecord:
            cell = Cell(matchup.cell.scenario, matchup.cell.parameters, load)
            plan = plan_of(course, Matchup(matchup.entry, cell), (0, 0, 1), CALIBRATION_INDEX)
            return run_trial(plan, generator_named(load.generator), course.listener)

        study = course.study
        if run.scalings is not None:  # Of a cell that was not planned: it has what is left.
            study = study.model_copy(update={"budget": max(1.0, course.budget.left())})
        found = scalings(study, mine, measure)
        for scaling in found:
            made = ", ".join(scaling.given)
            asked = ", ".join(scaling.asked)
            told = f"{scaling.scenario} under {scaling.load}: {made} (asked: {asked})"
            course.listener("note", text=told)
        run.scalings = [*(run.scalings or []), *found]
        course.store.save_run(run)
    fitted = {(scaling.scenario, scaling.load) for scaling in run.scalings or []} - course.fitted
    new = [one for one in run.scalings or [] if (one.scenario, one.load) in fitted]
    course.matchups = apply(course.matchups, new)
    course.fitted |= fitted


def _blocks(course: Course) -> None:
    while (unit := next_unit(course)) is not None:
        _fit_loads(course, {key_of(matchup.cell) for _, matchup in unit.order})
        complete = _one_block(course, _as_fitted(course, unit))
        with timed(course.run, "judge"):
            conclude(course.study, course.run)
        course.store.save_run(course.run)
        course.listener("block_finished", block=unit.block, verdicts=course.run.verdicts)
        if is_over(course):
            break
        if not complete:
            course.run.notes.append(
                f"the budget of {course.study.budget:.0f} s ended within block {unit.block + 1}"
            )
            break


def _as_fitted(course: Course, unit: Unit) -> Unit:
    """The unit with its loads as they are made now."""
    now = {(m.entry.label, key_of(m.cell)): m for m in course.matchups}
    order = [(place, now[m.entry.label, key_of(m.cell)]) for place, m in unit.order]
    return replace(unit, order=order)


def conclude(study: StudyManifest, run: RunRecord) -> None:
    """Write into `run` what its trials so far support."""
    run.verdicts = judge(study, run.trials, conditions_of(run, study))
    trusted = honest(run.trials)
    run.costs = costs_of(study, trusted)
    run.scalability = scalability_of(study, trusted)
    run.differences = differences_of(run.trials)


def _one_block(course: Course, unit: Unit) -> bool:
    """Run a block's trials; False where the budget ended it early."""
    block, order = unit.block, unit.order
    # What an answer needs may overrun a little, since without its end the rest of it is lost.
    grace_s = GRACE * course.budget.seconds if unit.needed else 0.0
    sentinel_at = order[seed_of(course.run.id, block, 1) % len(order)][0]
    groups = together(order)
    while groups:
        those = groups.pop(0)
        if any(place_in_block == sentinel_at for place_in_block, _ in those):
            _sentinel(course, unit)
        left = still_to_make(course.done, block, len(course.matchups), those)
        if not left:
            continue
        # The first trial of all is made however little time there is.
        if course.budget.left() <= -grace_s and course.done:
            return False
        left = without_those_in_the_way(course, unit, left)
        if not left:
            continue
        plans = (
            plan_of(course, matchup, (block, place_in_block, len(order)), index)
            for index, (place_in_block, matchup) in left.items()
        )
        cell = those[0][1].cell
        with closing_iterator(trials_of(course, plans, cell.title, cell.load, block)) as trials:
            for trial in trials:
                _keep(course, trial)
                if is_over(course):
                    return False
        if _widened(course, block, cell):
            # What was measured with the smaller generator does not compare with what follows.
            again = [one for one in order if one[1].cell == cell]
            groups = [*together(again), *(g for g in groups if g[0][1].cell != cell)]
    return True


def _widened(course: Course, block: int, cell: Cell) -> bool:
    """Whether the cell's generator was the limit and has more cores now; its trials are undone.

    Settled in the first block, so that all blocks compare.
    """
    run, key = course.run, (cell.title, cell.load.label())
    mine = [trial for trial in run.trials if (trial.scenario, trial.load) == key]
    found = course.widths.widen(cell, mine) if block == 0 else None
    if found is None:
        return False
    earlier = [one for one in run.grown if (one.scenario, one.load) == key]
    found.measured_anew = len(mine) + sum(one.measured_anew for one in earlier)
    run.grown = [one for one in run.grown if one not in earlier] + [found]
    run.trials = [trial for trial in run.trials if trial not in mine]
    for trial in mine:
        del course.done[trial.index]
    # In this order: a run that is killed in between measures again what it need not have.
    course.store.remove_trials(run.id, [trial.index for trial in mine])
    course.store.save_run(run)
    told = f"{key[0]} under {key[1]}: the load generator was the limit, and gets more cores"
    course.listener("note", text=f"{told}: {found.placement}")
    return True


def _keep(course: Course, trial: TrialRecord) -> None:
    """Store a trial before anything else happens."""
    course.store.add_trial(trial)
    course.done[trial.index] = trial
    course.run.trials.append(trial)
    # The services' versions are known only once they have run.
    course.run.versions.update({one.program: one.version for one in trial.services})
    course.listener("trial_finished", record=trial)


def _sentinel(course: Course, unit: Unit) -> None:
    """Measure the machine at a random place of the block, once."""
    scenario, load = unit.cell or ("", "")
    among = {(s.scenario, s.load) for s in course.run.sentinels if s.block == unit.block}
    if not course.study.sentinel or (scenario, load) in among:
        return
    if all(matchup.cell.load.method == "as-published" for _, matchup in unit.order):
        return
    if course.budget.left() <= 0 and course.done:
        return
    seen = run_sentinel(course.placement, unit.block, course.temporary)
    if seen is not None:
        named = seen.model_copy(update={"scenario": scenario, "load": load})
        course.run.sentinels.append(named)
        course.store.save_run(course.run)
