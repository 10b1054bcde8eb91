"""The machines of a stored run, as far as what was made of its results asks for them."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from webdyno.store.stored_study import StoredWhole


class _StoredFactsBase(StoredWhole, coerce_numbers_to_str=True):
    @classmethod
    def _values_of(cls, data: dict[str, Any]) -> dict[str, Any]:
        """What is null was not told."""
        return {key: value for key, value in data.items() if value is not None}


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
        return bool(self._as_read)

    def roles(self) -> dict[str, list[str]]:
        """What each machine did, by its address."""
        found: dict[str, list[str]] = {}
        named = [("head", self.head), ("server", self.server), ("service", self.service)]
        for role, address in [*named, *(("generator", one) for one in self.generators)]:
            if address:
                found.setdefault(address, []).append(role)
        return found
