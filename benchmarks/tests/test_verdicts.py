"""The comparison of verdicts with long loads: its arithmetic, its table, and a small one."""

import json
import math
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks.verdicts import ratio
from benchmarks.verdicts.compare import Counts, compared, place_of
from benchmarks.verdicts.examine import Examination, ExaminationOptions
from benchmarks.verdicts.long_load import LongLoad, rate_of_turn, series
from benchmarks.verdicts.neighbour import bursts, neighbour
from benchmarks.verdicts.page import summary, table
from benchmarks.verdicts.ratio import Interval, LogRatio

from webdyno.runtime.proc import is_zombie
from webdyno.store.verdicts import NotRanked, RatioRecord, VerdictRecord

ROOT = Path(__file__).parents[2]


def test_a_third_is_left_out_and_more_of_a_server_that_still_becomes_faster():
    assert ratio.level_from([100.0] * 12) == 4
    assert ratio.level_from([10, 20, 30, 40, 50, 90, 96, 100, 100, 100, 100, 100]) == 6
    # The last third always counts, and of one turn there is nothing to leave out.
    assert ratio.level_from([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048]) == 8
    assert ratio.level_from([100.0]) == 0


def test_what_a_round_does_to_both_cancels():
    machine = [1.0, 0.7, 0.9, 1.1, 0.8, 1.0]
    exact = ratio.paired([300 * m for m in machine], [200 * m for m in machine]).interval()
    assert exact.ratio == pytest.approx(1.5)
    assert exact.high - exact.low < 1e-9


def test_the_pair_counts_from_where_both_are_level():
    slow_starter = [10.0, 20.0, 40.0, 60.0, 80.0, 100.0, 100.0, 100.0, 100.0]
    assert ratio.paired(slow_starter, [50.0] * 9).mean == pytest.approx(math.log(2))


def test_students_interval():
    # t(2; 0.975) = 4.303, of three values with the standard error 0.01.
    step = 0.01 * math.sqrt(3)
    found = LogRatio.of([-step, 0.0, step])
    assert (found.error, found.freedom) == (pytest.approx(0.01), 2)
    assert math.log(found.interval().high) == pytest.approx(0.04303, abs=1e-5)
    assert LogRatio.of([0.1]).interval() == Interval(math.exp(0.1), 0.0, math.inf)


def test_of_two_ratios_measured_apart_the_errors_add_up():
    found = LogRatio(0.5, 0.03, 4) - LogRatio(0.2, 0.04, 4)
    assert (found.mean, found.error) == (pytest.approx(0.3), pytest.approx(0.05))
    assert found.freedom == pytest.approx(4 * 25**2 / (9**2 + 16**2))


def test_several_lives_vary_by_more_than_the_turns_of_one():
    sure = [LogRatio(mean, 1e-6, 7) for mean in (0.0, 0.1, 0.2)]
    assert ratio.over_lives(sure[:1]) == sure[0]
    assert ratio.over_lives(sure).error == pytest.approx(0.1 / math.sqrt(3))


def test_the_beginning_of_a_turn_does_not_count():
    # From 2.0 s on: slow for half a second, then 100 answers in each window.
    ticks = [(2.0 + 0.1 * n, 1 if n <= 5 else 100) for n in range(1, 21)]
    assert rate_of_turn(ticks, 2.0, 2.0) == pytest.approx(1000.0)
    assert rate_of_turn([], 2.0, 2.0) == 0.0


def test_the_series_has_whole_windows_only():
    assert series([(0.1 * n, 8) for n in range(1, 200)]) == [80, 80]


@pytest.mark.parametrize(
    ("truth", "place"),
    [
        (Interval(1.05, 1.0, 1.1), "inside"),
        (Interval(1.2, 1.08, 1.3), "overlaps"),
        (Interval(0.9, 0.8, 1.02), "overlaps"),
        (Interval(1.2, 1.15, 1.3), "outside"),
        (None, "no truth"),
    ],
)
def test_where_the_truth_lies(truth: Interval | None, place: str):
    assert place_of(Interval(1.05, 1.0, 1.1), truth) == place


def test_an_interval_without_bounds_holds_nothing():
    for low, high in ((0.0, math.inf), (1.0, math.inf), (math.nan, math.nan)):
        assert place_of(Interval(1.0, low, high), Interval(1.0, 0.9, 1.1)) == "no interval"


def verdict(outcome: str = "faster", **changes: object) -> VerdictRecord:
    """One that has a at 2 [1.6, 2.5] of b."""
    pair = RatioRecord(of="a", to="b", estimate=2.0, low=1.6, high=2.5, outcome=outcome)
    return VerdictRecord(
        scenario="json",
        load="closed-32",
        metric="throughput_rps",
        entries=["a", "b"],
        groups=[],
        ratios=[pair],
        **{"blocks": 5, **changes},
    )


def test_a_pair_is_found_whichever_way_round_it_was_stored():
    found = compared(verdict(), ("b", "a"), "run", Interval(0.5, 0.45, 0.55))
    assert found.said == Interval(0.5, 1 / 2.5, 1 / 1.6)
    assert (found.outcome, found.place, found.holds) == ("slower", "inside", True)


def test_an_interval_counts_though_its_pair_is_not_settled():
    truth = Interval(2.1, 2.0, 2.2)
    few = compared(verdict(blocks=2), ("a", "b"), "run", truth)
    cold = [NotRanked(entry="a", reason="still warming up", kind="still-warming")]
    warming = compared(verdict(not_ranked=cold), ("a", "b"), "run", truth)
    assert (few.outcome, warming.outcome) == ("too few blocks", "still warming up")
    for found in (few, warming, compared(verdict("not separated"), ("a", "b"), "run", truth)):
        assert (found.settled, found.place, found.holds) == (False, "inside", None)


def test_without_a_ratio_the_reason_is_told():
    cold = [NotRanked(entry="c", reason="still warming up", kind="still-warming")]
    found = compared(verdict(not_ranked=cold), ("c", "b"), "run", Interval(1.0, 0.9, 1.1))
    assert (found.outcome, found.place, found.said) == ("still warming up", "no interval", None)
    assert compared(None, ("c", "b"), "run", None).place == "no truth"


def test_a_word_is_false_only_where_no_possible_truth_fits():
    def holds(outcome: str, low: float, high: float) -> bool | None:
        truth = Interval(math.sqrt(low * high), low, high)
        return compared(verdict(outcome), ("a", "b"), "run", truth).holds

    assert holds("faster", 0.97, 1.01)
    assert holds("faster", 0.97, 0.99) is False
    assert holds("slower", 1.01, 1.02) is False
    assert holds("equal", 1.02, 1.05)
    assert holds("equal", 1.04, 1.05) is False


def test_both_counts_and_the_table():
    pairs = [
        compared(verdict(), ("a", "b"), "run", Interval(2.0, 1.9, 2.1)),
        compared(verdict("not separated"), ("a", "b"), "run", Interval(2.6, 2.4, 2.8)),
        compared(verdict(), ("a", "b"), "run", Interval(0.5, 0.4, 0.6)),
        compared(verdict(), ("c", "b"), "run", Interval(1.0, 0.9, 1.1)),
    ]
    assert Counts.of(pairs) == Counts(pairs=4, with_interval=3, inside=1, not_outside=2)
    rows = table(pairs)
    assert rows[2] == "| a | b | faster | 2.000 [1.600, 2.500] | 2.000 [1.900, 2.100] | inside |"
    assert rows[4].endswith("| outside, not faster |")
    assert rows[5] == "| c | b | not compared |  | 1.000 [0.900, 1.100] | no interval |"
    told = "\n".join(summary(pairs))
    assert "2 of 4 pairs settled; 1 with a false word" in told
    assert "1 of 3 hold the true ratio (33%)" in told
    assert "2 of 3 where the truth's own uncertainty is allowed for (67%)" in told


def examination_options(**changes: object) -> ExaminationOptions:
    given = dict(
        servers=("r", "a", "b", "c", "d"), against="r", scenario="json", seconds=60.0, turn_s=5.0,
        together=3, lives=1, budget="120s", one_run=False, neighbour=0.0, out=Path("."),
    )  # fmt: skip
    return ExaminationOptions(**{**given, **changes})


def test_the_server_that_all_are_compared_with_is_in_every_group_and_run():
    assert examination_options().groups == [("r", "a", "b"), ("r", "c", "d")]
    assert examination_options().studies[0] == ["r", "a"]
    assert examination_options().pairs == [("a", "r"), ("b", "r"), ("c", "r"), ("d", "r")]
    assert len(examination_options(one_run=True).pairs) == 10
    assert examination_options(lives=2).load_s == 2 * 6 * 60.0


def test_servers_of_two_groups_are_compared_by_way_of_the_one_that_both_have():
    rounds = {"r": [100.0] * 12, "a": [200.0] * 12, "c": [50.0] * 12}
    groups = [
        {name: LongLoad(name, rates=rounds[name]) for name in names}
        for names in (("r", "a"), ("r", "c"))
    ]
    found = Examination(examination_options(), loads=groups)
    of_both = found.truth("a", "c")
    assert of_both is not None
    assert of_both.interval().ratio == pytest.approx(4.0)
    groups[1]["c"].failed = "it ended with 1 under load"
    assert found.truth("a", "c") is None


def test_a_neighbour_uses_its_share_and_ends():
    draw, worked, rested = bursts(0.25, random.Random(1)), 0.0, 0.0
    for _ in range(2000):
        work_s, rest_s = next(draw)
        worked, rested = worked + work_s, rested + rest_s
    assert worked / (worked + rested) == pytest.approx(0.25, abs=0.02)
    before = _children()
    with pytest.raises(KeyboardInterrupt):
        _interrupted_beside_a_neighbour(before)
    assert _children() == before


def _interrupted_beside_a_neighbour(before: set[int]) -> None:
    with neighbour(0.5):
        (pid,) = _children() - before
        assert not is_zombie(pid)
        raise KeyboardInterrupt


def _children() -> set[int]:
    return set(map(int, Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()))


@pytest.mark.long
@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_a_small_comparison(tmp_path: Path):
    program = [sys.executable, "-m", "benchmarks.verdicts", "--out", str(tmp_path)]
    short = ["--seconds", "2", "--turn", "1", "--budget", "1s", "--neighbour", "0.2"]
    servers = ["--servers", "node/http", "node/http@cluster"]
    done = subprocess.run(
        [*program, *short, *servers], cwd=ROOT, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    found = json.loads((tmp_path / "verdicts.json").read_text())
    (pair,) = found["pairs"]
    assert (pair["server"], pair["to"]) == ("node/http@cluster", "node/http")
    assert pair["truth"]["ratio"] > 0
    (loads,) = found["long_loads"]
    assert [len(load["rates"]) for load in loads.values()] == [2, 2]
    assert "| node/http@cluster | node/http |" in (tmp_path / "verdicts.md").read_text()
