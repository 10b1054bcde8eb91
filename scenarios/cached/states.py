"""The rows of a table over time: which of them an answer may show that comes from a cache."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

Rows = Mapping[int, int]


class State(NamedTuple):
    """The rows between two changes: since when, at the earliest and for certain, by
    `time.monotonic`."""

    earliest_s: float
    since_s: float
    rows: Rows


class States:
    """All of them so far, of which an answer may show each for `allowed_s` after its end."""

    def __init__(self, rows: Rows, allowed_s: float) -> None:
        self.allowed_s = allowed_s
        self._states: Sequence[State] = [State(0.0, 0.0, rows)]

    @property
    def newest(self) -> State:
        """What the table holds now."""
        return self._states[-1]

    @property
    def changes(self) -> int:
        """How often the rows have changed."""
        return len(self._states) - 1

    def changed(self, state: State) -> None:
        """Go on with `state`."""
        # Another list, because answers are judged on another thread than changes are made.
        self._states = [*self._states, state]

    def problem(
        self, shown: Iterable[tuple[int, int]], asked_s: float, answered_s: float
    ) -> str | None:
        """What is wrong with the rows `shown` by an answer; None where each may be so.

        It was asked for no earlier than `asked_s`, and could show no change that began after
        `answered_s`. How long the answer took does not matter: the server may have stood still.
        """
        states = self._states
        oldest_s = asked_s - self.allowed_s
        first = max(i for i, state in enumerate(states) if i == 0 or state.since_s <= oldest_s)
        may = [state for state in states[first:] if state.earliest_s <= answered_s]
        for id, held in shown:
            if id not in self.newest.rows:
                return f"the id {id} is none of 1..{len(self.newest.rows)}"
            if any(state.rows[id] == held for state in may):
                continue
            if any(state.rows[id] == held for state in states[:first]):
                late_s = asked_s - states[first].since_s
                return (
                    f"row {id} was answered with {held}, which had changed {late_s:.2f} s before;"
                    f" {self.allowed_s:.2f} s are allowed for"
                )
            return f"row {id} was answered with {held}; the table holds {self.newest.rows[id]}"
        return None
