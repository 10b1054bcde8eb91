"""What the board knows of one scenario: who stands where, what is open, what has to be measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from webdyno.board.link import Standing, intersected
from webdyno.board.pieces import CurrentSources, Piece, pair_intervals


@dataclass(frozen=True)
class BoardColumn:
    """A scenario of the board with its stored `pieces`, newest first."""

    scenario: str
    entries: Sequence[str]
    """All that implement it and can be built here."""
    unavailable: Mapping[str, str]
    """The others that implement it, with the reason."""
    reference: str
    today: CurrentSources
    pieces: Sequence[Piece] = field(default_factory=list)
    margin: float = 0.03

    def standing(self) -> Standing:
        """The ranking, as far as it is known; without those who had a place and failed since."""
        pairs = pair_intervals(self.pieces, self.today)
        known = {
            pair: intersected(of) for pair, of in pairs.items() if not any(map(self.failed, pair))
        }
        return Standing(self.reference, known, self.margin)

    def attempts(self, entry: str) -> int:
        """Pieces that measured `entry` and hold."""
        return sum(entry in self.today.holds(piece) for piece in self._pieces_of(entry))

    def judged(self, entry: str) -> int:
        """Those of its attempts that judged something, and so spent some of the error."""
        return sum(p.judged and entry in self.today.holds(p) for p in self._pieces_of(entry))

    def newest(self, entry: str) -> Piece | None:
        """The newest piece that holds for `entry`."""
        return next((p for p in self._pieces_of(entry) if not self.today.changed(p, entry)), None)

    def stale(self, entry: str) -> str:
        """Why `entry` has to be measured anew, though it was measured before; else empty."""
        newest = self.newest(entry)
        if newest is None:
            mine = self._pieces_of(entry)
            return self.today.changed(mine[0], entry) if mine else ""
        if entry == self.reference or self.standing().pair(entry, self.reference):
            return ""
        # It holds by itself, but what it was measured beside links nothing any more.
        was_linked = any({entry, newest.reference} == {*pair} for pair in newest.links)
        return "its reference changed" if was_linked else ""

    def failed(self, entry: str) -> str:
        """Why `entry` has no place, where that is the last word until it changes; else empty."""
        newest = self.newest(entry)
        if newest is None or entry in newest.open:
            return ""
        return newest.left_out.get(entry, "")

    def new(self) -> list[str]:
        """Entries that have no place yet: those never measured first."""
        linked = set(self.standing().linked)
        entries = [e for e in self.entries if e not in linked and not self.failed(e)]
        entries = [one for one in entries if one != self.reference]
        return sorted(entries, key=lambda one: (self.attempts(one), self.entries.index(one)))

    def _pieces_of(self, entry: str) -> list[Piece]:
        return [piece for piece in self.pieces if entry in piece.made]
