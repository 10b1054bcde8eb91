"""What limited a trial: one word, and the figures it rests on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from webdyno.verdict.limits.limit_evidence import LimitEvidence

LimitKind = Literal[
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
is the limit in one trial and not in the next. Also that of a server for which requests that arrive
by the clock have to queue: at 80%, four are there on the mean (M/M/1)."""

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
"""Time the server was ready but had no core, per core second, that is more than scheduling; part of
a quota's periods that may end in a pause."""

FOREIGN = 0.05
"""Part of the server's cores that others may use: about a study's usual margin, since what is
taken from a busy core is missing from the throughput."""

TOLD = 0.005
"""A share that is told as a percent of its own."""

DISTURBED = 0.15
"""Part of the generator's cores that others may use before a server is said to wait."""


@dataclass(frozen=True)
class Limit:
    """`kind` is the word; `reason` is one sentence with the figures that decided.

    `one_thread`: the server is the limit because one thread of it is, while cores of its own idle.
    """

    kind: LimitKind
    reason: str
    one_thread: bool = False


def limit_of(evidence: LimitEvidence) -> Limit:
    """Say what limited a trial; every trial gets exactly one word.

    The order of the questions matters. A rate that was held is the limit whatever the CPUs did. A
    full server is the limit even beside a full generator: asking more would get no more. Only then
    does a full or dawdling generator explain the figure, then a full service. What is left did not
    lack CPU of its own: others or a quota took it (`machine-noise`), requests queued for it
    (`server-bound`), or it waited: for the load, for locks, a pool, a disk or a clock.
    """
    server, generator = evidence.server_cpu_share, evidence.generator_cpu_share
    if evidence.achieved is not None and evidence.achieved >= OFFERED_ENOUGH:
        return Limit(
            "offered-load",
            f"{evidence.achieved:.1%} of the scheduled requests were answered in time; the server "
            f"used {server:.0%} of {_given_cores(evidence)}",
        )
    if sum(evidence.sharing.values()) >= BUSY:
        return _on_shared_cores(evidence)
    if server >= BUSY:
        return Limit("server-bound", f"the server used {server:.0%} of {_given_cores(evidence)}")
    if evidence.busiest_thread_share is not None and evidence.busiest_thread_share >= BUSY:
        used = (
            evidence.server_cores * server
            if evidence.server_cores_used is None
            else evidence.server_cores_used
        )
        return Limit(
            "server-bound",
            f"limited by one of its threads ({used:.1f} of {evidence.server_cores:g} cores), which "
            f"used {evidence.busiest_thread_share:.0%} of one",
            one_thread=evidence.server_cores > 1,
        )
    if generator >= BUSY:
        threads, whose, its = evidence.generator_threads, "the generator", "its core"
        if threads > 1 and evidence.generator_by_thread:
            whose, its = "the generator's busiest thread", f"a core ({threads} threads)"
        elif threads > 1:
            its = f"its {threads} cores"
        return Limit(
            "generator-bound",
            f"{whose} used {generator:.0%} of {its}, the server only {server:.0%}",
        )
    if sum(evidence.services.values()) >= SERVICE_BUSY:
        whose = "its cores" if len(evidence.services) == 1 else "the services' cores"
        return Limit("service-bound", f"{_used(evidence.services)} of {whose}")
    if (name := _one_threaded(evidence.service_threads)) is not None:
        share = evidence.service_threads[name]
        why = f"{name} was limited by one of its threads, which used {share:.0%} of a core"
        return Limit("service-bound", why)
    paused = evidence.paused_share
    if paused is not None and paused >= DELAYED:
        why = f"a quota around all of the trial paused it in {paused:.0%} of the quota's periods"
        return Limit("machine-noise", why)
    if noise := _noise(evidence):
        return Limit("machine-noise", noise)
    others = evidence.generator_foreign_share
    if others is not None and others >= FOREIGN and generator + others >= BUSY:
        return Limit("machine-noise", _taken_of_generator(evidence))
    if others is not None and others >= DISTURBED:
        # The server waits while the generator has lost its core, and the other way round, so that
        # neither's own figures add up to a full core.
        return Limit(
            "machine-noise",
            f"{_taken_of_generator(evidence)}, so what the server waited for is unknown "
            f"(server {server:.0%}, generator {generator:.0%})",
        )
    idle = evidence.idle_share is not None and evidence.idle_share > IDLE_CONNECTIONS
    if idle and (generator >= OCCUPIED or evidence.generator_late):
        return Limit(
            "generator-bound",
            f"connections idled for {evidence.idle_share:.0%} of the time between requests, with "
            f"the generator at {generator:.0%}",
        )
    if evidence.by_the_clock and (queued := _queued(evidence)) is not None:
        return queued
    waits = "the server waited for locks, a pool, a disk or a timer"
    few = evidence.connections
    if few is not None and few < max(2.0, evidence.server_cores):
        only = "only 1 connection" if few == 1 else f"only {few} connections"
        waits = f"the load asked too little, with {only}, or {waits}"
    if idle:
        waits = f"connections were being reopened for {evidence.idle_share:.0%} of the time"
    elif "generator" in evidence.sharing and (evidence.run_delay_share or 0.0) >= DELAYED:
        waits += ", or for a core that other programs had"
    each = {"server": server, **evidence.services, "generator": generator, **evidence.sharing}
    told = ", ".join(f"{role} {share:.0%}" for role, share in each.items())
    return Limit("waiting", f"nothing was saturated ({told}): {waits}")


def _on_shared_cores(evidence: LimitEvidence) -> Limit:
    """The role that used most of what none of them can have alone."""
    most = max(evidence.sharing, key=lambda role: evidence.sharing[role])
    cores = "core" if evidence.cores == 1 else f"{evidence.cores:g} cores"
    reason = f"{_used(evidence.sharing)} of the {cores} they share"
    if most == "generator":
        return Limit("generator-bound", reason)
    if "generator" in evidence.sharing:
        reason += ": servers look more alike than they are"
    return Limit("server-bound" if most == "server" else "service-bound", reason)


def _used(shares: Mapping[str, float]) -> str:
    """`the server used 50% and postgresql 45%`, the busiest first."""
    first, *others = sorted(shares.items(), key=lambda one: -one[1])
    parts = [f"{_named(first[0])} used {first[1]:.0%}"]
    parts += [f"{_named(role)} {share:.0%}" for role, share in others]
    *before, last = parts
    return f"{', '.join(before)} and {last}" if before else last


def _named(role: str) -> str:
    return f"the {role}" if role in ("server", "generator") else role


def _given_cores(evidence: LimitEvidence) -> str:
    """What the server's share is part of."""
    if evidence.server_cores == evidence.cores:
        return "its cores"
    return f"its quota of {evidence.server_cores:g} core{'' if evidence.server_cores == 1 else 's'}"


def _queued(evidence: LimitEvidence) -> Limit | None:
    """What requests that come at random wait for before it is full; None where that is not seen."""
    server, thread = evidence.server_cpu_share, evidence.busiest_thread_share or 0.0
    if sum(evidence.sharing.values()) >= NEAR:
        found = _on_shared_cores(evidence)
        return None if found.kind == "generator-bound" else found
    if max(server, thread) < NEAR:
        return None
    if thread > server and evidence.server_cores > 1:
        why = f"requests queued for one thread of the server, which used {thread:.0%} of a core"
        return Limit("server-bound", why, one_thread=True)
    why = f"requests queued for the server, which used {server:.0%} of {_given_cores(evidence)}"
    return Limit("server-bound", why)


def _one_threaded(threads: Mapping[str, float]) -> str | None:
    """The service of which one thread is full; None without any."""
    busiest = max(threads, key=lambda name: threads[name], default=None)
    return busiest if busiest is not None and threads[busiest] >= BUSY else None


def taken_words(others: float, stolen: float, whose: str) -> str:
    """Who took these shares of `whose` cores: other programs, and the host of a virtual machine."""
    if stolen < TOLD:
        return f"other programs used {others:.0%} of {whose}"
    host = f"the host took {stolen:.0%} of {whose} (steal)"
    return host if others < TOLD else f"{host}, and other programs used {others:.0%}"


def _taken_of_generator(evidence: LimitEvidence) -> str:
    stolen = evidence.generator_stolen_share or 0.0
    others = (evidence.generator_foreign_share or 0.0) - stolen
    return taken_words(others, stolen, "the generator's cores")


def _noise(evidence: LimitEvidence) -> str:
    """What others took, where the server lacked it; empty where it did not, and on a core that the
    generator has, too, where all wait for each other."""
    ran, delay, stolen = (
        evidence.ran_share,
        evidence.run_delay_share,
        evidence.stolen_cpu_share or 0.0,
    )
    if "generator" in evidence.sharing:
        # What one of them lacked there another of them had, but for what the host took.
        lacked = stolen >= FOREIGN and ran + stolen >= BUSY
        return taken_words(0.0, stolen, "the cores they share") if lacked else ""
    foreign = evidence.foreign_cpu_share
    who = "the server and its services" if evidence.sharing else "the server"
    if foreign is not None:
        if foreign < FOREIGN:
            return ""
        others = max(0.0, foreign - stolen)
        taken = taken_words(others, stolen, "the server's cores")
        # The host takes a core from whoever runs there: from each by its part of what ran.
        slowed = 1 + stolen / max(ran + others, 1e-9)
        thread, ready = evidence.busiest_thread_share or 0.0, evidence.ready_thread_share or 0.0
        wanted = ready * slowed
        if wanted >= BUSY and wanted - thread >= FOREIGN:
            return (
                f"{taken}; one of its threads had work for {min(1.0, wanted):.0%} of the time, but "
                f"none ran for more than {thread:.0%}"
            )
        if ran * slowed + (others if delay is None else delay) < BUSY:
            return ""
        they = who if evidence.sharing else "it"
        waited = ""
        if delay is not None and others >= TOLD:
            waited = f", and {they} waited for one {delay:.0%} of the time"
        return f"{taken}{waited}"
    # Ready all the time, yet not running: somebody else had the core.
    if delay is not None and delay >= DELAYED and ran + delay >= BUSY:
        return f"{who} ran {ran:.0%} of the time and waited {delay:.0%} for a core"
    return ""
