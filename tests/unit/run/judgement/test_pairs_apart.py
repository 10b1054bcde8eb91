"""Pairs that share no block: a verdict says so of each, and concludes nothing from it."""

from __future__ import annotations

import math

import jsonschema
import pytest

from support.small_run import a_run
from support.small_study import a_study, trials
from unit.report.formats.test_published_schema import PUBLISHED
from webdyno.report.formats import json_export
from webdyno.report.pooled import find_ratio
from webdyno.run.judgement.judge import judge
from webdyno.store.records import TrialRecord
from webdyno.store.stored_study import StoredStudy
from webdyno.store.verdicts import RatioRecord, VerdictRecord

METRICS = ["throughput_rps", "cpu_us_per_request"]


def apart(blocks: int) -> list[TrialRecord]:
    """Trials of which those of node/http are in other blocks than the others."""
    return [
        one
        for one in trials(2 * blocks)
        if (one.block < blocks) == (one.server == "node/http")
    ]  # fmt: skip


def pair_of(verdict: VerdictRecord, one: str, other: str) -> RatioRecord:
    return next(ratio for ratio in verdict.ratios if {ratio.of, ratio.to} == {one, other})


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("blocks", [1, 4])
def test_a_pair_that_shares_no_block_has_too_few(metric: str, blocks: int) -> None:
    study = a_study(scenarios=["json"], metrics=METRICS)
    verdict = next(one for one in judge(study, apart(blocks)) if one.metric == metric)
    assert len(verdict.ratios) == 3
    found = pair_of(verdict, "node/http", "go/chi")
    assert (found.outcome, found.low, found.high) == ("too few blocks", 0.0, math.inf)
    # Either metric says that chi is four times as good.
    assert found.seen_from("go/chi")[0] == pytest.approx(4.0, rel=0.05)
    assert verdict.ratio_between("node/http", "go/chi") is None
    if not verdict.too_few:
        assert find_ratio(verdict, "node/http", "go/chi") is None
        assert pair_of(verdict, "go/gin", "go/chi").outcome in ("faster", "slower")
    assert not verdict.settled


def test_a_figure_of_zero_does_not_count_in_the_estimate_of_a_pair_apart() -> None:
    study = a_study(scenarios=["json"], metrics=METRICS)
    seen = apart(7)
    for trial in seen:
        # The clock of CPU time did not move in most of its trials.
        if trial.server == "node/http" and trial.block < 4:
            assert trial.measurement is not None
            trial.measurement.cpu_us_per_request["server"] = 0.0
    verdict = next(one for one in judge(study, seen) if one.metric == "cpu_us_per_request")
    found = pair_of(verdict, "node/http", "go/chi")
    assert found.seen_from("go/chi")[0] == pytest.approx(4.0, rel=0.05)


def test_it_is_exported_as_the_published_schema_says() -> None:
    study = a_study(scenarios=["json"], metrics=METRICS)
    seen = apart(4)
    run = a_run("new", seen, study=StoredStudy.of(study), verdicts=judge(study, seen))
    made = json_export.export(run)
    part = {**PUBLISHED["properties"]["verdicts"], "$defs": PUBLISHED["$defs"]}
    jsonschema.Draft202012Validator(part).validate(made["verdicts"])
    outcomes = [ratio["outcome"] for ratio in made["verdicts"][0]["ratios"]]
    assert outcomes.count("too few blocks") == 2
