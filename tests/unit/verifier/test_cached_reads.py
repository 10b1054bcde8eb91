"""How often rows of `cached` have to be read, by sampled answers, beside how often they were."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from webdyno.verifier import beside

reads = beside(str(Path(__file__).parents[3] / "scenarios" / "cached" / "verifier.py"), "reads")

ROWS, DRAWN, SAMPLES = 10, 20, 200
TTL_S = 0.5


def steady(at_s: float) -> float:
    """Answers per second."""
    return 400.0


def in_turns(at_s: float) -> float:
    """A tenth of a second in each second and a half."""
    return 2000.0 if at_s % 1.5 < 0.1 else 0.0


def ever_fewer(at_s: float) -> float:
    return 1500.0 * 0.6**at_s


def in_one_burst(at_s: float) -> float:
    return 4000.0 if at_s < 0.5 else 1.0


Rate = Callable[[float], float]


def load(rate: Rate, seconds: float, kept_s: float, seed: int = 1) -> tuple[int, int]:
    """What a server reads that keeps each row for so long, and what it must read by its answers."""
    drawing = random.Random(seed)
    read_s = [-1e9] * ROWS
    made, answers = 0, []
    for at in range(int(seconds * 1000)):
        due, chance = divmod(rate(at / 1000) / 1000, 1)
        for _ in range(int(due) + (drawing.random() < chance)):
            sent_s = at / 1000 + drawing.random() / 1000
            looks_s = sent_s + drawing.random() / 50
            answers.append((sent_s, looks_s + drawing.random() / 50))
            for id in drawing.choices(range(ROWS), k=DRAWN):
                if abs(looks_s - read_s[id]) >= kept_s:
                    read_s[id] = looks_s
                    made += 1
    sampled = drawing.sample(answers, min(SAMPLES, len(answers)))
    between = len(answers) / len(sampled) * DRAWN / ROWS
    return made, ROWS * reads.least_reads(sampled, between=between, kept_s=TTL_S)


@pytest.mark.parametrize("rate", [steady, in_turns, ever_fewer, in_one_burst])
def test_no_honest_server_reads_less(rate: Rate) -> None:
    for seed in range(3):
        made, needed = load(rate, 10.0, TTL_S, seed)
        assert made >= needed


@pytest.mark.parametrize(("seconds", "share"), [(4.0, 0.6), (20.0, 0.4)])
def test_one_that_keeps_rows_longer_reads_less(seconds: float, share: float) -> None:
    made, needed = load(steady, seconds, TTL_S)
    assert needed >= share * made
    made, needed = load(steady, seconds, 3 * TTL_S)
    assert made < 0.9 * needed


def test_few_answers_need_nothing() -> None:
    assert reads.least_reads([], between=0.0, kept_s=TTL_S) == 0
    assert reads.least_reads([(1.0, 1.1)], between=0.2, kept_s=TTL_S) == 0
    assert load(lambda _: 0.3, 10.0, TTL_S)[1] == 0
