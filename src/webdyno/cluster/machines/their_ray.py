"""A Ray that somebody else has started: used, watched, and left as it is."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager

from webdyno.cluster.machines.membership import Membership
from webdyno.errors import UserError

_DIAL_S = 2.0
_SILENT_S = 10.0
"""For which it may be out of reach before it counts as ended."""


class Watched:
    """As much of a process as is asked of Ray's own: whether it has ended."""

    def __init__(self, address: str) -> None:
        host, _, port = address.rpartition(":")
        self._where = host, int(port)
        self._seen = time.monotonic()

    def answers(self) -> bool:
        """Whether it takes connections."""
        try:
            socket.create_connection(self._where, timeout=_DIAL_S).close()
        except OSError:
            return False
        self._seen = time.monotonic()
        return True

    def poll(self) -> int | None:
        """None while it is there."""
        gone = not self.answers() and time.monotonic() - self._seen > _SILENT_S
        return 1 if gone else None

    def wait(self) -> int:
        """Until it has ended."""
        while (code := self.poll()) is None:
            time.sleep(1.0)
        return code


@contextmanager
def their_ray(member: Membership) -> Iterator[Watched]:
    """The Ray at `member.ray`, as long as the context lasts. Raises `UserError`."""
    ray = Watched(member.ray)
    if not ray.answers():
        raise UserError(
            f"no Ray answers at {member.ray}; give the address that `ray start --head` named, "
            "HOST:PORT, and open its ports in the firewall"
        )
    yield ray


def ray_address(text: str) -> str:
    """A Ray's address as given to an option. Raises `UserError`."""
    host, colon, port = text.rpartition(":")
    if not colon or not host or not port.isdigit() or not 0 < int(port) < 65536:
        raise UserError(f"--ray: '{text}' is not HOST:PORT; `ray start --head` prints it")
    return text
