"""A trial of a server that writes down all that it sees of requests and connections."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from support.one_trial import plan_of
from webdyno.catalog.catalog import Catalog
from webdyno.catalog.loads.load import Closed
from webdyno.catalog.loads.warm_up import Bounds
from webdyno.generators.engine import Engine
from webdyno.trial.events import Event, StepStarted
from webdyno.trial.life import run_trial

ROOT = Path(__file__).resolve().parents[2]
SIGN = "seen "
"""What a line of the witness begins with."""


def witnessed(
    scenario: str, connections: int, folder: Path
) -> Iterator[tuple[str, dict[str, Any]]]:
    """What the server saw in a trial of `scenario` under a short closed load, in order: each event
    after the step of the trial in which it came (empty before the first)."""
    catalog = Catalog([ROOT, ROOT / "tests"])
    steps: list[tuple[float, str]] = []

    def listen(event: Event) -> None:
        if isinstance(event, StepStarted):
            steps.append((time.time(), event.name))

    load = Closed(kind="closed", connections=connections, duration=0.5)
    witness = catalog.server_variant("python/cheat@witness")
    plan = plan_of(catalog, witness, scenario, load, folder)
    plan.log.parent.mkdir(exist_ok=True)
    run_trial(replace(plan, warmup=Bounds(0.3, 1.0, 500, 0.3)), Engine(), listen)
    for line in plan.log.read_text(encoding="utf-8").splitlines():
        event = json.loads(line.removeprefix(SIGN)) if line.startswith(SIGN) else {}
        if "event" in event:
            began = ["", *(name for at, name in steps if at <= event["at"])]
            yield began[-1], event
