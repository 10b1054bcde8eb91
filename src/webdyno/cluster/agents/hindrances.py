"""What keeps a machine from its part of a load: the pauses of a quota, and its host."""

from __future__ import annotations

import os

from webdyno.cluster.orders.answers import Hindered
from webdyno.runtime.confinement.cgroup import QuotaPauses, pauses
from webdyno.runtime.machine.core_seconds import CoreSeconds, core_seconds


class Hindrances:
    """Counts while the load goes on; stands still until `go_on`."""

    def __init__(self) -> None:
        self._cpus = sorted(os.sched_getaffinity(0))
        self._before: tuple[CoreSeconds | None, QuotaPauses | None] | None = None
        self._did: CoreSeconds | None = CoreSeconds(0.0, 0.0)
        self._periods = self._paused = 0

    def go_on(self) -> None:
        """Count from now on."""
        self._before = core_seconds(self._cpus), pauses()

    def hold(self) -> None:
        """Stand still; nothing where it does."""
        if self._before is None:
            return
        (cores, quota), self._before = self._before, None
        now, later = core_seconds(self._cpus), pauses()
        self._did = self._did.plus(now.since(cores)) if self._did and now and cores else None
        if quota is not None and later is not None:
            self._periods += max(0, later.periods - quota.periods)
            self._paused += max(0, later.paused - quota.paused)

    def so_far(self) -> Hindered:
        """What it showed so far."""
        did = self._did
        return Hindered(
            paused_share=min(1.0, self._paused / self._periods) if self._periods else None,
            busy_s=max(0.0, did.busy) if did else None,
            stolen_s=max(0.0, did.stolen) if did else None,
        )
