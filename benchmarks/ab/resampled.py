"""Comparisons drawn from recorded ones, judged by what judges a live one.

What is drawn is a block of one load: the trials of A, B and the control, which stood beside each
other and were, in pairs of the same, started from one build. Under that hypothesis the three are
exchangeable, and nothing smaller is: turns of one trial share its process, and a process differs
from the next by more than turns do. So blocks are drawn with replacement, and which of a block's
trials is A, B or the control is drawn anew. A slow-down is planted in what B is then said to have
measured.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.ab.journal import Journal
from benchmarks.ab.live import FALSE_ALARMS, word_of
from benchmarks.ab.services import Service
from webdyno.ab.conclusion.answer import answer_of
from webdyno.ab.conclusion.answer_differences import AnswersCompared
from webdyno.ab.conclusion.document import AbDocument
from webdyno.ab.study.confidence import FULL, STEADY
from webdyno.ab.study.pairing import Pairing, pairing
from webdyno.ab.versions.version import from_one_folder
from webdyno.catalog.catalog import Catalog
from webdyno.catalog.studies.study import StudyManifest
from webdyno.errors import UserError
from webdyno.run.budget.planned import SLACK, blocks_by_pace
from webdyno.run.judgement.conditions import conditions_of
from webdyno.run.judgement.judge import judge, still_needed
from webdyno.store.document import plain
from webdyno.store.records import RunRecord, TrialRecord
from webdyno.store.store import Store

RESAMPLED = "resampled"

Block = tuple[TrialRecord, ...]
"""The trials of a block and load, one an entry."""

FIRST_BLOCKS = 3
"""Of each load, that are made before another is."""


@dataclass(frozen=True)
class Recorded:
    """What was measured of a language's service: blocks by load, and a run to copy."""

    pair: Pairing
    run: RunRecord
    blocks: Mapping[str, Sequence[Block]]


def resample(
    journal: Journal, store: Store, languages: Sequence[str], draws: int, slower: float,
    budget_s: float, folder: Path,
) -> None:  # fmt: skip
    """Make the draws that the file lacks. Raises `UserError` where too little was recorded."""
    where = {"slower": slower, "budget_s": budget_s}
    made = {line["draw"] for line in journal.lines(RESAMPLED, **where)}
    known: dict[str, Recorded] = {}
    for number in range(draws):
        if number in made:
            continue
        language = languages[number % len(languages)]
        if language not in known:
            known[language] = _recorded(journal, store, language, budget_s, folder / language)
        draw = random.Random(f"{number} {slower} {budget_s}")
        found = _compared(known[language], draw, slower, budget_s)
        journal.add(RESAMPLED, draw=number, language=language, **where, **found)
        if (number + 1) % 100 == 0:
            print(f"{number + 1} of {draws}", flush=True)


def _recorded(
    journal: Journal, store: Store, language: str, budget_s: float, folder: Path
) -> Recorded:
    # The file may hold pairs of other machines, whose runs are not here, and of other loads.
    here = {run.id for run in store.runs()}
    made = [line["run"] for line in journal.lines(FALSE_ALARMS, language=language)]
    runs = [store.run(name) for name in made if name in here]
    service = Service(language)
    described = service.description.model_copy(update={"budget": budget_s})
    if runs:  # Loads are drawn as they were made, whatever they would be with this budget.
        lengths = {
            one.label(): one.seconds()
            for one in StudyManifest.model_validate(runs[-1].study.as_stored()).loads
        }
        keys = {"duration": lengths[FULL], "steady_duration": lengths[STEADY]}
        described = described.model_copy(update={"load": described.load.model_copy(update=keys)})
    pair = pairing(described, from_one_folder(service.folder), Catalog(), folder)
    asked = pair.study.model_dump(mode="json")["loads"]
    runs = [run for run in runs if run.study.as_stored()["loads"] == asked]
    blocks: dict[str, list[Block]] = defaultdict(list)
    for run in runs:
        for load, block in blocks_of(run.trials):
            blocks[load].append(block)
    if len(blocks[FULL]) < FIRST_BLOCKS:
        raise UserError(
            f"{language}: this machine's store has {len(blocks[FULL])} whole blocks, of at least "
            f"{FIRST_BLOCKS}; run false-alarms here first"
        )
    return Recorded(pair, runs[-1], dict(blocks))


def blocks_of(trials: Sequence[TrialRecord]) -> Iterator[tuple[str, Block]]:
    """The blocks in which A, B and the control were all measured, each with its load."""
    found: dict[tuple[str, int], dict[str, TrialRecord]] = defaultdict(dict)
    for trial in trials:
        found[trial.load, trial.block][trial.entry] = trial
    for (load, _), entries in found.items():
        if len(entries) == 3:
            yield load, tuple(entries.values())


def _compared(
    known: Recorded, draw: random.Random, slower: float, budget_s: float
) -> dict[str, Any]:
    """A comparison: blocks until nothing is needed or the budget is spent, as a run makes them."""
    pair = known.pair
    run = known.run.model_copy(update={"trials": [], "verdicts": [], "planned_blocks": None})
    made = dict.fromkeys(known.blocks, 0)
    open_, spent_s = list(known.blocks), 0.0
    while open_:
        load = min(open_, key=lambda one: (made[one] >= FIRST_BLOCKS, made[one]))
        block = draw.choice(known.blocks[load])
        spent_s += sum(trial.took_s for trial in block)
        if spent_s > (1 + SLACK) * budget_s and made[load] >= FIRST_BLOCKS:
            break
        run.trials += shuffled(block, pair.labels, draw, slower, (made[load], len(run.trials)))
        made[load] += 1
        if run.planned_blocks is None:
            run.planned_blocks = blocks_by_pace(pair.study, run.trials)
        if made[load] >= FIRST_BLOCKS:
            needed = still_needed(pair.study, run.trials, conditions_of(run, pair.study))
            wanted = {name for _, _, name in needed}
            last = run.planned_blocks or FIRST_BLOCKS
            open_ = [
                one
                for one in known.blocks
                if made[one] < FIRST_BLOCKS or (one in wanted and made[one] < last)
            ]
    run.verdicts = judge(pair.study, run.trials, conditions_of(run, pair.study))
    answer = plain(AbDocument.of(answer_of(pair, run, AnswersCompared(0))))
    return {
        "said": word_of(answer["claims"], answer["outcome"]),
        "headline": answer["headline"],
        "blocks": made,
        "spent_s": round(spent_s, 1),
    }


def shuffled(
    block: Block, labels: tuple[str, str], draw: random.Random, slower: float, at: tuple[int, int]
) -> list[TrialRecord]:
    """The trials of a block under each other's names, as block and first index `at`; what B then
    has is slower by `slower`."""
    number, first = at
    names = [(one.server, one.variant, one.control) for one in block]
    found = []
    for place, (server, variant, control) in enumerate(draw.sample(names, len(names))):
        trial = block[place].model_copy(
            update={
                "server": server, "variant": variant, "control": control,
                "block": number, "index": first + place,
            }
        )  # fmt: skip
        found.append(_slowed(trial, slower) if trial.entry == labels[1] else trial)
    return found


def _slowed(trial: TrialRecord, slower: float) -> TrialRecord:
    measured = trial.measurement
    if measured is None or not slower:
        return trial
    cpu = {**measured.cpu_us_per_request}
    cpu["server"] = cpu["server"] * (1 + slower) if "server" in cpu else float("nan")
    changes: dict[str, Any] = {"cpu_us_per_request": cpu}
    if trial.load == FULL:  # The rate of the other one is given.
        changes["throughput_rps"] = measured.throughput_rps / (1 + slower)
    return trial.model_copy(update={"measurement": measured.model_copy(update=changes)})
