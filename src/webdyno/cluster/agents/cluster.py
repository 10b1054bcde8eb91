"""The cluster as Ray sees it: its machines, and agents on them.

Ray finds the machines, starts an agent on each, carries orders and results, and notices when one is
gone. What is timed never goes through it.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from webdyno.cluster.agents.agent import Agent
from webdyno.cluster.machines.membership import Membership
from webdyno.cluster.machines.nodes import Node, alive
from webdyno.cluster.machines.ray_start import ray_environment, require_ray
from webdyno.cluster.machines.reach import Reach, at_once
from webdyno.cluster.orders.answers import Given, Refusal
from webdyno.cluster.orders.signed import Orders
from webdyno.cluster.orders.tasks import AnyTask
from webdyno.cluster.wire.messages import read_message
from webdyno.cluster.wire.secret import read as read_secret
from webdyno.errors import UserError

ANSWER_S = "15"
"""Seconds within which the first machine must answer, instead of Ray's 60."""


@dataclass(frozen=True)
class AgentLost:
    """No answer came from an agent: it died, or was cut off."""

    reason: str


class Cluster:
    """A connection to the cluster that this machine is in."""

    def __init__(self, member: Membership, ray: Any) -> None:
        self.member = member
        self._ray = ray
        self._secret = read_secret(Path(member.secret))
        self._reach = Reach(member)

    def nodes(self) -> list[Node]:
        """The machines that are there, by address; of a Ray that somebody else has started, those
        that have joined."""
        nodes = alive(self._ray)
        if not self.member.ray:
            return nodes
        facts = at_once(self._reach.facts, [node.address for node in nodes])
        roles = {one: known.roles for one, known in facts.items() if not isinstance(known, str)}
        return [replace(node, roles=roles[node.address]) for node in nodes if node.address in roles]

    def agents(self, nodes: Sequence[Node]) -> Agents:
        """An agent on each of `nodes`; they end with this connection."""
        addresses = [node.address for node in nodes]
        environments: dict[str, dict[str, str]] = {}
        if self.member.ray:  # Our own was started with what agents need.
            environments = {one: self._reach.environment(one) for one in addresses}
        return Agents(self._ray, nodes, self._secret, self.member.keeper_port, environments)


class Agents:
    """Agents, by the address of their machine."""

    def __init__(
        self,
        ray: Any,
        nodes: Sequence[Node],
        secret: str,
        keeper_port: int,
        environments: Mapping[str, Mapping[str, str]],
    ) -> None:
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        self._ray = ray
        self._orders = {node.address: Orders(secret, node.address) for node in nodes}
        self._actors = {}
        remote = ray.remote(num_cpus=0, max_restarts=0)(Agent)
        for node in nodes:
            where = NodeAffinitySchedulingStrategy(node.id, soft=False)
            how: dict[str, Any] = {"scheduling_strategy": where}
            if node.address in environments:
                how["runtime_env"] = {"env_vars": dict(environments[node.address])}
            self._actors[node.address] = remote.options(**how).remote(node.address, keeper_port)

    @property
    def addresses(self) -> list[str]:
        """Of the machines that have one, in the order in which they were named."""
        return list(self._actors)

    def ask(
        self, tasks: Mapping[str, AnyTask], kind: type[Given], timeout_s: float
    ) -> dict[str, Given | AgentLost]:
        """Give each of these agents something to do, all at once; what each answers, which is of
        this kind, or that it is lost.

        What an agent refuses comes back as a `UserError` that names it, and so does an answer that
        is none.
        """
        asked = {}
        for address, task in tasks.items():
            text, ticket = self._orders[address].sign(task)
            asked[self._actors[address].do.remote(text, ticket)] = address
        done, _ = self._ray.wait(list(asked), num_returns=len(asked), timeout=timeout_s)
        answers: dict[str, Given | AgentLost] = {
            asked[reference]: self._answer(asked[reference], kind, reference) for reference in done
        }
        for address in tasks:
            answers.setdefault(
                address, AgentLost(f"it did not answer for {timeout_s:g} s: cut off")
            )
        return answers

    def ask_all(
        self, task: AnyTask, kind: type[Given], timeout_s: float
    ) -> dict[str, Given | AgentLost]:
        """The same for all."""
        return self.ask(dict.fromkeys(self._actors, task), kind, timeout_s)

    def end(self) -> None:
        """End the agents, and their loads with them."""
        for actor in self._actors.values():
            with contextlib.suppress(Exception):
                self._ray.kill(actor)

    def _answer(self, address: str, kind: type[Given], reference: Any) -> Given | AgentLost:
        from ray import exceptions

        try:
            answer = self._ray.get(reference)
        except exceptions.RayActorError:
            return AgentLost("it died")
        except exceptions.RayTaskError as error:
            return AgentLost(f"it failed: {_first_line(error)}")
        who = f"the agent on {address}"
        if isinstance(answer, dict) and "refused" in answer:
            raise UserError(f"{who} refused: {read_message(Refusal, answer, who).refused}")
        return read_message(kind, answer, who)


@contextlib.contextmanager
def connected(member: Membership) -> Iterator[Cluster]:
    """A connection to the cluster. Raises `UserError` where it cannot be made."""
    require_ray()
    os.environ.update(ray_environment(member))
    os.environ["RAY_gcs_server_request_timeout_seconds"] = ANSWER_S  # noqa: SIM112 (its own name)
    import ray

    heard = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        ray.init(
            address=member.ray_address,
            _node_ip_address=member.address,
            namespace="webdyno",
            log_to_driver=False,
            logging_level="ERROR",
        )
    except (OSError, RuntimeError, ValueError, ray.exceptions.RayError) as error:
        why = _first_line(error) + _hint(member)
        raise UserError(
            f"the cluster at {member.ray_address} does not answer: {why}; check that machine and "
            "the firewall"
        ) from None
    if threading.current_thread() is threading.main_thread():
        # Ray has put its own in their place, which end the process where it stands.
        for number, handler in heard.items():
            signal.signal(number, handler)
    # What Ray prints of an agent's death, in many lines, is told by name here.
    ray._private.worker._worker_logs_enabled = False
    try:
        yield Cluster(member, ray)
    finally:
        ray.shutdown()


def _hint(member: Membership) -> str:
    if not member.ray:
        return ""
    return f" (is this machine in it, as {member.address}? See `ray status`)"


def _first_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1] if lines else type(error).__name__
