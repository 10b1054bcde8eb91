"""Where a record belongs: a cell is a scenario under a load, a place an entry in a cell."""

from __future__ import annotations

from typing import TYPE_CHECKING

CellKey = tuple[str, str]
"""How records name a cell: the title of its scenario, and the label of its load."""

Place = tuple[str, str, str]
"""An entry, and the cell in which it was measured."""


class InCell:
    """A record of one cell."""

    if TYPE_CHECKING:
        # Each record declares its own, at the place where its JSON has them.
        scenario: str
        load: str

    @property
    def cell(self) -> CellKey:
        """The cell that it belongs to."""
        return self.scenario, self.load


class AtPlace(InCell):
    """A record of one entry in one cell."""

    if TYPE_CHECKING:

        @property
        def entry(self) -> str: ...

    @property
    def place(self) -> Place:
        """The entry and the cell that it belongs to."""
        return self.entry, self.scenario, self.load
