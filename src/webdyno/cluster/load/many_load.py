"""A trial's load from many machines, in the place of the engine's own.

It begins at an instant that is agreed beforehand, so that whoever observes the server knows it by
this machine's clock and need not wait for anybody's word.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from webdyno.cluster.agents.cluster import Agents
from webdyno.cluster.link.clock import Clock
from webdyno.cluster.link.counters import interface_of, read_counters, since
from webdyno.cluster.load.agreed_turn import ORDER_S, AgreedTurn
from webdyno.cluster.load.link_rates import LinkRates
from webdyno.cluster.load.one_load import (
    ANSWER_S,
    RESULT_S,
    AgentsLost,
    LoadPart,
    LoadYield,
    OneLoad,
    together,
)
from webdyno.cluster.load.outcome import outcome
from webdyno.cluster.machines.reach import Reach
from webdyno.cluster.merging.ticks import Ticks
from webdyno.cluster.orders.answers import AgentAnswer, Given, PartProgress, PartYielded
from webdyno.cluster.orders.tasks import (
    AnyTask,
    ChangeState,
    GiveResult,
    HowFar,
    Pause,
    Resume,
    Stop,
    Turned,
)
from webdyno.errors import UserError
from webdyno.generators.generator import GeneratorFault
from webdyno.generators.progress import LoadProgress
from webdyno.generators.specification import LoadSpec

LONGEST_WAIT_S = 0.1
"""For which agents are asked to wait before they say how far they are: an order that comes
meanwhile has to wait as well."""


START_LEAD_S, WARM_UP_LEAD_S, TURN_LEAD_S, ORDERS = 0.05, 0.01, 0.006, 3.0
"""How long beforehand agents are told of the start of a load that counts, of one that does not, and
of a turn: so long, and so many times what an order took before."""

MOST_LEAD_S = 0.1
"""... but no longer before a turn."""

CLOCKS_AGAIN_S = 10.0
"""A load that stands still between its turns may last for minutes, in which clocks drift."""


@dataclass(frozen=True)
class LoadMachines:
    """Who makes the loads of a trial. `threads` are those of each agent, `server` is the address
    under load, `port` that of keepers."""

    agents: Agents
    reach: Reach
    server: str
    port: int
    threads: int
    link_rates: LinkRates

    def load(self, text: str) -> ManyLoad:
        """A load as the engine's specification says."""
        return ManyLoad(self, LoadSpec.model_validate_json(text))


class ManyLoad:
    """See `_engine.Load`. Every method raises `GeneratorFault` with the name of a lost agent."""

    def __init__(self, machines: LoadMachines, spec: LoadSpec) -> None:
        self._machines = machines
        # Whether answers are told apart is for one engine to see, which has them all.
        requests = [one.model_copy(update={"distinct": None}) for one in spec.requests]
        threads = _threads(spec.load.connections, machines)
        spec = spec.model_copy(update={"cpus": [], "threads": threads, "requests": requests})
        self._one = OneLoad(machines.agents, machines.reach, spec, machines.server, machines.port)
        self._orders = threading.Lock()
        """Orders of the trial and those of changing state come from two threads."""
        self._judged = spec.audit.samples > 0
        """A warm-up need not be the load that was asked for."""
        self._ticks = Ticks(machines.agents.addresses)
        self._cores: dict[str, int] = {}
        self._clocks: Mapping[str, Clock] = {}
        self._now: Mapping[str, Clock] = {}
        """The same, as they were read last."""
        self._interface = interface_of(machines.server)
        self._counted: dict[str, int] = {}
        """By the kernel here while the load went on."""
        self._before: dict[str, int] = {}
        self._turn = AgreedTurn()
        self._patience = 1.0
        """By how much longer agents are told of turns beforehand, since one was told too late."""
        self._clocks_read_s = 0.0
        self._begun = math.inf
        self._overhead_s = 0.0
        self._seen = _NOTHING

    def start(self) -> None:
        """Open the connections on all machines, and agree when to begin."""
        begun = time.monotonic()
        self._seen = _NOTHING.model_copy(
            update={"done": True}
        )  # Until it has begun, nobody need be asked to end it.
        with _lost_told():
            self._cores = self._one.prepare()
            self._clocks = self._now = self._read_clocks()
            self._before = read_counters(self._interface)
            lead_s = self._lead_s(START_LEAD_S if self._judged else WARM_UP_LEAD_S)
            instant = self._one.begin(self._clocks, lead_s, self._turn.seconds)
        self._begun = self._turn.at_s = instant / 1e9
        self._seen = _NOTHING
        self._overhead_s = self._begun - begun

    def agree(self, seconds: float) -> None:
        """Agree with all machines on a turn of so long, soon; one that has not begun gets it when
        it begins."""
        self._turn.seconds = seconds
        if self._begun == math.inf:
            return
        if time.monotonic() > self._clocks_read_s + CLOCKS_AGAIN_S:
            with _lost_told():
                self._now = self._read_clocks()
        self._before = read_counters(self._interface)
        lead_s = min(self._patience * self._lead_s(TURN_LEAD_S), MOST_LEAD_S)
        with self._orders, _lost_told():
            self._turn.at_s = self._one.turn(self._now, seconds, lead_s) / 1e9
        if time.monotonic() > self._turn.at_s:
            self._patience *= 2

    def await_turn(self, before_s: float = 0.0) -> None:
        """Wait until so long before the agreed instant."""
        self._turn.wait(before_s)

    def progress(self) -> str:
        """How far it is, as one engine says it."""
        begun = time.monotonic() >= self._begun
        if begun and not self._seen.done and not self._turn.is_ending():
            self._look(0.0)
        return self._seen.model_copy(update={"ticks": self._ticks.whole()}).model_dump_json()

    def wait(self, timeout_s: float) -> bool:
        """Wait for the end, for so long at most: whether it came."""
        until = time.monotonic() + timeout_s
        while not self._seen.done:
            now = time.monotonic()
            if now >= until:
                return False
            if now < self._begun:
                time.sleep(min(until, self._begun) - now)
            elif self._turn.is_ending():
                time.sleep(min(until - now, ORDER_S))
            else:
                left_s = abs(self._turn.left_s() - ORDER_S)
                self._look(min(LONGEST_WAIT_S, until - now, left_s))
        return True

    def pause(self) -> None:
        """Let it stand still: by the end of its turn it does."""
        if self._turn.seconds is None:
            if not self._seen.done:
                self._ask(Pause(load=self._one.number), AgentAnswer)
            return
        patience_s = ANSWER_S + max(0.0, self._turn.left_s())
        self._see(self._ask(Turned(load=self._one.number), PartProgress, patience_s))
        self._turn.seconds = None
        self._count()

    def resume(self) -> None:
        """Let it go on; where a turn is agreed on, it does by itself."""
        if self._turn.seconds is None:
            self._ask(Resume(load=self._one.number), AgentAnswer)

    def begin_change(self, spec: str) -> None:
        """Every agent knows of it when this returns."""
        self._ask(ChangeState(load=self._one.number, spec=spec), AgentAnswer)

    def end_change(self) -> None:
        """Every agent knows of it when this returns."""
        self._ask(ChangeState(load=self._one.number, spec=None), AgentAnswer)

    def stop(self) -> None:
        """End early."""
        self._turn.seconds = None
        if not self._seen.done:
            self._ask(Stop(load=self._one.number), AgentAnswer)

    def result(self) -> str:
        """What all parts yielded together; with `machines`, what is told of them.

        Raises `GeneratorFault` where one of them cannot be believed, by its name.
        """
        machines = self._machines
        answers = self._ask(GiveResult(load=self._one.number), PartYielded, RESULT_S)
        if not self._counted:
            self._count()
        with _lost_told():
            after = self._read_clocks()
            parts = [
                LoadPart(
                    one,
                    self._cores[one],
                    clock,
                    after[one],
                    _by_our_clock(answers[one], (clock, after[one])),
                )
                for one, clock in self._clocks.items()
            ]
        merged = outcome(
            LoadYield(parts, self._overhead_s, self._counted), machines.link_rates, machines.server
        )
        if merged.result is None or (merged.faults and self._judged):
            raise GeneratorFault("; ".join(fault.message for fault in merged.faults))
        return merged.result.model_copy(update={"machines": merged.record()}).model_dump_json()

    def _look(self, wait_s: float) -> None:
        task = HowFar(load=self._one.number, wait_s=max(0.0, wait_s))
        self._see(self._ask(task, PartProgress, ANSWER_S + wait_s))

    def _see(self, states: Mapping[str, LoadProgress]) -> None:
        self._ticks.take(states)
        seen = together(list(states.values()))
        # The instant has passed: whoever has not begun yet is late, and will be found out.
        late = seen.phase in ("connecting", "ready")
        self._seen = seen.model_copy(update={"phase": "loading"}) if late else seen

    def _lead_s(self, least_s: float) -> float:
        """How long beforehand agents are told of an instant, by what orders took here so far."""
        return least_s + ORDERS * self._one.order_s

    def _count(self) -> None:
        """Add what the kernel has counted since the load went on."""
        now = since(self._before, read_counters(self._interface))
        self._counted = {key: self._counted.get(key, 0) + value for key, value in now.items()}

    def _read_clocks(self) -> Mapping[str, Clock]:
        clocks = self._machines.reach.clocks(self._machines.agents.addresses)
        self._clocks_read_s = time.monotonic()
        return clocks

    def _ask(
        self, task: AnyTask, kind: type[Given], timeout_s: float = ANSWER_S
    ) -> dict[str, Given]:
        when = f"{max(0.0, time.monotonic() - self._begun):.1f} s into the load"
        with self._orders, _lost_told():
            return self._one.ask(task, kind, timeout_s, when)


_NOTHING = LoadProgress(elapsed_s=0.0, phase="connecting")


@contextmanager
def _lost_told() -> Iterator[None]:
    """What goes wrong with agents is a failure of the generator, which fails the trial alone."""
    try:
        yield
    except (AgentsLost, UserError) as error:
        raise GeneratorFault(str(error)) from None


def _threads(connections: int, machines: LoadMachines) -> int:
    """Of each agent: no more than it has connections."""
    return max(1, min(machines.threads, connections // len(machines.agents.addresses)))


def _by_our_clock(answer: PartYielded, read: Sequence[Clock]) -> PartYielded:
    """With the kept answers' times by this machine's monotonic clock, as verifiers know it: as
    early and as late as they may be by all that was `read` of the agent's clock."""
    least_s = min(clock.offset_s - clock.uncertainty_s for clock in read)
    most_s = max(clock.offset_s + clock.uncertainty_s for clock in read)
    samples = [one.by_clock(least_s, most_s) for one in answer.result.samples]
    result = answer.result.model_copy(update={"samples": samples})
    return answer.model_copy(update={"result": result})
