"""What `session-counter` says of counts that it set while visitors came, of real sequences."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from webdyno.catalog.scenarios.scenario import read_scenario
from webdyno.runtime.services.sessions import Look, Moved, RowReads, Total, Writes
from webdyno.trial.proof.prove import verifier_of
from webdyno.verifier import Mismatch, Probe, Sample, beside

SCENARIO = Path(__file__).parents[3] / "scenarios" / "session-counter"
moving = beside(str(SCENARIO / "verifier.py"), "moves")


class Table:
    """Of visitors and their counts, as a server writes it that counts right."""

    def __init__(self) -> None:
        self.rows: dict[str, int] = {}
        self.newest: list[str] = []
        self.commits = self.looked_up = 0
        self.finds = 2
        self.tried: list[int] = []
        self.due = (0, 0)

    def visit(self, uid: str) -> None:
        self.looked_up += self.finds if uid in self.rows else 0
        self.rows[uid] = self.rows.get(uid, 0) + 1
        self.commits += 1
        self.newest.append(uid)

    def move(self, counts: Sequence[int]) -> Look:
        self.tried.append(len(counts))
        again = [uid for uid in dict.fromkeys(reversed(self.newest)) if self.rows[uid] >= 2]
        self.newest = []
        moved = [Moved(uid, self.rows[uid], now) for uid, now in zip(again, counts, strict=False)]
        self.rows.update({one.uid: one.now for one in moved})
        return Look(moved, len(again))

    def counts(self, uids: Sequence[str]) -> Mapping[str, int]:
        return {uid: self.rows[uid] for uid in uids}

    def total(self) -> Total:
        return Total(len(self.rows), sum(self.rows.values()))

    def before_warm_up(self) -> None:
        pass

    def begin(self) -> None:
        self.commits = self.looked_up = 0

    def reads(self, expected: int, warm_up: int, *, thorough: bool) -> RowReads:
        self.due = expected, warm_up
        return RowReads(self.looked_up, 0.9 * expected, 0.0)

    def writes(self) -> Writes:
        return Writes(self.commits, None)

    def sent_together(self) -> str:
        return ""

    def connections(self) -> int:
        return 0


class Start:
    """A server's start, which one load or several follow; its visitors end after so many visits."""

    def __init__(self, work: Path) -> None:
        self.verifier: Any = verifier_of(read_scenario(SCENARIO), {}, work, 1)
        self.verifier.phase = "during"
        self.table = self.verifier.store = Table()
        self.verifier._rest = self._rest
        self._number = 0

    def _rest(self, _probe: Probe) -> Total:
        self.table.visit(f"ours {self._new()}")
        self.table.newest = []  # What was written before the load is not looked at.
        return self.table.total()

    def _new(self) -> int:
        self._number += 1
        return self._number

    def load(self, visits: int, every: int = 100, answers: int = 4000, drops: bool = False) -> None:
        """Counts are set after so many answers, and so on. `drops`: whose count was set begins
        anew, as a server has it that looks for changes."""
        verifier: Any = self.verifier
        probe: Any = SimpleNamespace()
        verifier.before_load(probe)
        users: list[tuple[str, int]] = []
        met: set[int] = set()
        for number in range(answers):
            at = number % 32
            if at >= len(users):
                users.append((f"{self._new()}", 0))
            uid, so_far = users[at]
            if so_far == visits or (drops and uid in verifier.moves.by_uid):
                uid, so_far = f"{self._new()}", 0
            met.update(one.now for one in verifier.moves.by_uid.get(uid, ()))
            self.table.visit(uid)
            users[at] = uid, so_far + 1
            if number % every == every // 2 and (change := verifier.change()) is not None:
                change.make()
        verifier.followed = len(met)
        verifier.reconcile(probe, {"ok": answers})


@pytest.fixture
def start(tmp_path: Path) -> Start:
    return Start(tmp_path)


@pytest.mark.parametrize("visits", [1, 2, 10, 20, 10_000])
def test_honest_visitors_that_come_so_often_are_proven(start: Start, visits: int) -> None:
    start.load(visits)
    claims = [item.claim for item in start.verifier.evidence]
    assert any("follow the table" in claim for claim in claims) is (visits > 1)


def test_visits_that_find_their_row_once_have_not_read_it(start: Start) -> None:
    start.table.finds = 1
    start.load(1)  # Who comes once has no row to read.
    with pytest.raises(Mismatch, match=r"read its row before it wrote it.* \d+ look-ups, 3968 vis"):
        start.load(10_000)


def test_visits_of_the_warm_up_that_read_a_row_are_known(start: Start) -> None:
    verifier, table = start.verifier, start.table
    for _ in range(2):
        verifier.before_warm_up()
        first = len(table.rows)
        for number in range(100):
            table.visit(f"warm {first + number % 8}")
        # The end of the warm-up came before two of the answers. The visit before the load, which is
        # ours, is taken for one of the eight that began a session.
        verifier.answered_before += 98
        start.load(10_000)
        assert table.due == (2 * 3968, 2 * (98 - 8 - 1))
        verifier.answered_before += 4000


def test_several_loads_of_one_start_are_counted_each_for_itself(start: Start) -> None:
    for visits in (10_000, 1, 10_000):
        start.load(visits)
    claims = [item.claim for item in start.verifier.evidence]
    assert sum("follow the table" in claim for claim in claims) == 2


def test_visitors_who_never_come_again_once_their_count_was_set_are_told(start: Start) -> None:
    with pytest.raises(Mismatch, match=r"visits continued from 0 of the counts .* never seen"):
        start.load(10_000, every=400, drops=True)


def test_new_visitors_alone_are_looked_for_a_few_times_and_not_timed(start: Start) -> None:
    start.verifier.before_load(SimpleNamespace())
    made = []
    while (change := start.verifier.change()) is not None:
        made.append(change.apply())
        start.table.visit(str(len(made)))
    assert made == [False] * moving.IN_VAIN
    # The table is large by then, and each look reads all of it.
    assert start.table.tried == [moving.AT_A_TIME, moving.AT_ONCE, moving.AT_ONCE]


@pytest.mark.parametrize(("found", "told"), [([], False), ([None], False), ([None, 3], True)])
def test_only_looks_that_were_made_are_told_of(
    start: Start, found: list[int | None], told: bool
) -> None:
    verifier = start.verifier
    verifier.moves = looked(*found)
    kind = [("content-type", "text/plain")]
    verifier.audit([Sample("visit", {}, 200, kind, b"Count is 2", 0.1)])
    claims = [item.claim for item in verifier.evidence]
    assert any("looked into during the load: 1 times" in claim for claim in claims) is told


def looked(*written: int | None) -> Any:
    """Looks of one second each, after so many rows were found written."""
    moves = moving.Moves(random.Random(1))
    moves.looks = [moving.Looked(at, at + 1.0, many) for at, many in enumerate(written)]
    return moves


def answers(*at_s: float) -> Iterator[tuple[float, float]]:
    return ((one, one + 0.1) for one in at_s)


def test_looks_that_found_what_was_answered_say_nothing() -> None:
    assert list(looked(3, 0, 2).unwritten(answers(0.2, 0.3, 2.2, 2.3))) == []
    # Who comes again may be answered while the look is under way, or just before it.
    assert list(looked(3, 0, 2).unwritten(answers(*[0.95] * 9, *[1.95] * 9))) == []
    # All were new.
    assert list(looked(0, 0, 0).unwritten(answers())) == []


def test_looks_that_found_nothing_of_what_was_answered_are_told() -> None:
    (problem,) = looked(3, 0, 0).unwritten(answers(1.2, 1.3, 1.4, 2.2, 2.3))
    assert problem is not None
    assert problem.startswith("in 2 of them no row had been written for 5 of")
