"""Work that has a floor: whoever does less of it under the load is caught, with right answers."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from webdyno.catalog.loads.load import Iterations
from webdyno.generators.engine import Engine
from webdyno.runtime.processes.cpu_time import TreeClock
from webdyno.verifier import Mismatch, Probe, Spent

Stage = Any


def under_load(stage: Stage, warm: str, each: int, users: int = 8) -> str:
    """Prove the server, warm it up, load it as a trial does, and hold its work against its floor:
    what is said of it; empty where nothing is. Each of the `users` asks `each` times, however long
    that takes on a busy machine: of little work no floor is told."""
    stage.verify("before")
    stage.warm(warm)
    with Probe(f"http://127.0.0.1:{stage.port}") as probe:
        stage.verifier.before_load(probe)
    load = Iterations(kind="iterations", users=users, iterations=each)
    job = stage.job(load=load, moves=False)
    clock = TreeClock(stage.pid)
    before_s = clock.seconds()
    result = Engine().run(job)
    spent = Spent(result.counts.ok, clock.seconds() - before_s)
    # What is caught here gives right answers, all of them.
    assert result.counts.errors == 0, result.errors_detail
    stage.verifier.phase = "during"
    with Probe(f"http://127.0.0.1:{stage.port}") as probe:
        try:
            stage.verifier.reconcile(probe, result.counts.by_kind())
            stage.verifier.account(spent)
        except Mismatch as mismatch:
            return "a breakdown" if mismatch.is_breakdown else str(mismatch)
    return ""


@pytest.mark.parametrize("cheat", ["cached-by-content", "keeps-state-when-warm"])
def test_digests_that_were_not_computed_are_caught(stage: Callable[..., Stage], cheat: str) -> None:
    said = under_load(stage("sha256", cheat), "/benchmark?n=1", 300)
    assert "the answers of the load cost the CPU time of their rounds" in said, said
    assert re.search(r"[0-9]+ µs each; [0-9.]+ rounds over 16 kB take [0-9]+ µs", said), said


def test_honest_digests_are_paid_for(stage: Callable[..., Stage]) -> None:
    honest = stage("sha256")
    assert under_load(honest, "/benchmark?n=1", 300) == ""
    assert honest.verifier.evidence[-1].claim.startswith("the answers of the load cost")


@pytest.mark.parametrize(
    ("cheat", "claim"),
    [
        ("commits-in-batches", "each visit was committed by itself"),
        ("savepoints-in-batches", "each visit was committed by itself"),
        ("two-in-a-commit", "each visit was committed by itself"),
        ("sqlite-in-batches", "each visit was committed by itself"),
        ("writes-last", "each visit was committed by itself"),
        ("pays-elsewhere", "each visit was committed by itself"),
    ],
)
def test_visits_that_were_not_written_each_are_caught(
    stage: Callable[..., Stage], cheat: str, claim: str
) -> None:
    crowd = 20 if cheat == "pays-elsewhere" else 8
    said = under_load(stage("session-counter", cheat), "/", 50, crowd)
    assert claim in said, said


def test_rows_that_were_not_read_by_themselves_are_caught(stage: Callable[..., Stage]) -> None:
    # PostgreSQL may tell of what was read before the load during it: that is little here.
    said = under_load(stage("session-counter", "counted-by-update"), "/warm", 300)
    assert "each visit with a cookie read its row" in said, said


@pytest.mark.parametrize(("kind", "rows"), [("in-postgresql", True), ("", False)])
def test_honest_visits_are_written_each(stage: Callable[..., Stage], kind: str, rows: bool) -> None:
    honest = stage("session-counter", kind)
    assert under_load(honest, "/", 50) == ""
    claims = [item.claim for item in honest.verifier.evidence]
    assert "each visit was committed by itself" in claims
    read = "each visit with a cookie read its row before it wrote it, by PostgreSQL's counters"
    assert (read in claims) is rows
    assert ("each visit wrote a row" in claims) is rows
