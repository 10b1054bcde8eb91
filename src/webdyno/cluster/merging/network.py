"""Whether the network was what limited a load, by what it carried and what the kernel counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from webdyno.store.load_machines import LimitRecord, LinkRecord

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


def link(
    address: str,
    capacity: Mapping[str, float],
    counters: Mapping[str, int],
    seconds: float,
    rtt_s: tuple[float, float | None],
) -> LinkRecord:
    """A link from what its machine has counted over `seconds` of load."""
    sent = counters["segments_sent"]
    return LinkRecord(
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
    links: Sequence[LinkRecord],
    server: str,
    together: Mapping[str, float],
    own: Mapping[str, float],
) -> LimitRecord | None:
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
                return LimitRecord(
                    kind="network",
                    reason=f"the link of {one.address} {_figures(way, used, capacity)}",
                )
    for way, key, used in (
        ("to the clients", "down", sum(one.down for one in links)),
        ("from the clients", "up", sum(one.up for one in links)),
    ):
        if _full(used, together[key]):
            figures = _figures(way, used, together[key])
            reason = f"the link of {server}, the server's machine, {figures}"
            return LimitRecord(kind="network", reason=reason)
    return _losing([(one.address, one.resent, one.resent_share) for one in links]) or _losing(
        [(server, round(own["resent"]), own["resent_share"])]
    )


def _full(used: float, capacity: float) -> bool:
    return capacity > 0 and used * HEADS >= SATURATED * capacity


def _figures(way: str, used: float, capacity: float) -> str:
    return (
        f"carried {used / 1e6:.1f} MB/s {way}, of {capacity / 1e6:.1f} MB/s that it carried when "
        "tested before the load"
    )


def _losing(resent: Sequence[tuple[str, int, float]]) -> LimitRecord | None:
    for address, count, share in resent:
        if share >= RESENT and count >= RESENT_LEAST:
            lost = f"{address} retransmitted {share:.1%} of its segments ({count:,}): packet loss"
            return LimitRecord(kind="network", reason=lost)
    return None
