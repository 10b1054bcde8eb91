"""A second port of the service's own, which only one of several copies gets."""

from __future__ import annotations

import pytest

from support.compared_run import run_of
from webdyno.ab.conclusion.broken import broken_of, is_broken_for_good
from webdyno.ab.study.pairing import Pairing
from webdyno.ab.study.port_conflicts import check_port_conflicts, remedy_of_conflict
from webdyno.errors import UserError
from webdyno.store.records import RunRecord

SAID = (
    "listen tcp :9090: bind: address already in use",
    "Error: listen EADDRINUSE: address already in use :::9090",
    "OSError: [Errno 98] Address already in use",
    "Caused by: java.net.BindException: Address already in use",
    "Web server failed to start. Port 8081 was already in use.",
    'Os { code: 98, kind: AddrInUse, message: "..." }',
    "** (Mix) the name shop@here seems to be in use by another Erlang node",
)


def starting(pair: Pairing, said: str, places: tuple[int, ...], blocks: int = 2) -> RunRecord:
    """A run in which the trials at `places` could not be started."""
    run = run_of(pair, blocks)
    for place in places:
        entry = run.trials[place].entry
        bad = {
            "status": "error",
            "reason": f"{entry} exited with 1 at start: {said}",
            "measurement": None,
        }
        run.trials[place] = run.trials[place].model_copy(update=bad)
    return run


@pytest.mark.parametrize("said", SAID)
def test_that_another_copy_has_its_port_makes_no_version_worse(pair: Pairing, said: str) -> None:
    mine = tuple(range(1, 12, 3))  # Those of B, which was started after A each time.
    run = starting(pair, said, mine)
    assert {run.trials[place].entry for place in mine} == {"shop/b"}
    assert broken_of(pair, run) == []
    assert is_broken_for_good(pair, run)
    with pytest.raises(UserError, match=r"shop cannot run at once: shop/b exited .*; (if|set) "):
        check_port_conflicts(pair, run)
    assert remedy_of_conflict(said)


@pytest.mark.parametrize(("places", "blocks"), [((1,), 2), ((1, 4, 20), 4)])
def test_few_such_starts_may_be_chance(pair: Pairing, places: tuple[int, ...], blocks: int) -> None:
    run = starting(pair, SAID[0], places, blocks)
    assert broken_of(pair, run) == []
    assert not is_broken_for_good(pair, run)
    check_port_conflicts(pair, run)


def test_any_other_failure_to_start_counts(pair: Pairing) -> None:
    said = "connect: connection refused"
    run = starting(pair, said, (1, 4, 7, 10))
    assert [one.letter for one in broken_of(pair, run)] == ["b"]
    check_port_conflicts(pair, run)
    assert remedy_of_conflict(said) == ""
