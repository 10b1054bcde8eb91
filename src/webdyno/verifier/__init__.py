"""Proof that servers do the same work: what a scenario's `verifier.py` builds on.

A scenario defines `class Scenario(Verifier)` and says, claim by claim, what it saw. See
docs/add-a-scenario.md.
"""

from webdyno.verifier.base import Restart, Verifier, media_problem
from webdyno.verifier.probe import Ask, Probe
from webdyno.verifier.records import (
    Breakdown,
    Change,
    Evidence,
    Excess,
    Mismatch,
    Preparation,
    Sample,
    Spent,
    as_excess,
)
from webdyno.verifier.sibling_module import beside

__all__ = [
    "Ask",
    "Breakdown",
    "Change",
    "Evidence",
    "Excess",
    "Mismatch",
    "Preparation",
    "Probe",
    "Restart",
    "Sample",
    "Spent",
    "Verifier",
    "as_excess",
    "beside",
    "media_problem",
]
