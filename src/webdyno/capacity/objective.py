"""What a service must keep: a quantile of its latency below a bound, and few enough errors."""

from __future__ import annotations

from dataclasses import dataclass

from webdyno.catalog.terms import quantity
from webdyno.errors import UserError

MOST_QUANTILE = 0.9999
"""A higher one would take the simulation minutes a server, and few trials show such answers."""

DEFAULT = "p99 < 100ms, errors < 0.1%"


@dataclass(frozen=True)
class CapacityObjective:
    """`quantile` (0..1) of the latency is to stay within `bound_s`, errors within `error_share`."""

    quantile: float
    bound_s: float
    error_share: float
    text: str

    @property
    def quantity(self) -> str:
        """Which quantile it is, such as p99 or p99.9."""
        return f"p{self.quantile * 100:g}"


def objective(text: str) -> CapacityObjective:
    """Read `p99 < 100ms` or `p99 < 100ms, errors < 0.1%`. Raises `UserError`.

    Where errors are not named, up to 0.1% of the requests may fail.
    """
    latency: quantity.LatencyObjective | None = None
    errors: float | None = None
    for clause in (part.strip() for part in text.split(",")):
        if clause.startswith("errors"):
            if errors is not None:
                raise UserError(f"objective '{text}' limits errors twice; give one limit")
            errors = quantity.share_at_most(clause.removeprefix("errors"))
        else:
            limit = quantity.objective(clause)
            if latency is not None:  # Only one is simulated: the other would be passed over unsaid.
                raise UserError(
                    f"objective '{text}' sets two limits on latency; give the one that matters"
                )
            latency = limit
    if latency is None:
        raise UserError(f"objective '{text}' sets no limit on latency; write it like {DEFAULT}")
    if latency.share > MOST_QUANTILE:
        raise UserError(
            f"objective '{text}': the simulation shows quantiles up to p99.99; search for the rate "
            "with a load of kind objective"
        )
    said = text if errors is not None else f"{text}, errors < 0.1%"
    return CapacityObjective(
        latency.share, latency.limit_s, 0.001 if errors is None else errors, said
    )
