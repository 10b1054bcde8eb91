"""What is asked of the keepers of the cluster's machines: facts, clocks, counters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from webdyno.cluster.link.clock import MOST_SAMPLES, Clock, read_clock, samples_of
from webdyno.cluster.link.counters import Counters
from webdyno.cluster.machines.facts import Facts
from webdyno.cluster.machines.membership import Membership
from webdyno.cluster.wire.channel import Channel, ChannelRefused, dial
from webdyno.cluster.wire.messages import read_message
from webdyno.cluster.wire.secret import read as read_secret
from webdyno.errors import UserError

Found = TypeVar("Found")

_AT_ONCE = 16


class Reach:
    """Reaches keepers from this machine."""

    def __init__(self, member: Membership) -> None:
        self._member = member
        self._secret = read_secret(Path(member.secret))

    def facts(self, address: str) -> Facts:
        """What a machine is and has. Raises `UserError` where it does not answer."""
        answer = self._answer_of(address, "facts", lambda channel: channel.hear())
        return read_message(Facts, answer, f"the machine {address}")

    def counters(self, address: str) -> dict[str, int]:
        """What its kernel has counted. Raises `UserError` where it does not answer."""
        answer = self._answer_of(address, "counters", lambda channel: channel.hear())
        return read_message(Counters, answer, f"the machine {address}").root

    def environment(self, address: str) -> dict[str, str]:
        """What agents there need in theirs, where Ray is somebody else's. Raises `UserError`."""
        variables = self._answer_of(address, "environment", lambda channel: channel.hear())
        return {str(name): str(value) for name, value in variables.items()}

    def clock(self, address: str, samples: int = MOST_SAMPLES) -> Clock:
        """Its clocks against ours. Raises `UserError` where it does not answer."""
        return self._answer_of(address, "clock", lambda channel: read_clock(channel, samples))

    def clocks(self, addresses: Sequence[str]) -> dict[str, Clock]:
        """Those of several, one after the other: exchanges that meet would delay each other."""
        samples = samples_of(len(addresses))
        return {address: self.clock(address, samples) for address in addresses}

    def _answer_of(self, address: str, want: str, hear: Callable[[Channel], Found]) -> Found:
        member = self._member
        try:
            with dial(
                address, member.keeper_port, self._secret, want, source=member.address
            ) as channel:
                return hear(channel)
        except (OSError, ChannelRefused) as error:
            raise UserError(
                f"the machine {address} does not answer: {error}; check the machine and the "
                "firewall (`webdyno machines`)"
            ) from None


def at_once(ask: Callable[[str], Found], addresses: Sequence[str]) -> Mapping[str, Found | str]:
    """What several machines say, asked side by side; of one that does not answer, why."""

    def one(address: str) -> Found | str:
        try:
            return ask(address)
        except UserError as error:
            return str(error)

    with ThreadPoolExecutor(_AT_ONCE) as pool:
        return dict(zip(addresses, pool.map(one, addresses), strict=True))
