"""Whether a trial failed by the laboratory alone, which says nothing against its server."""

from __future__ import annotations

from webdyno.store.records import TrialRecord
from webdyno.trial.watching.stalls import STOOD

GENERATOR_FAILED, SERVICE_FAILED = "generator-failed", "service-failed"
"""Codes of the flags of a trial whose load the generator could not make, and of one that a service
was not started for."""

_STATUSES = {STOOD: "failed", GENERATOR_FAILED: "error", SERVICE_FAILED: "error"}
"""What a trial is that has such a flag, and nothing else against it."""


def is_of_the_lab(trial: TrialRecord) -> bool:
    """Whether a trial has no figure for no other reason than that the load generator stood still
    or could not make the load, or that a service did not start."""
    return not trial.lie and any(
        _STATUSES.get(flag.code) == trial.status and flag.message == trial.reason
        for flag in trial.flags
    )
