"""What a run carries along, and how its trials are made: planned, announced, alone or in turns."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from webdyno.catalog.loads.load import Load
from webdyno.catalog.loads.warm_up import Bounds
from webdyno.catalog.studies.study import StudyManifest
from webdyno.generators.job import fresh_seed
from webdyno.run.bench.bench import HERE, Bench
from webdyno.run.blocks.generator_cores import CellPlacements
from webdyno.run.budget.budget import Budget
from webdyno.run.preparation.servers import ReadyServer
from webdyno.run.record.identity import refuse_changed_services
from webdyno.run.study.plan import Cell, DueTrial, Matchup, seed_of
from webdyno.runtime.machine.placement import Placement, narrowed_to
from webdyno.runtime.machine.share import Share
from webdyno.runtime.processes.deadline import Deadline
from webdyno.store.cell import CellKey
from webdyno.store.records import RunRecord, TrialRecord
from webdyno.store.store import Store
from webdyno.trial.events import Listener, Noted, TrialFinished, TrialStarted
from webdyno.trial.life import StartPlans
from webdyno.trial.plan import TrialPlan
from webdyno.trial.site import site_of
from webdyno.trial.turn_taking.regime import Regimes

MOST_PROLONGED = 4.0
"""How many times its usual maximum a warm-up may take in the end."""


def never(_run: RunRecord) -> bool:
    """A run that its trials alone do not end."""
    return False


@dataclass
class RunContext:
    """Everything a run carries from block to block."""

    run: RunRecord
    study: StudyManifest
    matchups: list[Matchup]
    ready: dict[str, ReadyServer]
    placement: Placement
    share: Share
    store: Store
    budget: Budget
    listener: Listener
    temporary: Path
    sources: dict[tuple[str, str], dict[str, str]]
    placements: CellPlacements
    bench: Bench = HERE
    done: dict[int, TrialRecord] = field(default_factory=dict)
    limit: Deadline | None = None
    """When what hangs is ended."""
    fitted: set[CellKey] = field(default_factory=set)
    """Cells whose open loads were fitted: `matchups` hold them as they are made."""
    stop_when: Callable[[RunRecord], bool] = never
    """Whether nothing that is still to be measured would change the answer."""


def warm_up_of(context: RunContext, matchup: Matchup) -> Bounds:
    """The warm-up of the matchup's next trial: longer after trials that were not steady."""
    usual = matchup.entry.server_variant.server.warmup_of(context.study.warmup)
    where = matchup.entry.label, *matchup.cell.key
    cold = sum(
        trial.warmup is not None and not trial.is_evidence
        for trial in context.run.trials
        if trial.place == where and trial.status == "ok"
    )
    return usual.prolonged(min(2.0**cold, MOST_PROLONGED))


def trials_of(
    context: RunContext, starts: Iterable[StartPlans], cells: Sequence[Cell], block: int
) -> Generator[TrialRecord]:
    """The trials of `starts`, each of which makes all of `cells` that it lacks, in this order: in
    turns where their loads have slices. Cells of one generator and scenario."""
    title, generator = cells[0].title, cells[0].load.generator
    loads = [cell.load for cell in cells]
    if not loads[0].in_turns:
        yield from context.bench.trials(starts, generator, context.listener)
        return
    seed = seed_of(context.run.id, block, 2)
    regimes = Regimes({load.label(): _whole(context, title, load) for load in loads})
    yield from context.bench.trials(starts, generator, context.listener, (seed, regimes))
    for load in loads:
        if note := regimes.of(load).note:
            message = f"{title} under {load.label()}: no turns, because {note}"
            context.listener(Noted(text=message))


def _whole(context: RunContext, scenario: str, load: Load) -> str:
    """Why the cell was measured without turns before, if it was: then it stays so."""
    earlier = (t.setup for t in context.run.trials if t.cell == (scenario, load.label()))
    return next((made.turns_note for made in earlier if made is not None and made.turns_note), "")


def has_restarted(context: RunContext, matchup: Matchup) -> bool:
    """Whether a trial of the entry at the scenario has got beyond the proof by further starts: one
    that failed in it, or before it, has shown nothing."""
    mine = _trials_of(context, matchup)
    return any({"restart", "settle"} <= trial.step_seconds.keys() for trial in mine)


def has_reconciled(context: RunContext, matchup: Matchup) -> bool:
    """Whether a trial of the entry at the scenario has passed: the first to pass was thorough."""
    return any(trial.status == "ok" for trial in _trials_of(context, matchup))


def _trials_of(context: RunContext, matchup: Matchup) -> Iterator[TrialRecord]:
    where = matchup.entry.label, matchup.cell.title
    return (trial for trial in context.run.trials if (trial.entry, trial.scenario) == where)


_AGAIN_ONE_IN = 4
"""Trials that prove what takes long although an earlier one has: no server can know which."""


def needs_no_restart(context: RunContext, matchup: Matchup) -> bool:
    """Whether the next trial of the entry at the scenario leaves the proof by further starts out,
    as most do once it was made. Drawn anew at each call, and not from the run's seeds, which a
    server may find out."""
    return has_restarted(context, matchup) and secrets.randbelow(_AGAIN_ONE_IN) > 0


def needs_no_wait(context: RunContext, matchup: Matchup) -> bool:
    """Whether the next trial of the entry at the scenario does not wait for services' counters to
    be whole; drawn in the same way."""
    return has_reconciled(context, matchup) and secrets.randbelow(_AGAIN_ONE_IN) > 0


def plan_of(context: RunContext, due: DueTrial, *, block: int, trials_in_block: int) -> TrialPlan:
    """The trial that is `due` and begins now."""
    matchup, index = due.matchup, due.index
    server_variant, cell = matchup.entry.server_variant, matchup.cell
    ready = context.ready[server_variant.server.build_id]
    plan = TrialPlan(
        run_id=context.run.id,
        index=index,
        block=block,
        order=due.place,
        server_variant=server_variant,
        control=matchup.entry.control,
        build=ready.build,
        scenario=cell.scenario,
        title=cell.title,
        load=cell.load,
        placement=narrowed_to(context.placements.placement(cell), cell.load.cores),
        warmup=warm_up_of(context, matchup),
        seed=fresh_seed(),
        run_folder=Path(context.run.folder),
        temporary=context.temporary,
        parameters=cell.parameters.parameters,
        versions=ready.versions,
        share=context.share,
        sources=context.sources[matchup.entry.label, cell.title],
        restarted=needs_no_restart(context, matchup),
        reconciled=needs_no_wait(context, matchup),
        site=site_of(server_variant.server),
    )
    context.listener(
        TrialStarted(
            server=server_variant.server.id,
            variant=server_variant.variant,
            control=matchup.entry.control,
            scenario=cell.title,
            load=cell.load.label(),
            block=block,
            order=due.place,
            trials_in_block=trials_in_block,
            budget_left_s=context.budget.left(),
        )
    )
    return plan


def keep(context: RunContext, trial: TrialRecord) -> None:
    """Store a trial before anything else happens. Raises `UserError` where it does not compare with
    those before it."""
    refuse_changed_services(context.run, trial)
    context.store.add_trial(trial)
    context.done[trial.index] = trial
    context.run.trials.append(trial)
    # The services' versions are known only once they have run.
    context.run.versions.update({one.program: one.version for one in trial.services})
    context.listener(TrialFinished(record=trial))
