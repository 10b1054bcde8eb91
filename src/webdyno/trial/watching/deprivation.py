"""Servers from which cores, priority or limits are taken once they have been verified.

A server sets its own at its start. Later it is another program of the same user that takes them,
such as a server with which it takes turns: it would make its rival slow, or have it fail.
"""

from __future__ import annotations

from collections.abc import Collection

from webdyno.runtime.confinement.granted import Granted, granted_to
from webdyno.store.records import FlagRecord

DEPRIVED = "deprived"


class Deprivation:
    """What a server lost between two looks."""

    def __init__(self, cores: Collection[int]) -> None:
        """`cores` are the server's."""
        self._cores = cores
        self._before: Granted | None = None
        self._settled = Granted()
        self._loss = ""

    def look(self, alive: Collection[int]) -> None:
        """Compare what its processes have with what they had at the last look."""
        if self._loss:
            return
        now = granted_to(alive, self._cores)
        if self._before is None:
            self._settled = now
        else:
            self._loss = now.loss_since(self._settled)
            # A thread that has just begun may yet set its own priority: it counts from the second
            # look on.
            self._settled = now.within(self._before)
        self._before = now

    def flags(self) -> list[FlagRecord]:
        """That it lost something: forbids to rank it."""
        if not self._loss:
            return []
        message = (
            f"{self._loss} after it was verified: another program of its user may have done that; "
            "leave out a server that does, and let servers set their own limits only at the start"
        )
        return [FlagRecord(code=DEPRIVED, message=message)]


def deprivation_of(flags: Collection[FlagRecord]) -> str:
    """What was taken from a server with these flags; empty where nothing was."""
    return next((flag.message for flag in flags if flag.code == DEPRIVED), "")
