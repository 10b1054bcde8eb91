"""Machines of other shapes than this one, as the kernel's files describe them.

A file in `tests/unit/runtime/machine/topologies` lists groups of like cores: `threads` holds the
first threads of all, then the second threads; core i has the i-th of each.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from webdyno.catalog.terms.cpus import cpus_text, parse_cpus
from webdyno.runtime.machine.topology import Topology, read_topology

FOLDER = Path(__file__).parents[1] / "unit/runtime/machine/topologies"


def topology_of(name: str, allowed: Collection[int] | None = None) -> Topology:
    """What is read of the machine `name`, of which a CPU set leaves `allowed`."""
    return _read(name, allowed if allowed is None else tuple(allowed))


@cache  # Large machines are hundreds of files, and what is read of one never changes.
def _read(name: str, allowed: tuple[int, ...] | None) -> Topology:
    with TemporaryDirectory() as folder:
        cpus = write_kernel_files(name, Path(folder))
        return read_topology(Path(folder), allowed=cpus if allowed is None else allowed)


def write_kernel_files(name: str, root: Path) -> list[int]:
    """Write the files of the machine `name` as its kernel would; gives all its CPUs."""
    groups = json.loads((FOLDER / f"{name}.json").read_text())["cores"]
    nodes: dict[int, set[int]] = {}
    drivers: dict[str, set[int]] = {}
    all_cpus: list[int] = []
    for group in groups:
        # As they are listed, not sorted: only their places say which belong together.
        by_rank = [_listed(text) for text in group["threads"]]
        for threads in zip(*by_rank, strict=True):
            siblings = cpus_text(threads)
            for cpu in threads:
                folder = root / f"sys/devices/system/cpu/cpu{cpu}"
                _file(folder / "topology/thread_siblings_list", siblings)
                _file(folder / "topology/core_cpus_list", siblings)
                _file(folder / "topology/physical_package_id", group.get("package", 0))
                if "capacity" in group:
                    _file(folder / "cpu_capacity", group["capacity"])
                if "max_khz" in group:
                    _file(folder / "cpufreq/cpuinfo_max_freq", group["max_khz"])
            all_cpus += threads
            if (node := group.get("node", 0)) is not None:
                nodes.setdefault(node, set()).update(threads)
            if "driver" in group:
                drivers.setdefault(group["driver"], set()).update(threads)
    for node, cpus in nodes.items():
        _file(root / f"sys/devices/system/node/node{node}/cpulist", cpus_text(cpus))
    for driver, cpus in drivers.items():
        _file(root / f"sys/devices/{driver}/cpus", cpus_text(cpus))
    return sorted(all_cpus)


def _listed(text: str) -> list[int]:
    return [cpu for part in text.split(",") for cpu in parse_cpus(part)]


def _file(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{value}\n")
