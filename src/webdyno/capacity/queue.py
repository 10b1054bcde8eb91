"""A machine as a queue: how long requests stay, given when they come and what they ask for.

Two orders of service, between which real servers lie. `shared` (processor sharing): all requests in
progress advance at the same pace, at full speed while there are no more of them than cores: threads
and event loops that interleave work. `fifo`: a request waits for a free core and then has it to its
end. Checked against M/M/c, M/D/1 and M/G/1 in the tests.
"""

from __future__ import annotations

import heapq
from typing import Literal

import numpy as np

from webdyno.verdict.array import Array

Discipline = Literal["shared", "fifo"]


def sojourn_times(arrivals: Array, work: Array, cores: int, discipline: Discipline) -> Array:
    """Seconds from arrival to departure of each request on a machine that starts out empty.

    `arrivals` are ascending times in seconds, `work` the seconds of a core each asks for.
    """
    if discipline == "fifo":
        return _fifo(arrivals, work, cores)
    return _shared(arrivals, work, cores)


def _fifo(arrivals: Array, work: Array, cores: int) -> Array:
    free = [0.0] * cores
    stayed = np.empty(arrivals.size)
    for index, (time, asked) in enumerate(zip(arrivals.tolist(), work.tolist(), strict=True)):
        end = max(time, free[0]) + asked
        heapq.heapreplace(free, end)
        stayed[index] = end - time
    return stayed


def _shared(arrivals: Array, work: Array, cores: int) -> Array:
    # Each request in progress has received `served` since the machine was last empty, less what was
    # served before it came: it leaves once `served` reaches a mark that is known when it comes.
    stayed = np.empty(arrivals.size)
    came = arrivals.tolist()
    marks: list[tuple[float, int]] = []
    now = served = 0.0

    def advance(until: float) -> None:
        nonlocal now, served
        while marks:
            pace = min(1.0, cores / len(marks))
            mark, index = marks[0]
            departure = now + (mark - served) / pace
            if departure > until:
                served += (until - now) * pace
                break
            heapq.heappop(marks)
            now, served = departure, mark
            stayed[index] = departure - came[index]
        else:
            served = 0.0
        if until < float("inf"):
            now = until

    for index, (time, asked) in enumerate(zip(came, work.tolist(), strict=True)):
        advance(time)
        heapq.heappush(marks, (served + asked, index))
    advance(float("inf"))
    return stayed
