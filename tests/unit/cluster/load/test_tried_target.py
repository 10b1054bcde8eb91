"""Before agents load a server, the first of them tries whether there is one."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from typing import Any

import pytest

from webdyno.cluster.agents.agent import Agent
from webdyno.cluster.load import hit
from webdyno.cluster.load.link_rates import try_target
from webdyno.cluster.orders.tasks import AnyTask, TryTarget
from webdyno.errors import UserError
from webdyno.generators.specification import TargetSpec


class HereAlone(Agent):
    """An agent on this machine, of no cluster."""

    def __init__(self) -> None:
        pass

    def _refuse_strangers(self, target: TargetSpec) -> None:
        assert target.host == "127.0.0.1"


class Agents:
    """Two agents of which the first is asked directly."""

    addresses = ("10.0.0.2", "10.0.0.3")

    def __init__(self) -> None:
        self.asked: list[str] = []

    def ask(
        self, tasks: Mapping[str, AnyTask], kind: type[Any], timeout_s: float
    ) -> dict[str, Any]:
        self.asked += tasks
        for task in tasks.values():
            assert isinstance(task, TryTarget)
            HereAlone()._target(task)
        return {address: kind() for address in tasks}


def target(port: int) -> TargetSpec:
    return TargetSpec(host="127.0.0.1", port=port)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
    return port


def test_the_first_agent_tries_the_server() -> None:
    agents: Any = Agents()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        try_target(agents, target(listening.getsockname()[1]))
    assert agents.asked == ["10.0.0.2"]


def test_a_load_of_nothing_is_refused_before_it_is_made() -> None:
    port = free_port()

    class Spec:
        pass

    spec: Any = Spec()
    spec.target = target(port)
    rest: Any = None
    with pytest.raises(UserError, match=rf"nothing answers at 127\.0\.0\.1:{port} \(connection re"):
        hit._make_load(Agents(), rest, spec, "10.0.0.4", rest, rest)  # type: ignore[arg-type]
