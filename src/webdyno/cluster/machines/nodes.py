"""The machines that Ray knows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from webdyno.cluster.machines.membership import ROLES
from webdyno.cluster.machines.ray_start import JOINED, resource_of


@dataclass(frozen=True)
class Node:
    """A machine of the cluster, as Ray knows it."""

    address: str
    roles: tuple[str, ...]
    id: str


def alive(ray: Any) -> list[Node]:
    """Those that are there, by address."""
    return alive_of(ray.nodes())


def alive_of(nodes: Iterable[Mapping[str, Any]]) -> list[Node]:
    """The same of what Ray tells. A machine that was lost and has joined again is there once,
    as it is now: Ray takes some seconds to notice that what it was before is gone."""
    newest: dict[str, tuple[float, Node]] = {}
    for node in nodes:
        if node["Alive"]:
            address, has = node["NodeManagerAddress"], node["Resources"]
            roles = tuple(role for role in ROLES if resource_of(role) in has)
            joined = float(has.get(JOINED, 0.0))
            if joined >= newest.get(address, (0.0, None))[0]:
                newest[address] = joined, Node(address, roles, node["NodeID"])
    return sorted(
        (node for _, node in newest.values()),
        key=lambda node: [int(part) for part in node.address.split(".")],
    )
