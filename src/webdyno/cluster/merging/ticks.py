"""The windows of a load's parts as windows of the whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from webdyno.generators.progress import LoadProgress, Tick


class Ticks:
    """Windows are given once every part has told of them: who judges takes them for whole."""

    def __init__(self, parts: Sequence[str]) -> None:
        self._windows_of = dict.fromkeys(parts, 0)
        """How many windows each part has told of."""
        self._sums: list[Tick] = []
        self._handed_out = 0
        self._over = False

    def take(self, states: Mapping[str, LoadProgress]) -> None:
        """Take what the parts, by name, say of themselves: `ticks` since the last time, `done`."""
        for name, state in states.items():
            for tick in state.ticks:
                number = self._windows_of[name]
                if number == len(self._sums):
                    self._sums.append(Tick(tick.end_s, 0, 0))
                sum_ = self._sums[number]
                self._sums[number] = Tick(
                    max(sum_.end_s, tick.end_s), sum_.ok + tick.ok, sum_.errors + tick.errors
                )
                self._windows_of[name] += 1
        self._over = all(state.done for state in states.values())

    def whole(self) -> list[Tick]:
        """Those that are whole since the last call."""
        until = len(self._sums) if self._over else min(self._windows_of.values())
        ticks, self._handed_out = self._sums[self._handed_out : until], max(self._handed_out, until)
        return ticks
