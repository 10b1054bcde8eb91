"""What a measurement is worth: its integrity tests, and what limited it."""

from __future__ import annotations

from webdyno.catalog.load import Closed, Load, Open
from webdyno.store.records import FlagRecord, Measurement
from webdyno.trial.plan import TrialPlan
from webdyno.verdict.bottleneck import Bottleneck, bottleneck
from webdyno.verdict.integrity import check

_OWN_ROLES = ("server", "generator")


def flags_of(measured: Measurement, load: Load) -> list[FlagRecord]:
    """The integrity tests that the measurement fails."""
    latency, lag = measured.latency_us, measured.send_lag_us
    found = check(
        counts=measured.counts,
        latency_us=latency.model_dump() if latency else None,
        elapsed_s=measured.elapsed_s,
        connections=load.connections if isinstance(load, Closed) else None,
        asked=_asked(load) if isinstance(load, Open) else None,
        send_lag_p999_us=lag.p999 if lag else None,
    )
    return [FlagRecord(code=flag.code, message=flag.message) for flag in found]


def bottleneck_of(measured: Measurement, plan: TrialPlan) -> Bottleneck:
    """Which role, if any, was the limit."""
    cpu = measured.cpu
    server = cpu["server"]
    delay = (server.run_delay_s or 0.0) / max(measured.elapsed_s * server.cores, 1e-9)
    services = [use.share for role, use in cpu.items() if role not in _OWN_ROLES]
    return bottleneck(
        server=server.share,
        generator=cpu["generator"].share,
        services=max(services, default=0.0),
        open_load=isinstance(plan.load, Open),
        run_delay=delay,
        shared_core="generator" in plan.placement.shared,
    )


def _asked(load: Open) -> float:
    """Requests the phases ask for: the integral of their rates."""
    return sum(
        (phase.rate + (phase.rate if phase.to_rate is None else phase.to_rate))
        / 2
        * phase.duration_s
        for phase in load.parsed()
    )
