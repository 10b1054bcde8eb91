"""The machines that make the loads of a study: held from trial to trial, replaced where lost."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Self

from webdyno.cluster.agents.cluster import AgentLost, Agents, Cluster
from webdyno.cluster.load.link_rates import try_links
from webdyno.cluster.load.many_load import LoadMachines, ManyLoad
from webdyno.cluster.machines.membership import Membership
from webdyno.cluster.machines.nodes import Node
from webdyno.cluster.machines.reach import Reach
from webdyno.cluster.orders.answers import AgentAnswer
from webdyno.cluster.orders.tasks import SayReady
from webdyno.errors import UserError
from webdyno.generators.generator import GeneratorFault

BACK_WITHIN_S = 10.0
"""A lost machine, or another in its place, is waited for so long before the rest go on alone."""

KEPT = "what was measured is kept, and `--resume` continues"
_LOOK_S = 0.5
_ALIVE_S = 5.0


class Loaders:
    """Agents on the machines, from the machine under load. Used in a `with`."""

    def __init__(self, member: Membership, cluster: Cluster, addresses: Sequence[str]) -> None:
        """`addresses` are the machines'."""
        self._member, self._cluster, self._addresses = member, cluster, list(addresses)
        self._reach = Reach(member)
        self._machines: LoadMachines | None = None
        self.threads = 1

    def __enter__(self) -> Self:
        nodes = {node.address: node for node in self._cluster.nodes()}
        if missing := [one for one in self._addresses if one not in nodes]:
            raise UserError(
                f"the machine {missing[0]} is not in the cluster; run `webdyno machines join` there"
            )
        self._take([nodes[one] for one in self._addresses])
        return self

    def __exit__(self, *_: object) -> None:
        self._let_go()

    def load(self, text: str) -> ManyLoad:
        """A load from all of them, as the engine's specification says."""
        if self._machines is None:
            raise GeneratorFault("no machine is left to generate load")
        return self._machines.load(text)

    def renew(self) -> list[str]:
        """See that all are there; lost ones are replaced by any machine that can make load. Gives
        what changed, each in a line. Raises `UserError` where none is left."""
        before = self._machines.agents.addresses if self._machines else []
        if before and not self._lost_an_agent():
            return []
        self._let_go()
        until = time.monotonic() + BACK_WITHIN_S
        while True:
            over = time.monotonic() > until
            chosen = self._chosen()
            if len(chosen) == len(self._addresses) or (chosen and over):
                try:
                    self._take(chosen)
                    break
                except UserError as error:  # One of them has gone meanwhile.
                    if time.monotonic() > until + BACK_WITHIN_S:
                        raise UserError(f"{error}; {KEPT}") from None
            elif over:
                raise UserError(
                    "no machine is left to generate load; join one with "
                    f"`webdyno machines join HOST` ({KEPT})"
                )
            time.sleep(_LOOK_S)
        now = [node.address for node in chosen]
        if sorted(now) == sorted(before):
            return [f"an agent was lost; all of {', '.join(now)} generate load again"]
        lost = ", ".join(one for one in before if one not in now)
        return [f"{lost} is lost; the load comes from {', '.join(now)} from now on"]

    def _lost_an_agent(self) -> bool:
        assert self._machines is not None
        answers = self._machines.agents.ask_all(SayReady(), AgentAnswer, _ALIVE_S)
        return any(isinstance(answer, AgentLost) for answer in answers.values())

    def _chosen(self) -> list[Node]:
        """The wanted ones that are there, then others in their place."""
        able = [node for node in self._cluster.nodes() if "generator" in node.roles]
        order = {address: place for place, address in enumerate(self._addresses)}
        able.sort(key=lambda node: order.get(node.address, len(order)))
        present = [node for node in able if self._answers(node)]
        return present[: len(self._addresses)]

    def _answers(self, node: Node) -> bool:
        try:
            self._reach.facts(node.address)
        except UserError:
            return False
        return True

    def _take(self, nodes: Sequence[Node]) -> None:
        agents = self._cluster.agents(nodes)
        try:
            self._machines = self._tried(agents)
        except BaseException:
            agents.end()
            raise

    def _tried(self, agents: Agents) -> LoadMachines:
        facts = [self._reach.facts(one) for one in agents.addresses]
        self.threads = min(one.load_cores for one in facts)
        clocks = self._reach.clocks(agents.addresses)
        own, port = self._member.address, self._member.keeper_port
        tried = try_links(agents, own, port, clocks)
        return LoadMachines(agents, self._reach, own, port, self.threads, tried)

    def _let_go(self) -> None:
        if self._machines is not None:
            self._machines.agents.end()
            self._machines = None
