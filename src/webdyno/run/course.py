"""What a run carries along, and how its trials are made: planned, announced, alone or in turns."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from webdyno.catalog.load import Load
from webdyno.catalog.study import StudyManifest
from webdyno.generators.registry import generator_named
from webdyno.run.budget import Budget
from webdyno.run.plan import Matchup, seed_of
from webdyno.run.prepare import Ready
from webdyno.runtime.placement import Placement, narrowed_to
from webdyno.runtime.share import Share
from webdyno.store.records import RunRecord, TrialRecord
from webdyno.store.store import Store
from webdyno.trial.life import run_trial
from webdyno.trial.plan import Listener, TrialPlan
from webdyno.trial.turns import run_in_turns


@dataclass
class Course:
    """Everything a run carries from block to block."""

    run: RunRecord
    study: StudyManifest
    matchups: list[Matchup]
    ready: dict[str, Ready]
    placement: Placement
    share: Share
    store: Store
    budget: Budget
    listener: Listener
    temporary: Path
    sources: dict[tuple[str, str], dict[str, str]]
    done: dict[int, TrialRecord] = field(default_factory=dict)


def trials_of(
    course: Course, plans: Iterable[TrialPlan], load: Load, block: int
) -> Generator[TrialRecord]:
    """The trials of `plans`, which share a load: in turns where it has slices."""
    generator = generator_named(load.generator)
    if load.in_turns:
        yield from run_in_turns(plans, generator, course.listener, seed_of(course.run.id, block, 2))
    else:
        for plan in plans:
            yield run_trial(plan, generator, course.listener)


def plan_of(course: Course, matchup: Matchup, place: tuple[int, int, int], index: int) -> TrialPlan:
    """A trial that begins now; `place` is its block, its place there, and how many that has."""
    block, place_in_block, trials_in_block = place
    contender, cell = matchup.entry.contender, matchup.cell
    ready = course.ready[contender.server.id]
    plan = TrialPlan(
        run_id=course.run.id,
        index=index,
        block=block,
        order=place_in_block,
        contender=contender,
        control=matchup.entry.control,
        build=ready.build,
        scenario=cell.scenario,
        title=cell.title,
        load=cell.load,
        placement=narrowed_to(course.placement, cell.load.cores),
        warmup=course.study.warmup,
        seed=seed_of(course.run.id, index),
        run_folder=Path(course.run.folder),
        temporary=course.temporary,
        parameters=cell.parameters.parameters,
        versions=ready.versions,
        share=course.share,
        sources=course.sources[matchup.entry.label, cell.title],
    )
    course.listener(
        "trial_started",
        server=contender.server.id,
        variant=contender.variant,
        control=matchup.entry.control,
        scenario=cell.title,
        load=cell.load.label(),
        block=block,
        order=place_in_block,
        trials_in_block=trials_in_block,
        budget_left_s=course.budget.left(),
    )
    return plan
