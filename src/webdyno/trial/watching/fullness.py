"""Watching a warm-up for whether its server fills its cores, or a thread of its own."""

from __future__ import annotations

import time
from dataclasses import dataclass

from webdyno.runtime.machine.core_seconds import CoreSeconds, core_seconds
from webdyno.runtime.processes.cpu_time import TreeClock
from webdyno.runtime.processes.thread_times import (
    Times,
    busiest,
    own_thread_times,
    spent,
    thread_times,
)
from webdyno.trial.events import Event, Listener, LoadWentOn
from webdyno.verdict.limits.fullness import is_full

LOAD_THREADS = "webdyno-load"
"""How the engine names its threads."""

EVERY_S = 0.1
SHARE = 0.01
"""At most this part of a core goes into looking: a JVM has hundreds of threads."""
EARLY = 0.25
"""Longer than this part of the load so far there is no pause, whatever a look costs: a short load
would else be over before its second one."""


@dataclass(frozen=True)
class _CoreLook:
    at_s: float
    cpu_s: float
    cores: CoreSeconds | None
    threads: Times
    load: Times


class Fullness:
    """Looks at a server's threads while it is loaded."""

    def __init__(
        self, root: int, cpus: tuple[int, ...], *, alone: bool, cores: float | None = None
    ) -> None:
        """`cpus` are the server's, of which a quota may leave it only so many `cores`; `alone` says
        that nobody of the trial has them, too."""
        self._root, self._cpus, self._alone = root, cpus, alone
        self._cores = cores or float(len(cpus))
        self._clock = TreeClock(root)
        self._looks: list[_CoreLook] = []
        self._next_s = 0.0
        self.look()

    def listening(self, listener: Listener) -> Listener:
        """`listener`, with a look now and then as the load goes on."""

        def looking_on(event: Event) -> None:
            if isinstance(event, LoadWentOn) and time.monotonic() >= self._next_s:
                self.look()
            listener(event)

        return looking_on

    def look(self) -> None:
        """Read the clocks."""
        before = time.thread_time()
        seen = _CoreLook(
            time.monotonic(), self._clock.seconds(), core_seconds(self._cpus),
            thread_times(self._root),
            own_thread_times(LOAD_THREADS),
        )  # fmt: skip
        cost = time.thread_time() - before
        self._looks.append(seen)
        so_far_s = seen.at_s - self._looks[0].at_s
        self._next_s = seen.at_s + max(EVERY_S, min(cost / SHARE, EARLY * so_far_s))

    def is_full(self) -> bool:
        """Whether it was full over the later half of what was looked at.

        False where nothing was seen: who cannot be shown to be full may wait.
        """
        # Not the moments before the load and after it, where its threads can be seen.
        looks = [look for look in self._looks if look.load] or self._looks
        first, last = looks[0], looks[-1]
        middle = (first.at_s + last.at_s) / 2
        since = min(looks[:-1], key=lambda look: abs(look.at_s - middle), default=last)
        wall = last.at_s - since.at_s
        if wall <= 0:
            return False
        core_s = wall * self._cores
        cpu = last.cpu_s - since.cpu_s
        others = stolen = None
        if self._alone and since.cores and last.cores:
            left = last.cores.since(since.cores).without(cpu)
            others, stolen = left.busy / core_s, left.stolen / core_s
        seen = busiest(since.threads, last.threads, wall)
        load = spent(since.load, last.load)
        waited = sum(delay for _, delay in spent(since.threads, last.threads))
        return is_full(
            cpu_share=cpu / core_s,
            ready_thread_share=seen.ready_share if seen else None,
            foreign_share=others,
            stolen_share=stolen,
            run_delay_share=waited / core_s,
            load_ready_share=min(map(sum, load)) / wall if load else None,
            load_delay_share=sum(d for _, d in load) / len(load) / wall if load else None,
        )
