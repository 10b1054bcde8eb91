"""Parameters of a scenario: values that reach its servers and its verifier as they are written."""

from __future__ import annotations

import math
from typing import Annotated, Any

from pydantic import AfterValidator


def _plain(value: Any) -> Any:
    """Only numbers that JSON can write and 64 bits can hold: of others, each language would make
    something of its own."""
    if isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            _plain(one)
    elif isinstance(value, float) and not math.isfinite(value):
        raise ValueError("must be a finite number")
    elif isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise ValueError("must be a whole number that 64 bits can hold")
    return value


Parameters = dict[str, Annotated[Any, AfterValidator(_plain)]]
"""By name."""
