"""Whether the network was what limited a load, by what it carried and what the kernel counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

SATURATED = 0.85
"""Part of what a link was seen to carry from which it counts as full. What is lost below are the
frames' heads, which the kernel counts and a measurement of payload does not, and the tries' own
spread."""

RESENT = 0.01
"""Part of TCP's segments sent again from which a network counts as losing them."""

RESENT_LEAST = 20
"""Fewer segments sent again than this are chance."""

HEADS = 0.94
"""Payload in what Ethernet carries, with TCP's and IP's heads at an MTU of 1,500."""


@dataclass(frozen=True)
class Link:
    """One machine's way to the server's. Rates in bytes per second, times in seconds.

    `up` is from the load's machine to the server's. `up_capacity` and `down_capacity` were seen
    before the load, `up` and `down` while it was on; a capacity of 0 is unknown.
    """

    address: str
    up_capacity: float
    down_capacity: float
    up: float
    down: float
    rtt_before_s: float
    rtt_beside_s: float | None
    resent_share: float
    resent: int
    drops: int

    def record(self) -> dict[str, Any]:
        """For a result."""
        return asdict(self)


@dataclass(frozen=True)
class Limit:
    """What limited a load: a word, and the figures in a sentence."""

    kind: str
    reason: str


def link(
    address: str,
    capacity: Mapping[str, float],
    counters: Mapping[str, int],
    seconds: float,
    rtt_s: tuple[float, float | None],
) -> Link:
    """A link from what its machine has counted over `seconds` of load."""
    sent = counters["segments_sent"]
    return Link(
        address=address,
        up_capacity=capacity["up"],
        down_capacity=capacity["down"],
        up=counters["sent_bytes"] / seconds,
        down=counters["received_bytes"] / seconds,
        rtt_before_s=rtt_s[0],
        rtt_beside_s=rtt_s[1],
        resent_share=counters["retransmitted"] / sent if sent else 0.0,
        resent=counters["retransmitted"],
        drops=counters["sent_drops"] + counters["received_drops"],
    )


def limit(
    links: Sequence[Link], server: str, together: Mapping[str, float], own: Mapping[str, float]
) -> Limit | None:
    """`network` where a link was full or lost what it was given; None where none was.

    `together` are bytes per second that all links carried at once before the load, `own` the part
    that was resent by the server's machine (`resent`, `resent_share`), which sends the answers.
    """
    for one in links:
        for way, used, capacity in (
            ("to the server", one.up, one.up_capacity),
            ("from the server", one.down, one.down_capacity),
        ):
            if _full(used, capacity):
                return Limit(
                    "network", f"the link of {one.address} {_figures(way, used, capacity)}"
                )
    for way, key, used in (
        ("to the clients", "down", sum(one.down for one in links)),
        ("from the clients", "up", sum(one.up for one in links)),
    ):
        if _full(used, together[key]):
            figures = _figures(way, used, together[key])
            return Limit("network", f"the link of {server}, the server's machine, {figures}")
    return _losing([(one.address, one.resent, one.resent_share) for one in links]) or _losing(
        [(server, round(own["resent"]), own["resent_share"])]
    )


def _full(used: float, capacity: float) -> bool:
    return capacity > 0 and used * HEADS >= SATURATED * capacity


def _figures(way: str, used: float, capacity: float) -> str:
    return (
        f"carried {used / 1e6:.1f} MB/s {way}, of {capacity / 1e6:.1f} MB/s that it carried when "
        "tried before the load"
    )


def _losing(resent: Sequence[tuple[str, int, float]]) -> Limit | None:
    for address, count, share in resent:
        if share >= RESENT and count >= RESENT_LEAST:
            return Limit(
                "network", f"{address} sent {share:.1%} of its segments again ({count:,}): loss"
            )
    return None
