"""What limited a trial: one word, and the figures it rests on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Limit = Literal[
    "server-bound",
    "generator-bound",
    "service-bound",
    "waiting",
    "offered-load",
    "machine-noise",
    "network",
]

NOT_ITS_OWN = ("generator-bound", "network")
"""Limits that were reached before the server's own: the figure says nothing of it."""

BUSY = 0.90
"""CPU share from which a role counts as using all it was given. Not 1: the kernel's own work on
the same cores, and the ends of the measured interval, take a few percent from everybody."""

NEAR = 0.80
"""CPU share of the generator from which it is given more cores where it can have them: before it
is the limit in one trial and not in the next."""

SERVICE_BUSY = 0.85
"""The same for services, which spread over more processes and so rarely fill every core."""

OFFERED_ENOUGH = 0.995
"""Part of the requests asked for by an open load that must have been answered in time for the rate
to count as held: the same half percent that the integrity tests allow."""

IDLE_CONNECTIONS = 0.10
"""Part of the connections' time that may pass between an answer and the next request. More means
that the generator, not the server, let them idle."""

OCCUPIED = 0.5
"""CPU share of the generator's busiest thread above which idle connections are its doing. Below, it
would have sent at once had it been given a connection: then the time went into opening one."""

DELAYED = 0.10
"""Time the server was ready but had no core, per core second, that is more than scheduling."""

FOREIGN = 0.05
"""Part of the server's cores that others may use: about a study's usual margin, since what is
taken from a busy core is missing from the throughput."""

DISTURBED = 0.15
"""Part of the generator's cores that others may use before a server is said to wait."""

GENERATOR_PART = 0.5
"""On cores that both share: the generator's part of the CPU above which the figure says more about
the generator than about the server."""


@dataclass(frozen=True)
class Bottleneck:
    """`kind` is the word; `reason` is one sentence with the figures that decided.

    `one_thread`: the server is the limit because one thread of it is, while cores of its own idle.
    """

    kind: Limit
    reason: str
    one_thread: bool = False


@dataclass(frozen=True, kw_only=True)
class LimitEvidence:
    """What a trial showed of who was busy; None where that is not known.

    Shares are CPU seconds per wall second and core given to the role: 1.0 is all of it. Roles on
    shared cores are all given as shares of the same ones.
    """

    server_cpu_share: float
    server_cores: float = 1.0
    """How many the server was given."""
    server_cores_used: float | None = None
    """CPU seconds per second."""
    busiest_thread_share: float | None = None
    """CPU of the server's busiest thread, of one core: a server of one thread on four cores is full
    at a share of 0.25."""
    run_delay_share: float | None = None
    """Time the server was ready to run but waited, per second and core."""
    foreign_cpu_share: float | None = None
    """Part of the server's cores used by anything outside the trial, stolen time included. Others'
    work is no disturbance while the server does not want the core: noise is where it was ready as
    well, so that running and waiting for a core (`run_delay_share`) make up its time."""
    cores_cpu_share: float | None = None
    """Of all of the trial on the server's cores, where services share them; then `run_delay_share`
    is theirs, too."""
    generator_cpu_share: float
    """Of its busiest thread, which limits its own connections whatever the mean is."""
    generator_threads: int = 1
    generator_late: bool = False
    """Whether it sent requests late though connections were free."""
    generator_foreign_share: float | None = None
    """As `foreign_cpu_share`, of the generator's cores."""
    service_cpu_share: float | None = None
    """Of the busiest service, where there are any."""
    idle_share: float | None = None
    """That of `integrity`; closed load only."""
    achieved: float | None = None
    """Answered in time / asked for (see `in_time`); None for a closed load."""
    shared_core: bool = False
    """Whether server and generator were given the same cores, so that neither can fill them alone
    and their sum counts."""


def bottleneck(seen: LimitEvidence) -> Bottleneck:
    """Say what limited a trial; every trial gets exactly one word.

    The order of the questions matters. A rate that was held is the limit whatever the CPUs did. A
    full server is the limit even beside a full generator: asking more would get no more. Only then
    does a full or dawdling generator explain the figure, then a full service. What is left did not
    lack CPU of its own: either others took it (`machine-noise`) or it waited, for locks, a pool,
    a disk or a clock.
    """
    server, generator = seen.server_cpu_share, seen.generator_cpu_share
    if seen.achieved is not None and seen.achieved >= OFFERED_ENOUGH:
        return Bottleneck(
            "offered-load",
            f"{seen.achieved:.1%} of the scheduled requests were answered in time; the server used "
            f"{server:.0%} of its cores",
        )
    if seen.shared_core and server + generator >= BUSY:
        return _on_shared_cores(server, generator)
    if server >= BUSY:
        return Bottleneck("server-bound", f"the server used {server:.0%} of its cores")
    if seen.busiest_thread_share is not None and seen.busiest_thread_share >= BUSY:
        used = (
            seen.server_cores * server if seen.server_cores_used is None else seen.server_cores_used
        )
        return Bottleneck(
            "server-bound",
            f"limited by one of its threads ({used:.1f} of {seen.server_cores:g} cores), which "
            f"used {seen.busiest_thread_share:.0%} of one",
            one_thread=seen.server_cores > 1,
        )
    if generator >= BUSY:
        whose = "the generator" if seen.generator_threads == 1 else "the generator's busiest thread"
        its = (
            "its core"
            if seen.generator_threads == 1
            else f"a core ({seen.generator_threads} threads)"
        )
        return Bottleneck(
            "generator-bound",
            f"{whose} used {generator:.0%} of {its}, the server only {server:.0%}",
        )
    if seen.service_cpu_share is not None and seen.service_cpu_share >= SERVICE_BUSY:
        return Bottleneck(
            "service-bound", f"a service used {seen.service_cpu_share:.0%} of its cores"
        )
    if noise := _noise(
        seen.cores_cpu_share or server, seen.run_delay_share, seen.foreign_cpu_share
    ):
        return Bottleneck("machine-noise", noise)
    others = seen.generator_foreign_share
    if others is not None and others >= FOREIGN and generator + others >= BUSY:
        return Bottleneck(
            "machine-noise", f"other programs used {others:.0%} of the generator's cores"
        )
    if others is not None and others >= DISTURBED:
        # The server waits while the generator has lost its core, and the other way round, so that
        # neither's own figures add up to a full core.
        return Bottleneck(
            "machine-noise",
            f"other programs used {others:.0%} of the generator's cores, so what the server waited "
            f"for is unknown (server {server:.0%}, generator {generator:.0%})",
        )
    idle = seen.idle_share is not None and seen.idle_share > IDLE_CONNECTIONS
    if idle and (generator >= OCCUPIED or seen.generator_late):
        return Bottleneck(
            "generator-bound",
            f"connections idled for {seen.idle_share:.0%} of the time between requests, with the "
            f"generator at {generator:.0%}",
        )
    waits = "the server waited for locks, a pool, a disk or a timer"
    if idle:
        waits = f"connections were being reopened for {seen.idle_share:.0%} of the time"
    return Bottleneck(
        "waiting",
        f"nothing was saturated (server {server:.0%}, generator {generator:.0%}): {waits}",
    )


def _on_shared_cores(server: float, generator: float) -> Bottleneck:
    if generator > GENERATOR_PART * (server + generator):
        return Bottleneck(
            "generator-bound",
            f"on shared cores the generator used {generator:.0%}, the server {server:.0%}",
        )
    return Bottleneck(
        "server-bound",
        f"on shared cores the server used {server:.0%}, the generator {generator:.0%}: "
        "servers look more alike than they are",
    )


def _noise(server: float, delay: float | None, foreign: float | None) -> str:
    if foreign is not None:
        wanted = server + (foreign if delay is None else delay)
        if foreign < FOREIGN or wanted < BUSY:
            return ""
        waited = "" if delay is None else f", and it waited for one {delay:.0%} of the time"
        return f"other programs used {foreign:.0%} of the server's cores{waited}"
    # Ready all the time, yet not running: somebody else had the core.
    if delay is not None and delay >= DELAYED and server + delay >= BUSY:
        return f"the server ran {server:.0%} of the time and waited {delay:.0%} for a core"
    return ""
