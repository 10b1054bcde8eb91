"""Reads of the warm-up that PostgreSQL counts with the load's make up for none that is missing."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from webdyno.catalog.loads.load import Iterations
from webdyno.generators.engine import Engine
from webdyno.verifier import Probe

Stage = Any


def after_a_warm_up(stage: Stage) -> str:
    """Verify the server, warm it up with the load's requests, load it without a pause, and judge
    that: what is said of it. So many answers are given, however long they take: one in ten of their
    reads is more than what a verification leaves uncounted."""
    stage.verify("before")
    stage.warm()
    stage.warm_up(1.5)
    with Probe(f"http://127.0.0.1:{stage.port}") as probe:
        stage.verifier.before_load(probe)
    load = Iterations(kind="iterations", users=10, iterations=400)
    result = Engine().run(stage.job(load=load, moves=False))
    assert result.counts.errors == 0, result.errors_detail
    stage.verifier.phase = "during"
    said: str = stage.judged(result)
    return said


@pytest.mark.parametrize(
    ("scenario", "cheat", "says"),
    [
        (
            "session-counter",
            "counted-by-update-seldom",
            r"read its row before it wrote it.*: \d+ look-ups, \d+ visits with a cookie",
        ),
        (
            "page",
            "read-for-two-seldom",
            r"read the table for each answer .*: \d+ times; 4000 answers, at least \d+ not from",
        ),
    ],
)
def test_one_in_ten_that_is_not_read_is_missed(
    stage: Callable[..., Stage], scenario: str, cheat: str, says: str
) -> None:
    message = after_a_warm_up(stage(scenario, cheat))
    assert re.search(says, message), message


@pytest.mark.parametrize(
    ("scenario", "kind"),
    [("session-counter", "in-postgresql"), ("page", ""), ("page", "says-it-is-kept")],
)
def test_an_honest_server_has_read_all(
    stage: Callable[..., Stage], scenario: str, kind: str
) -> None:
    assert after_a_warm_up(stage(scenario, kind)) == ""


def test_a_cache_that_was_filled_in_the_warm_up_is_no_cheat(stage: Callable[..., Stage]) -> None:
    assert after_a_warm_up(stage("cached", ttl_ms=200, n=100)) == ""
