"""Entries that differ from themselves: found where they are, and not named where they are not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from webdyno.verdict.steadiness.restless import restless

Array = NDArray[np.float64]

SRC = Path(__file__).resolve().parents[4] / "src"


def tables(
    count: int, blocks: int, entries: int, noise: float = 0.02, seed: int = 1
) -> NDArray[np.float64]:
    """Tables of servers of unlike levels, in blocks of unlike speed, that are as noisy as each
    other."""
    random = np.random.default_rng(seed)
    logs = noise * random.standard_normal((count, blocks, entries))
    logs += 0.1 * random.standard_normal((count, blocks, 1)) + np.linspace(0, 2, entries)
    found: NDArray[np.float64] = 1000 * np.exp(logs)
    return found


def names(entries: int) -> list[str]:
    return [f"s{place}" for place in range(entries)]


@pytest.mark.slow
@pytest.mark.parametrize(("blocks", "entries"), [(3, 2), (3, 4), (5, 4), (4, 8), (12, 3)])
@pytest.mark.parametrize("noise", [0.005, 0.02, 0.06])
def test_it_names_nobody_who_varies_as_the_others_do(
    blocks: int, entries: int, noise: float
) -> None:
    count = 150
    wrong = sum(
        bool(restless(one, names(entries)))
        for one in tables(count, blocks, entries, noise, seed=blocks * entries)
    )
    # At most 0.1% of tables: of 150, more than two have a chance below 1 in 1,000.
    assert wrong <= 2


def test_a_server_twice_as_fast_in_one_trial_of_four_is_found() -> None:
    found = 0
    for one in tables(100, 4, 4):
        one[2, 1] *= 2
        named = restless(one, names(4))
        found += [entry.entry for entry in named] == ["s1"]
    assert found >= 95


def test_it_says_by_how_much_and_beside_what() -> None:
    (table,) = tables(1, 5, 4)
    table[0, 3] *= 2
    (one,) = restless(table, names(4))
    assert one.entry == "s3"
    assert one.spread == pytest.approx(1.0, abs=0.25)
    assert 0.01 < one.usual < 0.12


def test_a_slow_block_is_nobodys_own() -> None:
    (table,) = tables(1, 5, 4)
    table[2] *= 0.5
    assert restless(table, names(4)) == []


def test_where_trials_are_missing_the_rest_is_judged() -> None:
    (table,) = tables(1, 6, 4)
    table[0, 0] = np.nan
    table[1, 1] = 0.0
    assert restless(table, names(4)) == []
    table[3, 0] *= 2
    assert [one.entry for one in restless(table, names(4))] == ["s0"]


@pytest.mark.parametrize("shape", [(2, 4), (4, 1), (0, 3)])
def test_too_little_names_nobody(shape: tuple[int, int]) -> None:
    assert restless(np.full(shape, 1000.0), names(shape[1])) == []
    assert restless(np.full((4, 3), np.nan), names(3)) == []


@pytest.mark.slow
def test_what_runs_does_not_load_all_of_scipy_s_statistics() -> None:
    code = "import sys, webdyno.run.run_study; sys.exit('scipy.stats' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=SRC, check=False).returncode == 0
