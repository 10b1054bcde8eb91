"""All machines of a cluster looked at, one after the other, so that none disturbs another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import Field

from webdyno.cluster.link.clock import Clock
from webdyno.cluster.link.throughput import try_download, try_upload
from webdyno.cluster.machines.facts import Facts
from webdyno.cluster.machines.machines_toml import Role
from webdyno.cluster.machines.membership import Membership
from webdyno.cluster.machines.nodes import Node
from webdyno.cluster.machines.reach import Reach
from webdyno.cluster.wire.channel import Channel, ChannelRefused, dial
from webdyno.cluster.wire.messages import read_message
from webdyno.cluster.wire.secret import read as read_secret
from webdyno.errors import UserError
from webdyno.runtime.machine.noise import Noise
from webdyno.store.document import Document, described
from webdyno.store.load_machines import ClockRecord
from webdyno.store.record import is_nothing

LINK_S = 0.3
"""For which a link is tried in each direction."""

_SLACK_S = 10.0


@described
@dataclass(frozen=True)
class Rates:
    """What a link carries, in bytes per second."""

    up: float
    """To the machine."""
    down: float
    """From the machine."""


class MachineDocument(Document):
    """What was seen of a machine of the cluster; what was not seen is left out."""

    address: str
    """By which the others reach it."""
    roles: list[Role]
    """What it does in the cluster."""
    error: str = Field(default="", exclude_if=is_nothing)
    """Why nothing was seen of it."""
    facts: Facts | None = Field(default=None, exclude_if=is_nothing)
    """What it is and has."""
    noise: Noise | None = Field(default=None, exclude_if=is_nothing)
    """How noisy it is, where that was measured."""
    clock: ClockRecord | None = Field(default=None, exclude_if=is_nothing)
    """Its clocks against this machine's; left out of this machine itself."""
    link: Rates | None = Field(default=None, exclude_if=is_nothing)
    """Its link from this machine; left out of this machine itself."""


@dataclass(frozen=True)
class ExaminedMachine:
    """What was seen of a machine; `clock` and `link` are None for this one, `noise` where nobody
    wanted it, and all of them where there is an `error`."""

    address: str
    roles: tuple[str, ...]
    facts: Facts | None = None
    noise: Noise | None = None
    clock: Clock | None = None
    link: Rates | None = None
    error: str = ""

    def document(self) -> MachineDocument:
        """For `doctor --json`."""
        whose = MachineDocument(address=self.address, roles=list(self.roles), error=self.error)
        if self.error:
            return whose
        clock = self.clock.record() if self.clock else None
        seen = {"facts": self.facts, "noise": self.noise, "clock": clock, "link": self.link}
        return whose.model_copy(update=seen)


def examined(
    member: Membership, nodes: Sequence[Node], noise_s: float | None
) -> list[ExaminedMachine]:
    """Each machine, with its noise where `noise_s` is given."""
    reach, secret = Reach(member), read_secret(Path(member.secret))
    machines = []
    for node in nodes:
        one = ExaminedMachine(node.address, node.roles)
        try:
            machines.append(_examined_machine(one, member, reach, secret, noise_s))
        except (UserError, OSError, ChannelRefused) as error:
            machines.append(replace(one, error=str(error)))
    return machines


def _examined_machine(
    one: ExaminedMachine, member: Membership, reach: Reach, secret: str, noise_s: float | None
) -> ExaminedMachine:
    def dialled(want: str) -> Channel:
        return dial(one.address, member.keeper_port, secret, want, source=member.address)

    one = replace(one, facts=reach.facts(one.address))
    if noise_s is not None:
        with dialled(f"noise {noise_s:g}") as channel:
            channel.link.settimeout(noise_s + _SLACK_S)
            noise = read_message(Noise, channel.hear(), f"the machine {one.address}")
        one = replace(one, noise=noise)
    if one.address == member.address:
        return one
    rates = Rates(try_upload(dialled, LINK_S), try_download(dialled, LINK_S))
    return replace(one, clock=reach.clock(one.address), link=rates)
