"""The machine as the kernel tells it, of kinds that this one is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.topologies import topology_of, write_kernel_files
from webdyno.catalog.terms.cpus import cpus_text, parse_cpus
from webdyno.errors import UserError
from webdyno.runtime.machine.topology import read_topology


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "laptop-4p-8e",
            "16 CPUs: 4 performance cores with 2 threads each, 8 efficiency cores",
        ),
        (
            "laptop-10-cores-2p",
            "12 CPUs: 2 performance cores with 2 threads each, 8 efficiency cores",
        ),
        ("server-64-cores", "128 CPUs: 64 physical cores with 2 threads each"),
        (
            "server-2-sockets",
            "64 CPUs: 32 physical cores with 2 threads each, 2 sockets, 2 NUMA nodes",
        ),
        ("desktop-favoured-cores", "16 CPUs: 8 physical cores with 2 threads each"),
        ("cloud-2-vcpu", "2 CPUs: 1 physical core with 2 threads"),
        ("cloud-8-vcpu", "8 CPUs: 4 physical cores with 2 threads each"),
        ("vm-3-processors", "3 CPUs: 3 physical cores"),
        ("vm-1-processor", "1 CPU: 1 physical core"),
        ("arm-big-little", "8 CPUs: 4 performance cores, 4 efficiency cores"),
        ("power-smt8", "8 CPUs: 1 physical core with 8 threads"),
    ],
)
def test_a_machine_is_read(name: str, said: str) -> None:
    assert topology_of(name).describe() == said


def test_a_cpu_set_makes_a_smaller_machine() -> None:
    found = topology_of("cloud-8-vcpu", allowed=[1, 3, 5, 6, 7])
    assert [core.cpus for core in found.cores] == [(1, 5), (3, 7), (6,)]
    assert found.describe() == "5 CPUs: 3 physical cores (2 with 2, 1 with 1 threads)"


def test_siblings_that_we_may_not_use_do_not_count() -> None:
    found = topology_of("cloud-4-vcpu", allowed=[0, 2])
    assert found.threads_per_core == 1
    assert len(found.cores) == 2


def test_a_kernel_that_tells_nothing_is_taken_as_the_simplest(tmp_path: Path) -> None:
    found = read_topology(tmp_path, allowed=[0, 2, 5])
    assert [core.cpus for core in found.cores] == [(0,), (2,), (5,)]
    assert not found.is_hybrid
    assert set(found.nodes()) == {0}


def test_nonsense_in_a_file_is_as_good_as_none(tmp_path: Path) -> None:
    write_kernel_files("cloud-2-vcpu", tmp_path)
    for file in tmp_path.rglob("*list"):
        file.write_text("what?\n")
    assert len(read_topology(tmp_path, allowed=[0, 1]).cores) == 2


def test_this_machine_can_be_read() -> None:
    found = read_topology()
    assert found.cpus
    assert "CPU" in found.describe()


@pytest.mark.parametrize(
    ("text", "cpus"),
    [("0-3,8", (0, 1, 2, 3, 8)), ("7", (7,)), ("3, 1", (1, 3)), ("0-1,1-2", (0, 1, 2))],
)
def test_lists_of_cpus(text: str, cpus: tuple[int, ...]) -> None:
    assert parse_cpus(text) == cpus
    assert parse_cpus(cpus_text(cpus)) == cpus


@pytest.mark.parametrize("text", ["", ",", "3-1", "a", "1-", "-1", "0-99999999999", "1;2", "0x1"])
def test_what_is_no_list_is_refused(text: str) -> None:
    with pytest.raises(UserError, match=r"--server-cpus: .*write it like 0-3,8"):
        parse_cpus(text, "--server-cpus")
