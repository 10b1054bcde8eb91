"""What is read beside a load: how busy cores are, and what a server holds when it has started."""

from __future__ import annotations

import time
from dataclasses import dataclass

from webdyno._engine import Observer
from webdyno.runtime.confinement.cgroup import QuotaPauses, limits, pauses
from webdyno.runtime.machine.core_seconds import CoreSeconds, core_seconds
from webdyno.trial.plan import TrialPlan
from webdyno.trial.watching.observed import Observed, TreeTotals

START, IDLE = "start", "idle"
"""The observer's marks: at the first answer, after the proof, at the first and at the last moment
of the load."""


@dataclass(frozen=True)
class CoreUsage:
    """What the server's and the generator's cores did, whoever used them, while they were watched
    for so long, None where the kernel does not tell; and in which part of its periods a quota
    around us paused all of it, None without one."""

    server: CoreSeconds | None
    generator: CoreSeconds | None
    watched_s: float
    paused_share: float | None = None


class CoresClock:
    """How busy the server's and the generator's cores are while it runs, whoever uses them."""

    def __init__(self, plan: TrialPlan) -> None:
        """It stands still until `go_on`."""
        self._sets = plan.placement.server, plan.placement.generator
        self._did: list[CoreSeconds | None] = [CoreSeconds(0.0, 0.0) for _ in self._sets]
        self._watched = 0.0
        self._since: tuple[float, list[CoreSeconds | None]] | None = None
        self._has_quota = limits().cpus is not None
        self._pauses: QuotaPauses | None = None
        self._periods = self._paused = 0

    def go_on(self) -> None:
        """Run."""
        self._since = time.monotonic(), [core_seconds(cpus) for cpus in self._sets]
        self._pauses = pauses() if self._has_quota else None

    def hold(self) -> None:
        """Stand still; nothing where it does."""
        if self._since is None:
            return
        began, before = self._since
        self._watched += time.monotonic() - began
        now = [core_seconds(cpus) for cpus in self._sets]
        self._did = [
            did.plus(later.since(earlier)) if did and later and earlier else None
            for did, later, earlier in zip(self._did, now, before, strict=True)
        ]
        self._since = None
        if self._pauses is not None and (later := pauses()) is not None:
            self._periods += max(0, later.periods - self._pauses.periods)
            self._paused += max(0, later.paused - self._pauses.paused)

    def so_far(self) -> CoreUsage:
        """What it showed so far."""
        paused = self._paused / self._periods if self._periods else None
        return CoreUsage(self._did[0], self._did[1], self._watched, paused)


def memory_at_start(pid: int, cpu: int) -> TreeTotals:
    """What the tree under `pid` holds now, read from core `cpu`.

    By an observer of its own, so that the proof, which may be dear, does not count in the peak of
    the load.
    """
    observer = Observer({"server": pid}, cpu=cpu)
    observer.start()
    try:
        observer.mark(START)
    finally:
        observed = observer.stop()
    return Observed.model_validate_json(observed).marks[START].roles["server"]
