"""What a service must keep: a quantile of its latency below a bound, and few enough errors."""

from __future__ import annotations

import re
from dataclasses import dataclass

from webdyno.catalog import quantity
from webdyno.errors import UserError

_LATENCY = re.compile(r"p(50|75|90|95|99|999|9999)\s*<=?\s*(.+)")
_ERRORS = re.compile(r"errors\s*<=?\s*(\d+(?:\.\d+)?)\s*%")
DEFAULT = "p99 < 100ms, errors < 0.1%"


@dataclass(frozen=True)
class Objective:
    """`quantile` (0..1) of the latency is to stay within `bound_s`, errors within `error_share`."""

    quantile: float
    bound_s: float
    error_share: float
    text: str

    @property
    def quantity(self) -> str:
        """Which quantile it is, such as p99."""
        return "p" + f"{self.quantile:g}"[2:].ljust(2, "0")


def objective(text: str) -> Objective:
    """Read `p99 < 100ms` or `p99 < 100ms, errors < 0.1%`. Raises `UserError`.

    Where errors are not named, up to 0.1% of the requests may fail.
    """
    found: tuple[float, float] | None = None
    errors: float | None = None
    for clause in (part.strip() for part in text.split(",")):
        if match := _LATENCY.fullmatch(clause):
            digits, bound = match.groups()
            found = (float(f"0.{digits}"), quantity.duration(bound))
        elif match := _ERRORS.fullmatch(clause):
            errors = float(match[1]) / 100
        else:
            raise UserError(f"'{clause}' is not an objective; write it like {DEFAULT}")
    if found is None:
        raise UserError(f"objective '{text}' bounds no latency; write it like {DEFAULT}")
    share = 0.001 if errors is None else errors
    said = text if errors is not None else f"{text}, errors < 0.1%"
    return Objective(found[0], found[1], share, said)
