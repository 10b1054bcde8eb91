"""Every load by wrk in the studies can be made: a run must not find out after an hour."""

from __future__ import annotations

from pathlib import Path

import pytest

from webdyno.catalog.catalog import Catalog
from webdyno.generators.job import Job
from webdyno.generators.plugins.wrk import arguments
from webdyno.generators.registry import refuse
from webdyno.run.study.narrow import narrowed
from webdyno.run.study.plan import Cell, cells_of

ROOT = Path(__file__).resolve().parents[3]
CATALOG = Catalog([ROOT])


def cells() -> list[tuple[str, Cell]]:
    found = []
    for path in sorted((ROOT / "studies").glob("*.toml")):
        study = CATALOG.study(path.stem)
        if any(load.generator == "wrk" for load in study.loads):
            both = narrowed(study, method="both")
            found += [(path.stem, cell) for cell in cells_of(both, CATALOG)]
    return [(name, cell) for name, cell in found if cell.load.generator == "wrk"]


@pytest.mark.parametrize(
    ("name", "cell"), [pytest.param(n, c, id=f"{n}-{c.title}-{c.load.label()}") for n, c in cells()]
)
def test_wrk_can_make_it(name: str, cell: Cell) -> None:
    refuse(cell.scenario.manifest, cell.load)
    job = Job(scenario=cell.scenario.manifest, load=cell.load, port=1, cpus=(0,), seed=1)
    assert arguments(job, Path("report.lua"))[0] == "wrk"


def test_there_are_such_loads() -> None:
    assert {name for name, _ in cells()} >= {"swift-vs-node", "session-counter"}
