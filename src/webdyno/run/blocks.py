"""Blocks of trials until every comparison is settled or the budget is spent."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

from webdyno.catalog.study import StudyManifest
from webdyno.run.costs import costs_of
from webdyno.run.course import Course, plan_of, trials_of
from webdyno.run.estimates import key_of
from webdyno.run.fit import fit_loads
from webdyno.run.hanging import is_over
from webdyno.run.identity import still_to_make
from webdyno.run.judge import conditions_of, judge
from webdyno.run.keeping import timed
from webdyno.run.plan import Cell, seed_of, together
from webdyno.run.sameness import differences_of
from webdyno.run.scalability import scalability_of
from webdyno.run.schedule import GRACE, Unit, next_unit, without_those_in_the_way
from webdyno.store.lies import honest
from webdyno.store.records import RunRecord, TrialRecord
from webdyno.trial.sentinel import run_sentinel


def make_blocks(course: Course) -> None:
    """Make blocks, and conclude after each, until nothing is needed or nothing more fits."""
    while (unit := next_unit(course)) is not None:
        fit_loads(course, {key_of(matchup.cell) for _, matchup in unit.order})
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
        with closing(trials_of(course, plans, cell.title, cell.load, block)) as trials:
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
