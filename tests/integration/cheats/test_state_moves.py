"""Servers that keep what they read, under load only: the state moves while they are measured."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from webdyno.generators.engine import Engine, Sliced
from webdyno.generators.result import LoadResult
from webdyno.trial.proof.distinct import tell_changes
from webdyno.trial.proof.prove import samples_of
from webdyno.verifier import Mismatch, Probe

Stage = Any


def told(stage: Stage, result: LoadResult) -> str:
    """What is said of answers that are out of date; "" where none is."""
    stage.verifier.phase = "during"
    try:
        tell_changes(stage.verifier, result)
    except Mismatch as mismatch:
        return str(mismatch)
    return ""


def test_digests_kept_under_load_only_are_caught_by_name(stage: Callable[..., Stage]) -> None:
    cheat = stage("sha256", "cached-under-load")
    with Probe(f"http://127.0.0.1:{cheat.port}") as probe:
        cheat.verifier.verify(probe)
        result = Engine().run(cheat.job())
        message = told(cheat, result)
        # Nothing else finds it.
        cheat.verifier.audit(samples_of(result))
        cheat.verifier.phase = "after"
        cheat.verifier.verify(probe)
    says = r"changed \d+ times during the load, .*: at least \d+ answers are out of date, the state"
    assert re.search(says, message), message
    assert result.counts.failed_check > 100


def test_a_file_that_is_read_when_stat_says_so_is_caught_under_load(
    stage: Callable[..., Stage],
) -> None:
    # On a busy machine few changes fit into a short load, perhaps none that moves no time stamp.
    for seconds in (1.5, 6.0):
        result = Engine().run(stage("sha256", "read-when-changed").job(seconds))
        if result.counts.failed_check:
            break
    assert result.counts.failed_check > 0


def test_an_honest_server_follows_every_change(stage: Callable[..., Stage]) -> None:
    honest = stage("sha256")
    honest.verify("before")
    job = honest.job()
    for _ in range(2):
        # The second load begins with the state that the first one left.
        result = Engine().run(job)
        assert result.counts.failed_check == 0, result.errors_detail
        assert result.changes.changes >= 1
        assert told(honest, result) == ""
        honest.verifier.audit(samples_of(result))
    assert "was changed" in next(
        item.claim for item in honest.verifier.evidence if "at random moments" in item.claim
    )
    honest.verify("after")


def test_an_honest_server_follows_changes_between_slices(stage: Callable[..., Stage]) -> None:
    honest = stage("sha256")
    load = Sliced(honest.job(0.6))
    done = False
    while not done:
        load.go_on(0.05)
        done = load.hold().done
    result = load.result()
    assert result.counts.failed_check == 0, result.errors_detail
    assert result.changes.changes >= 1


def test_what_a_change_raises_ends_the_load(stage: Callable[..., Stage]) -> None:
    def refused() -> None:
        raise Mismatch("a row could not be renamed")

    honest = stage("sha256")
    change = honest.verifier.change()
    job = replace(honest.job(), changes=lambda: replace(change, make=refused))
    with pytest.raises(Mismatch, match="a row could not be renamed"):
        Engine().run(job)
