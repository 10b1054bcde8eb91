"""Fitting open loads to a machine that is too small, or to a budget that is too short, for them.

Rates: before the first block each server is loaded briefly in a closed loop, which shows about what
it can handle; an open load with `scale = "auto"` is then multiplied by one factor for all servers
of its scenario, so that its highest rate is `PART` of what the slowest handles, and one with
`scale = "half"` so that it is half of that. It is never raised. Where trials have already shown
what a server handles, a load with `scale = "half"` needs nothing more.

Lengths: an open load with `shortest` has its phases shortened by one factor, so that the fewest
blocks of the study fit its budget, to no less than that each.

Both factors are recorded in the run; a resumed run takes them from there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from webdyno.catalog.loads.load import Closed, Load, Objective, Open
from webdyno.catalog.studies.study import StudyManifest
from webdyno.catalog.terms.quantity import Phase, phase_text
from webdyno.run.budget.planned import SEARCH_STEPS
from webdyno.run.study.plan import Cell, Matchup
from webdyno.store.records import FittedLoadRecord, TrialRecord

PART = 0.8
"""Of what the slowest server handles in a closed loop: an open load needs room for its bursts."""

HALF = 0.5
"""Where latency is compared: beyond it queues grow by chance, and differ from trial to trial."""

CALIBRATION = Closed(kind="closed", name="calibration", connections=16, duration=3.0, timeout=10.0)
OVERHEAD_S = 5.0
"""About what a trial takes beside its load and its warm-up: start, proof, audit, stop."""

MeasureLoad = Callable[[Matchup, Load], TrialRecord]


def fitted_loads(
    study: StudyManifest,
    matchups: Sequence[Matchup],
    measure: MeasureLoad,
    known_rates: Mapping[tuple[str, str], float] = MappingProxyType({}),
) -> list[FittedLoadRecord]:
    """The factors of every open load that may be fitted; `measure` makes one short trial.

    `known_rates`: what trials have shown an entry to handle in a scenario.
    """
    cells = {m.cell.key: m.cell for m in matchups}
    lengths = _time_factors(study, matchups)
    carried: dict[tuple[str, bool], dict[str, float]] = {}
    found = []
    for (title, label), cell in cells.items():
        load = cell.load
        if not isinstance(load, Open) or not (load.scale or load.shortest):
            continue
        factor, slowest, rates = 1.0, "", dict[str, float]()
        if load.scale:
            by_trials = is_scaled_to_half(load)
            if (title, by_trials) not in carried:
                rates_by_trials = known_rates if by_trials else {}
                carried[title, by_trials] = _carried(matchups, cell, measure, rates_by_trials)
            rates = carried[title, by_trials]
            factor, slowest = _rate_factor(load, rates)
        record = FittedLoadRecord(
            scenario=title,
            load=label,
            rate_factor=factor,
            time_factor=lengths.get(label, 1.0),
            slowest=slowest,
            carried_rps=rates,
            asked=list(load.phases),
        )
        found.append(record.model_copy(update={"given": fitted(load, record).phases}))
    return found


def fitted(load: Open, record: FittedLoadRecord) -> Open:
    """`load` with the recorded factors applied, under the same name."""
    shortest = load.shortest or 0.0
    phases = [
        phase_text(
            Phase(
                phase.rps * record.rate_factor,
                None if phase.to_rps is None else phase.to_rps * record.rate_factor,
                _length_s(phase.duration_s, record.time_factor, shortest),
            )
        )
        for phase in load.parsed()
    ]
    return load.model_copy(update={"name": load.label(), "phases": phases})


def apply_fitted(matchups: Sequence[Matchup], records: Sequence[FittedLoadRecord]) -> list[Matchup]:
    """The matchups with their loads as they will be made."""
    by_cell = {record.cell: record for record in records}
    fitted_matchups = []
    for matchup in matchups:
        cell = matchup.cell
        record = by_cell.get(cell.key)
        if record is not None and isinstance(cell.load, Open):
            cell = Cell(cell.scenario, cell.parameters, fitted(cell.load, record))
        fitted_matchups.append(Matchup(matchup.entry, cell))
    return fitted_matchups


def is_scaled_to_half(load: Load) -> bool:
    """Whether its rate is half of what the slowest handles, whatever its phases say."""
    return isinstance(load, Open) and load.scale == "half"


def shows_capacity(load: Load) -> bool:
    """Whether its trials show what a server handles, as those of `CALIBRATION` do. A number of
    connections that is left open is larger than that, on any machine."""
    if not isinstance(load, Closed) or load.method != "sound":
        return False
    return load.connections is None or load.connections >= CALIBRATION.settled_connections


def _carried(
    matchups: Sequence[Matchup],
    cell: Cell,
    measure: MeasureLoad,
    known_rates: Mapping[tuple[str, str], float],
) -> dict[str, float]:
    """What each entry answers per second in a closed loop; the A/A twin is left out."""
    carried: dict[str, float] = {}
    for matchup in matchups:
        entry = matchup.entry
        if matchup.cell.title != cell.title or entry.control or entry.label in carried:
            continue
        if (known_rps := known_rates.get((entry.label, cell.title))) is not None:
            carried[entry.label] = round(known_rps, 1)
            continue
        trial = measure(matchup, CALIBRATION)
        if trial.status == "ok" and not trial.lie and trial.measurement is not None:
            carried[entry.label] = round(trial.measurement.throughput_rps, 1)
    return carried


def _rate_factor(load: Open, carried: Mapping[str, float]) -> tuple[float, str]:
    """At most 1, to two significant digits, and the entry that decided; 1 where none did."""
    if not carried:
        return 1.0, ""
    slowest = min(carried, key=lambda entry: carried[entry])
    most_rps = max(phase.most_rps for phase in load.parsed())
    part = HALF if load.scale == "half" else PART
    factor = part * carried[slowest] / most_rps
    if factor >= 1:
        return 1.0, ""
    step = 10.0 ** (math.floor(math.log10(factor)) - 1)
    return math.floor(factor / step) * step, slowest


def _time_factors(study: StudyManifest, matchups: Sequence[Matchup]) -> dict[str, float]:
    """For each load that may be shortened: the same factor, at most 1."""
    loads = {m.cell.load.label(): m.cell.load for m in matchups}
    flexible = {
        label: load for label, load in loads.items() if isinstance(load, Open) and load.shortest
    }
    fixed_s, phases_s = 0.0, 0.0
    for matchup in matchups:
        load = matchup.cell.load
        sound = load.method == "sound"
        times = study.blocks.min if sound else 1
        warm_up_s = matchup.entry.server_variant.server.warmup_of(study.warmup).likely_s
        fixed_s += times * (OVERHEAD_S + (warm_up_s if sound else 0.0))
        length = times * _expected_s(load)
        if load.label() in flexible:
            phases_s += length
        else:
            fixed_s += length
    factor = (study.budget - fixed_s) / phases_s if phases_s else 1.0
    return {label: round(min(1.0, max(0.001, factor)), 4) for label in flexible}


def _expected_s(load: Load) -> float:
    if isinstance(load, Objective):
        return SEARCH_STEPS * load.step
    return load.seconds() or 0.0


def _length_s(asked_s: float, factor: float, shortest_s: float) -> float:
    """In whole tenths of a second where it was shortened: a reader needs no more."""
    fitted_s = asked_s if factor >= 1 else math.floor(asked_s * factor * 10) / 10
    return max(fitted_s, min(shortest_s, asked_s))
