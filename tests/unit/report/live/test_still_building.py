"""A plain view's word while a build goes on."""

from __future__ import annotations

import io
import time

import pytest
from rich.console import Console

from webdyno.report.live import still_building
from webdyno.report.live.still_building import StillBuilding
from webdyno.report.live.views import PlainView
from webdyno.trial.events import BuildFinished, BuildStarted


def _until(said: list[str], count: int) -> None:
    deadline = time.monotonic() + 10
    while len(said) < count:
        assert time.monotonic() < deadline
        time.sleep(0.005)


@pytest.mark.parametrize("end", ["the next event", "close"])
def test_a_build_is_told_of_until_it_ends(end: str) -> None:
    said: list[str] = []
    building = StillBuilding(said.append, every_s=0.01)
    building.event(BuildStarted(server="shop/a"))
    _until(said, 2)
    if end == "close":
        building.close()
    else:
        building.event(BuildFinished(server="shop/a", seconds=1, cached=False))
    time.sleep(0.05)
    count = len(said)
    time.sleep(0.1)
    assert len(said) == count
    assert all(line.startswith("still building shop/a (") for line in said)


def test_the_plain_view_prints_it(monkeypatch: pytest.MonkeyPatch) -> None:
    told = io.StringIO()
    assert still_building.EVERY_S == 60
    with PlainView(Console(file=told)) as view:
        monkeypatch.setattr(view._building, "_every_s", 0.01)
        view.event(BuildStarted(server="shop/a"))
        deadline = time.monotonic() + 10
        while "still building shop/a" not in told.getvalue():
            assert time.monotonic() < deadline
            time.sleep(0.005)
