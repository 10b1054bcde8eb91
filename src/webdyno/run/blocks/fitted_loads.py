"""Loads that leave their rates or lengths open are fitted to the machine, once a run."""

from __future__ import annotations

import statistics
from collections import defaultdict

from webdyno.catalog.loads.load import Load, Open
from webdyno.catalog.studies.study import StudyManifest
from webdyno.run.blocks.context import RunContext, keep, plan_of
from webdyno.run.blocks.load_fitting import (
    apply_fitted,
    fitted_loads,
    is_scaled_to_half,
    shows_capacity,
)
from webdyno.run.study.plan import Cell, DueTrial, Matchup
from webdyno.store.cell import CellKey
from webdyno.store.disqualification import disqualifications
from webdyno.store.records import FittedLoadRecord, TrialRecord
from webdyno.trial.events import Noted

CALIBRATION_INDEX = 9999
"""Names the logs of the short trials that fit loads to the machine. They are not kept as trials,
except those that prove a lie."""


def cells_that_wait(context: RunContext, cells: set[CellKey]) -> set[CellKey]:
    """Those of `cells` whose rate need not be known yet, because trials of others among them will
    show it: starting and warming a server up for that alone may take longer than the load."""
    loads = {m.cell.key: m.cell.load for m in context.matchups if m.cell.key in cells}
    settled = {record.cell for record in context.run.fitted_loads or []}
    shows = {title for (title, _), load in loads.items() if shows_capacity(load)}
    return {
        key for key, load in loads.items() if is_scaled_to_half(load) and key[0] in shows
    } - settled


def fit_loads(context: RunContext, cells: set[CellKey]) -> None:
    """Settle rates and lengths of the loads of `cells` that leave them open, once a run."""
    run = context.run
    settled = {record.cell for record in run.fitted_loads or []}
    open_matchups = [
        matchup
        for matchup in context.matchups
        if matchup.cell.key in cells - settled
        and (run.fitted_loads is None or isinstance(matchup.cell.load, Open))
    ]
    if open_matchups:

        def measure(matchup: Matchup, load: Load) -> TrialRecord:
            cell = Cell(matchup.cell.scenario, matchup.cell.parameters, load)
            due = DueTrial(CALIBRATION_INDEX, 0, Matchup(matchup.entry, cell))
            plan = plan_of(context, due, block=0, trials_in_block=1)
            starts = [iter([plan])]
            trial = next(iter(context.bench.trials(starts, load.generator, context.listener)))
            if trial.lie:
                _keep_proof(context, matchup, trial)
            return trial

        study = context.study
        if run.fitted_loads is not None:  # Of a cell that was not planned: it has what is left.
            study = study.model_copy(update={"budget": max(1.0, context.budget.left())})
        found = fitted_loads(study, open_matchups, measure, _rates_by_trials(context))
        for record in found:
            context.listener(Noted(text=fitted_load_note(record, study)))
        run.fitted_loads = [*(run.fitted_loads or []), *found]
        context.store.save_run(run)
    fitted = {record.cell for record in run.fitted_loads or []} - context.fitted
    new_records = [one for one in run.fitted_loads or [] if one.cell in fitted]
    context.matchups = apply_fitted(context.matchups, new_records)
    context.fitted |= fitted


def _keep_proof(context: RunContext, matchup: Matchup, trial: TrialRecord) -> None:
    """Keep a short trial that proved a lie as that of its server in the first block, without its
    figures: they are those of another load. Its logs may be gone: each calibration's take the
    place of the last one's."""
    if (trial.scenario, trial.entry) in disqualifications(context.run.trials):
        return
    about = {
        "index": max([CALIBRATION_INDEX, *context.done]) + 1,
        "load": matchup.cell.load.label(),
        "measurement": None,
        "warmup": None,
        "bottleneck": "",
        "bottleneck_reason": "",
        "one_thread": False,
    }
    keep(context, trial.model_copy(update=about))


def fitted_load_note(record: FittedLoadRecord, study: StudyManifest) -> str:
    """How a load was fitted, in a line."""
    phases = ", ".join(record.given)
    half = any(load.label() == record.load and is_scaled_to_half(load) for load in study.loads)
    why = f"half of what {record.slowest} handles" if half else f"asked: {', '.join(record.asked)}"
    return f"{record.scenario} under {record.load}: {phases} ({why})"


def _rates_by_trials(context: RunContext) -> dict[tuple[str, str], float]:
    """What an entry handles in a scenario, by the run's own trials."""
    full = {m.cell.key for m in context.matchups if shows_capacity(m.cell.load)}
    rates_of: dict[tuple[str, str], list[float]] = defaultdict(list)
    for trial in context.run.trials:
        if trial.cell in full and trial.status == "ok" and trial.measurement:
            rates_of[trial.entry, trial.scenario].append(trial.measurement.throughput_rps)
    return {at: statistics.median(rates) for at, rates in rates_of.items()}
