"""All machines of a cluster looked at, one after the other, so that none disturbs another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from webdyno.cluster.link.clock import Clock
from webdyno.cluster.link.throughput import try_download, try_upload
from webdyno.cluster.machines.facts import Facts
from webdyno.cluster.machines.membership import Membership
from webdyno.cluster.machines.nodes import Node
from webdyno.cluster.machines.reach import Reach
from webdyno.cluster.wire.channel import Channel, Refused, dial
from webdyno.cluster.wire.said import read
from webdyno.cluster.wire.secret import read as read_secret
from webdyno.errors import UserError
from webdyno.runtime.machine.noise import Noise

LINK_S = 0.3
"""For which a link is tried in each direction."""

_SLACK_S = 10.0


@dataclass(frozen=True)
class Rates:
    """Bytes per second: `up` is to the machine."""

    up: float
    down: float


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

    def record(self) -> dict[str, object]:
        """For a document, without what was not seen."""
        found: dict[str, object] = {"address": self.address, "roles": list(self.roles)}
        if self.error:
            return {**found, "error": self.error}
        for name, one in (("facts", self.facts), ("noise", self.noise)):
            if one is not None:
                found[name] = one.model_dump(mode="json")
        if self.clock is not None:
            found["clock"] = self.clock.record().model_dump()
        if self.link is not None:
            found["link"] = asdict(self.link)
        return found


def examined(
    member: Membership, nodes: Sequence[Node], noise_s: float | None
) -> list[ExaminedMachine]:
    """Each machine, with its noise where `noise_s` is given."""
    reach, secret = Reach(member), read_secret(Path(member.secret))
    found = []
    for node in nodes:
        one = ExaminedMachine(node.address, node.roles)
        try:
            found.append(_seen(one, member, reach, secret, noise_s))
        except (UserError, OSError, Refused) as error:
            found.append(replace(one, error=str(error)))
    return found


def _seen(
    one: ExaminedMachine, member: Membership, reach: Reach, secret: str, noise_s: float | None
) -> ExaminedMachine:
    def there(want: str) -> Channel:
        return dial(one.address, member.keeper_port, secret, want, source=member.address)

    one = replace(one, facts=reach.facts(one.address))
    if noise_s is not None:
        with there(f"noise {noise_s:g}") as channel:
            channel.link.settimeout(noise_s + _SLACK_S)
            noise = read(Noise, channel.hear(), f"the machine {one.address}")
        one = replace(one, noise=noise)
    if one.address == member.address:
        return one
    rates = Rates(try_upload(there, LINK_S), try_download(there, LINK_S))
    return replace(one, clock=reach.clock(one.address), link=rates)
