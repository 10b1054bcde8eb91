"""Who was proven to lie in a run: one proof in one trial, and no other trial makes up for it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from webdyno.store.records import TrialRecord

Lies = dict[tuple[str, str], str]
"""By scenario and entry, why it is disqualified in all cells of that scenario."""


def disqualifications(trials: Iterable[TrialRecord]) -> Lies:
    """Who is disqualified, and why.

    The entries of an A/A pair are one program: what is proven of one holds for its twin.
    """
    of_program: dict[tuple[str, str, str], list[TrialRecord]] = {}
    for trial in trials:
        of_program.setdefault((trial.scenario, trial.server, trial.variant), []).append(trial)
    found: Lies = {}
    for (scenario, _server, _variant), mine in of_program.items():
        lies = [trial for trial in mine if trial.lie]
        if not lies:
            continue
        how_often = f"{len(lies)} of {len(mine)} trials" if len(mine) > 1 else "its only trial"
        reason = f"disqualified: {lies[0].lie}; seen in {how_often}"
        found.update({(scenario, trial.entry): reason for trial in mine})
    return found


def without_disqualified(trials: Sequence[TrialRecord]) -> list[TrialRecord]:
    """`trials` without those of entries that are disqualified in their scenario."""
    out = disqualifications(trials)
    return [trial for trial in trials if (trial.scenario, trial.entry) not in out]
