"""How long a server takes for an answer with nothing else to do: what the end of a turn cuts."""

from __future__ import annotations

from dataclasses import replace

from webdyno.catalog.loads.load import Closed
from webdyno.generators.job import Job, fresh_seed
from webdyno.generators.result import LoadResult

SECONDS = 0.3
"""How long it is asked."""


def single_user(job: Job) -> Job:
    """The load of `job` as one user makes it, who asks one thing at a time."""
    timeout = job.load.timeout
    load = Closed(kind="closed", connections=1, duration=SECONDS, threads=1, timeout=timeout)
    # With requests of its own: what these are answered could be kept for the measured load.
    return replace(job, load=load, seed=fresh_seed(), samples=0, record=None, changes=None)


def nearly_all_s(result: LoadResult) -> float:
    """How long 99% of the answers took; all of the load where there was none."""
    return result.latency_us.p99 / 1e6 if result.latency_us is not None else SECONDS
