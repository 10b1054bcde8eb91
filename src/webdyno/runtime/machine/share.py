"""What a study asks for each server, what of it this machine has, and what holds it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from webdyno.runtime.confinement.cgroup import limits
from webdyno.runtime.confinement.confine import ConfinementMeans
from webdyno.runtime.machine.placement import Placement

MEMORY_SHARE = 0.75
"""Part of the machine's memory that a server may be given: the rest is for all others."""


@dataclass(frozen=True)
class Share:
    """The limits of each server of a run; None where there is none to hold.

    `cpus` is a quota in cores, set only where the cores given are not the limit themselves.
    """

    cpus: float | None = None
    memory_bytes: int | None = None
    words: str = ""


def cores_wanted(cpus: float | None, means: ConfinementMeans) -> int | None:
    """How many cores to place a server on that may use `cpus` of them; None for all there are.

    Half a core needs a quota; where none can be held, whole cores are given, and at least one.
    """
    if cpus is None:
        return None
    held_by_quota = means.cpu.startswith("cgroup")
    return max(1, math.ceil(cpus) if held_by_quota else math.floor(cpus))


def share_of(
    cpus: float | None,
    memory_bytes: int | None,
    placement: Placement,
    means: ConfinementMeans,
    machine: int,
) -> Share:
    """What of `cpus` and `memory_bytes` a server gets on `placement`.

    `machine` is the machine's memory in bytes; a control group around us may allow less.
    """
    if cpus is None and memory_bytes is None:
        return Share()
    given = len(placement.server)
    quota = cpus if cpus is not None and cpus < given else None
    texts = []
    if cpus is not None:
        texts.append(_cpu_words(cpus, given, quota, means))
    bound = None
    if memory_bytes is not None:
        available = min(machine, limits().memory_bytes or machine)
        bound = min(memory_bytes, int(available * MEMORY_SHARE))
        texts.append(_memory_words(memory_bytes, bound, means))
    if quota is not None and not means.cpu.startswith("cgroup"):
        quota = None
    return Share(quota, bound, "; ".join(texts))


def _cpu_words(cpus: float, available: int, quota: float | None, means: ConfinementMeans) -> str:
    requested = f"{cpus:g} CPU{'' if cpus == 1 else 's'} requested for each server"
    if quota is None:
        less = "" if available >= cpus else f", {available} is the machine's share"
        return f"{requested}{less}: enforced by CPU affinity"
    if means.cpu.startswith("cgroup"):
        return f"{requested}: enforced by a quota of {means.cpu}"
    why = "part of a core cannot be enforced here (CPU affinity only)"
    return f"{requested}, {available} given: {why}"


def _memory_words(requested: int, bound: int, means: ConfinementMeans) -> str:
    less = "" if bound >= requested else f", {_size(bound)} is the machine's share"
    return f"{_size(requested)} of memory requested{less}: enforced by {means.memory}"


def _size(count: int) -> str:
    return f"{count / 1e9:.3g} GB" if count >= 1e9 else f"{count / 1e6:.3g} MB"
