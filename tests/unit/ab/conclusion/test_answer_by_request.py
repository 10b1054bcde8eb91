"""The answer where each request is judged by itself."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from support.compared_run import claim, run_of
from webdyno.ab.conclusion import formats
from webdyno.ab.conclusion.about import About
from webdyno.ab.conclusion.answer import answer_of, conclude
from webdyno.ab.conclusion.answer_differences import AnswersCompared
from webdyno.ab.study.confidence import FigureKey, claims_about_all
from webdyno.ab.study.pairing import Pairing, pairing
from webdyno.ab.versions.version import Version
from webdyno.catalog import Catalog
from webdyno.catalog.descriptions.description import Description
from webdyno.run.blocks.make_blocks import conclude as judged
from webdyno.store.measurement import RequestRecord
from webdyno.store.records import RunRecord


@pytest.fixture
def routes(tmp_path: Path) -> Pairing:
    """As `pair`, with three requests."""
    asked = ["3 GET /", "GET /items", "GET /about"]
    description = Description.model_validate(
        {"name": "shop", "requests": asked, "run": {"command": "./shop"}, "budget": "10m"}
    )
    folder = tmp_path / "shop"
    folder.mkdir()
    versions = Version("a", "main", folder), Version("b", "HEAD", folder)
    return pairing(description, versions, Catalog(), tmp_path)


def run_of_routes(pair: Pairing, blocks: int, slower: dict[str, float]) -> RunRecord:
    """A run in which the whole is as fast, and in B some requests alone are slower."""
    random = np.random.default_rng(7)
    run = run_of(pair, blocks)
    for made in [trial for trial in run.trials if trial.load == "steady"]:
        assert made.measurement is not None
        latency = made.measurement.latency_us
        assert latency is not None
        by_request = []
        for request in pair.description.templates():
            by = slower.get(request.name, 0.0) if made.server == "shop/b" else 0.0
            p50 = 500 * (1 + by) * float(random.normal(1, 0.01))
            one = latency.model_copy(update={"p50": p50})
            by_request.append(RequestRecord(name=request.name, counts={"ok": 9}, latency_us=one))
        measured = made.measurement.model_copy(update={"by_request": by_request})
        run.trials.append(
            made.model_copy(
                update={"load": "alone", "measurement": measured, "index": len(run.trials)}
            )
        )
    judged(pair.study, run)
    return run


@pytest.mark.slow
def test_a_request_that_got_slower_is_seen_where_the_whole_did_not(routes: Pairing) -> None:
    found = answer_of(routes, run_of_routes(routes, 30, {"GET /items": 0.2}), AnswersCompared(1))
    assert found.exit_code == 1
    assert found.headline.startswith("B is slower than A by ")
    assert found.headline.endswith("in latency of GET /items.")
    alone = {claim.request: claim for claim in found.claims if claim.request}
    assert {name: one.outcome for name, one in alone.items()} == {
        "GET /": "same", "GET /items": "worse", "GET /about": "same",
    }  # fmt: skip
    assert alone["GET /items"].change == pytest.approx(0.2, abs=0.03)
    held = json.loads(formats.dumps(found))
    assert [one["request"] for one in held["claims"]][-3:] == ["GET /", "GET /items", "GET /about"]
    assert "| latency of GET /items |" in formats.markdown(found)


def test_with_little_time_it_says_how_each_request_gets_a_verdict(routes: Pairing) -> None:
    hint = "for a verdict on each request, give --budget 10m or --load full,steady,alone"
    for budget, told in ((300.0, True), (600.0, False)):
        description = routes.description.model_copy(update={"budget": budget})
        pair = replace(routes, description=description)
        found = answer_of(pair, run_of(pair, 3), AnswersCompared(1))
        assert (hint in found.notes) is told


@pytest.mark.slow
def test_requests_alone_are_not_waited_for(routes: Pairing) -> None:
    run = run_of_routes(routes, 40, {})
    few = [trial for trial in run.trials if trial.load != "alone" or trial.block < 3]
    run = run.model_copy(update={"trials": few})
    judged(routes.study, run)
    found = answer_of(routes, run, AnswersCompared(1))
    assert found.exit_code == 0
    assert any("of 3 requests is not settled" in note for note in found.notes)
    suite = ElementTree.fromstring(formats.junit(found))
    assert int(suite.get("skipped", "0")) >= 1


def test_what_may_be_wrong_is_shared_by_both_sorts_of_claims(routes: Pairing) -> None:
    # Half for what is said of all requests, half for the three by themselves.
    study = routes.study
    wrong = {
        FigureKey(load, metric): 1 - sure
        for load, by_metric in study.confidences.items()
        for metric, sure in by_metric.items()
    }
    assert list(wrong) == claims_about_all(("full", "steady"))
    assert sum(wrong.values()) == pytest.approx(0.025)
    assert study.confidence_of("alone", "p50_us") == pytest.approx(1 - 0.025 / 3)


def test_many_slower_requests_are_counted() -> None:
    about = About("shop", ("main", "HEAD"))
    many = [
        replace(claim("worse", "p50_us", "alone"), request=f"GET /{n}", change=0.1 * n)
        for n in range(1, 6)
    ]
    found = conclude(about, [claim("same"), *many], [], AnswersCompared(1), [], [])
    assert found.exit_code == 1
    assert "in latency of GET /5" in found.headline
    assert found.headline.endswith("and in that of 2 more requests.")
