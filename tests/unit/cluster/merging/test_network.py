"""When the network is named as the limit, and when not."""

from __future__ import annotations

import pytest

from webdyno.cluster.link.counters import read_counters, since
from webdyno.cluster.merging.network import limit
from webdyno.store.load_machines import LinkRecord

QUIET = {"resent": 0, "resent_share": 0.0}
LINK = LinkRecord(
    address="10.0.0.2",
    up_capacity=1e8,
    down_capacity=1e8,
    up=1e6,
    down=2e6,
    rtt_before_s=1e-4,
    rtt_beside_s=1e-4,
    resent_share=0.0,
    resent=0,
    drops=0,
)
OTHER = LINK.model_copy(update={"address": "10.0.0.3"})
BOTH = {"up": 1.5e8, "down": 1e8}


def test_a_quiet_network_limits_nothing() -> None:
    assert limit([LINK, OTHER], "10.0.0.9", BOTH, QUIET) is None


@pytest.mark.parametrize(("way", "said"), [("up", "to the server"), ("down", "from the server")])
def test_an_agents_full_link_is_named(way: str, said: str) -> None:
    full = OTHER.model_copy(update={way: 9.6e7})
    found = limit([LINK, full], "10.0.0.9", {"up": 2e8, "down": 2e8}, QUIET)
    assert found is not None
    assert found.kind == "network"
    assert "10.0.0.3" in found.reason
    assert said in found.reason
    assert "96.0 MB/s" in found.reason


def test_the_servers_link_is_full_when_all_together_fill_it() -> None:
    half = [LINK.model_copy(update={"down": 4.9e7}), OTHER.model_copy(update={"down": 4.9e7})]
    found = limit(half, "10.0.0.9", BOTH, QUIET)
    assert found is not None
    assert "10.0.0.9, the server's machine" in found.reason
    assert limit(half, "10.0.0.9", {"up": 2e8, "down": 2e8}, QUIET) is None


def test_segments_sent_again_are_a_limit_beyond_chance() -> None:
    few = LINK.model_copy(update={"resent": 19, "resent_share": 0.2})
    assert limit([few], "10.0.0.9", BOTH, QUIET) is None
    many = LINK.model_copy(update={"resent": 2_000, "resent_share": 0.02})
    found = limit([many], "10.0.0.9", BOTH, QUIET)
    assert found is not None
    assert "2.0%" in found.reason
    own = limit([LINK], "10.0.0.9", BOTH, {"resent": 500, "resent_share": 0.05})
    assert own is not None
    assert own.reason.startswith("10.0.0.9")


def test_a_capacity_that_is_unknown_accuses_nobody() -> None:
    unknown = LINK.model_copy(update={"up_capacity": 0.0, "down_capacity": 0.0})
    assert limit([unknown], "10.0.0.9", {"up": 0.0, "down": 0.0}, QUIET) is None


def test_the_kernels_counters_are_read_from_this_machine() -> None:
    before = read_counters("lo")
    after = read_counters("lo")
    grown = since(before, after)
    assert before["segments_sent"] > 0
    assert grown.keys() == before.keys()
    assert all(count >= 0 for count in grown.values())
    assert read_counters("none there")["sent_bytes"] == 0
