"""Whether an agent's part of a load can be believed; if not, it voids the whole, by its name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from webdyno.cluster.link.clock import Clock
from webdyno.cluster.orders.answers import Hindered
from webdyno.generators.result import LoadResult

LATE_S = 0.025
"""An agent that began so long after the agreed instant, its clock's uncertainty included, made
another load than was asked for."""

BUSY = 0.9
"""Share of its cores above which an agent may be the limit, as in `hit`."""

STOLEN = 0.05
"""Part of an agent's cores that its host may take."""

PAUSED = 0.1
"""Part of a quota's periods in which it may pause an agent."""

HELD_UP = 0.01
"""Part of an agent's requests that it may send over 1 ms late through its own fault."""

CLOCK_MOVED_S = 0.005
"""By which a clock may have moved against ours in the course of a load, beyond its uncertainty."""

TURNS_LATE = 0.05
"""Part of the time of its turns by which an agent may begin them late, all together."""

JUDGED_S = 0.2
"""A shorter load says nothing of an agent's CPU ..."""

PAUSES_JUDGED_S = 1.0
"""... and one of fewer than ten of a quota's periods nothing of its pauses."""


@dataclass(frozen=True)
class Fault:
    """What is wrong with an agent's part: `kind` is for machines, `message` one line."""

    agent: str
    kind: str
    message: str


def faults_of(
    agent: str,
    result: LoadResult,
    cores: int,
    clocks: tuple[Clock, Clock],
    turns_late_s: Sequence[float] = (),
    hindered: Hindered = Hindered(),  # noqa: B008 (it is frozen)
) -> list[Fault]:
    """What is wrong with a part that has come home. `clocks` are its clock before and after,
    `turns_late_s` how late each of its turns began, where it took turns, `hindered` what kept its
    machine from it."""
    faults = [
        _late(result, clocks[0]),
        _limited(result, cores) or _stolen_from(result, cores, hindered),
        _paused(result, hindered),
        _held_up(result),
        _out_of_ports(result),
        _late_turns(result, turns_late_s),
        _clock_moved(*clocks),
    ]
    return [Fault(agent, kind, f"{agent} {message}") for kind, message in filter(None, faults)]


def _late(result: LoadResult, clock: Clock) -> tuple[str, str] | None:
    late_s = (result.start_late_us or 0.0) / 1e6
    if late_s + clock.uncertainty_s <= LATE_S:
        return None
    return (
        "late",
        f"began {late_s * 1e3:.1f} ms after the agreed instant (its clock is known within "
        f"{clock.uncertainty_s * 1e3:.1f} ms)",
    )


def cpu_share(result: LoadResult, cores: int) -> float:
    """CPU time of a part's engine, as a share of the cores that its threads could use."""
    usable = max(1, min(result.generator.threads, cores))
    return result.generator.cpu_seconds / max(result.elapsed_s * usable, 1e-9)


def _limited(result: LoadResult, cores: int) -> tuple[str, str] | None:
    share = cpu_share(result, cores)
    if share <= BUSY or result.elapsed_s < JUDGED_S:
        return None
    return (
        "limited",
        f"used {share:.0%} of its cores: its rate may be its own limit; give it threads (-t) or "
        "add agents",
    )


def stolen_share(result: LoadResult, cores: int, hindered: Hindered) -> float | None:
    """What a part's engine lost to its machine's host, as a share of the same cores: the host takes
    a core from whoever runs, from each by its part of what ran. None where it is not known."""
    if hindered.busy_s is None or hindered.stolen_s is None:
        return None
    ran_s = max(hindered.busy_s - hindered.stolen_s, result.generator.cpu_seconds, 1e-9)
    return cpu_share(result, cores) * hindered.stolen_s / ran_s


def _stolen_from(result: LoadResult, cores: int, hindered: Hindered) -> tuple[str, str] | None:
    share, stolen = cpu_share(result, cores), stolen_share(result, cores, hindered) or 0.0
    if stolen <= STOLEN or share + stolen <= BUSY or result.elapsed_s < JUDGED_S:
        return None
    return (
        "limited",
        f"used {share:.0%} of its cores, and its host took {stolen:.0%} (steal): its rate may be "
        "its own limit; add agents, or use dedicated cores",
    )


def _paused(result: LoadResult, hindered: Hindered) -> tuple[str, str] | None:
    share = hindered.paused_share or 0.0
    if share < PAUSED or result.elapsed_s < PAUSES_JUDGED_S:
        return None
    return (
        "limited",
        f"was paused by a quota of CPU time in {share:.0%} of its periods; raise the quota, or use "
        "fewer threads (-t)",
    )


def _held_up(result: LoadResult) -> tuple[str, str] | None:
    late, sent = result.generator.late_own or 0, result.counts.sent
    if not sent or late <= HELD_UP * sent:
        return None
    return ("late", f"sent {late / sent:.1%} of its requests over 1 ms late through its own fault")


def _out_of_ports(result: LoadResult) -> tuple[str, str] | None:
    count = result.counts.client_limit
    if not count:
        return None
    return (
        "limited",
        f"had no file descriptor or port left for {count:,} requests; raise its limits",
    )


def _late_turns(result: LoadResult, turns_late_s: Sequence[float]) -> tuple[str, str] | None:
    late_s, lasted_s = sum(turns_late_s), result.elapsed_s
    if late_s <= TURNS_LATE * lasted_s:
        return None
    return ("late", f"began its turns late, by {late_s / lasted_s:.1%} of their length")


def _clock_moved(before: Clock, after: Clock) -> tuple[str, str] | None:
    moved = abs(after.offset_s - before.offset_s)
    if moved <= CLOCK_MOVED_S + before.uncertainty_s + after.uncertainty_s:
        return None
    return ("late", f"had its clock drift by {moved * 1e3:.1f} ms against ours under the load")
