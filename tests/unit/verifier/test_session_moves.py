"""`session-counter`: what becomes of the counts that are set during a load, of honest servers whose
visitors come often, seldom or no more, and of others."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from webdyno.catalog.scenarios.scenario import read_scenario
from webdyno.runtime.services.sessions import Look, Moved, batched
from webdyno.trial.proof.prove import verifier_of
from webdyno.verifier import Mismatch, beside

SCENARIO = Path(__file__).parents[3] / "scenarios" / "session-counter"
moving: Any = beside(str(SCENARIO / "verifier.py"), "moves")
OFTEN: int = beside(str(SCENARIO / "verifier.py"), "verifier").OFTEN
USERS, EACH_CHANGE, CHANGES = 32, 400, 12


class Load:
    """Users who each make `visits` and begin anew (all the while where it is None), and the table
    in which a server counts them, or does not."""

    def __init__(self, server: str, visits: int | None, seed: int) -> None:
        self.server, self.visits, self.random = server, visits, random.Random(seed)
        self.rows: dict[str, int] = {}
        self.written: dict[str, int] = {}
        """The row written last comes last; the number of the visit at which it was."""
        self.memory: dict[str, int] = {}
        self.made = dict.fromkeys(range(USERS), 0)
        self.begun = self.answered = self.followed = self.seen = 0
        self.uids = {user: self._anew() for user in self.made}
        self.answers: list[tuple[float, float]] = []
        self.set: set[str] = set()
        self.is_over = False

    def _anew(self) -> str:
        self.begun += 1
        return f"visitor {self.begun}"

    def _write(self, uid: str, count: int) -> None:
        self.rows[uid] = count
        self.written.pop(uid, None)
        self.written[uid] = self.answered

    def go_on(self, visits: int) -> None:
        for _ in range(visits):
            user = self.random.randrange(USERS)
            if self.visits is not None and self.made[user] >= self.visits:
                self.made[user], self.uids[user] = 0, self._anew()
            self.made[user] += 1
            self._visit(self.uids[user])

    def _visit(self, uid: str) -> None:
        sent_s = time.monotonic()
        self.answered += 1
        self.memory[uid] = self.memory.get(uid, 0) + 1
        match self.server:
            case "honest":
                self.followed += uid in self.set
                self.set.discard(uid)
                self._write(uid, self.rows.get(uid, 0) + 1)
            case "overwrites":
                self._write(uid, self.memory[uid])
            case "in rows of its own":
                self._write(f"paid {self.answered}", 2)
        if self.memory[uid] > 1:
            self.answers.append((sent_s, time.monotonic()))

    # As the table does, for `Moves`.

    def move(self, counts: Sequence[int]) -> Look:
        moved, most = list[Moved](), 0
        for part in batched(counts):
            new = [uid for uid, at in self.written.items() if at > self.seen]
            recent = [uid for uid in reversed(new) if self.rows[uid] >= 2][: 4 * len(part)]
            most = max(most, len(recent))
            chosen = [uid for uid in recent if self.rows[uid] < counts[0]]
            for uid, now in zip(chosen, part, strict=False):
                moved.append(Moved(uid, self.rows[uid], now))
                self.rows[uid] = now
                self.set.add(uid)
            self.go_on(0 if self.is_over else self.random.randrange(8))
        self.seen = self.answered
        return Look(moved, most)

    def counts(self, uids: Sequence[str]) -> dict[str, int]:
        return {uid: self.rows[uid] for uid in uids if uid in self.rows}


def judged(
    work: Path, server: str, visits: int | None, seed: int, between: Callable[[int], int]
) -> Any:
    """The verifier, after a load with so many visits before each change. Raises `Mismatch`."""
    verifier: Any = verifier_of(read_scenario(SCENARIO), {}, work, seed)
    load = Load(server, visits, seed)
    verifier.store, verifier.phase = load, "during"
    verifier.moves = moving.Moves(random.Random(seed))
    for number in range(CHANGES):
        load.go_on(between(number))
        load.is_over = between(number + 1) == 0
        if (change := verifier.change()) is not None:
            change.make()
    load.go_on(between(CHANGES))
    verifier.followed = load.followed
    verifier.expect_each("written", verifier.moves.unwritten(load.answers))
    if verifier.moves:
        often = load.answered >= OFTEN * load.begun
        verifier._went_on(verifier.moves.followed(load), 0, comes_again=often)
    return verifier


@pytest.mark.parametrize("visits", [None, 1, 2, 10, 20])
def test_honest_servers_pass_however_often_their_visitors_come(
    tmp_path: Path, visits: int | None
) -> None:
    for seed in range(5):
        found = judged(tmp_path, "honest", visits, seed, lambda _: EACH_CHANGE)
        assert bool(found.moves) == (visits != 1)


@pytest.mark.parametrize("visits", [None, 10, 20])
@pytest.mark.parametrize("ends_after", [0, 1, 4])
def test_a_load_whose_visitors_come_no_more_accuses_nobody(
    tmp_path: Path, visits: int | None, ends_after: int
) -> None:
    for seed in range(5):
        judged(tmp_path, "honest", visits, seed, lambda at: EACH_CHANGE if at <= ends_after else 0)


@pytest.mark.parametrize(
    ("server", "says"),
    [
        ("overwrites", r"\d+ were overwritten with the old count"),
        ("elsewhere", r"no row had been written for \d+ of the sampled answers"),
        ("in rows of its own", r"0 of the counts that were set; 0 .*, \d+ were never seen"),
    ],
)
def test_servers_that_count_elsewhere_are_caught(tmp_path: Path, server: str, says: str) -> None:
    with pytest.raises(Mismatch, match=says):
        judged(tmp_path, server, None, 1, lambda _: EACH_CHANGE)
