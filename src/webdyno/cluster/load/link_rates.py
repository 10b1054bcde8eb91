"""The links between the load's machines and the server's, and the server, tried before a load."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from webdyno.cluster.agents.cluster import AgentLost, Agents
from webdyno.cluster.link.clock import Clock
from webdyno.cluster.orders.answers import AgentAnswer, Given, LinkTried, RoundTrip
from webdyno.cluster.orders.tasks import AnyTask, RoundTrips, TryLink, TryTarget
from webdyno.errors import UserError
from webdyno.generators.specification import TargetSpec

TRY_S = 0.3
"""For which a link is tried in each direction."""

ALONE_UP_TO = 8
"""Up to so many agents each link is tried alone as well; with more this takes too long, and what
each carried beside the others is taken."""

LATE_S = 0.1 * TRY_S
"""All begin at an agreed instant. One that began later than this met the others for a part of the
time only, and all try again."""

ATTEMPTS = 3
RTT_SAMPLES = 30

_LEAD_S = 0.1
_ANSWER_S = 20.0
_WAYS: tuple[Literal["up", "down"], ...] = ("up", "down")


@dataclass(frozen=True)
class LinkRates:
    """Bytes per second: of each agent's link `alone`, by address and way, and of all of them
    `together`, by way; 0 where the agents never began together. `up` is to the server. `rtt_s` is
    the round-trip time to it before anything is on the way."""

    alone: dict[str, dict[str, float]]
    rtt_s: dict[str, float]
    together: dict[str, float]


def try_links(agents: Agents, server: str, port: int, clocks: Mapping[str, Clock]) -> LinkRates:
    """Try them. Raises `UserError` where an agent cannot."""
    trips = RoundTrips(server=server, port=port, samples=RTT_SAMPLES)
    answers = agents_answers(agents, dict.fromkeys(clocks, trips), RoundTrip)
    rtts = {address: answer.rtt_s for address, answer in answers.items()}
    alone: dict[str, dict[str, float]] = {address: {} for address in clocks}
    together: dict[str, float] = {}
    for way in _WAYS:
        task = TryLink(server=server, port=port, way=way, seconds=TRY_S)
        beside = _together(agents, task, clocks)
        together[way] = sum(beside.values())
        for address in clocks:
            rate = beside.get(address, 0.0)
            if 1 < len(clocks) <= ALONE_UP_TO:
                rate = agents_answers(agents, {address: task}, LinkTried)[address].bytes_per_s
            alone[address][way] = rate
    return LinkRates(alone, rtts, together)


def try_target(agents: Agents, target: TargetSpec) -> None:
    """Have the first agent try what the load is for. Raises `UserError` if nothing answers."""
    agents_answers(agents, {agents.addresses[0]: TryTarget(target=target)}, AgentAnswer)


def _together(agents: Agents, task: TryLink, clocks: Mapping[str, Clock]) -> dict[str, float]:
    """What each carries while all are at it; nothing where they never began together."""
    for _ in range(ATTEMPTS):
        instant = time.monotonic_ns() + round(_LEAD_S * 1e9)
        tasks = {
            address: task.model_copy(update={"at_ns": clock.theirs_ns(instant)})
            for address, clock in clocks.items()
        }
        answers = agents_answers(agents, tasks, LinkTried)
        if len(clocks) == 1 or all(one.late_s <= LATE_S for one in answers.values()):
            return {address: one.bytes_per_s for address, one in answers.items()}
    return {}


def agents_answers(
    agents: Agents, tasks: Mapping[str, AnyTask], kind: type[Given]
) -> dict[str, Given]:
    """What each agent answers. Raises `UserError` where one will not."""
    answers = {}
    for address, answer in agents.ask(tasks, kind, _ANSWER_S).items():
        if isinstance(answer, AgentLost):
            raise UserError(
                f"the agent on {address} is lost: {answer.reason}; see `webdyno machines`, and run "
                "`webdyno machines join` there"
            )
        answers[address] = answer
    return answers
