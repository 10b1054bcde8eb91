"""Runs that look at the machine's noise for a moment only: no test judges what they see of it."""

from __future__ import annotations

import pytest

NOISE_S = 0.2


@pytest.fixture(autouse=True)
def brief_noise(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of runs in the test's own process."""
    monkeypatch.setattr("webdyno.run.bench.observe.NOISE_S", NOISE_S)
