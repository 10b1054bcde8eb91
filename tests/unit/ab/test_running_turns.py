"""What is asked of running services before they are compared, to know how long turns must be."""

from __future__ import annotations

from pathlib import Path

import pytest

from webdyno.ab.listeners import Running
from webdyno.ab.running import RunningComparison
from webdyno.catalog.description import Description


@pytest.mark.parametrize(
    ("kinds", "asked"),
    [
        (["full"], []),
        (["full", "steady"], ["a", "b"]),
        (["full", "alone"], ["a", "b"]),
        (["full", "steady", "alone"], ["a", "b"]),
    ],
)
def test_a_single_user_asks_only_for_the_loads_that_need_it(
    kinds: list[str], asked: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    monkeypatch.setattr(RunningComparison, "_carried", lambda _self, _entry: 1000.0)
    monkeypatch.setattr(
        RunningComparison, "_alone_s", lambda _self, entry: (seen.append(entry), 0.001)[1]
    )
    description = Description.model_validate(
        {"name": "shop", "requests": ["GET /"], "load": {"kinds": kinds}, "budget": "1m"}
    )
    services = [
        Running(f"http://localhost:{port}/", f"localhost:{port}", "127.0.0.1", port, "/", 1)
        for port in (1, 2)
    ]
    comparison = RunningComparison(services, description, tmp_path, lambda _text: None)
    comparison._learn(kinds, 0.0)
    assert seen == asked
    assert set(comparison._turns) == set(kinds)
