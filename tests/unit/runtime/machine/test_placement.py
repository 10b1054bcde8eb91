"""Which CPUs each role has, on kinds of machine that this one is not."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from support.topologies import FOLDER, topology_of
from webdyno.errors import UserError
from webdyno.runtime.machine.place import (
    PlacementRequest,
    load_cores,
    place,
    with_more_generator_cores,
    within_quota,
)
from webdyno.runtime.machine.placement import Placement, narrowed_to
from webdyno.runtime.machine.placement_advice import roles
from webdyno.runtime.machine.topology import Core, Topology, flat

MACHINES = sorted(file.stem for file in FOLDER.glob("*.json"))


def placed(
    name: str, request: PlacementRequest | None = None, allowed: Collection[int] | None = None
) -> Placement:
    return place(request=request or PlacementRequest(), topology=topology_of(name, allowed))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("vm-2-cores", "server on core 0, generator on core 1"),
        ("vm-3-processors", "server on cores 0,1, generator on core 2"),
        (
            "cloud-4-vcpu",
            "server on CPUs 0,1 (1 core, 2 threads), generator on CPUs 2,3 (1 core, 2 threads)",
        ),
        (
            "laptop-4p-8e",
            "server on CPUs 0-5 (3 performance cores, 2 threads each), "
            "generator on CPUs 6,7 (1 performance core, 2 threads)",
        ),
        (
            "arm-big-little",
            "server on CPUs 4-6 (3 performance cores), generator on CPU 7 (1 performance core)",
        ),
        (
            "server-2-sockets",
            "server on CPUs 0-15,32-47 (16 cores, 2 threads each, node 0), "
            "generator on CPUs 16-23,48-55 (8 cores, 2 threads each, node 1)",
        ),
        (
            "server-64-cores",
            "server on CPUs 0-47,64-111 (48 cores, 2 threads each), "
            "generator on CPUs 48-63,112-127 (16 cores, 2 threads each)",
        ),
    ],
)
def test_the_usual_placement(name: str, said: str) -> None:
    assert placed(name).describe() == said


@pytest.mark.parametrize("name", MACHINES)
@pytest.mark.parametrize("with_services", [False, True])
def test_roles_do_not_overlap_and_cores_stay_whole(name: str, with_services: bool) -> None:
    found = placed(name, PlacementRequest(with_services=with_services))
    server, generator, services = map(set, (found.server, found.generator, found.services))
    assert server
    assert generator
    if len(found.machine.cpus) > 1:
        assert not server & generator
    if with_services and "services" not in found.shared:
        assert not services & (server | generator)
    if len(found.machine.cores) > 1:
        for cpus in (server, generator, services):
            assert {c for core in found.machine.cores_of(cpus) for c in core.cpus} == cpus
        assert not found.siblings
        assert len({core.kind for core in found.machine.cores_of(server)}) == 1
        assert len({core.node for core in found.machine.cores_of(server)}) == 1


@pytest.mark.parametrize("name", MACHINES)
def test_the_observer_is_not_on_a_load_thread_while_another_cpu_idles(name: str) -> None:
    found = placed(name)
    threads = found.generator[: found.generator_threads]
    others = {*found.machine.cpus} - {*found.server} - {*threads}
    assert found.observer in (others or threads)


def test_two_threads_of_one_core_are_told() -> None:
    found = placed("cloud-2-vcpu")
    assert (found.server, found.generator, found.shared) == ((0,), (1,), ())
    assert found.siblings == ("server", "generator")
    assert found.describe().endswith("threads of one physical core: server and generator")


def test_a_generator_thread_for_each_physical_core() -> None:
    assert placed("server-64-cores").generator_threads == 16
    found = placed("cloud-8-vcpu")
    assert (found.generator_threads, found.generator) == (1, (3, 7))


def test_fewer_cores_are_physical_ones_first() -> None:
    found = placed("cloud-8-vcpu")
    assert [narrowed_to(found, n).server for n in (1, 2, 4)] == [(0,), (0, 1), (0, 1, 2, 4)]
    words = narrowed_to(found, 2)
    assert words.words(words.server) == "CPUs 0,1 (2 cores, 1 thread each)"
    with pytest.raises(UserError, match="the server 7 cores, but only 6"):
        narrowed_to(found, 7)


def test_a_limit_of_two_cpus_is_two_cores() -> None:
    assert placed("laptop-4p-8e", PlacementRequest(server_cpus=2)).server == (0, 2)


def test_more_cores_than_a_node_has_are_taken_from_two() -> None:
    found = placed("server-2-sockets", PlacementRequest(at_least=40))
    assert len(found.server) >= 40
    assert len({core.node for core in found.machine.cores_of(found.generator)}) == 1


def test_an_odd_cpu_set() -> None:
    found = placed("cloud-8-vcpu", allowed=[1, 3, 5, 6, 7])
    assert (set(found.server), found.generator) == ({1, 5, 3, 7}, (6,))


def test_only_slow_cores_are_a_machine_of_one_kind() -> None:
    found = placed("laptop-4p-8e", allowed=[8, 9, 10, 11])
    assert (found.server, found.generator) == ((8, 9, 10), (11,))


@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        ("vm-1-processor", []),
        ("vm-2-cores", []),
        ("cloud-2-vcpu", []),
        ("cloud-4-vcpu", []),
        ("vm-3-processors", [2]),
        ("cloud-8-vcpu", [2, 3]),
        ("server-64-cores", [32, 43]),
        ("laptop-4p-8e", [2, 4, 8, 9]),
    ],
)
def test_a_generator_that_is_the_limit_takes_more(name: str, sizes: list[int]) -> None:
    request = PlacementRequest()
    found = placed(name, request)
    took = []
    while (wider := with_more_generator_cores(found, request)) is not None:
        before, request = found, wider
        found = place(request=request, topology=found.machine)
        took.append(found.generator_threads)
        assert set(found.server) <= set(before.server)
        assert found.server
    assert took == sizes


def test_idle_cores_are_taken_before_the_servers() -> None:
    request = PlacementRequest(server_cpus=2)
    found = placed("cloud-8-vcpu", request)
    wider = with_more_generator_cores(found, request)
    assert wider is not None
    assert place(request=wider, topology=found.machine).server == found.server


def test_a_sweep_keeps_the_cores_it_asks_for() -> None:
    request = PlacementRequest(at_least=3)
    found = placed("cloud-8-vcpu", request)
    assert with_more_generator_cores(found, request, server_cores=3) is None
    assert with_more_generator_cores(found, request, server_cores=1) is not None


@pytest.mark.parametrize(
    ("given", "server", "generator"),
    [
        ({"server": (0, 4), "generator": (1,)}, (0, 4), (1,)),
        ({"server": (0, 1)}, (0, 1), (3, 7)),
        ({"generator": (0, 4)}, (1, 2, 3, 5, 6, 7), (0, 4)),
        ({"server": (0, 1, 2, 3)}, (0, 1, 2, 3), (7,)),  # Only siblings are left.
    ],
)
def test_cpus_given_by_hand(
    given: dict[str, tuple[int, ...]], server: tuple[int, ...], generator: tuple[int, ...]
) -> None:
    found = placed("cloud-8-vcpu", PlacementRequest(by_hand=tuple(given.items())))
    assert (found.server, found.generator) == (server, generator)
    assert with_more_generator_cores(found, PlacementRequest(by_hand=tuple(given.items()))) is None


def test_services_by_hand_leave_the_rest_to_the_others() -> None:
    request = PlacementRequest(with_services=True, by_hand=(("services", (0, 4)),))
    found = placed("cloud-8-vcpu", request)
    assert found.services == (0, 4)
    assert not {0, 4} & {*found.server, *found.generator}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"server": (0, 9)}, r"placement.server \(--server-cpus\): CPU 9 is not available here"),
        (
            {"server": (0, 1), "generator": (1,)},
            r"--generator-cpus.*--server-cpus.*both have CPU 1",
        ),
        ({"services": (0,), "server": (0,)}, r"--server-cpus.*--service-cpus.*both have CPU 0"),
        ({"server": tuple(range(8))}, "no CPU is left for the generator"),
    ],
)
def test_cpus_that_cannot_be_had_are_refused(given: dict[str, tuple[int, ...]], said: str) -> None:
    with pytest.raises(UserError, match=said):
        placed("cloud-8-vcpu", PlacementRequest(by_hand=tuple(given.items())))


@pytest.mark.parametrize(
    ("cores", "quota", "used"),
    [
        (8, None, tuple(range(8))),
        (8, 8.0, tuple(range(8))),
        (8, 2.0, (0, 1)),
        (8, 3.7, (0, 1, 2)),
        (8, 0.5, (0, 1)),
        (1, 0.5, (0,)),
    ],
)
def test_no_more_cores_are_used_than_a_quota_around_us_allows(
    cores: int, quota: float | None, used: tuple[int, ...]
) -> None:
    assert within_quota(flat(range(cores)), quota).cpus == used


def test_under_a_quota_one_thread_of_each_core_is_used() -> None:
    machine = Topology((Core((0, 4)), Core((1, 5)), Core((2, 6), node=1), Core((3, 7), node=1)))
    assert within_quota(machine, 6.0).cpus == (0, 1, 2, 3)
    assert within_quota(machine, 2.0).cpus == (0, 1)


@pytest.mark.parametrize(
    ("quota", "machine", "generator"),
    [
        (None, "2 CPUs: 2 physical cores", "there are no more cores"),
        (2.0, "8 CPUs: 8 physical cores; a quota allows 2 of these CPUs", "the quota allows no"),
    ],
)
def test_a_quota_is_told_apart_from_a_small_machine(
    quota: float | None, machine: str, generator: str
) -> None:
    whole = flat(range(8 if quota else 2))
    usual = place(topology=within_quota(whole, quota))
    said = roles(usual, usual, whole)
    assert said["Machine"] == machine
    assert generator in said["Generator"]


@pytest.mark.parametrize(
    ("name", "quota", "threads"),
    [
        ("vm-2-cores", None, 2),
        ("server-64-cores", None, 64),
        ("server-64-cores", 2.0, 2),
        ("server-64-cores", 0.5, 1),
        ("server-64-cores", 3.9, 3),
        ("cloud-4-vcpu", 100.0, 2),
    ],
)
def test_a_machine_that_makes_load_runs_a_thread_on_each_core_that_it_may_use(
    name: str, quota: float | None, threads: int
) -> None:
    assert load_cores(topology_of(name), quota) == threads
