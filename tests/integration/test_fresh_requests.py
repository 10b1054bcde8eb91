"""No request of a measured load comes in its warm-up or its proofs as well."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from support.witnessed import witnessed

pytestmark = pytest.mark.concurrent


def test_what_was_answered_in_the_warm_up_is_not_asked_again_under_load(tmp_path: Path) -> None:
    """Or answers could be kept from there: each request brings a tag by which to find them."""
    asked: dict[str, set[str]] = defaultdict(set)
    for step, event in witnessed("sse", 4, tmp_path):
        if event["event"] == "request":
            asked[step].add(event["head"].split(" ")[1])
    for step in ("warm-up", "audit"):
        assert len(asked[step]) > 10
        assert len(asked["measure"]) > 10
        assert not asked[step] & asked["measure"], step
