"""Changes of what a server reads, made while a load runs, and what the engine is told of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol

from webdyno.generators.specification import Specified


class StateChange(Protocol):
    """A change of what the server reads, made while a load runs; see `verifier.Change`."""

    @property
    def variable(self) -> str:
        """Whose lookups change; "" where none do."""
        ...

    @property
    def expected(self) -> Mapping[str, str]:
        """The bodies that are right once it is made, by the variable's value."""
        ...

    @property
    def counts(self) -> Sequence[int]:
        """What counters go on from."""
        ...

    def apply(self) -> bool:
        """Make it; it is complete on return. False where nothing was there to change."""
        ...


class LookupChange(Specified):
    """Other bodies are right for some values of a variable."""

    kind: Literal["lookup"] = "lookup"
    variable: str
    expected: Mapping[str, str]


class CountChange(Specified):
    """Counters go on from these values, each of one user."""

    kind: Literal["count"] = "count"
    values: list[int]


class UntoldChange(Specified):
    """The state changes, and no check of an answer tells."""

    kind: Literal["state"] = "state"


ChangeSpec = LookupChange | CountChange | UntoldChange


def change_of(change: StateChange) -> ChangeSpec:
    """What is right once `change` is made, in the engine's terms."""
    if change.variable:
        return LookupChange(variable=change.variable, expected=change.expected)
    return CountChange(values=list(change.counts)) if change.counts else UntoldChange()
