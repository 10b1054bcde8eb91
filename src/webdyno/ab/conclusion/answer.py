"""The answer of a comparison: its headline, claims and notes, and its exit code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from webdyno.ab.conclusion.about import About, about_run
from webdyno.ab.conclusion.answer_differences import (
    AnswersCompared,
    differences_told,
    notes_on,
)
from webdyno.ab.conclusion.broken import BrokenVersion, broken_of, failures
from webdyno.ab.conclusion.claims import Claim, claims_of
from webdyno.ab.conclusion.headline import headline_of, not_compared
from webdyno.ab.conclusion.remedies import disturbed, why_whole
from webdyno.ab.conclusion.secondary_figures import SecondaryFigure, secondary_figures
from webdyno.ab.conclusion.stop_faults import stop_faults
from webdyno.ab.study.confidence import ALONE, FULL
from webdyno.ab.study.pairing import Pairing
from webdyno.report.numbers import counted
from webdyno.run.comparison.outcome import EXIT_CODES, ComparisonOutcome
from webdyno.store.records import RunRecord
from webdyno.words import listed

A_FAILS = 2
"""Exit code where A does not do its work: there is nothing to compare B with."""


@dataclass(frozen=True)
class ComparisonAnswer:
    """What a comparison says. `headline` is one sentence; `first` is told before it."""

    about: About
    outcome: ComparisonOutcome
    headline: str
    claims: list[Claim]
    secondary_figures: list[SecondaryFigure] = field(default_factory=list)
    broken: list[BrokenVersion] = field(default_factory=list)
    compared: AnswersCompared = field(default_factory=lambda: AnswersCompared(0))
    notes: list[str] = field(default_factory=list)

    @property
    def exit_code(self) -> int:
        """0 no worse, 1 worse, 2 where A does not do its work, 3 not settled."""
        a_fails = any(one.letter == "a" for one in self.broken)
        return A_FAILS if a_fails else EXIT_CODES[self.outcome]

    @property
    def first(self) -> list[str]:
        """What the two answer differently: told first, since a faster wrong answer is no gain."""
        return differences_told(self.compared)


def answer_of(
    pair: Pairing, run: RunRecord, compared: AnswersCompared, broken: Sequence[BrokenVersion] = ()
) -> ComparisonAnswer:
    """What `run` says of the two versions; `compared` and `broken` are what was seen before it."""
    about = about_run(pair, run)
    claims, failed = claims_of(pair, run), list(broken) or broken_of(pair, run)
    if failed and not run.trials:
        why = f"{failed[0].letter.upper()} {failed[0].says}"
        claims = [replace(claim, reason=why) for claim in claims]
    notes = [f"{one.letter.upper()}: {one.caution}" for one in pair.versions if one.caution]
    notes += pair.cautions
    notes += [pair.short] if pair.short and _is_all_that_is_known(claims, failed) else []
    notes += [*failures(pair, run, failed), *limits(run, pair.labels), *stop_faults(pair, run)]
    described = pair.description
    if described.services and any(not verdict.too_few for verdict in run.verdicts):
        notes.append(
            f"each start had its own {listed(list(described.services))} with the same data, so the "
            "versions did not take turns"
        )
    is_left_out = len(described.requests) > 1 and ALONE not in described.kinds()
    if is_left_out and not described.load.kinds and not failed:
        notes.append("for a verdict on each request, give --budget 10m or --load full,steady,alone")
    if not failed and {(one.method, one.path) for one in described.templates()} == {("GET", "/")}:
        notes.append("only GET / was requested; name the requests that matter (`requests`, or -r)")
    return conclude(about, claims, failed, compared, secondary_figures(pair, run), notes)


def _is_all_that_is_known(claims: Sequence[Claim], failed: Sequence[BrokenVersion]) -> bool:
    """Whether a budget that was thought too short stands as it was: what is still needed was not
    measured meanwhile, and no version is broken, which no budget mends."""
    unknown = all(one.outcome == "unmeasured" and one.more_s is None for one in claims)
    return unknown and not failed


def conclude(
    about: About,
    claims: list[Claim],
    broken: list[BrokenVersion],
    compared: AnswersCompared,
    rows: list[SecondaryFigure],
    notes: Sequence[str],
) -> ComparisonAnswer:
    """The answer that all this comes to."""
    outcome, headline = headline_of(about, claims, broken)
    own_notes: list[str] = []
    if not broken:
        own_notes += _unsettled_requests(claims)
        own_notes += _unmeasured(about, claims, headline)
        own_notes += _doubted(about, claims, headline)
    own_notes += notes_on(compared)
    return ComparisonAnswer(
        about, outcome, headline, claims, rows, broken, compared, [*notes, *own_notes]
    )


def _unmeasured(about: About, claims: Sequence[Claim], headline: str) -> Iterator[str]:
    """What is not compared, by the reason, where the headline does not say it."""
    by_reason: dict[str, list[Claim]] = {}
    for claim in claims:
        if claim.outcome == "unmeasured" and claim.reason not in headline:
            by_reason.setdefault(claim.reason, []).append(claim)
    for reason, those in by_reason.items():
        yield not_compared(those, about.rate, reason)


def _doubted(about: About, claims: Sequence[Claim], headline: str) -> Iterator[str]:
    """Whose interval says nothing certain, and why, where the headline does not say it."""
    for claim in claims:
        if claim.doubt and claim.decides and claim.doubt not in headline:
            yield f"the interval of {claim.name_at(about.rate)} is not certain: {claim.doubt}"


def _unsettled_requests(claims: Sequence[Claim]) -> Iterator[str]:
    """That requests by themselves are open, which nothing waits for."""
    single = [claim for claim in claims if claim.request]
    if open_ := sum(claim.outcome == "open" for claim in single):
        yield (
            f"the latency of {open_} of {counted(len(single), 'request')} is not settled; "
            "give a longer --budget"
        )


def limits(run: RunRecord, labels: tuple[str, str]) -> Iterator[str]:
    """What limited the full load, where that was not the service's own CPU; `labels` are the
    entries of A and B."""
    full = [trial for trial in run.trials if trial.load == FULL and trial.status == "ok"]
    kinds = Counter(trial.limit for trial in full)
    waits = 2 * kinds["waiting"] >= max(1, len(full))
    if waits:
        yield (
            "under full load the service waited (for a lock, a pool, a database or a timer), so "
            "its throughput is not limited by its CPU alone"
        )
    if 2 * kinds["service-bound"] >= max(1, len(full)):
        yield (
            "under full load the database was the limit: throughput shows what the database can "
            "do, so compare the versions by CPU per request"
        )
    if 2 * kinds["machine-noise"] >= max(1, len(full)):
        yield disturbed(kinds["machine-noise"], len(full))
    if whole := next((t.setup.turns_note for t in full if t.setup and t.setup.turns_note), ""):
        for letter, label in zip("AB", labels, strict=True):
            whole = whole.replace(label, letter)
        yield f"the versions did not take turns, because {why_whole(whole, waits)}"
