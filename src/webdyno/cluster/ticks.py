"""The windows of a load's parts as windows of the whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from webdyno.cluster.answers import Progress


class Ticks:
    """Windows are given once every part has told of them: who judges takes them for whole."""

    def __init__(self, parts: Sequence[str]) -> None:
        self._told = dict.fromkeys(parts, 0)
        """How many windows each part has told of."""
        self._sums: list[list[float]] = []
        self._given = 0
        self._over = False

    def take(self, states: Mapping[str, Progress]) -> None:
        """Take what the parts, by name, say of themselves: `ticks` since the last time, `done`."""
        for name, state in states.items():
            for end_s, ok, errors in state.ticks:
                number = self._told[name]
                if number == len(self._sums):
                    self._sums.append([end_s, 0, 0])
                row = self._sums[number]
                row[0] = max(row[0], end_s)
                row[1] += ok
                row[2] += errors
                self._told[name] += 1
        self._over = all(state.done for state in states.values())

    def whole(self) -> list[list[float]]:
        """Those that are whole since the last call."""
        until = len(self._sums) if self._over else min(self._told.values())
        found, self._given = self._sums[self._given : until], max(self._given, until)
        return found
