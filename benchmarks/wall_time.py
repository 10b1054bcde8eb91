"""`python -m benchmarks.wall_time`: blocks until settled, against fixed trials of 15 seconds.

The older habit is to load every server for 15 seconds, ten times. Three questions:

1. What does it take to be as precise? Both designs are run interleaved, which gives the noise and
   the length of a short and of a long trial on this machine. From these follow the standard error
   of the fixed design's ratio of two servers, of ten trials each, and the blocks after which
   Webdyno's is as small.
2. What does it take to be as sure? The interval of the fixed design (Welch's, corrected for the
   pairs), and the blocks after which Webdyno's is as narrow: where it looks once, as the fixed
   design does, and where it is corrected for a look after each block besides, which is the price
   of stopping at whichever look decides.
3. What does the study `quick` take until its verdict? Its real runs against the time of the fixed
   design.

The parts: `measure` runs both designs; `report` computes, from the newest such run and from the
stored runs of `quick`.
"""

from __future__ import annotations

import argparse
import json
import math
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy import stats

import webdyno
from webdyno.catalog.reading.manifest import parse_manifest
from webdyno.catalog.studies.study import StudyManifest
from webdyno.cli import context
from webdyno.run.budget.planned import SENTINEL_S
from webdyno.run.judgement.figures import value_of
from webdyno.store.records import RunRecord
from webdyno.verdict import Looks, blocks_of
from webdyno.verdict.sequential.power import half_width

FIXED_S, FIXED_TIMES = 15.0, 10
ENTRIES, CELLS = 4, 2
"""Of `quick`: servers, and scenarios under one load."""


@dataclass(frozen=True)
class Design:
    """What a kind of trial costs, and how much it varies."""

    trials: int
    trial_s: float
    """Mean wall time, all steps together."""
    beside_block: float
    """Standard deviation beside what the block shares, of both scenarios (root mean square): what
    pairs within blocks vary by."""
    alone: float
    """The same of the trials by themselves: what unpaired trials vary by."""


def measure(blocks: int) -> RunRecord:
    """Run both designs interleaved, `blocks` times."""
    return webdyno.run_study(both_designs(blocks)).record


def both_designs(blocks: int) -> StudyManifest:
    """The study `quick` under its own load and under a long one, without what Webdyno adds."""
    quick = webdyno.load_study("quick")
    (load,) = quick.loads
    long = {"duration": FIXED_S, "slice": None}
    changes = {
        "name": "wall-time",
        "title": "Short trials in turns, and long ones in a row",
        "question": "How much does a long trial vary less than a short one?",
        "loads": [
            {**load.model_dump(), "name": "short"},
            {**load.model_dump(), "name": "long", **long},
        ],
        "control": "",
        "sentinel": False,
        "blocks": {"min": blocks, "max": blocks},
        "budget": "1h",
    }
    return parse_manifest({**quick.model_dump(), **changes}, StudyManifest, "the benchmark's study")


def design(run: RunRecord, load: str) -> Design:
    """The trials of one load."""
    trials = [t for t in run.trials if t.load == load and t.status == "ok"]
    entries = sorted({trial.entry for trial in trials})
    beside, alone = [], []
    for scenario in sorted({trial.scenario for trial in trials}):
        table = np.full((1 + max(t.block for t in trials), len(entries)), math.nan)
        for trial in trials:
            if trial.scenario == scenario:
                table[trial.block, entries.index(trial.entry)] = value_of(trial, "throughput_rps")
        beside.append(blocks_of(table).noise ** 2)
        alone.append(np.nanvar(np.log(table), axis=0, ddof=1).mean())
    took = float(np.mean([trial.took_s for trial in trials]))
    return Design(len(trials), took, float(np.mean(beside)) ** 0.5, float(np.mean(alone)) ** 0.5)


def levels(run: RunRecord) -> dict[str, float]:
    """Each server's throughput in turns over that in long trials: geometric mean of all."""
    logs: dict[str, dict[str, list[float]]] = {}
    for trial in run.trials:
        if trial.status == "ok":
            of_entry = logs.setdefault(trial.entry, {"short": [], "long": []})
            of_entry[trial.load].append(math.log(value_of(trial, "throughput_rps") or math.nan))
    return {
        entry: round(math.exp(np.mean(found["short"]) - np.mean(found["long"])), 3)
        for entry, found in sorted(logs.items())
    }


def as_precise(short: Design, long: Design) -> dict[str, float]:
    """Wall times of both designs over the grid of `quick`, for ratios of equal standard error."""
    error = long.alone * math.sqrt(2 / FIXED_TIMES)
    blocks = max(Looks().first, math.ceil(2 * (short.beside_block / error) ** 2))
    return {"standard_error": error, **_times(short, long, blocks)}


def as_sure(short: Design, long: Design, *, looks: bool) -> dict[str, float]:
    """Wall times of both designs over the grid of `quick`, for intervals of the same width, which
    hold at the end or, with `looks`, after every block."""
    pairs = math.comb(ENTRIES, 2)
    limit = float(stats.t.ppf(1 - 0.05 / pairs / 2, 2 * (FIXED_TIMES - 1)))
    width = limit * long.alone * math.sqrt(2 / FIXED_TIMES)
    blocks = next(
        n
        for n in range(3, 10_000)
        if half_width(n, short.beside_block, ENTRIES, looks=Looks(n, min(3, n) if looks else n))
        <= width
    )
    return {"half_width": width, **_times(short, long, blocks)}


def _times(short: Design, long: Design, blocks: int) -> dict[str, float]:
    block_s = (ENTRIES + 1) * CELLS * short.trial_s + SENTINEL_S
    fixed_s = FIXED_TIMES * ENTRIES * CELLS * long.trial_s
    return {
        "blocks": blocks,
        "webdyno_s": blocks * block_s,
        "fixed_s": fixed_s,
        "times_less": fixed_s / (blocks * block_s),
    }


def until_settled(runs: list[RunRecord], long: Design) -> list[dict[str, Any]]:
    """Real runs of `quick`: their time, and whether every pair was settled."""
    fixed_s = FIXED_TIMES * ENTRIES * CELLS * long.trial_s
    found = []
    for run in runs:
        cells = {(trial.scenario, trial.server) for trial in run.trials}
        if run.finished is None or len(cells) < ENTRIES * CELLS:
            continue
        spent = (run.finished - run.started).total_seconds() - run.step_seconds.get("build", 0.0)
        found.append(
            {
                "run": run.id,
                "settled": all(verdict.settled for verdict in run.verdicts),
                "blocks": 1 + max(trial.block for trial in run.trials),
                "seconds": round(spent, 1),
                "fixed_s": round(fixed_s, 1),
                "times_less": round(fixed_s / spent, 2),
            }
        )
    return found


def main() -> None:
    """Measure, or report."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.wall_time", description=__doc__)
    parser.add_argument("part", choices=["measure", "report"])
    parser.add_argument("--blocks", type=int, default=6, help="of `measure` (6: about 18 minutes)")
    parser.add_argument("--json", type=Path, help="write the figures here")
    options = parser.parse_args()
    if options.part == "measure":
        print(measure(options.blocks).id)
        return
    store = context.open_store()
    measured = store.run(store.runs("wall-time")[0].id)
    short, long = design(measured, "short"), design(measured, "long")
    figures = {
        "short": asdict(short),
        "long": asdict(long),
        "in_turns_over_long": levels(measured),
        "as_precise": as_precise(short, long),
        "as_sure_at_the_end": as_sure(short, long, looks=False),
        "as_sure_at_every_block": as_sure(short, long, looks=True),
        "until_settled": until_settled([store.run(r.id) for r in store.runs("quick")], long),
    }
    text = json.dumps(figures, indent=2)
    print(text)
    if options.json:
        options.json.write_text(text + "\n")


if __name__ == "__main__":
    main()
