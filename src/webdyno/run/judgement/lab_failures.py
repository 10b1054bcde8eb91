"""Trials that the machine keeps from being made: further ones would only fail as well."""

from __future__ import annotations

from collections.abc import Sequence

from webdyno.store.records import TrialRecord
from webdyno.trial.assessment.of_the_lab import is_of_the_lab
from webdyno.trial.watching.stalls import STOOD

LEAST = 6
"""So many trials. What fails only for a moment works in one of them."""


def none_can_be_made(trials: Sequence[TrialRecord]) -> bool:
    """Whether none of `trials` counts since the load generator could not make a load, or a service
    did not start, in each, and they are enough to tell that the next ones would fail, too."""
    return len(trials) >= LEAST and all(map(fails_for_good, trials))


def fails_for_good(trial: TrialRecord) -> bool:
    """Whether a trial failed by the laboratory, and is likely to fail again: a generator that only
    stood still, since the machine was busy, may have a quieter time."""
    return is_of_the_lab(trial) and all(flag.code != STOOD for flag in trial.flags)
