"""`checks` of a request: what an answer must be, judged by the load generator for every answer."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from webdyno.catalog.reading.manifest import Manifest
from webdyno.catalog.scenarios.variables import Int64

Length = Annotated[int, Field(ge=0, le=2**63 - 1)]


class StatusCheck(Manifest):
    """The status code must be `equals`."""

    kind: Literal["status"]
    equals: int = Field(ge=100, le=599)


class EqualsCheck(Manifest):
    """The body must be `text`, in which `{variables}` are substituted."""

    kind: Literal["equals"]
    text: str


class ContainsCheck(Manifest):
    """The body must contain `text`."""

    kind: Literal["contains"]
    text: str


class MatchesCheck(Manifest):
    """The body must match the regular expression `pattern`."""

    kind: Literal["matches"]
    pattern: str


class LengthCheck(Manifest):
    """The body's length in bytes must lie within `min`..`max`."""

    kind: Literal["length"]
    min: Length = 0
    max: Length | None = None

    @model_validator(mode="after")
    def _ordered(self) -> LengthCheck:
        if self.max is not None and self.max < self.min:
            raise ValueError("max must not be below min")
        return self


class LookupCheck(Manifest):
    """The body must be what the verifier expects for the drawn value of `variable`."""

    kind: Literal["lookup"]
    variable: str
    expected: dict[str, str] = Field(
        default_factory=dict, description="bodies by value; none if the verifier supplies them"
    )


class CounterCheck(Manifest):
    """The number captured by `pattern` must be the user's last one plus `step`."""

    kind: Literal["counter"]
    pattern: str
    step: Int64 = 1


Check = Annotated[
    StatusCheck
    | EqualsCheck
    | ContainsCheck
    | MatchesCheck
    | LengthCheck
    | LookupCheck
    | CounterCheck,
    Field(discriminator="kind"),
]
