"""A sentence of a write-up, which its figures or a run of ours may bear out."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from webdyno.catalog.reading.manifest import Manifest
from webdyno.catalog.terms.printed import PrintedNumber, PrintedShare


class Statement(Manifest):
    """A sentence of the write-up that its figures, or a run of ours, may bear out."""

    says: str = Field(min_length=1, description="what is said, in short")
    table: str = Field(default="", description="name of the table it is about")
    of: str = Field(default="", description="label of the row it praises")
    to: str = Field(default="", description="label of the row it compares with")
    metric: Literal["throughput", "memory", "cpu", "mean", "cost"] = Field(
        default="throughput",
        description="what is compared; cost: of machines, by what each handles within an objective",
    )
    times: PrintedNumber | None = Field(
        default=None, description="factor by which it exceeds `to`'s figure"
    )
    more: PrintedShare | None = Field(
        default=None, description="share by which it exceeds `to`'s figure"
    )
    saves: PrintedShare | None = Field(
        default=None, description="share by which it is below `to`'s figure"
    )
    product: list[PrintedNumber] = Field(
        default_factory=list, description="numbers of the text that are multiplied"
    )
    gives: PrintedNumber | None = Field(default=None, description="what it says they make")
    shown: str = Field(
        default="",
        description="what the write-up's text or programs, or a manual, show (not its figures)",
    )
    outcome: Literal["contradicts", "untold", "holds"] | None = Field(
        default=None, description="what follows from 'shown'"
    )
    note: str = Field(default="", description="what readers should know about it")

    @model_validator(mode="after")
    def _complete(self) -> Statement:
        if bool(self.product) != bool(self.gives):
            raise ValueError("'product' and 'gives' go together")
        if bool(self.of) != bool(self.to):
            raise ValueError("a comparison needs both 'of' and 'to'")
        sized = [one for one in (self.times, self.more, self.saves) if one]
        if sized and not self.of:
            raise ValueError("'times', 'more' and 'saves' need 'of' and 'to'")
        if len(sized) > 1:
            raise ValueError("give one of 'times', 'more' and 'saves'")
        if bool(self.shown) != bool(self.outcome):
            raise ValueError("'shown' and 'outcome' go together")
        if self.shown and (self.of or self.product):
            raise ValueError("'shown' stands instead of 'of' and 'to', or 'product'; give one")
        return self
