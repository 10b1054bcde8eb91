"""What of a study is made over machines, and what is left out by name."""

from __future__ import annotations

import pytest

from webdyno.catalog.catalog import Catalog
from webdyno.catalog.studies.study import StudyManifest
from webdyno.cluster.far_servers.own_loads import engine_loads
from webdyno.errors import UserError
from webdyno.run.study.narrow import narrowed

CATALOG = Catalog()


def study(name: str, method: str = "both") -> StudyManifest:
    return narrowed(CATALOG.study(name), method=method)


@pytest.mark.parametrize(
    ("name", "gone"),
    [
        ("swift-vs-node", "published-20 (wrk), published-10 (wrk), published-100 (wrk)"),
        ("session-counter", "wrk-100 (wrk)"),
        ("sha256-spike", "Artillery to 300/s (artillery), Artillery to 550/s (artillery)"),
        ("node-middleware", "published (autocannon)"),
        ("point-lookup", "published-30 (jmeter)"),
    ],
)
def test_loads_of_other_generators_are_left_out_by_name(name: str, gone: str) -> None:
    asked = study(name)
    left, told = engine_loads(asked)
    assert told == f"left out: {gone}; only the engine can generate load from other machines"
    assert {load.generator for load in left.chosen_loads()} == {"engine"}
    kept = [load.label() for load in asked.loads if load.label() not in gone]
    assert [load.label() for load in left.loads] == kept
    assert left.headline == asked.headline
    assert left.servers == asked.servers
    assert [entry.title for entry in left.entries()] == [entry.title for entry in asked.entries()]
    # As it is compared with when the run goes on.
    assert engine_loads(left) == (left, "")


def test_what_is_the_engine_s_stays_as_it_is() -> None:
    asked = study("point-lookup", "sound")
    assert engine_loads(asked) == (asked, "")


def test_nothing_left_is_refused_with_what_to_do() -> None:
    with pytest.raises(
        UserError, match=r"its only loads are published-30 \(jmeter\), .*--method sound"
    ):
        engine_loads(study("point-lookup", "as-published"))


def test_a_scenario_that_has_no_other_load_goes_as_well() -> None:
    asked = study("node-middleware")
    entries = [entry.model_dump() for entry in asked.entries()[:2]]
    entries[0]["loads"] = ["published"]
    costs = {"costs": [], "headline": None, "scenarios": entries}
    left, _ = engine_loads(StudyManifest.model_validate({**asked.model_dump(), **costs}))
    assert [entry.title for entry in left.entries()] == ["middleware-1"]


def test_requests_one_by_one_are_refused() -> None:
    with pytest.raises(UserError, match=r"--jtl: with --machines, .*leave one of the two out"):
        engine_loads(narrowed(study("hello", "sound"), record=True))
