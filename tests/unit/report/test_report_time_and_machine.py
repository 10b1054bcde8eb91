"""Where the time went, and what the machine did from block to block."""

from __future__ import annotations

import random

import pytest

from webdyno.report.formats.html import render_html
from webdyno.report.tables import time_spent
from webdyno.report.text import cautions, machine_blocks
from webdyno.store.records import RunRecord
from webdyno.store.verdicts import BlocksRecord, SentinelRecord, WarmupSummary
from webdyno.verdict.steadiness.series import TREND_LEVEL, one_way


@pytest.fixture
def disturbed(run: RunRecord) -> RunRecord:
    """A run whose third block was slow, with a server that leaks and one that never settles."""
    machine = BlocksRecord(
        speed=[1.0, 1.01, 0.8, 1.0, 0.99],
        sentinel=[1.0, 1.0, 0.7, None, 1.0],
        slow=[2],
        autocorrelation=0.5,
        trends={"node/http": -0.02},
    )
    warmups = {"java/servlet": WarmupSummary(trials=3, never=2)}
    verdicts = [
        verdict.model_copy(update={"machine": machine, "warmups": warmups})
        for verdict in run.verdicts
    ]
    sentinels = [
        SentinelRecord(block=b, throughput_rps=5e3, cpu_us_per_request=9.0, seconds=1.25)
        for b in range(4)
    ]
    steps = {"noise": 1.5, "build": 60.0}
    return run.model_copy(
        update={"verdicts": verdicts, "sentinels": sentinels, "step_seconds": steps}
    )


def test_the_parts_are_the_whole(disturbed: RunRecord) -> None:
    spent = {part.step: part for part in time_spent.time_spent(disturbed)}
    assert sum(part.share for part in spent.values()) == pytest.approx(1, abs=0.01)
    assert spent["build"].seconds == 60.0
    assert spent["sentinel"].seconds == 5.0
    verified = sum(t.step_seconds["prepare"] + t.step_seconds["verify"] for t in disturbed.trials)
    assert spent["verify"].seconds == pytest.approx(verified)


def test_the_line_names_the_largest_parts(disturbed: RunRecord) -> None:
    text = time_spent.line(disturbed)
    largest = max(time_spent.time_spent(disturbed), key=lambda part: part.seconds)
    assert text.startswith(largest.step)
    assert "the rest" in text


def test_slow_blocks_trends_and_memory_are_told(disturbed: RunRecord) -> None:
    said = " ".join(cautions.cautions(disturbed))
    assert "slow in block 3 (70% of the usual speed)" in said
    assert "node/http lost 2% per block" in said
    assert "resembles the one before" in said
    assert "Never steady in json: java/servlet" in said
    slow = [one.block for one in machine_blocks.speeds(disturbed) if one.slow]
    assert slow == [3]


def test_a_block_that_one_verdict_calls_slow_is_told_by_that_verdict(run: RunRecord) -> None:
    slow = BlocksRecord(speed=[0.8, 1.0, 1.0], sentinel=[0.9, 1.0, 1.0], slow=[0])
    usual = BlocksRecord(speed=[1.2, 1.0, 1.0], sentinel=[1.1, 1.0, 1.0])
    verdicts = [run.verdicts[0].model_copy(update={"machine": held}) for held in (slow, usual)]
    (told,) = machine_blocks.cautions(run.model_copy(update={"verdicts": verdicts}))
    assert "slow in block 1 (80% of the usual speed)" in told


def test_a_calm_run_has_no_such_cautions(run: RunRecord) -> None:
    assert not list(machine_blocks.cautions(run))
    assert machine_blocks.speeds(run) == []


def test_drift_is_told_where_it_exceeds_the_noise(run: RunRecord) -> None:
    def with_speed(*speed: float) -> list[str]:
        held = BlocksRecord(speed=list(speed), drift=-0.02)
        verdicts = [run.verdicts[0].model_copy(update={"machine": held})]
        return list(machine_blocks.cautions(run.model_copy(update={"verdicts": verdicts})))

    assert "2% slower with each block" in with_speed(1.06, 1.04, 1.02, 1.0, 0.98, 0.96, 0.94)[0]
    assert not with_speed(1.06, 1.04, 0.9, 1.0, 1.1, 0.96, 0.94)
    assert not with_speed(1.04, 1.02, 1.0, 0.98, 0.96)  # Of five, one in sixty falls by chance.


def test_a_machine_that_goes_nowhere_is_seldom_said_to_drift() -> None:
    draw = random.Random(7)
    series = [[draw.gauss(1, 0.05) for _ in range(8)] for _ in range(2_000)]
    assert sum(one_way(one, TREND_LEVEL) for one in series) <= 2_000 * 2 * TREND_LEVEL
    drifting = [[one + 0.04 * at for at, one in enumerate(held)] for held in series]
    assert sum(one_way(one, TREND_LEVEL) for one in drifting) > 1_000


def test_the_page_shows_both(disturbed: RunRecord) -> None:
    page = render_html(disturbed)
    assert "Block by block" in page
    assert "Where the time went" in page
    assert '<span class="warn">slow</span>' in page
