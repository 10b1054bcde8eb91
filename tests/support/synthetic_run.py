"""A realistic run without a machine: made-up figures of plausible shape, the same for every call.

The figures are drawn from a seeded generator, so tests may assert on what they were made from
(an entry's median, who is generator-bound, which trial failed), never on timing.
"""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np

from support.drawn_once import drawn_once
from support.synthetic_measurement import Server
from support.synthetic_trial import SCENARIO_COST, drawn_trial
from webdyno.store.hardware import StoredMachine
from webdyno.store.records import (
    RunRecord,
    Skipped,
    TrialRecord,
    entry_label,
)
from webdyno.store.stored_study import StoredStudy
from webdyno.store.verdicts import NotRanked, RatioRecord, VerdictRecord

STARTED = datetime(2026, 5, 4, 9, 30, tzinfo=UTC)

SERVERS = (
    Server("rust/axum", 71_000, 820, 0.25, 12.4, 8, 3, 0.02, 41.0, generator_bound=True),
    Server("go/net-http", 41_300, 1_480, 0.45, 22.9, 19, 7, 0.03, 3.1),
    Server("java/servlet", 33_900, 1_720, 0.75, 27.8, 189, 41, 1.31, 11.8, warm_s=2.1),
    Server("node/http", 24_800, 2_510, 0.30, 38.6, 74, 11, 0.12, 0.4),
    Server("node/fastify", 24_500, 2_540, 0.31, 39.2, 81, 11, 0.19, 2.2),
    Server("node/express", 11_150, 5_660, 0.33, 87.5, 92, 11, 0.23, 2.9),
    Server(
        "node/express",
        19_900,
        3_050,
        0.55,
        95.1,
        228,
        33,
        0.41,
        2.9,
        variant="cluster",
        processes=3,
    ),
)
CONTROL = "go/net-http"
SKIPPED = (
    Skipped(
        server="java/spring",
        reason="no JDK 21 or later here; install it: apt install openjdk-21-jdk",
    ),
    Skipped(
        server="swift/vapor", reason="swift is not installed; see https://www.swift.org/install"
    ),
)


@drawn_once
def build_run(
    *,
    blocks: int = 5,
    seconds: int = 10,
    servers: tuple[Server, ...] = SERVERS,
    scenarios: tuple[str, ...] = ("json", "sha256"),
    load: str = "closed-64",
    seed: int = 7,
) -> RunRecord:
    """Make a finished run of `servers` x `scenarios` x `blocks`, with a control entry, one failed
    trial (node/express in json, in the first block, with a hostile log) and skipped servers."""
    random = np.random.default_rng(seed)
    control = next((s for s in servers if s.name == CONTROL and s.variant == "default"), None)
    entries = [(server, False) for server in servers] + ([(control, True)] if control else [])
    trials: list[TrialRecord] = []
    clock = STARTED
    for block in range(blocks):
        pairs = [(entry, scenario) for entry in entries for scenario in scenarios]
        for order, which in enumerate(random.permutation(len(pairs))):
            (server, is_control), scenario = pairs[which]
            trial = drawn_trial(
                random,
                server,
                is_control,
                scenario,
                load,
                block,
                order,
                clock,
                seconds,
                len(trials),
            )
            clock = trial.finished + timedelta(seconds=0.4)
            trials.append(trial)
    return RunRecord(
        id="20260504-093000-quick",
        study=StoredStudy.model_validate(_study(entries, scenarios, load, seconds)),
        command="./webdyno run quick --budget 15m --seed 7",
        started=STARTED,
        finished=clock,
        status="finished",
        machine=StoredMachine.model_validate(
            {
                "cpu_model": "AMD EPYC 7B13",
                "cores": 2,
                "memory_bytes": 25_282_514_944,
                "kernel": "6.18.2",
                "os": "Debian GNU/Linux 12 (bookworm)",
                "fingerprint": "9c1f5a70d2",
                "cores_total": 2,
                "architecture": "x86_64",
                "virtualised": "virtual machine",
                "governor": None,
                "limit_cpus": None,
                "limit_memory_bytes": None,
                "open_files": 1024,
                "noise": {
                    "seconds": 6.0,
                    "cv": 0.012,
                    "worst_window": 0.91,
                    "steal_share": 0.004,
                    "foreign_share": 0.002,
                    "timer_late_us_p50": 61.0,
                    "timer_late_us_p99": 140.0,
                    "timer_late_us_max": 910.0,
                    "load_average": 0.12,
                },
            }
        ),
        versions={"webdyno": "0.1.0", "node": "20.11.0", "go": "1.26.0", "rust": "1.95.0"},
        placement="server on core 0, generator on core 1",
        skipped=list(SKIPPED),
        trials=trials,
        verdicts=[_verdict(trials, scenario, load, blocks) for scenario in scenarios],
        notes=[],
        folder=".webdyno/runs/20260504-093000-quick",
    )


def failing_aa(run: RunRecord) -> RunRecord:
    """The same run on a machine where the A/A control sees a difference that cannot be."""
    verdicts = []
    for verdict in run.verdicts:
        assert verdict.control is not None
        off = verdict.control.model_copy(
            update={"estimate": 1.09, "low": 1.05, "high": 1.13, "outcome": "faster"}
        )
        verdicts.append(verdict.model_copy(update={"control": off}))
    return run.model_copy(update={"verdicts": verdicts})


def many_trials(count: int = 300) -> RunRecord:
    """A run of at least `count` trials: as many blocks as it takes."""
    per_block = (len(SERVERS) + 1) * len(SCENARIO_COST)
    return build_run(blocks=math.ceil(count / per_block), seconds=10)


def with_server(server: Server, **changes: Any) -> Server:
    """`server` with some figures changed."""
    return replace(server, **changes)


def _study(
    entries: list[tuple[Server, bool]], scenarios: tuple[str, ...], load: str, seconds: int
) -> dict[str, Any]:
    labels = [entry_label(s.name, s.variant) for s, is_control in entries if not is_control]
    return {
        "name": "quick",
        "title": "A first look at six servers",
        "question": "Which of these servers serves JSON and hashes files fastest on two cores?",
        "servers": labels,
        "control": CONTROL,
        "scenarios": [{"name": name, "parameters": {}} for name in scenarios],
        "loads": [{"name": load, "kind": "closed", "connections": 64, "duration": float(seconds)}],
        "budget": 900.0,
        "method": "sound",
        "metrics": ["throughput_rps"],
        "margin": 0.03,
        "confidence": 0.95,
        "source": "A write-up of 2020 on a laptop",
        "published": [
            {
                "server": "node/http",
                "scenario": "json",
                "metric": "throughput_rps",
                "value": 10178.0,
            },
            {
                "server": "node/express",
                "scenario": "json",
                "metric": "throughput_rps",
                "value": 3987.0,
            },
        ],
    }


def _verdict(trials: list[TrialRecord], scenario: str, load: str, blocks: int) -> VerdictRecord:
    values: dict[str, list[float]] = {}
    bound = set()
    for trial in trials:
        if trial.scenario != scenario or trial.measurement is None or trial.status != "ok":
            continue
        values.setdefault(trial.entry, []).append(trial.measurement.throughput_rps)
        if trial.bottleneck == "generator-bound":
            bound.add(trial.entry)
    medians = {entry: float(np.median(v)) for entry, v in values.items()}
    competitors = {e: m for e, m in medians.items() if e not in bound and "(control)" not in e}
    order = sorted(competitors, key=lambda entry: -competitors[entry])
    groups: list[list[str]] = []
    for entry in order:
        if groups and competitors[groups[-1][0]] / competitors[entry] < 1.03:
            groups[-1].append(entry)
        else:
            groups.append([entry])
    ratios = []
    for better in range(len(order)):
        for worse in range(better + 1, len(order)):
            estimate = competitors[order[better]] / competitors[order[worse]]
            tied = any(order[better] in g and order[worse] in g for g in groups)
            ratios.append(
                RatioRecord(
                    of=order[better],
                    to=order[worse],
                    estimate=estimate,
                    low=estimate * 0.98,
                    high=estimate * 1.02,
                    p=0.4 if tied else 0.0004,
                    outcome="equal" if tied else "faster",
                )
            )
    control = RatioRecord(
        of=f"{CONTROL} (control)",
        to=CONTROL,
        estimate=1.003,
        low=0.989,
        high=1.018,
        outcome="equal",
    )
    return VerdictRecord(
        scenario=scenario,
        load=load,
        metric="throughput_rps",
        entries=order,
        groups=groups,
        ratios=ratios,
        medians=medians,
        intervals={entry: (m * 0.985, m * 1.014) for entry, m in medians.items()},
        not_ranked=[
            NotRanked(entry=entry, reason="the load generator was the limit, not the server")
            for entry in sorted(bound)
        ],
        control=control,
        resolution=0.021,
        blocks=blocks,
        settled=True,
    )
