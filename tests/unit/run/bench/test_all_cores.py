"""Where a server has more than one core, nobody is measured on fewer than the others only."""

from __future__ import annotations

import pytest

from webdyno.catalog.catalog import Catalog
from webdyno.catalog.reading.manifest import parse_manifest
from webdyno.catalog.studies.study import StudyManifest
from webdyno.run.bench.all_cores import with_all_cores
from webdyno.run.study.narrow import narrowed

CATALOG = Catalog()
ASKED = ["node/http", "go/net-http", "node/koa", "node/koa@cluster"]


def study(**more: object) -> StudyManifest:
    load = {"kind": "closed", "name": "a", "connections": 1, "duration": "1s"}
    data = {
        "name": "s",
        "title": "t",
        "question": "q",
        "servers": ASKED,
        "scenarios": ["hello"],
        "loads": [load],
        "all_cores": True,
        "headline": {
            "question": "q",
            "scenario": "hello",
            "load": "a",
            "metric": "throughput_rps",
            "servers": ["node/http", "go/net-http"],
        },
        **more,
    }
    return parse_manifest(data, StudyManifest, "s.toml")


def test_the_variant_of_all_cores_stands_beside_each_that_leaves_some_idle() -> None:
    found = with_all_cores(study(), CATALOG, 2)
    expected = ["node/http", "node/http@cluster", "go/net-http", "node/koa", "node/koa@cluster"]
    assert found.servers == expected
    assert found.headline is not None
    assert found.headline.servers == ["node/http", "node/http@cluster", "go/net-http"]
    assert with_all_cores(found, CATALOG, 2) == found


@pytest.mark.parametrize(("cores", "asked"), [(1, True), (1.5, True), (2, False)])
def test_nobody_joins_on_one_core_or_unasked(cores: float, asked: bool) -> None:
    assert with_all_cores(study(all_cores=asked), CATALOG, cores).servers == ASKED


def test_the_cores_are_those_that_servers_are_given() -> None:
    alone = study(placement={"server": "0"})
    assert with_all_cores(alone, CATALOG).servers == ASKED


def test_servers_that_were_named_stay_alone() -> None:
    chosen = narrowed(study(), servers=["node/http"])
    assert with_all_cores(chosen, CATALOG, 2).servers == ["node/http"]


@pytest.mark.parametrize("name", ["hello", "frameworks", "quick", "point-lookup"])
def test_general_studies_ask_for_it(name: str) -> None:
    assert CATALOG.study(name).all_cores
