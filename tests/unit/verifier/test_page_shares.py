"""How many answers of a load must have been rendered, where sampled ones tell which were kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from webdyno.verifier import beside

caching = beside(str(Path(__file__).parents[3] / "scenarios" / "page" / "verifier.py"), "caching")


@pytest.mark.parametrize(
    ("sampled", "kept", "of", "share"),
    [
        (200, 0, 50_000, 0.92),
        (200, 200, 50_000, 0.0),
        (200, 195, 50_000, 0.0),  # So many may be by chance where hardly any were.
        (200, 100, 50_000, 0.3),
        (10, 0, 50_000, 0.0),  # Too few to tell.
        (10, 4, 10, 0.6),  # All of them.
    ],
)
def test_the_share_that_was_not_kept(sampled: int, kept: int, of: int, share: float) -> None:
    assert caching.least_fresh(sampled, kept, of) == pytest.approx(share)
