"""`python -m benchmarks.wall_time`: blocks until settled, against fixed trials of 15 seconds.

The older habit is to load every server for 15 seconds, ten times. Three questions:

1. What does it take to be as precise? Both designs are run interleaved on a smaller grid, which
   gives the noise and the length of a short and of a long trial on this machine. From these follow
   the standard error of the fixed design's ratio of two servers, of ten trials each, and the blocks
   after which Webdyno's is as small.
2. What does it take to be as sure? The interval of the fixed design (Welch's, corrected for the
   pairs), and the blocks after which Webdyno's is as narrow, which is corrected for its looks
   besides: the price of stopping at whichever look decides.
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
from webdyno.catalog.manifest import parse_manifest
from webdyno.catalog.study import StudyManifest
from webdyno.cli import context
from webdyno.run.metric import value_of
from webdyno.run.planned import SENTINEL_S
from webdyno.store.records import RunRecord
from webdyno.verdict import Looks, blocks_of
from webdyno.verdict.power import half_width

FIXED_S, FIXED_TIMES = 15.0, 10
ENTRIES, CELLS = 4, 2
"""Of `quick`: servers, and scenarios under one load."""

STUDY: dict[str, Any] = {
    "name": "wall-time",
    "title": "Short trials in blocks, and long ones",
    "question": "How much does a long trial vary less than a short one?",
    "servers": ["go/net-http", "node/http"],
    "scenarios": ["json"],
    "warmup": {"min": "400ms", "max": "1500ms"},
    "sentinel": False,
    "loads": [
        {"name": "short", "kind": "closed", "connections": 32, "duration": "1500ms"},
        {"name": "long", "kind": "closed", "connections": 32, "duration": "15s"},
    ],
}


@dataclass(frozen=True)
class Design:
    """What a kind of trial costs, and how much it varies."""

    trials: int
    trial_s: float
    """Median wall time, all steps together."""
    beside_block: float
    """Standard deviation beside what the block shares: what pairs within blocks vary by."""
    alone: float
    """Standard deviation of the trials by themselves: what unpaired trials vary by."""


def measure(blocks: int) -> RunRecord:
    """Run both designs interleaved, `blocks` times."""
    study = parse_manifest(
        {**STUDY, "blocks": {"min": blocks, "max": blocks}, "budget": "1h"},
        StudyManifest,
        "the benchmark's study",
    )
    return webdyno.run_study(study).record


def design(run: RunRecord, load: str) -> Design:
    """The trials of one load."""
    trials = [t for t in run.trials if t.load == load and t.status == "ok"]
    entries = sorted({trial.entry for trial in trials})
    table = np.full((1 + max(t.block for t in trials), len(entries)), math.nan)
    for trial in trials:
        table[trial.block, entries.index(trial.entry)] = value_of(trial, "throughput_rps")
    took = [(trial.finished - trial.started).total_seconds() for trial in trials]
    alone = float(np.sqrt(np.nanvar(np.log(table), axis=0, ddof=1).mean()))
    return Design(len(trials), float(np.median(took)), blocks_of(table).noise, alone)


def as_precise(short: Design, long: Design) -> dict[str, float]:
    """Wall times of both designs over the grid of `quick`, for ratios of equal standard error."""
    error = long.alone * math.sqrt(2 / FIXED_TIMES)
    blocks = max(Looks().first, math.ceil(2 * (short.beside_block / error) ** 2))
    return {"standard_error": error, **_times(short, long, blocks)}


def as_sure(short: Design, long: Design) -> dict[str, float]:
    """Wall times of both designs over the grid of `quick`, for intervals of the same width."""
    pairs = math.comb(ENTRIES, 2)
    limit = float(stats.t.ppf(1 - 0.05 / pairs / 2, 2 * (FIXED_TIMES - 1)))
    width = limit * long.alone * math.sqrt(2 / FIXED_TIMES)
    blocks = next(
        n
        for n in range(3, 10_000)
        if half_width(n, short.beside_block, ENTRIES, looks=Looks(planned=n)) <= width
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
        if run.finished is None or len({t.server for t in run.trials}) < ENTRIES:
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
    parser.add_argument("--blocks", type=int, default=6, help="of `measure` (6: about 4 minutes)")
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
        "as_precise": as_precise(short, long),
        "as_sure": as_sure(short, long),
        "until_settled": until_settled([store.run(r.id) for r in store.runs("quick")], long),
    }
    text = json.dumps(figures, indent=2)
    print(text)
    if options.json:
        options.json.write_text(text + "\n")


if __name__ == "__main__":
    main()
