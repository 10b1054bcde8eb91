"""What the studies of `ab` and `gate` are called: their runs are found again by these names.

Users may call studies of their own like that: what made a run, its record tells (`made_by`).
"""

from __future__ import annotations

_AB = "ab-"
_GATE = "gate-"
_LONGEST = 100


def of_ab(service: str) -> str:
    """The study in which `ab` compares two versions of a service."""
    return f"{_AB}{service}"


def of_gate(study: str) -> str:
    """The study of a gate that measures the servers of `study` beside a baseline."""
    return f"{_GATE}{study}"[:_LONGEST]
