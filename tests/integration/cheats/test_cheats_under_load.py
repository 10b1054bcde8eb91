"""Servers that cheat only under load: caught by the engine's checks, the audit, or afterwards."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from webdyno.catalog.loads.load import Closed, Iterations
from webdyno.generators.engine import Engine
from webdyno.generators.result import LoadResult
from webdyno.trial.proof.prove import samples_of
from webdyno.verifier import Mismatch

USERS = 20
ITERATIONS = 200
REQUESTS = USERS * ITERATIONS

Stage = Any


def loaded(stage: Stage, timeout: str = "10s") -> LoadResult:
    """Verify the server, then load it with 4,000 requests; the engine's result."""
    stage.verify("before")
    load = Iterations(kind="iterations", users=USERS, iterations=ITERATIONS, timeout=timeout)
    result = Engine().run(stage.job(load=load, moves=False))
    assert result.counts.offered == REQUESTS
    stage.verifier.phase = "during"
    return result


def audited(stage: Stage, result: LoadResult) -> str:
    """What the audit says against the server."""
    with pytest.raises(Mismatch) as found:
        stage.verifier.audit(samples_of(result))
    assert stage.verifier.evidence[-1].phase == "during"
    return str(found.value)


def told(result: LoadResult, kind: str) -> str:
    """The engine's own words about the errors of one kind."""
    lines = [item.detail for item in result.errors_detail if item.kind == kind]
    assert lines, result.errors_detail
    return " | ".join(lines)


@pytest.mark.parametrize("scenario", ["hello", "json", "blog", "sha256"])
def test_an_honest_server_passes_from_start_to_end(
    stage: Callable[..., Stage], scenario: str
) -> None:
    honest = stage(scenario)
    result = loaded(honest)
    assert result.counts.ok == REQUESTS
    assert result.counts.errors == 0
    samples = samples_of(result)
    assert len(samples) == honest.verifier.samples
    honest.verifier.audit(samples)
    honest.verify("after")
    assert {item.phase for item in honest.verifier.evidence} == {"before", "during", "after"}


def test_json_that_is_constant_when_warm_is_caught_by_the_audit(
    stage: Callable[..., Stage],
) -> None:
    cheat = stage("json", "constant-when-warm")
    result = loaded(cheat)
    # Each answer by itself is right, so that no check per answer can find it.
    assert result.counts.ok == REQUESTS
    assert "no answer is repeated" in audited(cheat, result)
    assert "no answer is repeated" in cheat.caught("after")


def test_json_made_of_parts_that_were_given_before_is_caught_by_the_audit(
    stage: Callable[..., Stage],
) -> None:
    cheat = stage("json", "halves")
    cheat.warm()
    result = loaded(cheat)
    assert result.counts.ok == REQUESTS
    assert all(found.repeated == 0 for found in result.distinct)
    # Among so few answers, the numbers of a half weigh more than others, too.
    assert re.search("of the load is drawn independently|not uniform", audited(cheat, result))


def test_json_that_is_constant_under_load_only_is_caught_by_the_audit(
    stage: Callable[..., Stage],
) -> None:
    cheat = stage("json", "constant-between")
    result = loaded(cheat)
    assert result.counts.ok == REQUESTS
    assert "(37, 74, 111" in audited(cheat, result)


@pytest.mark.parametrize("cheat", ["same-posts-when-warm", "kept-a-while"])
def test_a_blog_that_draws_no_new_posts_when_warm_is_caught_by_the_audit(
    stage: Callable[..., Stage], cheat: str
) -> None:
    cheating = stage("blog", cheat)
    result = loaded(cheating)
    assert result.counts.ok == REQUESTS
    message = audited(cheating, result)
    assert "were repeated, with the same images" in message or "show the same posts" in message


def test_digests_that_are_kept_when_warm_are_caught_after_the_load(
    stage: Callable[..., Stage],
) -> None:
    cheat = stage("sha256", "cached-when-warm")
    result = loaded(cheat)
    # The file stays the same under load: what is kept is right until the file changes.
    assert result.counts.ok == REQUESTS
    cheat.verifier.audit(samples_of(result))
    assert "the content or the answer seems to be cached" in cheat.caught("after")


def test_digests_of_nothing_are_caught_answer_by_answer(stage: Callable[..., Stage]) -> None:
    result = loaded(stage("sha256", "forgets-file"))
    counts = result.counts.by_kind()
    assert counts["failed_check"] > REQUESTS / 2
    assert counts["ok"] + counts["failed_check"] == REQUESTS
    assert told(result, "failed_check")


@pytest.mark.parametrize(
    ("scenario", "says"),
    [
        ("hello", "Bad Gateway"),
        ("json", "try again later"),
        ("blog", "body"),
        ("sha256", "too many requests"),
    ],
)
def test_an_error_with_status_200_is_caught_answer_by_answer(
    stage: Callable[..., Stage], scenario: str, says: str
) -> None:
    result = loaded(stage(scenario, "error-text"))
    counts = result.counts.by_kind()
    assert 50 <= counts["failed_check"] <= 80
    assert counts["ok"] == REQUESTS - counts["failed_check"]
    assert says in told(result, "failed_check")


def test_one_dropped_answer_in_a_thousand_is_counted(stage: Callable[..., Stage]) -> None:
    result = loaded(stage("json", "drops-one"))
    counts = result.counts.by_kind()
    # 4,000 requests of the load among some 4,200 in all: the 1,000th, 2,000th, 3,000th, 4,000th.
    assert counts["reset"] == 4
    assert counts["ok"] == REQUESTS - 4
    assert told(result, "reset")


def test_one_answer_in_a_thousand_that_never_comes_is_counted(
    stage: Callable[..., Stage],
) -> None:
    result = loaded(stage("json", "hangs-one"), timeout="3s")
    counts = result.counts.by_kind()
    assert counts["timed_out"] == 4
    assert counts["ok"] == REQUESTS - 4
    assert result.latency_us.max < 3e6
    assert told(result, "timed_out")


def test_answers_that_never_come_are_counted_at_the_end_of_a_closed_load_too(
    stage: Callable[..., Stage],
) -> None:
    """All connections hang within the load, which ends before the first time-out."""
    cheat = stage("json", "hangs-one")
    load = Closed(kind="closed", connections=4, duration="3s", timeout="4s")
    counts = Engine().run(cheat.job(load=load, moves=False)).counts.by_kind()
    assert counts["ok"] < 5000
    assert counts["timed_out"] == 4
