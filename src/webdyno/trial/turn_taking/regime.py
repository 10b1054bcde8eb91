"""One way of measuring for all servers of a cell: all in turns, or each in one piece."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from webdyno.catalog.loads.load import Closed, Load, Open
from webdyno.trial.turn_taking.neighbours import Neighbours

SHORT = 0.25
"""Part of a turn that an answer may take, for latencies to be measured in turns: the end of a turn
then cuts into few."""

LONGEST_S = 0.1
"""A turn is made as long as this where answers need it: the longer it is, the less do servers meet
the same machine."""

NOT_FULL = "saturated neither its cores nor a thread in its warm-up"
"""What is said of a server that did not take all the CPU that it could have."""

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

    def __init__(
        self,
        why_whole: str = "",
        under_way: Collection[str] = (),
        neighbours: Neighbours | None = None,
    ) -> None:
        """`why_whole` says why there are no turns, where that is known beforehand; `under_way` are
        the entries that may still come to the load, `neighbours` all servers that live beside
        it."""
        self.note = why_whole
        self.neighbours = neighbours or Neighbours()
        self._least_s = 0.0
        self._under_way = under_way
        self._met, self._parted = set[str](), set[str]()

    def meet(self, entry: str, pass_on: PassOn) -> None:
        """Have the others their turns until all that are under way have come here: only then are
        all warm-ups known."""
        self._wait(self._met, entry, pass_on)

    def part(self, entry: str, pass_on: PassOn) -> None:
        """Have the others their turns until all that are under way have made this load: what comes
        after it, such as an audit or a slow stop, would have those that are still loaded frozen for
        longer than servers keep a connection."""
        self._wait(self._parted, entry, pass_on)

    def _wait(self, here: set[str], entry: str, pass_on: PassOn) -> None:
        here.add(entry)
        while not here.issuperset(self._under_way):
            pass_on()

    def leave(self, entry: str) -> None:
        """Nobody waits here for `entry` any more, though it may be under way to another load."""
        self._met.add(entry)
        self._parted.add(entry)

    def learn(self, entry: str, full: bool | None) -> None:
        """What the warm-up of a server showed; None where its load needs none."""
        if not full and not self.note:
            self.note = f"{entry} {NOT_FULL}"

    def learn_alone(self, entry: str, alone_s: float, slice_s: float) -> None:
        """How long nearly all answers of a warm server take that it gives one at a time: what it
        waits for meanwhile, and it may while it works for others, is no longer than that."""
        longest_s = max(slice_s, LONGEST_S)
        if alone_s <= SHORT * longest_s:
            self._least_s = max(self._least_s, alone_s / SHORT)
        elif not self.note:
            self.note = (
                f"{entry} takes up to {1e3 * alone_s:.0f} ms for an answer when it has nothing "
                f"else to do, and a turn is {1e3 * longest_s:.0f} ms at most"
            )

    def turn_s(self, load: Closed | Open) -> float:
        """The longest that a turn may be, once all warm-ups are known."""
        assert load.slice is not None
        if self.note:
            return load.seconds() + load.timeout
        return max(load.slice, self._least_s)


class Regimes:
    """Those of all loads that the same servers make in turns."""

    def __init__(self, why_whole: Mapping[str, str] | None = None) -> None:
        """`why_whole` says by the load's label why there are no turns; empty where there may be."""
        self.under_way: set[str] = set()
        """The entries whose trials have begun and not ended."""
        self._neighbours = Neighbours()
        self._by_label = {label: self._regime(why) for label, why in (why_whole or {}).items()}

    def of(self, load: Load) -> Regime:
        """That of `load`."""
        return self._by_label.setdefault(load.label(), self._regime(""))

    def _regime(self, why_whole: str) -> Regime:
        return Regime(why_whole, self.under_way, self._neighbours)

    @property
    def notes(self) -> dict[str, str]:
        """Why there are no turns, by the load's label; empty where there are."""
        return {label: regime.note for label, regime in self._by_label.items()}

    @property
    def only(self) -> Regime:
        """That of the one load there is."""
        (regime,) = self._by_label.values()
        return regime
