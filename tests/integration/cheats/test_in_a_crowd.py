"""Servers that are honest while connections are few and young are caught in the midst of load."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from webdyno.trial.crowd import verify_again
from webdyno.verifier import Mismatch, Probe

Stage = Any
CONNECTIONS = 32


def again(stage: Stage) -> None:
    """The second proof, as a trial makes it after the load."""
    job = stage.job(connections=CONNECTIONS, moves=False)
    stage.verifier.phase = "after"
    with Probe(f"http://127.0.0.1:{stage.port}") as probe:
        verify_again(stage.verifier, probe, job, rps=4000.0)


def test_a_file_kept_while_it_is_crowded_is_caught(stage: Callable[..., Stage]) -> None:
    # Few rounds, so that the little server has many answers a second.
    cheat = stage("sha256", "read-once-in-a-crowd", n_max=4)
    cheat.verify("before")
    cheat.verify("after")  # Alone with its verifier it is honest.
    with pytest.raises(Mismatch, match="the answer follows the file"):
        again(cheat)


@pytest.mark.parametrize("scenario", ["hello", "json", "sha256", "blog"])
def test_honest_servers_pass_in_a_crowd(stage: Callable[..., Stage], scenario: str) -> None:
    honest = stage(scenario)
    honest.verify("before")
    again(honest)
    assert {item.phase for item in honest.verifier.evidence} == {"before", "after"}


def test_a_verifier_that_must_be_alone_is(stage: Callable[..., Stage]) -> None:
    honest = stage("session-counter")
    honest.verify("before")
    again(honest)
    assert all(item.ok for item in honest.verifier.evidence)
