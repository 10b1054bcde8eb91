"""What a run set out to answer within its budget, settled before its first block."""

from __future__ import annotations

from pydantic import Field

from webdyno.store.cell import CellKey
from webdyno.store.record import Record


class PlannedCell(Record):
    """One scenario under one load, with what it was expected to take."""

    scenario: str
    load: str
    published: bool = False
    """Done once, as a write-up did, rather than in blocks."""
    blocks: int
    """What its answer needs: a block is of use only if these can be had."""
    planned: bool
    """Whether the budget was expected to carry them."""
    seconds: dict[str, float] = Field(default_factory=dict)
    """By entry: what a trial of it was expected to take, at the length in `lengths_s`."""

    @property
    def key(self) -> CellKey:
        """What it is known by."""
        return self.scenario, self.load


class PlanRecord(Record):
    """The plan of a run: its headline first, then what else the budget carries.

    It follows from the study, the budget and the expected `seconds`; a resumed run keeps it.
    """

    question: str
    scenario: str
    load: str
    metric: str
    servers: list[str]
    """Whom the headline is about, as the study names them."""
    named: bool = False
    """Whether the study names its headline; else it is the study's first."""
    whole: bool = False
    """Everything is measured alike, block by block, as far as the budget goes; nothing is
    preferred, shortened or left out. A gate compares such runs."""
    everybody: bool = False
    """No entry is left out where the budget is small, its control least of all: there are fewer
    blocks instead. Without one of them a comparison of two versions has no answer."""
    budget_s: float
    all_s: float
    """What everything was expected to take, at the study's own lengths."""
    cells: list[PlannedCell]
    """The headline's first, then in the order in which they are begun."""
    lengths_s: dict[str, float] = Field(default_factory=dict)
    """By load: how long a trial is measured where that was shortened to fit the budget."""
    entries: list[str]
    """Who takes part."""
    left_out: list[str] = Field(default_factory=list)
    """Entries that the budget does not carry."""
    given_up: list[str] = Field(default_factory=list)
    """Those of `entries` that were measured no more when trials took longer than expected."""

    @property
    def without_time(self) -> set[str]:
        """Entries for which there was no time, or not enough."""
        return {*self.left_out, *self.given_up}

    @property
    def headline(self) -> CellKey:
        """The cell that is answered first."""
        return self.scenario, self.load

    @property
    def everything(self) -> bool:
        """Whether the budget was expected to carry all of the study, as it is."""
        return not (self.lengths_s or self.left_out) and all(cell.planned for cell in self.cells)
