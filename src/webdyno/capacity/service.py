"""The measured service of one machine: how much work a request is, and how it varies.

Under a closed load of n users that keep the machine busy, each answer takes R with X answers/s; by
Little's law n = X mean(R). Where c cores are shared evenly by the n requests in progress, a request
that stays R has received the work W = R c / n = (c / X) R / mean(R). So the measured distribution
of R, scaled to the mean c / X, is that of the work; nothing else is assumed of it, and the queue
that is made from it has the measured throughput as its capacity.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from webdyno.store.histograms import Distribution, pooled
from webdyno.verdict.integrity import FAILED_KINDS

if TYPE_CHECKING:
    from webdyno.store.records import CpuUse, Measurement

SATURATED = 0.7
"""Part of its cores, or of a thread, from which a server or a service counts as kept busy. Below, n
users are as many as they are, and X says how long they waited, not what the machine can do."""

FAR = 4.0
"""Times the median: an answer beyond is not one that only queued behind as many others as most."""

_FAILED = (*FAILED_KINDS, "not_sent")


@dataclass(frozen=True)
class MeasuredService:
    """One machine as one trial measured it."""

    throughput_rps: float
    cores: int
    latencies: Distribution
    error_share: float
    busy_share: float | None = None
    """Part of what was fullest that was busy, waiting for a core included; None where unknown."""

    @property
    def mean_work_s(self) -> float:
        """Seconds of a core that a request takes on average: what fills the machine at X."""
        return self.cores / self.throughput_rps

    @property
    def is_saturated(self) -> bool:
        """Whether its users kept it busy, so that its throughput is the machine's."""
        return self.busy_share is None or self.busy_share >= SATURATED

    def stalled_share(self, bound_s: float) -> float:
        """Part of the time that users waited for answers which took over `bound_s` more than the
        median, and `FAR` times as long.

        Where such answers come at once, since the server stood still, that is the part of all
        arrivals which meet one (a closed load's own quantiles count each user once a stall).
        """
        values, times = self.latencies.values_us, self.latencies.values_us * self.latencies.counts
        median = self.latencies.quantile(0.5)
        beyond = (values > FAR * median) & (values > median + 1e6 * bound_s)
        return float(times[beyond].sum() / times.sum())

    def work_s(self, count: int, random: np.random.Generator) -> npt.NDArray[np.float64]:
        """The work of `count` requests in seconds of a core, drawn from the measured ones."""
        shares = self.latencies.counts / self.latencies.total
        mean_us = float(np.dot(self.latencies.values_us, shares))
        drawn = random.choice(self.latencies.values_us, size=count, p=shares)
        return np.asarray(drawn * (self.mean_work_s / mean_us), dtype=np.float64)


def service(measured: Measurement) -> MeasuredService | None:
    """The machine that `measured` shows; None where its generator told no distribution."""
    histograms = measured.histograms
    latencies = pooled([histograms.get("from_send") or histograms.get("from_intended", "")])
    if latencies is None or measured.throughput_rps <= 0:
        return None
    server = measured.cpu.get("server")
    cores, busy = (1, None) if server is None else _cores_and_share(server, measured)
    return MeasuredService(
        throughput_rps=measured.throughput_rps,
        cores=cores,
        latencies=latencies,
        error_share=error_share(measured),
        busy_share=busy,
    )


def _cores_and_share(server: CpuUse, measured: Measurement) -> tuple[int, float]:
    """The cores that the machine works with, and the part of its cores, of the server's busiest
    thread or of a service, whichever was fullest, that was busy.

    Where only a thread was full, the other cores are no use to the server: it has those that it
    kept busy.
    """
    used_s = server.user_s + server.system_s
    wanted = server.share * (1 + (server.run_delay_s or 0.0) / used_s) if used_s else 0.0
    services = [use for role, use in measured.cpu.items() if role not in ("server", "generator")]
    # On cores that they share, they fill them together.
    given = (server, *services)
    together = sum(use.share * use.cores for use in given) / max(1.0, *(use.cores for use in given))
    ready = server.busiest_thread_ready_share or server.busiest_thread_share or 0.0
    rest = max(wanted, together, *(use.share for use in services))
    kept_busy = (
        server.cores if rest >= SATURATED or ready < SATURATED else server.share * server.cores
    )
    return max(1, round(kept_busy)), max(rest, ready)


def error_share(measured: Measurement) -> float:
    """The share of the requests that came to an end and failed."""
    failed = measured.counts.of(_FAILED)
    return failed / max(1, failed + measured.counts.ok)
