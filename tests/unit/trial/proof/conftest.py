"""What tests of the second proof share."""

from __future__ import annotations

import pytest

from webdyno.trial.proof import crowd


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Connections grow old by their requests alone, as many as a test counts on: however long a
    server in Python, beside its load, takes to answer them on a busy machine."""
    monkeypatch.setattr(crowd, "_REQUESTS", 60)
    monkeypatch.setattr(crowd, "_WITHIN_S", 60.0)
    monkeypatch.setattr(crowd, "_share", lambda: 0.0)
    monkeypatch.setattr(crowd, "_TRIES", 2)
