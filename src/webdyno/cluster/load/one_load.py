"""One load from many machines: prepared in parts, begun at an agreed instant, watched.

Between the instant and the end nothing is asked of an agent but how far it is. One that is lost
ends the load for all, for without its part it is another load.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from webdyno.cluster.agents.cluster import AgentLost, Agents
from webdyno.cluster.link.clock import Clock
from webdyno.cluster.link.counters import since
from webdyno.cluster.machines.reach import Reach
from webdyno.cluster.merging.validity import Fault
from webdyno.cluster.orders.answers import AgentAnswer, Given, PartProgress, PartYielded, Prepared
from webdyno.cluster.orders.tasks import (
    AnyTask,
    Begin,
    GiveResult,
    HowFar,
    Prepare,
    Stop,
    TakeTurn,
)
from webdyno.errors import UserError
from webdyno.generators.progress import PHASES, LoadProgress, Tick
from webdyno.generators.specification import LoadSpec, PartSpec
from webdyno.store.counts import RequestCounts

PREPARING_S = 30.0
LEAD_S, LEAD_OF_AGENT_S = 0.1, 0.002
"""How long before the agreed instant it is told: some, and more the more have to be told."""

ANSWER_S = 5.0
"""An agent that does not say how far it is for so long is cut off."""

RESULT_S = 60.0
PING_S = 0.05
_LOOK_S = 0.1

WatchEach = Callable[[LoadProgress], None]
"""Is shown how far the load is, some times a second."""


@dataclass
class LoadPart:
    """What came of one agent's part."""

    address: str
    cores: int
    clock: Clock
    clock_after: Clock | None = None
    answer: PartYielded | None = None
    """Its result, counters and round-trip times."""


@dataclass
class LoadYield:
    """What came of a load: its parts, and what voids it. `server` are the counters of the server's
    machine over the load, `overhead_s` what it took beside the load itself."""

    parts: list[LoadPart]
    overhead_s: float = 0.0
    server: dict[str, int] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)


class AgentsLost(Exception):
    """Some agents are gone; `faults` names them."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__("; ".join(fault.message for fault in faults))
        self.faults = list(faults)


class OneLoad:
    """A load of which each of `agents` makes a part, against the machine `server`."""

    def __init__(
        self, agents: Agents, reach: Reach, spec: LoadSpec, server: str, port: int
    ) -> None:
        self._agents, self._reach = agents, reach
        self._spec, self._server, self._port = spec, server, port
        self.number = next(_NUMBERS)
        """By which agents know it."""
        self.order_s = LEAD_S
        """What it took last to ask all agents something, and to have their answers."""

    def make(self, watch: WatchEach) -> LoadYield:
        """Make it. The first Ctrl-C ends it early. Raises `UserError` where an agent refuses, and
        `AgentsLost` where one is lost before it begins."""
        begun = time.monotonic()
        cores = self.prepare()
        clocks = self._reach.clocks(self._agents.addresses)
        before = self._reach.counters(self._server)
        self.begin(clocks)
        parts = [LoadPart(address, cores[address], clocks[address]) for address in cores]
        made = LoadYield(parts)
        try:
            try:
                self._watch(watch)
            except KeyboardInterrupt:
                self.ask(Stop(load=self.number), AgentAnswer, 2 * ANSWER_S)
            answers = self.ask(GiveResult(load=self.number), PartYielded, RESULT_S)
        except AgentsLost as lost:
            made.faults = lost.faults
            return made
        try:
            made.server = since(before, self._reach.counters(self._server))
            clocks = self._reach.clocks(self._agents.addresses)
        except UserError as error:
            made.faults = [Fault(self._server, "cut-off", f"after the load {error}")]
            return made
        for part in parts:
            part.answer, part.clock_after = answers[part.address], clocks[part.address]
        lasted_s = max(answers[part.address].result.elapsed_s for part in parts)
        made.overhead_s = time.monotonic() - begun - lasted_s
        return made

    def prepare(self) -> dict[str, int]:
        """Open the connections everywhere; gives each agent's cores. Raises `AgentsLost`."""
        addresses = self._agents.addresses
        of = len(addresses)
        tasks = {
            address: Prepare(
                load=self.number,
                spec=self._spec.model_copy(update={"part": PartSpec(index=index, of=of)}),
            )
            for index, address in enumerate(addresses)
        }
        ready = _present(self._agents.ask(tasks, Prepared, PREPARING_S), "before the load")
        deadline = time.monotonic() + PREPARING_S
        while connecting := self._connecting():
            if time.monotonic() > deadline:
                slow = [
                    Fault(one, "late", f"{one} did not open its connections") for one in connecting
                ]
                raise AgentsLost(slow)
            time.sleep(0.01)
        return {address: answer.cores for address, answer in ready.items()}

    def _connecting(self) -> list[str]:
        """Who still opens connections; how long it takes to ask is remembered."""
        asked = time.monotonic()
        states = self.ask(HowFar(load=self.number), PartProgress, ANSWER_S)
        self.order_s = time.monotonic() - asked
        return [one for one, state in states.items() if state.phase == "connecting"]

    def begin(
        self,
        clocks: Mapping[str, Clock],
        lead_s: float | None = None,
        turn_s: float | None = None,
    ) -> int:
        """Tell each agent the instant, by its own clock; gives it by ours. With `turn_s` the load
        stands still again after so long. Raises `AgentsLost`."""
        if lead_s is None:
            lead_s = LEAD_S + LEAD_OF_AGENT_S * len(clocks)
        instant = time.monotonic_ns() + round(lead_s * 1e9)
        tasks = {
            address: Begin(
                load=self.number,
                at_ns=clock.theirs_ns(instant),
                server=self._server,
                port=self._port,
                ping_s=PING_S,
                turn_s=turn_s,
            )
            for address, clock in clocks.items()
        }
        _present(self._agents.ask(tasks, AgentAnswer, ANSWER_S), "before the load")
        return instant

    def turn(self, clocks: Mapping[str, Clock], seconds: float, lead_s: float) -> int:
        """Let a load that stands still have a turn of so long, after `lead_s`: tell each agent the
        instant, by its own clock; gives it by ours. Raises `AgentsLost`."""
        instant = time.monotonic_ns() + round(lead_s * 1e9)
        tasks = {
            address: TakeTurn(load=self.number, at_ns=clock.theirs_ns(instant), seconds=seconds)
            for address, clock in clocks.items()
        }
        _present(self._agents.ask(tasks, AgentAnswer, ANSWER_S), "between two turns")
        return instant

    def _watch(self, watch: WatchEach) -> None:
        begun = time.monotonic()
        while True:
            when = f"{time.monotonic() - begun:.1f} s into the load"
            states = self.ask(HowFar(load=self.number), PartProgress, ANSWER_S, when)
            watch(together(list(states.values())))
            if all(state.done for state in states.values()):
                return
            time.sleep(_LOOK_S)

    def ask(
        self, task: AnyTask, kind: type[Given], timeout_s: float, when: str = ""
    ) -> dict[str, Given]:
        """What all agents answer to a task of this load. Raises `AgentsLost`."""
        return _present(self._agents.ask_all(task, kind, timeout_s), when)


_NUMBERS = itertools.count(1)


def _present(answers: Mapping[str, Given | AgentLost], when: str) -> dict[str, Given]:
    """The answers, where every agent gave one. Raises `AgentsLost`."""
    lost = [
        Fault(
            address,
            "cut-off" if "cut off" in answer.reason else "dead",
            f"{address} is lost{' ' + when if when else ''}: {answer.reason}",
        )
        for address, answer in answers.items()
        if isinstance(answer, AgentLost)
    ]
    if lost:
        raise AgentsLost(lost)
    return {one: answer for one, answer in answers.items() if not isinstance(answer, AgentLost)}


def together(states: Sequence[LoadProgress]) -> LoadProgress:
    """How far all parts are, as one engine says it."""
    ticks: dict[float, Tick] = {}
    for tick in (tick for state in states for tick in state.ticks):
        sum_ = ticks.get(tick.end_s, Tick(tick.end_s, 0, 0))
        ticks[tick.end_s] = Tick(tick.end_s, sum_.ok + tick.ok, sum_.errors + tick.errors)
    return LoadProgress(
        elapsed_s=max(state.elapsed_s for state in states),
        phase=min((state.phase for state in states), key=PHASES.index),
        done=all(state.done for state in states),
        counts=sum((state.counts for state in states), RequestCounts()),
        in_flight=sum(state.in_flight for state in states),
        ticks=[ticks[end_s] for end_s in sorted(ticks)],
    )
