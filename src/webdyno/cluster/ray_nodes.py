"""The machines that Ray knows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from webdyno.cluster.membership import ROLES
from webdyno.cluster.ray_start import resource_of


@dataclass(frozen=True)
class Node:
    """A machine of the cluster, as Ray knows it."""

    address: str
    roles: tuple[str, ...]
    id: str


def alive(ray: Any) -> list[Node]:
    """Those that are there, by address."""
    found = [
        Node(
            node["NodeManagerAddress"],
            tuple(role for role in ROLES if resource_of(role) in node["Resources"]),
            node["NodeID"],
        )
        for node in ray.nodes()
        if node["Alive"]
    ]
    return sorted(found, key=lambda node: [int(part) for part in node.address.split(".")])
