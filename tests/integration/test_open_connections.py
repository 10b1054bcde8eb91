"""No connections but the load's are open while a server is warmed up and measured."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from support.one_trial import plan_of
from webdyno.catalog.catalog import Catalog
from webdyno.catalog.loads.load import Closed
from webdyno.catalog.loads.warm_up import Bounds
from webdyno.generators.engine import Engine
from webdyno.trial.events import Event, StepStarted
from webdyno.trial.life import run_trial

pytestmark = pytest.mark.concurrent

ROOT = Path(__file__).parents[2]
CONNECTIONS = 12
SIGN = "seen "


def test_the_warm_up_has_as_many_connections_as_the_load(tmp_path: Path) -> None:
    """Whoever has a worker for each has none to spare; others would tell the two apart."""
    catalog = Catalog([ROOT, ROOT / "tests"])
    steps: list[tuple[float, str]] = []

    def listen(event: Event) -> None:
        if isinstance(event, StepStarted):
            steps.append((time.time(), event.name))

    load = Closed(kind="closed", connections=CONNECTIONS, duration=0.5)
    plan = plan_of(catalog, catalog.server_variant("python/cheat@witness"), "hello", load, tmp_path)
    plan.log.parent.mkdir(exist_ok=True)
    run_trial(replace(plan, warmup=Bounds(0.3, 1.0, 500, 0.3)), Engine(), listen)
    log = plan.log.read_text(encoding="utf-8")
    for step in ("warm-up", "measure"):
        open_then = Counter(open_at_requests(log, steps, step))
        ((usual, _),) = open_then.most_common(1)
        assert usual == CONNECTIONS, (step, open_then)


def open_at_requests(log: str, steps: list[tuple[float, str]], step: str) -> Iterator[int]:
    """How many connections were open at each request of `step`."""
    alive: set[int] = set()
    for line in log.splitlines():
        held = json.loads(line.removeprefix(SIGN)) if line.startswith(SIGN) else {}
        event = held.get("event")
        if event == "open":
            alive.add(held["connection"])
        elif event == "close":
            alive.discard(held["connection"])
        elif event == "request":
            began = [name for at, name in steps if at <= held["at"]]
            if began[-1:] == [step]:
                yield len(alive)
