"""One way of measuring for all servers of a cell: all in turns, or each in one piece."""

from __future__ import annotations

from collections.abc import Callable

from webdyno.catalog.load import Closed, Open

SHORT = 0.25
"""Part of a turn that an answer may take, for latencies to be measured in turns: the end of a turn
then cuts into few."""

PassOn = Callable[[], None]
"""Lets others have their turn, and returns when one's own comes."""


def alone() -> None:
    """The turn of nobody else."""


class Regime:
    """Whether the servers of a cell take turns: all of them, or none.

    One that waits for a clock, a disk or a delayed acknowledgement would have it come while it is
    frozen, and at no cost. So turns are for servers that fill their cores, or a thread of their
    own, when they are asked for all they can give, as they are at the beginning of every warm-up;
    and since figures of turns and of whole loads differ by more than the servers may, one that does
    not fill any has all of them measured in one piece each.
    """

    def __init__(self, whole: str = "") -> None:
        """`whole` says why there are no turns, where that is known beforehand."""
        self.note = whole

    def learn(self, entry: str, full: bool | None) -> None:
        """What the warm-up of a server showed; None where its load needs none."""
        if not full and not self.note:
            self.note = f"{entry} saturated neither its cores nor a thread in its warm-up"

    def learn_alone(self, entry: str, alone_s: float, slice_s: float) -> None:
        """How long nearly all answers of a warm server take that it gives one at a time: what it
        waits for meanwhile, and it may while it works for others, is no longer than that."""
        if alone_s > SHORT * slice_s and not self.note:
            self.note = (
                f"{entry} takes up to {1e3 * alone_s:.0f} ms for an answer when it has nothing "
                f"else to do, and a turn is {1e3 * slice_s:.0f} ms"
            )

    def turn_s(self, load: Closed | Open) -> float:
        """The longest that a turn may be, once all warm-ups are known."""
        assert load.slice is not None
        return load.seconds() + load.timeout if self.note else load.slice
