"""A run that compares two versions of a service, of drawn trials; and a claim about them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np

from support.drawn_once import drawn_once
from support.synthetic_measurement import Server
from support.synthetic_trial import drawn_trial
from webdyno.ab.conclusion.claims import Claim
from webdyno.ab.study.pairing import Pairing
from webdyno.run.blocks.make_blocks import conclude
from webdyno.store.records import FittedLoadRecord, RunRecord, TrialRecord
from webdyno.store.stored_study import StoredStudy
from webdyno.verdict.sequential.looks import LEAST_BLOCKS

STARTED = datetime(2026, 5, 4, 9, 30, tzinfo=UTC)
SHOP = Server("shop/a", 10_000, 900, 0.3, 80.0, 60, 4, 0.2, 1.0)


def run_of(pair: Pairing, blocks: int, *, slower: float = 0.0, again: float = 0.0) -> RunRecord:
    """A run in which B is slower by that share, and A's control differs from A by another."""
    run = RunRecord(
        id="20260504-093000-ab",
        study=StoredStudy.of(pair.study),
        command="webdyno ab main HEAD",
        started=STARTED,
        status="finished",
        trials=_trials(blocks, slower, again),
        fitted_loads=[
            FittedLoadRecord(
                scenario="requests",
                load="steady",
                rate_factor=0.005,
                time_factor=1.0,
                asked=["1000000/s:3s"],
                given=["5000/s:3s"],
            )
        ],
        planned_blocks=max(blocks, LEAST_BLOCKS),
        folder="runs/20260504-093000-ab",
    )
    conclude(pair.study, run)
    return run


@drawn_once
def _trials(blocks: int, slower: float, again: float) -> list[TrialRecord]:
    random = np.random.default_rng(5)
    entries = [
        (SHOP, False),
        (_slower(SHOP, "shop/b", slower), False),
        (_slower(SHOP, "shop/a", again), True),
    ]
    trials: list[TrialRecord] = []
    clock = STARTED
    for block in range(blocks):
        for load in ("full", "steady"):
            for server, control in entries:
                trial = drawn_trial(
                    random, server, control, "requests", load, block, 0, clock, 2, len(trials)
                )
                clock = trial.finished + timedelta(seconds=0.2)
                trials.append(trial)
    return trials


def _slower(server: Server, name: str, by: float) -> Server:
    figures = server.rps / (1 + by), server.p50_us * (1 + by), server.tail, server.cpu_us * (1 + by)
    return Server(name, *figures, server.memory_mb, server.threads, server.start_s, server.build_s)


def claim(outcome: str, metric: str = "cpu_us_per_request", load: str = "full") -> Claim:
    return Claim(load, metric, outcome, 1.0, 1.1, 0.1, 0.05, 0.15, 5)  # type: ignore[arg-type]
