"""What the studies of `ab` and `gate` are called: their runs are found again by these names."""

from __future__ import annotations

_AB = "ab-"
_GATE = "gate-"
_LONGEST = 100


def of_ab(service: str) -> str:
    """The study in which `ab` compares two versions of a service."""
    return f"{_AB}{service}"


def is_of_ab(study: str) -> bool:
    """Whether a study is one of `ab`."""
    return study.startswith(_AB)


def of_gate(study: str) -> str:
    """The study of a gate that measures the servers of `study` beside a baseline."""
    return f"{_GATE}{study}"[:_LONGEST]


def is_of_gate(study: str) -> bool:
    """Whether a study is one of a gate beside a baseline."""
    return study.startswith(_GATE)
