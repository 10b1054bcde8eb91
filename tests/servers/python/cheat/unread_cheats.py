"""Servers that take on from a client by WebSocket that does not read its answers."""

from __future__ import annotations

from typing import ClassVar

from echo import Talk, echo

MIB = 1024 * 1024


class NeverWaits(Talk):
    """Keeps all answers until they are read."""

    def full(self) -> None:
        pass


class DropsUnread(NeverWaits):
    """Leaves answers out while a megabyte is unread."""

    def say(self, kind: int, payload: bytes) -> None:
        if self.transport.get_write_buffer_size() < MIB:
            super().say(kind, payload)


class EndsLate(NeverWaits):
    """Ends the connection once so many bytes are unread."""

    most: ClassVar[int] = 16 * MIB

    def say(self, kind: int, payload: bytes) -> None:
        super().say(kind, payload)
        if self.transport.get_write_buffer_size() > self.most:
            self.transport.abort()


class EndsSoon(EndsLate):
    """Ends it at the first answers that the system does not take."""

    most = 0


CHEATS = {
    "never-waits": echo(NeverWaits),
    "drops-unread": echo(DropsUnread),
    # This one is honest.
    "ends-late": echo(EndsLate),
    "ends-soon": echo(EndsSoon),
}
