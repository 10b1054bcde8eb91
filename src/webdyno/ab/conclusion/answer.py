"""The answer in words, and its exit code: worse, no worse, or not settled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal

from webdyno.ab.conclusion.answers import (
    MOST_DIFFERENCES,
    AnswersCompared,
    differences_told,
    notes_on,
)
from webdyno.ab.conclusion.broken import BrokenVersion, broken_of, failures
from webdyno.ab.conclusion.claims import Claim, claims_of
from webdyno.ab.conclusion.remedies import disturbed, why_whole
from webdyno.ab.conclusion.secondary_figures import SecondaryFigure, secondary_figures
from webdyno.ab.conclusion.stop_faults import stop_faults
from webdyno.ab.conclusion.unsettled import what_is_known
from webdyno.ab.conclusion.words import by_how_much, rate_text, waited
from webdyno.ab.study.confidence import ALONE, FULL, STEADY
from webdyno.ab.study.pairing import Pairing
from webdyno.catalog.terms import quantity
from webdyno.report.numbers import counted, duration, first_of, listed, percent
from webdyno.store.records import RunRecord

Outcome = Literal["no worse", "worse", "not settled"]

EXIT_CODES: dict[Outcome, int] = {"no worse": 0, "worse": 1, "not settled": 3}

A_FAILS = 2
"""Exit code where A does not do its work: there is nothing to compare B with."""

NOTHING = "Nothing was measured."

MOST_REQUESTS = 3
"""Of the requests that became slower, those that a sentence names."""


@dataclass(frozen=True)
class About:
    """What was compared, and on what the answer rests."""

    service: str
    names: tuple[str, str]
    """A and B as the user named them."""
    commits: tuple[str, str] = ("", "")
    margin: float = 0.03
    confidence: float = 0.95
    rate: str = ""
    """Of the steady load as it was made, such as `1,200/s`; empty where there was none."""
    spent_s: float = 0.0
    evidence: str = ""
    """One sentence: trials, blocks, confidence."""
    run: str = ""
    command: str = ""
    started: datetime | None = None


@dataclass(frozen=True)
class ComparisonAnswer:
    """What a comparison says. `headline` is one sentence; `first` is told before it."""

    about: About
    outcome: Outcome
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
    outcome, headline = _headline(about, claims, broken)
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
        yield _not_compared(those, about.rate, reason)


def _not_compared(claims: Sequence[Claim], rate: str, reason: str) -> str:
    names = [claim.name_at(rate) for claim in claims]
    verb = "is" if len(names) == 1 else "are"
    return f"{first_of(names, MOST_DIFFERENCES)} {verb} not compared: {reason}"


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


def about_run(pair: Pairing, run: RunRecord) -> About:
    """What a run compared."""
    a, b = pair.versions
    blocks = 1 + max((trial.block for trial in run.trials), default=-1)
    spent_s = sum(trial.took_s for trial in run.trials)
    confidence, margin = pair.description.confidence, pair.study.margin
    return About(
        service=pair.service,
        names=(a.name, b.name),
        commits=(a.commit, b.commit),
        margin=margin,
        confidence=confidence,
        rate=_steady_rate(run),
        spent_s=spent_s,
        evidence=evidence_sentence(
            counted(len(run.trials), "trial"), blocks, spent_s, confidence, margin
        )
        if run.trials
        else NOTHING,
        run=run.id,
        command=run.command,
        started=run.started,
    )


def evidence_sentence(
    repetitions: str, blocks: int, spent_s: float, confidence: float, margin: float
) -> str:
    """On what an answer rests, in a sentence; `repetitions` is such as `24 trials`."""
    return (
        f"{repetitions} in {counted(blocks, 'block')}, {duration(spent_s)}; all intervals hold "
        f"together with {percent(confidence)} confidence; margin {percent(margin)}; A and B are "
        "medians; differences rest on geometric means."
    )


def _headline(
    about: About, claims: Sequence[Claim], broken: Sequence[BrokenVersion]
) -> tuple[Outcome, str]:
    failed = {one.letter: one for one in broken}
    if a := failed.get("a"):
        both = f", and B {failed['b'].says}" if "b" in failed else ""
        return "not settled", f"A {a.says}{both}: {a.reason}"
    if b := failed.get("b"):
        return "worse", f"B {b.says}: {b.reason}"
    by = {
        kind: [claim for claim in claims if claim.outcome == kind]
        for kind in ("worse", "better", "same", "open")
    }
    worse, better = (_by_how_much(about, by[kind]) for kind in ("worse", "better"))
    if worse:
        faster = f", though faster {better}" if better else ""
        return "worse", f"B is slower than A {worse}{faster}."
    waiting = [claim for claim in by["open"] if claim.decides]
    settled = [claim for claim in [*by["same"], *by["better"]] if claim.decides]
    lacking = [claim for claim in claims if claim.outcome == "unmeasured" and claim.decides]
    if waiting or lacking or not settled:
        return "not settled", _not_settled(about, waiting, settled, claims)
    if better:
        return "no worse", f"B is faster than A {better}."
    names = listed(claim.name_at(about.rate) for claim in settled)
    sentence = f"No difference of {percent(about.margin)} or more in {names}"
    return "no worse", f"{sentence}; one would have been seen."


def _by_how_much(about: About, claims: Sequence[Claim]) -> str:
    """All that is said of all requests, then the requests that changed most."""
    single = sorted((c for c in claims if c.request), key=lambda c: -abs(c.change or 0.0))
    named = [*(c for c in claims if not c.request), *single[:MOST_REQUESTS]]
    sizes = [by_how_much(claim, about.rate) for claim in named]
    if (more := len(single) - MOST_REQUESTS) > 0:
        sizes.append(f"in that of {counted(more, 'more request')}")
    return listed(sizes)


def _not_settled(
    about: About, waiting: Sequence[Claim], settled: Sequence[Claim], claims: Sequence[Claim]
) -> str:
    margin = percent(about.margin)
    if not waiting:
        lacking = [claim for claim in claims if claim.outcome == "unmeasured" and claim.decides]
        why = next(
            (one.reason for one in (lacking or claims) if one.reason), "nothing was measured"
        )
        if settled:
            known = what_is_known([], settled, about.margin, about.rate)
            why = f"{known}, but {_not_compared(lacking, about.rate, why)}"
        more = [claim.more_s for claim in lacking if claim.more_s is not None]
        for_them = f"; about {waited(max(more))} more are needed" if more else ""
        return f"Not settled: {why}{for_them}."
    if noisy := next((claim.reason for claim in waiting if claim.reason), ""):
        return f"Not settled: {noisy}."
    sentence = f"Not settled: {what_is_known(waiting, settled, about.margin, about.rate)}"
    more = [claim.more_s for claim in waiting if claim.more_s is not None]
    if len(more) < len(waiting):
        return f"{sentence}; a quieter machine is needed for {margin}."
    return f"{sentence}; about {waited(max(more))} more are needed for {margin}."


def _steady_rate(run: RunRecord) -> str:
    fitted = [one.given for one in run.fitted_loads or [] if one.load == STEADY]
    stated = [load.phases for load in run.study.loads if load.name == STEADY and not load.scale]
    phases: list[str] = next((given for given in [*fitted, *stated] if given), [])
    return rate_text(quantity.phase(phases[0]).rate) if phases else ""


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
