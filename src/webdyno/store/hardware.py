"""The machines of a stored run, as far as what was made of its results asks for them."""

from __future__ import annotations

from typing import Any, Self

from pydantic import (
    Field,
    ModelWrapValidatorHandler,
    PrivateAttr,
    model_serializer,
    model_validator,
)

from webdyno.store.stored_study import Stored


class _StoredFactsBase(Stored, coerce_numbers_to_str=True):
    """Written again as it was read, with what this version does not know of it."""

    _told: dict[str, Any] = PrivateAttr(default_factory=dict)

    @model_validator(mode="wrap")
    @classmethod
    def _read(cls, held: Any, read: ModelWrapValidatorHandler[Self]) -> Self:
        """What is null was not told."""
        if not isinstance(held, dict):
            return read(held)
        found = read({key: value for key, value in held.items() if value is not None})
        found._told = held
        return found

    @model_serializer(mode="plain")
    def as_stored(self) -> dict[str, Any]:
        """All that the version which made the run told, by its own keys."""
        return dict(self._told)


class StoredMachine(_StoredFactsBase):
    """A machine. What was not told is empty, or None."""

    fingerprint: str = ""
    """Equal for runs that may be compared as to hardware."""
    cpu_model: str = ""
    architecture: str = ""
    kernel: str = ""
    cores: int | None = None
    memory_bytes: int | None = None
    virtualised: str = ""


class StoredLink(_StoredFactsBase):
    """A machine's way to the others."""

    speed_mbit: int | None = None


class StoredFacts(_StoredFactsBase):
    """What one of several machines was and had."""

    machine: StoredMachine = StoredMachine()
    link: StoredLink = StoredLink()


class StoredMachines(_StoredFactsBase):
    """Which machine did what, by address, where several took part."""

    head: str = ""
    server: str = ""
    service: str = ""
    generators: list[str] = Field(default_factory=list)
    facts: dict[str, StoredFacts] = Field(default_factory=dict)

    @property
    def several(self) -> bool:
        """Whether several took part; where one did it all, nothing is told."""
        return bool(self._told)

    def roles(self) -> dict[str, list[str]]:
        """What each machine did, by its address."""
        found: dict[str, list[str]] = {}
        named = [("head", self.head), ("server", self.server), ("service", self.service)]
        for role, address in [*named, *(("generator", one) for one in self.generators)]:
            if address:
                found.setdefault(address, []).append(role)
        return found
