"""Versions that do not do their work, by what a run saw of them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from webdyno.ab.study.lab_failures import lab_failures
from webdyno.ab.study.pairing import Pairing
from webdyno.ab.study.port_conflicts import copies_conflict, is_port_conflict
from webdyno.ab.study.statuses import remedy_under_load
from webdyno.report.numbers import counted
from webdyno.store.document import described
from webdyno.store.records import RunRecord, TrialRecord
from webdyno.store.trial import entry_label
from webdyno.trial.assessment.of_the_lab import is_of_the_lab
from webdyno.trial.assessment.unanswered import is_unanswered

CHANCE = 0.05
"""B fails more often than A where this or less is the probability that it does so by chance."""


@described
@dataclass(frozen=True)
class BrokenVersion:
    """A version that does not do its work, and why."""

    letter: str
    """`a` or `b`."""
    reason: str
    """What was wrong, in a line."""
    at: Literal["build", "verification"] = "verification"
    """What it failed at."""

    @property
    def says(self) -> str:
        """What it failed at, as a sentence goes on after its letter."""
        return "could not be built" if self.at == "build" else "fails verification"


def broken_of(pair: Pairing, run: RunRecord) -> list[BrokenVersion]:
    """The versions that could not be built, or failed in half of their trials, or of those of one
    load; and B where it fails in more of its trials than A, by more than chance.

    Both did their work before the run: a single trial that could not be made, or in which an answer
    did not come in time, is the machine's.
    """
    broken = []
    for letter, names, mine in _versions(pair, run):
        left_out = [skipped.reason for skipped in run.skipped if skipped.server in names]
        lies = [trial.lie for trial in mine if trial.lie]
        chance = [one for one in mine if one.status == "error" or is_unanswered(one)]
        own = [one for one in mine if one.status == "failed" and not is_unanswered(one)]
        bad = [*own, *(chance if len(chance) > 1 else [])]
        if left_out:
            broken.append(BrokenVersion(letter, left_out[0], "build"))
            continue
        of_a_load = _failed_under_a_load(own, mine)
        if lies or of_a_load or (bad and 2 * len(bad) >= len(mine)):
            why = (lies + [one.reason for one in of_a_load or bad])[0]
            broken.append(BrokenVersion(letter, f"{why}{remedy_under_load(why)}"))
        elif letter == "b" and (why := _fails_more_often(mine, _of_a(pair, run))):
            broken.append(BrokenVersion(letter, f"{why}{remedy_under_load(why)}"))
    return broken


def _of_a(pair: Pairing, run: RunRecord) -> list[TrialRecord]:
    """A's own trials, with those as its control, which is the same version."""
    return [
        one
        for one in run.trials
        if entry_label(one.server, one.variant) == pair.labels[0] and _is_its_own(one)
    ]


def _fails_more_often(of_b: Sequence[TrialRecord], of_a: Sequence[TrialRecord]) -> str:
    """That B fails in more of its trials than A, and why, where that is hardly chance; else empty.

    By Fisher's exact test, one-sided. It counts blocks, not trials, since those of one block may
    share a start. What fails both alike, such as the machine, is no evidence.
    """
    failed_b, failed_a = ([one for one in made if _is_a_fault(one)] for made in (of_b, of_a))
    if not failed_b:
        return ""
    if _chance(_blocks(failed_b), _blocks(of_b), _blocks(failed_a), _blocks(of_a)) > CHANCE:
        return ""
    other = f"only {len(failed_a)}" if failed_a else "none"
    return (
        f"{len(failed_b)} of {counted(len(of_b), 'trial')} {_verb(failed_b)}, but {other} of A's "
        f"{len(of_a)}, its control's included: {failed_b[0].reason}"
    )


def _blocks(trials: Sequence[TrialRecord]) -> int:
    """In how many blocks they are, where the control's are others than A's."""
    return len({(one.block, one.control) for one in trials})


def _is_a_fault(trial: TrialRecord) -> bool:
    """Whether a trial failed by something else than answers that came too late or what a flag
    tells, which both depend on how busy the machine is."""
    told = any(flag.message in trial.reason for flag in trial.flags)
    return trial.status in ("failed", "error") and not told and not is_unanswered(trial)


def _chance(failed_b: int, made_b: int, failed_a: int, made_a: int) -> float:
    """How probable it is that B has so many of all failures, or more, where each was as likely to
    be A's: the upper tail of the hypergeometric distribution."""
    made, failed = made_a + made_b, failed_a + failed_b
    # In integers: three of three against none of three is 1/20, which is no more than `CHANCE`.
    ways = (
        math.comb(failed, of_b) * math.comb(made - failed, made_b - of_b)
        for of_b in range(failed_b, min(failed, made_b) + 1)
    )
    return sum(ways) / math.comb(made, made_b)


def _failed_under_a_load(
    failed: Sequence[TrialRecord], made: Sequence[TrialRecord]
) -> list[TrialRecord]:
    """The failed trials of the first load of which half failed, two at least: what a version cannot
    do under full load is no less for the other loads that are made. Not those that failed by what a
    flag tells, such as that other programs took the CPU."""
    all_of = Counter(trial.load for trial in made)
    own: dict[str, list[TrialRecord]] = {}
    for trial in failed:
        if not any(flag.message in trial.reason for flag in trial.flags):
            own.setdefault(trial.load, []).append(trial)
    often = (those for load, those in own.items() if 2 * len(those) >= all_of[load])
    return next((those for those in often if len(those) > 1), [])


def failures(pair: Pairing, run: RunRecord, broken: Sequence[BrokenVersion]) -> Iterator[str]:
    """A sentence for each version, and for A as its control, but for those that are `broken`, of
    which some trials did not count: its figures are those of the others, and do not show that it
    fails now and then."""
    told = {one.letter for one in broken}
    made = [(letter, letter.upper(), mine) for letter, _, mine in _versions(pair, run)]
    control = [one for one in run.trials if one.control and _is_its_own(one)]
    for letter, name, mine in [*made, ("a", "A's control", control)]:
        bad = [one for one in mine if one.status in ("failed", "error")]
        # What it did itself first.
        bad.sort(key=lambda one: one.status == "error" or is_unanswered(one))
        if bad and letter not in told:
            yield (
                f"{name}: {len(bad)} of {counted(len(mine), 'trial')} {_verb(bad)} and did not "
                f"count: {bad[0].reason}"
            )


def _verb(bad: Sequence[TrialRecord]) -> str:
    """What became of these trials: one that was not made at all has not failed."""
    verbs = {"failed": "failed", "error": "could not be made"}
    statuses = {one.status for one in bad}
    return " or ".join(verb for status, verb in verbs.items() if status in statuses)


def is_broken_for_good(pair: Pairing, run: RunRecord) -> bool:
    """Whether further trials would only repeat that a version does not do its work: it gave wrong
    answers, or none of its trials counts, of two at least; or that the copies of the service keep
    each other from starting, or the machine keeps all of them from being measured."""
    return (
        copies_conflict(run)
        or bool(lab_failures(pair, run))
        or any(
            any(trial.lie for trial in mine)
            or (len(mine) > 1 and all(trial.status in ("failed", "error") for trial in mine))
            for _, _, mine in _versions(pair, run)
        )
    )


def _versions(pair: Pairing, run: RunRecord) -> Iterator[tuple[str, set[str], list[TrialRecord]]]:
    """The letter of each version, what its build is called, and its trials, without those of A as
    its control, and but for those that failed by the lab alone, or by another copy."""
    for version, label in zip(pair.versions, pair.labels, strict=True):
        names = {label, pair.catalog.server_variant(label).server.build_id}
        mine = [one for one in run.trials if one.entry == label and _is_its_own(one)]
        yield version.letter, names, mine


def _is_its_own(trial: TrialRecord) -> bool:
    """Whether a trial ended by what its version did, or by chance."""
    return not is_of_the_lab(trial) and not is_port_conflict(trial)
