"""The machines that Ray knows, each of them once."""

from __future__ import annotations

from typing import Any

from webdyno.cluster.machines.nodes import alive_of
from webdyno.cluster.machines.ray_start import JOINED, resource_of


def node(id_: str, address: str, joined: float, role: str, alive: bool = True) -> dict[str, Any]:
    """As much of what Ray 2.60 tells of a machine as is asked for."""
    resources = {resource_of(role): 1000.0, JOINED: joined, "memory": 1e9}
    return {"NodeID": id_, "NodeManagerAddress": address, "Alive": alive, "Resources": resources}


def test_a_machine_that_joined_again_is_there_once_as_it_is_now() -> None:
    for order in (1, -1):
        seen = [
            node("old", "10.0.0.10", 100.0, "generator"),
            node("new", "10.0.0.10", 200.0, "server"),
            node("dead", "10.0.0.10", 300.0, "service", alive=False),
            node("other", "10.0.0.9", 50.0, "generator"),
        ][::order]
        found = alive_of(seen)
        assert [(one.id, one.address, one.roles) for one in found] == [
            ("other", "10.0.0.9", ("generator",)),
            ("new", "10.0.0.10", ("server",)),
        ]
