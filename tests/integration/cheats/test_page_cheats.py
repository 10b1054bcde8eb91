"""Servers that do not render the page for each visitor are caught, unless they say so."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from webdyno.catalog.loads.load import Closed
from webdyno.generators.engine import Engine
from webdyno.trial.proof.prove import samples_of

NAME = "page"

Stage = Any

# Cheat, and what the message must say.
CAUGHT = [
    ("rendered-once", "follows the table when a row is changed.*the text is|instead of"),
    ("kept-a-while", "follows the table when a row is changed"),
    ("kept-for-ever", r"follows the table.*s later the cache still serves the old page"),
    ("says-kept", "shows the 16 rows of the table"),
    ("rows-once", "follows the table when a row is changed"),
    ("rows-per-connection", "follows the table when a row is changed"),
    ("unescaped", "shows the 16 rows.*not escaped"),
    ("escaped-twice", "shows the 16 rows.*(&|amp|lt|quot|#x27)"),
    ("shortened", "shows the 16 rows.*the text is '' instead of"),
    ("unordered", "shows the 16 rows"),
    ("padded", "size of the page fits its texts.*bytes"),
    ("wrong-type", "content-type is 'text/plain.*not 'text/html'"),
]


@pytest.mark.parametrize(("cheat", "says"), CAUGHT)
def test_caught_before_the_load(stage: Callable[..., Stage], cheat: str, says: str) -> None:
    message = stage(NAME, cheat).caught()
    assert re.search(says, message), message
    assert "\n" not in message


def test_an_honest_server_passes_from_start_to_end(stage: Callable[..., Stage]) -> None:
    honest = stage(NAME)
    honest.verify("before")
    load = Closed(kind="closed", connections=10, duration=0.4)
    result = Engine().run(honest.job(load=load, moves=False))
    assert result.counts.ok > 10
    assert result.counts.errors == 0
    honest.verifier.phase = "during"
    honest.verifier.audit(samples_of(result))
    for phase in ("after", "after", "before"):
        honest.verify(phase)
    assert all(item.ok for item in honest.verifier.evidence)


def test_pages_kept_when_warm_are_caught_after_the_load(stage: Callable[..., Stage]) -> None:
    cheat = stage(NAME, "kept-a-while-when-warm")
    cheat.verify("before")
    cheat.warm()
    assert "follows the table when a row is changed" in cheat.caught("after")


def test_pages_shared_by_those_who_wait_are_counted(stage: Callable[..., Stage]) -> None:
    cheat = stage(NAME, "shared-by-two")
    message = cheat.judged(cheat.loaded())
    says = (
        r"read the table for each answer .*: \d+ times; \d+ answers, at least \d+ not from a cache"
    )
    assert re.search(says, message), message


@pytest.mark.parametrize("name", ["told-behind-names", "entries-by-the-database"])
def test_rows_that_postgresql_makes_into_something_are_not_handed_over(
    stage: Callable[..., Stage], name: str
) -> None:
    cheat = stage(NAME, name)
    message = cheat.judged(cheat.loaded())
    says = r"nearly all return all rows unchanged: \d of \d+; another was: SELECT "
    assert re.search(says, message), message


def test_pages_kept_until_postgresql_says_that_rows_have_changed_are_found_out(
    stage: Callable[..., Stage],
) -> None:
    cheat = stage(NAME, "told-of-changes")
    message = cheat.judged(cheat.loaded())
    says = r"nearly all return all rows unchanged: \d of \d+; another was: SELECT count"
    assert re.search(says, message), message


def test_the_number_of_rows_is_a_parameter(stage: Callable[..., Stage]) -> None:
    small = stage(NAME, articles=3)
    small.verify()
    assert any("the 3 rows of the table" in item.claim for item in small.verifier.evidence)
