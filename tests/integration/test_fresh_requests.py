"""No request of a measured load comes in its warm-up or its proofs as well."""

from __future__ import annotations

import json
import time
from collections import defaultdict
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
SIGN = "seen "


def test_what_was_answered_in_the_warm_up_is_not_asked_again_under_load(tmp_path: Path) -> None:
    """Or answers could be kept from there: each request brings a tag by which to find them."""
    catalog = Catalog([ROOT, ROOT / "tests"])
    steps: list[tuple[float, str]] = []

    def listen(event: Event) -> None:
        if isinstance(event, StepStarted):
            steps.append((time.time(), event.name))

    load = Closed(kind="closed", connections=4, duration=0.5)
    plan = plan_of(catalog, catalog.server_variant("python/cheat@witness"), "sse", load, tmp_path)
    plan.log.parent.mkdir(exist_ok=True)
    run_trial(replace(plan, warmup=Bounds(0.3, 1.0, 500, 0.3)), Engine(), listen)
    asked: dict[str, set[str]] = defaultdict(set)
    for line in plan.log.read_text(encoding="utf-8").splitlines():
        held = json.loads(line.removeprefix(SIGN)) if line.startswith(SIGN) else {}
        if held.get("event") == "request":
            began = [name for at, name in steps if at <= held["at"]]
            asked[began[-1]].add(held["head"].split(" ")[1])
    for step in ("warm-up", "audit"):
        assert len(asked[step]) > 10
        assert len(asked["measure"]) > 10
        assert not asked[step] & asked["measure"], step
