"""Reads of the warm-up that PostgreSQL tells of together with those of the load."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from support.counters import ANSWERS, NOTHING, Counters
from webdyno.catalog.scenarios.scenario import read_scenario
from webdyno.runtime.services import table_work
from webdyno.runtime.services.sessions import PostgreSqlSessions, RowReads
from webdyno.runtime.services.statements import Statements
from webdyno.runtime.services.table_work import TableWork
from webdyno.runtime.services.told_in_time import LookAtWork
from webdyno.trial.proof.prove import verifier_of
from webdyno.verifier import Mismatch, Sample

SCENARIOS = Path(__file__).parents[3] / "scenarios"
NEW, OLD = 170_002, 140_010


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    # A PostgreSQL that is none has told all that it will tell.
    monkeypatch.setattr(table_work, "TOLD_LATE_S", 0.01)
    monkeypatch.setattr(table_work, "AGAIN_S", 0.01)


def whole(reads: int) -> TableWork:
    """So many reads of a table of seven rows, each in a transaction of its own."""
    return TableWork(0, reads, 0, 0, 7 * reads, reads)


def look_ups(number: int) -> TableWork:
    return TableWork(number, 0, 0, number, 0, number)


def sample(at_s: float = 0.0, *, kept: bool = False) -> Sample:
    """An answer of the warm-up: its body is not known."""
    headers = [("X-Cache", "HIT")] if kept else []
    return Sample("one", {}, 200, headers, b"", at_s, sent_s=at_s, answered_by_s=at_s + 0.01)


def verifier(scenario: str, work: Path) -> Any:
    """With a PostgreSQL that had counted nothing before the warm-up."""
    made: Any = verifier_of(read_scenario(SCENARIOS / scenario), {}, work, 1)
    made.psql = Counters(NEW)
    made.psql.work = NOTHING
    made.before_warm_up()
    return made


def proven(made: Any, told: TableWork, done: TableWork, answers: int = ANSWERS) -> str:
    """What is said where PostgreSQL had counted `told` by the load's beginning, and `done` in the
    end; "" where nothing is."""
    made.psql.work = told
    made.before = made._work()
    made.psql.work = done
    try:
        made.reconcile(None, {"ok": answers})
    except Mismatch as mismatch:
        return "a breakdown" if mismatch.is_breakdown else str(mismatch)
    return ""


@pytest.mark.parametrize(
    ("fresh", "kept", "done", "is_enough"),
    [
        (250, 0, 1250, True),
        (250, 0, 1230, False),
        (250, 0, 1000, False),
        # Of answers from a cache nothing was read.
        (200, 50, 1200, True),
        (200, 50, 1180, False),
    ],
)
def test_pages_of_the_warm_up_make_up_for_none_of_the_load(
    tmp_path: Path, fresh: int, kept: int, done: int, is_enough: bool
) -> None:
    made = verifier("page", tmp_path)
    made.articles, made.sampled = list(range(7)), ANSWERS
    made.statements = Statements({"PGUSER": "webdyno"}, "articles")
    # Two loads, each of which was sampled for itself.
    made.warmed([sample() for _ in range(100)], 100)
    made.warmed([sample(kept=number < kept) for number in range(fresh + kept - 100)], 150)
    said = proven(made, whole(200), whole(done))
    assert (said == "") is is_enough, said
    late = ", and 50 of the warm-up that were not counted before the load" in said
    assert late is (not is_enough and kept == 0), said


def test_how_many_pages_of_a_warm_up_were_rendered_is_known_by_its_samples(tmp_path: Path) -> None:
    made = verifier("page", tmp_path)
    made.warmed([sample() for _ in range(1000)], 5000)
    assert made.warm_fresh == 4920
    made.warmed([sample(kept=True) for _ in range(1000)], 5000)
    made.warmed([], 10)
    assert made.warm_fresh == 4920
    # The next load of the same start has a warm-up of its own.
    made.before_warm_up()
    assert made.warm_fresh == 0


SECONDS, PER_SECOND = 3.0, 5000


def loaded(began_s: float) -> list[Sample]:
    """A thousand answers, one after the other, of so many."""
    return [sample(began_s + SECONDS * number / 1000) for number in range(1000)]


@pytest.mark.parametrize(
    ("missing", "is_enough"), [(0, True), (5, True), (60, False), (100, False), (200, False)]
)
def test_rows_read_in_the_warm_up_make_up_for_none_of_the_load(
    tmp_path: Path, missing: int, is_enough: bool
) -> None:
    made = verifier("cached", tmp_path)
    made.number, made.ttl_s = 20, 0.5
    made.statements = Statements({"PGUSER": "webdyno"}, "world")
    answers = int(SECONDS * PER_SECOND)
    made.warmed(loaded(0.0), answers)
    due = made.warm_reads
    # Once in 0.6 s, and a moment in which each is asked for.
    assert due == 400
    made.answered = [(one.sent_s, one.answered_by_s) for one in loaded(10.0)]
    made.sampled_from = answers
    # Those of the last second before the load were not counted by then.
    said = proven(made, look_ups(due - 200), look_ups(2 * due - missing))
    assert (said == "") is is_enough, said
    if said:
        assert f"{due + 200 - missing} reads in 3.0 s; " in said
        assert said.endswith(
            f"need {due}, and 200 of the warm-up were not counted before the load"
        ), said


@pytest.mark.parametrize(
    ("version", "told", "late"), [(NEW, 300, 200), (NEW, 500, 0), (NEW, 900, 0), (OLD, 300, 0)]
)
def test_look_ups_of_the_warm_up_s_visits_are_demanded_with_those_of_the_load(
    version: int, told: int, late: int
) -> None:
    store, psql = object.__new__(PostgreSqlSessions), Counters(version)
    unused: Any = psql
    store._psql = unused
    psql.work = look_ups(70)
    store.before_warm_up()
    psql.work = look_ups(70 + told)
    store._before = store._work()
    psql.work = look_ups(70 + told + 1900)
    least = 0.5 if version == OLD else 0.99
    found = store.reads(2000, 500, thorough=True)
    assert found == RowReads(1900, pytest.approx(least * (2000 + late)), late)


def test_without_a_warm_up_there_is_nothing_to_come() -> None:
    store, psql = object.__new__(PostgreSqlSessions), Counters(NEW)
    unused: Any = psql
    store._psql, store._warm = unused, None
    psql.work = NOTHING
    store._before = store._work()
    assert store.reads(100, 500, thorough=True).late == 0


class Backends:
    """Of PostgreSQL: each tells of its work with the first statement that comes a second after it
    told last."""

    RATE = 500

    def __init__(self, seed: int) -> None:
        self._drawn = random.Random(seed)
        self._told_s = [self._drawn.random() for _ in range(4)]
        self._untold = [0] * 4
        self.told = 0

    def load(self, began_s: float, seconds: float, reads: int, *, skips: bool) -> int:
        """Requests of so many reads each, of which a server that `skips` leaves out one in ten;
        the number of their answers."""
        answers = int(seconds * self.RATE)
        for number in range(answers):
            one, now_s = self._drawn.randrange(4), began_s + number / self.RATE
            self._untold[one] += reads - (skips and number % 10 == 0)
            if now_s - self._told_s[one] >= 1:
                self.told, self._untold[one] = self.told + self._untold[one], 0
                self._told_s[one] = now_s
        return answers

    def in_the_end(self) -> int:
        return self.told + sum(self._untold)


# Whether it skips reads in the warm-up, in the load; whether the verifier knows of the warm-up; and
# whether it is caught.
SKIPPING = [
    (False, False, True, False),
    (False, True, True, True),
    (True, True, True, True),
    # What counters tell late hides the reads that are missing from those who do not know of it.
    (False, True, False, False),
]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("warm", "load", "known", "caught"), SKIPPING)
def test_one_page_in_ten_that_is_not_read_is_missed(
    tmp_path: Path, warm: bool, load: bool, known: bool, caught: bool, seed: int
) -> None:
    made, backends = verifier("page", tmp_path), Backends(seed)
    made.articles, made.sampled = list(range(7)), made.samples
    made.statements = Statements({"PGUSER": "webdyno"}, "articles")
    before = backends.load(0.0, 2.0, 1, skips=warm)
    made.warmed([sample() for _ in range(1000)] if known else [], before)
    told = backends.told
    answers = backends.load(2.5, 5.0, 1, skips=load)
    said = proven(made, whole(told), whole(backends.in_the_end()), answers)
    assert bool(said) is caught, said


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("warm", "load", "known", "caught"), SKIPPING)
def test_one_visit_in_ten_that_does_not_read_its_row_is_missed(
    warm: bool, load: bool, known: bool, caught: bool, seed: int
) -> None:
    store, psql, backends = object.__new__(PostgreSqlSessions), Counters(NEW), Backends(seed)
    unused: Any = psql
    store._psql = unused
    psql.work = NOTHING
    store.before_warm_up()
    before = backends.load(0.0, 2.0, 2, skips=warm)
    psql.work = look_ups(backends.told)
    store._before = store._work()
    again = backends.load(2.5, 10.0, 2, skips=load)
    psql.work = look_ups(backends.in_the_end())
    found = store.reads(2 * again, 2 * before if known else 0, thorough=True)
    assert (found.seen < found.least) is caught


@pytest.mark.parametrize("scenario", ["queries", "fortunes", "page"])
@pytest.mark.parametrize("goes_on", [True, False])
def test_reads_after_the_load_are_none_of_it(tmp_path: Path, scenario: str, goes_on: bool) -> None:
    """They are made up for at the end, so the counters are then what they should be."""
    made: Any = verifier_of(read_scenario(SCENARIOS / scenario), {}, tmp_path, 1)
    made.psql, made.number = Counters(NEW), 7
    made.psql.work = NOTHING
    made.fortunes = dict.fromkeys(range(7), "a message")
    made.statements = Statements({"PGUSER": "webdyno"}, "a table")
    made.goes_on, made.sampled_from = goes_on, ANSWERS
    made.answered_s = made.rendered_s = [number / 20 for number in range(200)]
    made.articles, made.sampled = list(range(7)), 200
    made.looks = [LookAtWork(at_s, NOTHING) for at_s in (5.0, 7.0, 9.0)]
    done = look_ups(7 * ANSWERS) if scenario == "queries" else whole(ANSWERS)
    said = proven(made, NOTHING, done)
    assert ("while the load went on" in said) is goes_on, said
    made.looks = [
        LookAtWork(at_s, done._make(int(count * at_s / 10) for count in done))
        for at_s in (5.0, 7.0, 9.0)
    ]
    assert proven(made, NOTHING, done) == ""


@pytest.mark.parametrize(
    ("told", "is_right"),
    [
        # Of rows that are kept for half a second, after three seconds and a half.
        ({5.0: 150, 7.0: 300, 9.0: 500}, True),
        ({5.0: 0, 7.0: 0, 9.0: 500}, True),
        ({5.0: 0, 7.0: 100, 9.0: 100}, False),
        # In the first seconds nothing is due.
        ({0.5: 0, 2.0: 0, 3.4: 0}, True),
    ],
)
@pytest.mark.parametrize("goes_on", [True, False])
def test_rows_that_expired_are_read_while_the_load_goes_on(
    tmp_path: Path, told: dict[float, int], is_right: bool, goes_on: bool
) -> None:
    made = verifier("cached", tmp_path)
    made.number, made.ttl_s = 20, 0.5
    made.statements = Statements({"PGUSER": "webdyno"}, "world")
    times = [10 * number / 1000 for number in range(1000)]
    made.answered = [(at_s, at_s + 0.001) for at_s in times]
    made.sampled_from = 50_000
    made.goes_on = goes_on
    made.looks = [LookAtWork(at_s, look_ups(reads)) for at_s, reads in told.items()]
    said = proven(made, NOTHING, look_ups(10_000))
    assert ("while the load went on" in said) is (goes_on and not is_right), said
    if said:
        assert "of 3 looks, there had been reads for 100 of 8" in said
