"""The run: blocks of trials until every comparison is settled or the budget is spent."""

from __future__ import annotations

import statistics
from contextlib import closing as closing_iterator

from webdyno.catalog.catalog import Catalog
from webdyno.catalog.load import Load
from webdyno.catalog.study import StudyManifest
from webdyno.generators.registry import generator_named, make_ready, refuse
from webdyno.run import observe
from webdyno.run.budget import Budget
from webdyno.run.costs import costs_of
from webdyno.run.course import Course, plan_of, trials_of
from webdyno.run.given import given
from webdyno.run.judge import conditions_of, judge, still_needed
from webdyno.run.keeping import closing, merged_versions, new_run, seconds_of, timed
from webdyno.run.plan import (
    Cell,
    Matchup,
    cells_of,
    entries_of,
    matchups_of,
    order_of_block,
    seed_of,
    together,
)
from webdyno.run.planned import blocks_planned
from webdyno.run.prepare import measure_builds, prepare, server_record
from webdyno.run.sameness import differences_of
from webdyno.run.scalability import scalability_of
from webdyno.run.scale import apply, scalings
from webdyno.run.sources import sources_of
from webdyno.runtime.home import Home
from webdyno.runtime.placement import narrowed_to
from webdyno.runtime.supervision import private_folder
from webdyno.store.records import RunRecord, TrialRecord
from webdyno.store.store import Store
from webdyno.trial.life import run_trial
from webdyno.trial.plan import Listener, silent
from webdyno.trial.sentinel import run_sentinel
from webdyno.verdict.steady import warm_imports

CALIBRATION_INDEX = 9999
"""Names the logs of the short trials that fit loads to the machine; they are not kept as trials."""

FIRST_GUESS_S = 6.0
"""What a trial is thought to take before one has been timed."""


def run_study(
    study: StudyManifest,
    catalog: Catalog,
    home: Home,
    store: Store,
    *,
    listener: Listener = silent,
    resume: RunRecord | None = None,
    command: str | None = None,
) -> RunRecord:
    """Run `study`, or go on with the killed run `resume`.

    Every finished trial is stored before the next starts. An interrupt stores what is there,
    marks the run as interrupted, and gives it back. Raises `UserError` for content that is wrong.
    """
    entries, skipped = entries_of(study, catalog)
    cells = cells_of(study, catalog)
    for cell in cells:
        refuse(cell.scenario.manifest, cell.load)  # Before anything is built, let alone measured.
    run = resume or new_run(study, home, command)
    store.save_run(run)
    with closing(run, store, listener):
        warm_imports()
        listener(
            "run_started",
            study=study,
            total_entries=len(matchups_of(entries, cells)),
            budget_s=study.budget,
        )
        with timed(run, "build"):
            ready, unavailable = prepare(entries, home.builds, listener)
            make_ready({cell.load.generator for cell in cells}, private_folder(home.temporary))
        run.skipped = skipped + unavailable
        for left_out in skipped:
            listener("server_skipped", server=left_out.server, reason=left_out.reason)
        if study.build_times and not run.build_times:
            temporary = private_folder(home.temporary)
            run.build_times = measure_builds(entries, ready, temporary, listener)
            store.save_run(run)
        competing = [entry for entry in entries if entry.contender.server.id in ready]
        matchups = matchups_of(competing, cells)
        run.servers = [server_record(entry) for entry in competing if not entry.control]
        placement, share = given(study, any(cell.scenario.manifest.services for cell in cells))
        run.placement, run.limits = placement.describe(), share.words
        if run.planned_blocks is None:
            run.planned_blocks = blocks_planned(study, matchups)
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
            sources={(m.entry.label, m.cell.title): sources_of(m) for m in matchups},
            done={trial.index: trial for trial in run.trials},
        )
        _fit_loads(course)
        _blocks(course)
    return run


def _fit_loads(course: Course) -> None:
    """Settle rates and lengths of loads that leave them open, once a run."""
    run = course.run
    if run.scalings is None:

        def measure(matchup: Matchup, load: Load) -> TrialRecord:
            cell = Cell(matchup.cell.scenario, matchup.cell.parameters, load)
            plan = plan_of(course, Matchup(matchup.entry, cell), (0, 0, 1), CALIBRATION_INDEX)
            return run_trial(plan, generator_named(load.generator), course.listener)

        run.scalings = scalings(course.study, course.matchups, measure)
        for scaling in run.scalings:
            made = ", ".join(scaling.given)
            asked = ", ".join(scaling.asked)
            told = f"{scaling.scenario} under {scaling.load}: {made} (asked: {asked})"
            course.listener("note", text=told)
        course.store.save_run(run)
        # What it took is not the trials': the budget begins with them.
        course.budget = Budget(course.study.budget, spent_before=course.budget.spent_before)
    course.matchups = apply(course.matchups, run.scalings)


def _blocks(course: Course) -> None:
    blocks = course.study.blocks
    for block in range(blocks.max):
        order = _wanted(course, block)
        if not order or not _block_fits(course, block, [matchup for _, matchup in order]):
            break
        complete = _one_block(course, block, order)
        with timed(course.run, "judge"):
            conclude(course.study, course.run)
        course.store.save_run(course.run)
        course.listener("block_finished", block=block, verdicts=course.run.verdicts)
        if not complete:
            course.run.notes.append(
                f"the budget of {course.study.budget:.0f} s ended within block {block + 1}"
            )
            break


def conclude(study: StudyManifest, run: RunRecord) -> None:
    """Write into `run` what its trials so far support."""
    run.verdicts = judge(study, run.trials, conditions_of(run, study))
    run.costs = costs_of(study, run.trials)
    run.scalability = scalability_of(study, run.trials)
    run.differences = differences_of(run.trials)


def _wanted(course: Course, block: int) -> list[tuple[int, Matchup]]:
    """The block's trials in their order, each with its place in the whole random order."""
    order = order_of_block(course.matchups, course.run.id, block)
    if block < course.study.blocks.min:
        return list(enumerate(order))
    earlier = [trial for trial in course.run.trials if trial.block < block]
    needed = still_needed(course.study, earlier, conditions_of(course.run, course.study))
    return [
        (place, matchup)
        for place, matchup in enumerate(order)
        if (matchup.entry.label, matchup.cell.title, matchup.cell.load.label()) in needed
    ]


def _one_block(course: Course, block: int, order: list[tuple[int, Matchup]]) -> bool:
    """Run a block's trials; False where the budget ended it early."""
    sentinel_at = order[seed_of(course.run.id, block, 1) % len(order)][0]
    for those in together(order):
        if any(place_in_block == sentinel_at for place_in_block, _ in those):
            _sentinel(course, block)
        places = {block * len(course.matchups) + place: (place, m) for place, m in those}
        left = {index: which for index, which in places.items() if index not in course.done}
        if not left:
            continue
        # The first block gives every entry a figure, so it alone may use the budget to its end.
        if course.budget.left() <= 0 and course.done:
            return False
        plans = (
            plan_of(course, matchup, (block, place_in_block, len(order)), index)
            for index, (place_in_block, matchup) in left.items()
        )
        with closing_iterator(trials_of(course, plans, those[0][1].cell.load, block)) as trials:
            for trial in trials:
                _keep(course, trial)
    return True


def _keep(course: Course, trial: TrialRecord) -> None:
    """Store a trial before anything else happens."""
    course.store.add_trial(trial)
    course.done[trial.index] = trial
    course.run.trials.append(trial)
    # The services' versions are known only once they have run.
    course.run.versions.update({one.program: one.version for one in trial.services})
    course.listener("trial_finished", record=trial)


def _sentinel(course: Course, block: int) -> None:
    """Measure the machine at a random place of the block, once."""
    if not course.study.sentinel or any(s.block == block for s in course.run.sentinels):
        return
    if course.budget.left() <= 0 and course.done:
        return
    seen = run_sentinel(course.placement, block, course.temporary)
    if seen is not None:
        course.run.sentinels.append(seen)
        course.store.save_run(course.run)


def _block_fits(course: Course, block: int, matchups: list[Matchup]) -> bool:
    if block == 0 or any(trial.block == block for trial in course.done.values()):
        return True
    # By load: a search for a rate takes five times as long as a closed loop.
    timed: dict[str, list[float]] = {}
    for trial in course.done.values():
        timed.setdefault(trial.load, []).append(trial.took_s)
    each = {load: statistics.median(seconds) for load, seconds in timed.items()}
    expected = sum(each.get(matchup.cell.load.label(), FIRST_GUESS_S) for matchup in matchups)
    return course.budget.fits(expected)
