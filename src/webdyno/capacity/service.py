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

if TYPE_CHECKING:
    from webdyno.store.records import Measurement

_FAILED = ("wrong_status", "failed_check", "refused", "reset", "timed_out", "malformed", "not_sent")


@dataclass(frozen=True)
class MeasuredService:
    """One machine as one trial measured it."""

    throughput_rps: float
    cores: int
    latencies: Distribution
    error_share: float

    @property
    def mean_work_s(self) -> float:
        """Seconds of a core that a request takes on average: what fills the machine at X."""
        return self.cores / self.throughput_rps

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
    return MeasuredService(
        throughput_rps=measured.throughput_rps,
        cores=max(1, round(server.cores)) if server else 1,
        latencies=latencies,
        error_share=error_share(measured),
    )


def error_share(measured: Measurement) -> float:
    """The share of the requests that came to an end and failed."""
    failed = sum(measured.counts.get(kind, 0) for kind in _FAILED)
    return failed / max(1, failed + measured.counts.get("ok", 0))
