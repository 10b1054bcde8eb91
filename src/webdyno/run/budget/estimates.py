"""What a trial is expected to take: from earlier runs where there are any, else from its load."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from webdyno.catalog.loads.load import Load, Objective
from webdyno.catalog.studies.study import StudyManifest
from webdyno.run.budget.planned import SEARCH_STEPS, SHORT_S, warm_up_expected
from webdyno.run.study.plan import Cell, Entry, Matchup
from webdyno.store.cell import CellKey
from webdyno.store.records import TrialRecord, entry_label
from webdyno.store.timings import Timing
from webdyno.trial.proof.crowd import likely_s
from webdyno.trial.proof.prove import verifier_class
from webdyno.trial.warm_up import FRESH_S, STILL
from webdyno.verdict.sequential.looks import LEAST_BLOCKS

START_S = 2.0
"""Start, proof, audit and stop of a server, where none was timed yet."""

ANSWER_S = 4e-4
"""What an answer is taken to cost a server before any was timed: 2,500 a second, between those of
JSON by Node.js and those of Python, or of hashing some hundred kilobytes. By that the second proof
takes its time, whose questions wait for the load beside them."""

SERVICE_S = 2.5
"""What a service adds to that."""

FURTHER_S = 2.8
"""What each further load of a start takes beside its length: a short warm-up, and the audit."""


@dataclass(frozen=True)
class Estimate:
    """Seconds of one trial: `load_s` while it is measured, `beside_s` for all else."""

    beside_s: float
    load_s: float

    def at(self, length_s: float | None) -> float:
        """In all, where it is measured for `length_s`; for as long as expected where None."""
        return self.beside_s + (self.load_s if length_s is None else length_s)


def estimates(
    study: StudyManifest, matchups: Sequence[Matchup], known: Iterable[Timing]
) -> dict[tuple[str, CellKey], Estimate]:
    """Of every trial of a block, by entry and cell. `known`: trials of earlier runs."""
    exact: dict[tuple[str, CellKey], list[Timing]] = defaultdict(list)
    alike: dict[tuple[str, str], list[Timing]] = defaultdict(list)
    for one in known:
        exact[one.entry, one.cell].append(one)
        alike[one.entry, one.scenario].append(one)
    cells = {matchup.cell.key: matchup.cell for matchup in matchups}
    proofs_s = {key: _proof_beside_load_s(cell) for key, cell in cells.items()}
    expected = {}
    proven_s = {}
    for matchup in matchups:
        entry, cell = _label(matchup.entry), matchup.cell
        timed = exact.get((entry, cell.key), [])
        beside = timed or ([] if _cold(cell.load) else alike.get((entry, cell.title), []))
        at = (matchup.entry.label, cell.key)
        expected[at] = Estimate(
            statistics.median(one.beside_s for one in beside)
            if beside
            else _beside(study, matchup),
            length_of(cell.load, [one.load_s for one in timed]),
        )
        proven_s[at] = 0.0 if beside else proofs_s[cell.key]
    if study.blocks.shared_starts:
        expected = _in_shared_starts(expected, study, matchups)
    return {at: replace(one, beside_s=one.beside_s + proven_s[at]) for at, one in expected.items()}


def _in_shared_starts(
    estimates: dict[tuple[str, CellKey], Estimate],
    study: StudyManifest,
    matchups: Sequence[Matchup],
) -> dict[tuple[str, CellKey], Estimate]:
    """`estimates` with the mean over a run's first blocks: only the first has a start for each
    load."""
    groups: dict[tuple[str, str], list[tuple[str, CellKey]]] = defaultdict(list)
    for matchup in matchups:
        if matchup.cell.load.in_turns:
            entry, key = matchup.entry.label, matchup.cell.key
            groups[entry, key[0]].append((entry, key))
    blocks = max(LEAST_BLOCKS, study.blocks.min)
    for those in groups.values():
        own_s = statistics.mean(estimates[at].beside_s for at in those)
        shared_s = (own_s + (len(those) - 1) * FURTHER_S) / len(those)
        for at in those:
            mean_s = (own_s + (blocks - 1) * shared_s) / blocks
            estimates[at] = replace(estimates[at], beside_s=mean_s)
    return estimates


def length_of(load: Load, seen: Sequence[float] = ()) -> float:
    """Seconds that `load` is measured for: as stated; as it was `seen` where it does not say."""
    if isinstance(load, Objective):
        return statistics.median(seen) if seen else SEARCH_STEPS * load.step
    stated = load.seconds()
    if stated is None:
        return statistics.median(seen) if seen else SHORT_S
    return stated


class TrialTimes:
    """What trials take, by what was expected and by those that this run has made."""

    def __init__(
        self, expected: Mapping[tuple[str, CellKey], float], trials: Iterable[TrialRecord]
    ) -> None:
        trials = list(trials)
        took: dict[tuple[str, CellKey], list[float]] = defaultdict(list)
        shared = {(trial.entry, trial.scenario) for trial in trials if trial.shared_start}
        for trial in trials:
            # In the first block each load had its own start.
            if trial.block or (trial.entry, trial.scenario) not in shared:
                took[trial.entry, trial.cell].append(trial.took_s)
        self._seen = {at: statistics.median(seconds) for at, seconds in took.items()}
        for (entry, key), seconds in took.items():
            if (entry, key[0]) in shared:
                # One of the loads has the start, now this one and now that.
                self._seen[entry, key] = statistics.mean(seconds)
        self._expected = expected
        both = [at for at in self._seen if expected.get(at)]
        foreseen = sum(expected[at] for at in both)
        # All estimates err alike, by the speed of the machine if by nothing else.
        self._factor = sum(self._seen[at] for at in both) / foreseen if foreseen else 1.0

    def trial_s(self, entry: str, key: CellKey) -> float:
        """Seconds of one trial."""
        at = (entry, key)
        return self._seen.get(at, self._expected.get(at, START_S) * self._factor)


def _label(entry: Entry) -> str:
    """The control is timed as the server that it is."""
    return entry_label(entry.server_variant.server.id, entry.server_variant.variant)


def _cold(load: Load) -> bool:
    return load.method == "as-published"


def _proof_beside_load_s(cell: Cell) -> float:
    """The second proof, which comes after each load, whatever starts they share."""
    kind = verifier_class(cell.scenario, cell.parameters.parameters)
    return likely_s(cell.load, kind, ANSWER_S)


def _beside(study: StudyManifest, matchup: Matchup) -> float:
    load = matchup.cell.load
    services = len(matchup.cell.scenario.manifest.services)
    server = matchup.entry.server_variant.server
    warm = 0.0 if _cold(load) else warm_up_expected(server, study.warmup)
    # Between the slices of its load on fresh connections a server stands still; where starts are
    # shared, that is in what a further load takes.
    still = STILL * FRESH_S if load.in_turns and not study.blocks.shared_starts else 0.0
    return START_S + SERVICE_S * services + warm + still
