"""Why an entry is not ranked: its trials did not count, were cold, hit another limit, or served
some connections more than others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from webdyno.generators.spread import UNEVEN
from webdyno.store.records import TrialRecord
from webdyno.verdict.limits.limit import NOT_ITS_OWN

GENERATOR_BOUND = "generator-bound"
"""How the reason begins where the generator was the limit."""


def why_unrankable(label: str, trials: list[TrialRecord]) -> str:
    """Why an entry must not be ranked; empty where it may be."""
    mine = [trial for trial in trials if trial.entry == label]
    bad = [trial for trial in mine if trial.status != "ok"]
    if len(bad) * 2 >= len(mine):
        reasons = Counter(trial.reason for trial in bad)
        which = f"{len(bad)} of {len(mine)} trials" if len(mine) > 1 else "its only trial"
        return f"{which} did not count: {reasons.most_common(1)[0][0]}"
    unmet = [t.search for t in mine if t.search is not None and t.search.kind == "not-met"]
    if len(unmet) * 2 >= len(mine):
        return f"does not meet {unmet[0].objective} at any rate: {unmet[0].reason}"
    lost = [t.search for t in mine if t.search is not None and t.search.found_nothing]
    if len(lost) * 2 >= len(mine):
        return f"no rate was found: {lost[0].reason}"
    bound = _bound(mine)
    if len(bound) * 2 >= len(mine):
        if held := [t.search.capacity_rps for t in bound if t.search is not None]:
            return f"at least {min(held):,.0f}/s: the generator could not send more"
        network = [trial for trial in bound if trial.limit == "network"]
        if len(network) * 2 > len(bound):
            return (
                f"limited by the network in {len(network)} of {len(mine)} trials: "
                f"{network[-1].bottleneck_reason}"
            )
        return (
            f"{GENERATOR_BOUND} in {len(bound)} of {len(mine)} trials: the figure is the "
            "generator's limit, not the server's"
        )
    return ""


def is_limited(label: str, trials: Iterable[TrialRecord]) -> bool:
    """Whether the entry did its work, and the load generator or the network was its limit in half
    of its trials or more: it may do better than its figures say."""
    mine = [trial for trial in trials if trial.entry == label]
    working = [trial for trial in mine if trial.status == "ok"]
    return len(working) * 2 > len(mine) and len(_bound(working)) * 2 >= len(mine)


def _bound(trials: Iterable[TrialRecord]) -> list[TrialRecord]:
    return [trial for trial in trials if trial.limit in NOT_ITS_OWN]


def why_unrankable_by_latency(label: str, trials: list[TrialRecord]) -> str:
    """Why an entry must not be ranked by its median latency, though by other figures; empty where
    it may be."""
    mine = [trial for trial in trials if trial.entry == label and trial.status == "ok"]
    messages = [flag.message for trial in mine for flag in trial.flags if flag.code == UNEVEN]
    if messages and len(messages) * 2 >= len(mine):
        return f"in {len(messages)} of {len(mine)} trials {messages[-1]}"
    return ""


def still_warming(trials: list[TrialRecord], least: int) -> dict[str, str]:
    """Entries of a cell that worked, but of which fewer than `least` trials were shown to be those
    of a warm server, while the number that worked would have been enough; with the reason.

    Not those that would not be ranked if they were warm: no warm-up settles their place.
    """
    found: dict[str, str] = {}
    for label in dict.fromkeys(trial.entry for trial in trials):
        good = [t for t in trials if t.entry == label and t.status == "ok"]
        cold = [trial for trial in good if not trial.is_evidence]
        steady = len(good) - len(cold)
        too_few = cold and (not steady or (steady < least <= len(good)))
        if too_few and not why_unrankable(label, trials):
            last = cold[-1]
            why = last.not_steady or (last.warmup.reason if last.warmup else "")
            found[label] = f"still warming in {len(cold)} of {len(good)} trials" + (
                f": {why}" if why else ""
            )
    return found
