"""What a server still works off after a load: the requests of clients that have left."""

from __future__ import annotations

import time

from webdyno.runtime.processes.cpu_time import TreeClock
from webdyno.runtime.processes.thread_times import ready_threads
from webdyno.runtime.processes.threads import NamedThreads

LOOK_S = 0.05
"""How long the server is watched at a time."""

AT_REST = 0.1
"""Cores that a server may use which has nothing left to do: a collector, a timer, its pool."""

MOST_S = 2.0
"""How long a server is waited for at most; 64 requests of 8 ms take half a second."""


def work_off(pid: int, compilers: NamedThreads | None = None) -> float:
    """Wait until the server at `pid` is at rest, and return how long that took, in seconds.

    A load ends while requests are under way, and a server with threads goes on with them beside
    those of the next load. Their CPU time would be taken for the cost of that one's answers. What
    `compilers` use does not count: they may go on for long. Nor does what services do for them:
    a pool has few connections, whose last statements take milliseconds.
    """
    clock, began = TreeClock(pid), time.monotonic()

    def used_s() -> float:
        return clock.seconds() - (compilers.seconds().ran_s if compilers else 0.0)

    before_s, looked = used_s(), began
    while True:
        time.sleep(LOOK_S)
        now_s, now = used_s(), time.monotonic()
        # Less than nothing where a compiler's thread was found, with all that it used before.
        is_at_rest = 0 <= now_s - before_s <= AT_REST * (now - looked)
        if is_at_rest:
            # Where others have the cores, one that has much to do uses little.
            is_at_rest = ready_threads(pid) <= (compilers.ids() if compilers else set())
        if is_at_rest or now - began >= MOST_S:
            return now - began
        before_s, looked = now_s, now
