"""What a table held over time, and which of it an answer may show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")

Rows = Mapping[int, int]


class State(NamedTuple, Generic[T]):
    """What it held between two changes: since when, at the earliest and for certain, by
    `time.monotonic`."""

    earliest_s: float
    since_s: float
    held: T


class States(Generic[T]):
    """All of them so far, of which an answer may show each for `allowed_s` after its end: longer
    than no time at all where it may come from a cache."""

    def __init__(self, held: T, allowed_s: float = 0.0) -> None:
        self.allowed_s = allowed_s
        self._states = [State(0.0, 0.0, held)]

    @property
    def newest(self) -> T:
        """What it holds now."""
        return self._states[-1].held

    @property
    def changes(self) -> int:
        """How often it has changed."""
        return len(self._states) - 1

    def changed(self, state: State[T]) -> None:
        """Go on with `state`."""
        # Another list, because answers are judged on another thread than changes are made.
        self._states = [*self._states, state]

    def problem(
        self, wrong: Callable[[T], str | None], asked_s: float, answered_s: float
    ) -> str | None:
        """What is wrong with an answer of which `wrong` tells what does not fit to one state; None
        where nothing is.

        It was asked for no earlier than `asked_s`, and could show no change that began after
        `answered_s`. How long the answer took does not matter: the server may have stood still.
        """
        earlier, may, late_s = self._told_apart(asked_s, answered_s)
        problem = None
        for state in may:
            if (problem := wrong(state.held)) is None:
                return None
        if any(wrong(state.held) is None for state in earlier):
            return f"out of date, it had changed {late_s:.2f} s before: {problem}"
        return problem

    def _told_apart(
        self, asked_s: float, answered_s: float
    ) -> tuple[list[State[T]], list[State[T]], float]:
        """Those that an answer may no longer show, those that it may, and how long before it those
        others had ended."""
        states, oldest_s = self._states, asked_s - self.allowed_s
        first = max(i for i, state in enumerate(states) if i == 0 or state.since_s <= oldest_s)
        may = [state for state in states[first:] if state.earliest_s <= answered_s]
        return states[:first], may, answered_s - states[first].since_s


class RowStates(States[Rows]):
    """The rows of a table, by their ids: each row of an answer may be of another age."""

    def rows_problem(
        self, shown: Iterable[tuple[int, int]], asked_s: float, answered_s: float
    ) -> str | None:
        """As `problem`, of the rows `shown` by an answer; None where each may be so."""
        earlier, may, late_s = self._told_apart(asked_s, answered_s)
        allowed = f" ({self.allowed_s:.2f} s are allowed)" if self.allowed_s else ""
        for id, held in shown:
            if id not in self.newest:
                return f"the id {id} is not in 1..{len(self.newest)}"
            if any(state.held[id] == held for state in may):
                continue
            told = f"row {id} was answered with {held}"
            if any(state.held[id] == held for state in earlier):
                told += f", which had changed {late_s:.2f} s before{allowed}"
            return f"{told}; the table holds {self.newest[id]}"
        return None
