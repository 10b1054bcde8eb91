"""Integrity tests: what must hold of any honest measurement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

SENT_KINDS = (
    "ok",
    "wrong_status",
    "failed_check",
    "reset",
    "timed_out",
    "malformed",
    "unfinished",
)
LOST_LIMIT = 1e-4
"""More lost answers than one in 10,000 and a server's throughput is not that of the work asked."""
LITTLE_TOLERANCE = 0.05
OFFERED_TOLERANCE = 0.005
LAG_LIMIT_US = 1000.0


@dataclass(frozen=True)
class Flag:
    """A doubt: `code` for programs, `message` with the remedy for people."""

    code: str
    message: str


def check(
    *,
    counts: Mapping[str, int],
    latency_us: Mapping[str, float] | None,
    elapsed_s: float,
    connections: int | None = None,
    asked: float | None = None,
    send_lag_p999_us: float | None = None,
) -> list[Flag]:
    """Test one measurement.

    `connections` is given for a closed load (Little's law must hold), `asked` (requests) for an
    open one (the schedule must have been kept).
    """
    flags: list[Flag] = []
    c = {kind: counts.get(kind, 0) for kind in (*SENT_KINDS, "sent", "offered", "not_sent", "refused")}
    if c["sent"] != sum(c[kind] for kind in SENT_KINDS) or c["offered"] != (
        c["sent"] + c["not_sent"] + c["refused"]
    ):
        flags.append(Flag("counts", "the counts do not add up; report this as a fault of Webdyno"))
    if c["ok"] == 0:
        flags.append(Flag("no-answers", "not one right answer under load; see the server's log"))
        return flags
    wrong = c["wrong_status"] + c["failed_check"] + c["malformed"]
    if wrong:
        flags.append(
            Flag("wrong-answers", f"{wrong} answers of {c['sent']} were wrong; see the details")
        )
    lost = c["reset"] + c["timed_out"] + c["refused"]
    if lost > LOST_LIMIT * c["offered"]:
        flags.append(
            Flag("lost-answers", f"{lost} requests of {c['offered']} were not answered; see its log")
        )
    elif lost:
        flags.append(Flag("few-lost", f"{lost} requests of {c['offered']} were not answered"))
    if latency_us is not None:
        order = [latency_us[key] for key in ("p50", "p90", "p99", "p999", "max")]
        if order != sorted(order):
            flags.append(
                Flag("quantiles", "latency quantiles are out of order; a fault of the generator")
            )
        # Little 1961: connections in use = throughput x mean time in the system.
        if connections and connections <= c["ok"] / 20:
            busy = c["ok"] / elapsed_s * latency_us["mean"] / 1e6
            if abs(busy / connections - 1) > LITTLE_TOLERANCE:
                flags.append(
                    Flag(
                        "littles-law",
                        f"on average {busy:.1f} of {connections} connections were in use; "
                        "some sat idle or were reopened",
                    )
                )
    if asked is not None and abs(c["offered"] / max(asked, 1.0) - 1) > OFFERED_TOLERANCE:
        flags.append(
            Flag("schedule", f"{c['offered']} requests were offered, {asked:.0f} asked; lower the rate")
        )
    if c["not_sent"]:
        flags.append(
            Flag("not-sent", f"{c['not_sent']} requests found no free connection; allow more")
        )
    if send_lag_p999_us is not None and send_lag_p999_us > LAG_LIMIT_US and asked is not None:
        flags.append(
            Flag("send-lag", f"one send in a thousand was {send_lag_p999_us / 1e3:.1f} ms late")
        )
    return flags
