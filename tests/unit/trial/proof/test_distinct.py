"""Whether a load's answers were distinct, judged by how many repeat by chance."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from webdyno.catalog.scenarios.scenario import read_scenario
from webdyno.generators.result import (
    ChangesMade,
    DistinctAnswers,
    GeneratorSpent,
    LoadResult,
)
from webdyno.store.counts import RequestCounts
from webdyno.store.measurement import Latency, RequestRecord
from webdyno.trial.proof.distinct import expect_distinct, tell_changes
from webdyno.trial.proof.prove import verifier_of
from webdyno.verifier import Mismatch, Verifier
from webdyno.verifier.statistics import ALARM, repeats_by_chance, too_many

SCENARIOS = Path(__file__).parents[4] / "scenarios"


def yielded(*distinct: DistinctAnswers, right: int | None = None) -> LoadResult:
    return LoadResult(
        elapsed_s=1.0,
        throughput_rps=1.0,
        counts=RequestCounts(ok=right or 0),
        by_request=[
            RequestRecord(name=one.request, counts={"ok": one.answers if right is None else right})
            for one in distinct
        ],
        generator=GeneratorSpent(),
        distinct=list(distinct),
    )


def judged(tmp_path: Path, name: str, right: int | None = None, **found: int) -> Verifier:
    scenario = read_scenario(SCENARIOS / name)
    verifier = verifier_of(scenario, {}, tmp_path, 1)
    verifier.phase = "during"
    [request] = scenario.manifest.requests
    compared = DistinctAnswers(request=request.name, **{"one_in": 1, **found})
    expect_distinct(verifier, scenario, yielded(compared, right=right))
    return verifier


def test_answers_that_all_differ_are_evidence(tmp_path: Path) -> None:
    _, item = judged(tmp_path, "json", answers=10**6, kept=10**6, repeated=0).evidence
    assert item.ok
    assert item.claim.startswith("none of 1000000 answers of the load is repeated, whatever")
    assert item.phase == "during"


def test_answers_that_lack_the_words_to_compare_are_told(tmp_path: Path) -> None:
    found = {"answers": 19_990, "kept": 19_990, "repeated": 0}
    # Some may come when the load is over.
    assert judged(tmp_path, "stream", right=19_980, **found).evidence[0].ok
    says = "has a word that tells it from others, after '0000000000 ': 19990 of 20000 have one"
    with pytest.raises(Mismatch, match=says):
        judged(tmp_path, "stream", right=20_000, **found)
    with pytest.raises(Mismatch, match="after 'Test Post ' or 'image-': 0 of 7 have one"):
        judged(tmp_path, "blog", right=7, answers=0, kept=0, repeated=0)


def test_few_answers_given_again_are_told(tmp_path: Path) -> None:
    says = "none of 20000 answers .*: 2 of 20000 had occurred before"
    with pytest.raises(Mismatch, match=says):
        judged(tmp_path, "json", answers=20_000, kept=20_000, repeated=2)


def test_where_answers_are_few_some_repeat_by_chance(tmp_path: Path) -> None:
    # Of 5e11 pages, 3 million pairs of a million repeat one: 2.4 expected.
    assert judged(tmp_path, "blog", answers=10**6, kept=10**6, repeated=8).evidence[0].ok
    with pytest.raises(Mismatch, match=r"2\.4 are expected by chance"):
        judged(tmp_path, "blog", answers=10**6, kept=10**6, repeated=30)


def test_a_part_of_the_answers_is_judged_by_what_chance_allows_there(tmp_path: Path) -> None:
    found = {"answers": 10**7, "kept": 10**7 // 16, "one_in": 16, "repeated": 20}
    assert judged(tmp_path, "blog", **found).evidence[0].ok
    with pytest.raises(Mismatch, match="looked for in 1 of 16 of them"):
        judged(tmp_path, "blog", **{**found, "repeated": 120})


def test_an_engine_that_was_not_asked_says_nothing(tmp_path: Path) -> None:
    scenario = read_scenario(SCENARIOS / "hello")
    verifier = verifier_of(scenario, {}, tmp_path, 1)
    expect_distinct(verifier, scenario, yielded())
    assert verifier.evidence == []


def test_a_change_proves_nothing_of_a_load_without_latencies(tmp_path: Path) -> None:
    verifier = verifier_of(read_scenario(SCENARIOS / "page"), {}, tmp_path, 1)
    found = ChangesMade(changes=1, waited_s=9.0)
    tell_changes(verifier, yielded().model_copy(update={"latency_us": None, "changes": found}))
    assert all(item.ok for item in verifier.evidence)


@pytest.mark.slow
def test_no_honest_server_is_blamed() -> None:
    """Draws from a space so small that hundreds repeat, judged a thousand times."""
    cells, drawn, rng = 50_000, 3_000, random.Random(7)
    by_chance = repeats_by_chance(drawn, 1 / cells, 1)
    assert by_chance == pytest.approx(90, rel=0.01)
    seen = []
    for _ in range(1000):
        answers = [rng.randrange(cells) for _ in range(drawn)]
        seen.append(drawn - len(set(answers)))
    assert sum(seen) / len(seen) == pytest.approx(by_chance, rel=0.05)
    assert not any(too_many(repeated, by_chance) for repeated in seen)
    assert too_many(2 * round(by_chance), by_chance)


def test_a_fingerprint_shared_by_chance_blames_nobody() -> None:
    # 64 bits: of 16 million answers two share one in 140,000 loads.
    by_chance = repeats_by_chance(16_000_000, 0.0, 1)
    assert ALARM < by_chance < 1e-5
    assert not too_many(1, by_chance)
    assert too_many(2, by_chance)


def test_every_scenario_that_asks_for_it_can_read_its_reference() -> None:
    asking = [
        path.name
        for path in sorted(SCENARIOS.iterdir())
        if any(request.distinct for request in read_scenario(path).manifest.requests)
    ]
    assert asking == [
        "blog",
        "cached",
        "fortunes",
        "json",
        "queries",
        "sse",
        "stream",
        "updates",
        "upload",
    ]


@pytest.mark.parametrize(
    ("waited_s", "p99_ms", "max_ms", "told"),
    [(2.9, 20.0, 600.0, False), (3.2, 20.0, 600.0, True), (4.5, 100.0, 600.0, False)],
)
def test_a_change_that_had_to_wait_proves_nothing(
    tmp_path: Path, waited_s: float, p99_ms: float, max_ms: float, told: bool
) -> None:
    verifier = verifier_of(read_scenario(SCENARIOS / "page"), {}, tmp_path, 1)
    us = {"p99": 1e3 * p99_ms, "max": 1e3 * max_ms}
    latency = Latency(**{**dict.fromkeys(("p50", "p90", "p999", "mean"), 1.0), **us})
    changes = ChangesMade(changes=1, waited_s=waited_s)
    result = yielded().model_copy(update={"latency_us": latency, "changes": changes})
    if not told:
        tell_changes(verifier, result)
        return
    with pytest.raises(
        Mismatch, match=r"a change took 3\.2 s, as if its rows were locked"
    ) as found:
        tell_changes(verifier, result)
    assert found.value.is_breakdown
