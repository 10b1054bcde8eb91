"""When a server that starts is ready: at its first answer, unless that says that it is not."""

from __future__ import annotations

import os
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from webdyno.trial import awaiting


@pytest.fixture
def starting() -> Any:
    """A process that has yet to answer."""
    return SimpleNamespace(
        pid=os.getpid(),
        name="shop/b",
        began=time.monotonic(),
        log=Path("none"),
        exit_code=lambda: None,
        family=SimpleNamespace(stopped=lambda: False),
    )


def test_unavailable_is_not_ready(starting: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    statuses = iter([0, 502, 503, 504, 503, 404])
    monkeypatch.setattr(awaiting, "answers", lambda *_: next(statuses))
    assert awaiting.await_answer(starting, "127.0.0.1", 1, "/health?deep=1") > 0
    assert not list(statuses)


@pytest.mark.parametrize("status", [502, 503, 504])
def test_one_that_stays_unavailable_is_told(
    starting: Any, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    monkeypatch.setattr(awaiting, "START_TIMEOUT_S", 0.0)
    monkeypatch.setattr(awaiting, "answers", lambda *_: status)
    told = f"shop/b still answered GET /health with {status} after"
    with pytest.raises(awaiting.StartError, match=told):
        awaiting.await_answer(starting, "127.0.0.1", 1, "/health?deep=1")
