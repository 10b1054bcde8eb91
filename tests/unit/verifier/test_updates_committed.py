"""`updates`: whether what was answered had been committed by then, by looks into the table."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from webdyno.verifier import beside

SCENARIO = Path(__file__).parents[3] / "scenarios" / "updates"
raising: Any = beside(str(SCENARIO / "verifier.py"), "raising")


class Table:
    """Answers what a change runs, as PostgreSQL does for rows that all hold 10."""

    def run(self, sql: str, **_values: object) -> list[list[str]]:
        ids = range(1, raising.answers.ROWS + 1)
        parts: dict[int, list[str]] = {}
        for id in ids:
            parts.setdefault(id // raising.PART, []).append(f"{id} 10")
        held = [["0", " ".join(part)] for part in parts.values()]
        return [*held, ["0", str(raising.LOOKED_AT)], ["7", "15"]]


def test_a_look_finds_all_that_was_answered_before_it() -> None:
    ours = raising.Raised()
    before_s = time.monotonic()
    ours.make(Table().run, {7: 5})
    after_s = time.monotonic()
    assert (ours.by, ours.rows, ours.least_free) == (5, 1, raising.LOOKED_AT)
    assert ours.risen_to(7, after_s) == 15
    committed = [(before_s, [(1, 10), (10_000, 9)]), (before_s - 1, [(7, 10)])]
    # What was given later may have been committed later.
    later = [(after_s, [(1, 11), (7, 16)])]
    assert list(ours.not_committed(committed + later)) == []
    assert list(raising.Raised().not_committed(committed)) == []
    [problem] = ours.not_committed([*later, (before_s, [(2, 10), (3, 11)]), *committed])
    assert problem.startswith("row 3 was answered with 11; 0.0")
    assert problem.endswith(" s later it held 10")
