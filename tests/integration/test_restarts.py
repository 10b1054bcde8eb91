"""Whole trials in which the server is started again: until that has worked, leaving nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from support.one_trial import plan_of
from support.services import make_traversable
from webdyno.catalog.catalog import Catalog
from webdyno.catalog.loads.load import Closed
from webdyno.generators.registry import generator_named
from webdyno.runtime.services import ServiceError
from webdyno.runtime.services.registry import look_for
from webdyno.trial.events import silent
from webdyno.trial.life import run_trial
from webdyno.trial.plan import TrialPlan
from webdyno.trial.proof.prove import verifier_of
from webdyno.trial.proof.restart import wants_restart

pytestmark = pytest.mark.concurrent

TESTS = Path(__file__).parents[1]


def planned(folder: Path) -> TrialPlan:
    """A trial of a server that signs with a key of its own."""
    catalog = Catalog.with_overlay(TESTS)
    server_variant = catalog.server_variant("python/cheat@constant-secret")
    load = Closed(kind="closed", connections=4, duration=0.5, method="as-published")
    return plan_of(catalog, server_variant, "session-counter", load, folder)


def test_one_trial_alone_pays_for_further_starts(tmp_path: Path) -> None:
    make_traversable(tmp_path)
    first = planned(tmp_path)
    try:
        look_for("postgresql")
    except ServiceError as missing:
        pytest.skip(str(missing))
    trial = run_trial(first, generator_named("engine"), silent)
    assert trial.status == "failed", trial.reason
    assert "not valid for a start with another WEBDYNO_SECRET" in trial.lie
    assert trial.step_seconds["restart"] > 0
    # The claim before it held, so a further start was made and ended.
    assert "valid for every start with the same" in trial.evidence[-2].claim
    assert not list((tmp_path / "tmp").iterdir())
    verifier = verifier_of(first.scenario, {}, tmp_path, first.seed)
    assert wants_restart(first, verifier)
    assert wants_restart(replace(first, block=1), verifier)
    assert not wants_restart(replace(first, block=1, restarted=True), verifier)
    assert not wants_restart(replace(first, control=True), verifier)
    hello = verifier_of(Catalog().scenario("hello"), {}, tmp_path, first.seed)
    assert not wants_restart(first, hello)
