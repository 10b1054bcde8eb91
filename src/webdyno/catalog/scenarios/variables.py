"""`[variables]` of a `scenario.toml`: what is drawn anew for each request."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from webdyno.catalog.reading.manifest import Manifest

Int64 = Annotated[int, Field(ge=-(2**63), le=2**63 - 1)]
"""What the engine counts with."""


class IntVariable(Manifest):
    """A whole number drawn uniformly from `min`..`max`, both included."""

    kind: Literal["int"]
    min: Int64
    max: Int64

    @model_validator(mode="after")
    def _ordered(self) -> IntVariable:
        if self.max < self.min:
            raise ValueError("max must not be below min")
        return self


class ChoiceVariable(Manifest):
    """One of `values`, drawn uniformly; the verifier may fill them before the load."""

    kind: Literal["choice"]
    values: list[str] = Field(
        default_factory=list, description="texts to draw from; none if the verifier supplies them"
    )


class SequenceVariable(Manifest):
    """`start`, `start + step`, …, for each user on its own."""

    kind: Literal["sequence"]
    start: Int64 = 1
    step: Int64 = 1


Variable = Annotated[IntVariable | ChoiceVariable | SequenceVariable, Field(discriminator="kind")]
