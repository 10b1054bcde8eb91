"""A random kill of a real run; `python -m tests.faults --rounds N` makes many."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from tests.faults import kills
from tests.faults.lab import Lab

pytestmark = [pytest.mark.concurrent, pytest.mark.long]


def test_whatever_is_killed_nothing_is_lost_changed_or_left() -> None:
    # Not pytest's folder: the database has a user of its own, who must be able to enter.
    with tempfile.TemporaryDirectory(prefix="faults-", ignore_cleanup_errors=True) as name:
        Path(name).chmod(0o755)
        lab = Lab(Path(name))
        made = list(kills.rounds(lab, 1, 7))
    assert [one.told() for one in made if not one.is_clean] == []
    assert sum(one.trials for one in made) > 0
