"""A generator that is the limit takes more cores, once, for all servers of a cell."""

from __future__ import annotations

import pytest

from support.synthetic_run import build_run
from support.topologies import topology_of
from webdyno.catalog.catalog import Catalog
from webdyno.catalog.loads.load import Closed
from webdyno.catalog.studies.study_tables import ScenarioEntry
from webdyno.run.bench.server_resources import ServerResources
from webdyno.run.blocks.generator_cores import CellPlacements, at_its_limit
from webdyno.run.study.plan import Cell
from webdyno.runtime.machine.place import PlacementRequest, place
from webdyno.runtime.machine.share import Share
from webdyno.store.records import CpuUse, TrialRecord


def trial(busiest: float, bottleneck: str = "generator-bound", mean: float = 0.3) -> TrialRecord:
    found = build_run(blocks=1, seconds=2).trials[0]
    assert found.measurement is not None
    found.measurement.cpu["generator"] = CpuUse(
        user_s=1.0, system_s=0.0, cores=2.0, share=mean, busiest_thread_share=busiest
    )
    found.bottleneck = bottleneck
    return found


def cell(threads: int | None = None, cores: int | None = None) -> Cell:
    load = Closed(kind="closed", duration=1.0, threads=threads, cores=cores)
    return Cell(Catalog().scenario("json"), ScenarioEntry(name="json"), load)


def placements(name: str = "cloud-8-vcpu") -> CellPlacements:
    request = PlacementRequest()
    return CellPlacements(
        ServerResources(request, place(request=request, topology=topology_of(name)), Share())
    )


@pytest.mark.parametrize(
    ("seen", "limited"),
    [
        (trial(0.97), True),
        (trial(0.85, "waiting"), True),  # Nearly: it would be in the next trial.
        (trial(0.97, "server-bound"), False),
        (trial(0.97, "offered-load"), False),
        (trial(0.4, mean=0.4), False),  # Connections idled, but not for want of a core.
    ],
)
def test_the_busiest_thread_says_whether_it_is_the_limit(seen: TrialRecord, limited: bool) -> None:
    assert at_its_limit(seen) == limited


def test_it_takes_more_until_the_server_must_keep_the_rest() -> None:
    found, here = placements(), cell()
    sizes = []
    while (grown := found.widen(here, [trial(0.2), trial(0.97)])) is not None:
        sizes.append(grown.generator_cores)
        assert grown.placement == found.placement(here).describe()
    assert sizes == [2, 3]


def test_only_the_cell_that_needs_it_changes() -> None:
    found = placements()
    other = Cell(Catalog().scenario("hello"), ScenarioEntry(name="hello"), cell().load)
    before = found.placement(other)
    assert found.widen(cell(), [trial(0.97)]) is not None
    assert found.placement(other) == before


def test_a_run_that_goes_on_has_the_same_placement() -> None:
    request = PlacementRequest()
    having = ServerResources(
        request, place(request=request, topology=topology_of("cloud-8-vcpu")), Share()
    )
    first = CellPlacements(having)
    grown = first.widen(cell(), [trial(0.97)])
    assert grown is not None
    assert CellPlacements(having, [grown]).placement(cell()) == first.placement(cell())


@pytest.mark.parametrize("name", ["vm-1-processor", "vm-2-cores", "cloud-2-vcpu"])
def test_two_cores_have_no_more_to_give(name: str) -> None:
    assert placements(name).widen(cell(), [trial(0.97)]) is None


def test_a_number_of_threads_that_a_study_gives_is_kept() -> None:
    assert placements().widen(cell(threads=1), [trial(0.97)]) is None


def test_a_generator_that_is_not_the_limit_keeps_its_cores() -> None:
    assert placements().widen(cell(), [trial(0.5), trial(0.97, "server-bound")]) is None
