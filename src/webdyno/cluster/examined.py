"""All machines of a cluster looked at, one after the other, so that none disturbs another."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from webdyno.cluster.channel import Channel, Refused, dial
from webdyno.cluster.membership import Membership
from webdyno.cluster.ray_nodes import Node
from webdyno.cluster.reach import Reach
from webdyno.cluster.secret import read
from webdyno.cluster.throughput import try_download, try_upload
from webdyno.errors import UserError

LINK_S = 0.3
"""For which a link is tried in each direction."""

_SLACK_S = 10.0


def examined(
    member: Membership, nodes: Sequence[Node], noise_s: float | None
) -> list[dict[str, Any]]:
    """Of each machine its `facts`, `noise` (where `noise_s` is given), `clock`, and `link` from
    here in bytes per second; or `error`, why not."""
    reach, secret = Reach(member), read(Path(member.secret))
    return [
        {"address": node.address, "roles": list(node.roles)}
        | _one(member, reach, secret, node.address, noise_s)
        for node in nodes
    ]


def _one(
    member: Membership, reach: Reach, secret: str, address: str, noise_s: float | None
) -> dict[str, Any]:
    def there(want: str) -> Channel:
        return dial(address, member.keeper_port, secret, want, source=member.address)

    try:
        found: dict[str, Any] = {"facts": reach.facts(address)}
        if noise_s is not None:
            with there(f"noise {noise_s:g}") as channel:
                channel.link.settimeout(noise_s + _SLACK_S)
                found["noise"] = channel.hear()
        if address != member.address:
            found["clock"] = reach.clock(address).record()
            found["link"] = {"up": try_upload(there, LINK_S), "down": try_download(there, LINK_S)}
    except (UserError, OSError, Refused) as error:
        return {"error": str(error)}
    return found
