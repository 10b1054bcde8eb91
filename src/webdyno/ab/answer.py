"""The answer in words, and its exit code: worse, no worse, or not settled."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from webdyno.ab.answers import Compared
from webdyno.ab.claims import Beside, Broken, Claim, beside, broken_of, claims_of
from webdyno.ab.pairing import FULL, STEADY, Pairing
from webdyno.catalog import quantity
from webdyno.report.numbers import counted, duration, listed, percent
from webdyno.store.records import RunRecord

Outcome = Literal["no worse", "worse", "not settled"]

EXIT_CODES: dict[Outcome, int] = {"no worse": 0, "worse": 1, "not settled": 3}

MOST_SHOWN = 5.0
"""An interval that reaches further (500%) says nothing."""

MOST_DIFFERENCES = 5
"""Of the answers' differences, those that are told one by one."""


@dataclass(frozen=True)
class About:
    """What was compared, and on what the answer rests."""

    service: str
    told: tuple[str, str]
    """A and B as the user named them."""
    commits: tuple[str, str] = ("", "")
    margin: float = 0.03
    confidence: float = 0.95
    rate: str = ""
    """Of the steady load as it was made, such as `1,200/s`; empty where there was none."""
    spent_s: float = 0.0
    sure: str = ""
    """One sentence: trials, blocks, confidence."""
    run: str = ""
    command: str = ""
    started: datetime | None = None


@dataclass(frozen=True)
class Answer:
    """What a comparison says. `headline` is one sentence; `first` is told before it."""

    about: About
    outcome: Outcome
    headline: str
    claims: list[Claim]
    beside: list[Beside] = field(default_factory=list)
    broken: list[Broken] = field(default_factory=list)
    compared: Compared = field(default_factory=lambda: Compared(0))
    notes: list[str] = field(default_factory=list)

    @property
    def exit_code(self) -> int:
        """0 no worse, 1 worse, 3 not settled."""
        return EXIT_CODES[self.outcome]

    @property
    def first(self) -> list[str]:
        """What the two answer differently: told first, since a faster wrong answer is no gain."""
        return differences_told(self.compared)


def differences_told(compared: Compared) -> list[str]:
    """A line that says so where the answers differ, and one for each of the first differences."""
    found = compared.differences
    if not found:
        return []
    said = [f"The answers differ in {counted(len(found), 'place')}:"]
    said += [f"- {one.sentence()}" for one in found[:MOST_DIFFERENCES]]
    if len(found) > MOST_DIFFERENCES:
        said.append(f"- and {len(found) - MOST_DIFFERENCES} more")
    return said


def answer_of(
    pair: Pairing, run: RunRecord, compared: Compared, broken: Sequence[Broken] = ()
) -> Answer:
    """What `run` says of the two versions; `compared` and `broken` are what was seen before it."""
    about = about_run(pair, run)
    claims = claims_of(pair, run)
    notes = [f"{one.letter.upper()}: {one.caution}" for one in pair.versions if one.caution]
    notes += limits(run)
    judged = [verdict for verdict in run.verdicts if not verdict.too_few]
    if judged and not any(verdict.control for verdict in judged):
        notes.append(
            "there was no time for the control (A against itself), which shows whether the machine "
            "is quiet enough"
        )
    return conclude(
        about, claims, list(broken) or broken_of(pair, run), compared, beside(pair, run), notes
    )


def conclude(
    about: About,
    claims: list[Claim],
    broken: list[Broken],
    compared: Compared,
    rows: list[Beside],
    notes: Sequence[str],
) -> Answer:
    """The answer that all this comes to."""
    outcome, headline = _headline(about, claims, broken)
    told = [] if broken else list(_unmeasured(about, claims, headline))
    if compared.restless:
        shown = listed(compared.restless[:MOST_DIFFERENCES])
        told.append(f"not compared, since A's own two answers differ there: {shown}")
    return Answer(about, outcome, headline, claims, rows, broken, compared, [*notes, *told])


def _unmeasured(about: About, claims: Sequence[Claim], headline: str) -> Iterator[str]:
    """What is not compared, by the reason, where the headline does not say it."""
    names: dict[str, list[str]] = {}
    for claim in claims:
        if claim.outcome == "unmeasured" and claim.reason not in headline:
            names.setdefault(claim.reason, []).append(name_of(claim, about.rate))
    for reason, those in names.items():
        yield f"{listed(those)} {'is' if len(those) == 1 else 'are'} not compared: {reason}"


def about_run(pair: Pairing, run: RunRecord) -> About:
    """What a run compared."""
    a, b = pair.versions
    blocks = 1 + max((trial.block for trial in run.trials), default=-1)
    spent_s = sum(trial.took_s for trial in run.trials)
    confidence, margin = pair.description.confidence, pair.study.margin
    return About(
        service=pair.service,
        told=(a.told, b.told),
        commits=(a.commit, b.commit),
        margin=margin,
        confidence=confidence,
        rate=_steady_rate(run),
        spent_s=spent_s,
        sure=how_sure(counted(len(run.trials), "trial"), blocks, spent_s, confidence, margin)
        if run.trials
        else "Nothing was measured.",
        run=run.id,
        command=run.command,
        started=run.started,
    )


def how_sure(made: str, blocks: int, spent_s: float, confidence: float, margin: float) -> str:
    """On what an answer rests, in a sentence; `made` is such as `24 trials`."""
    return (
        f"{made} in {counted(blocks, 'block')}, {duration(spent_s)}; all intervals hold together "
        f"with {percent(confidence)} confidence; margin {percent(margin)}."
    )


def _headline(
    about: About, claims: Sequence[Claim], broken: Sequence[Broken]
) -> tuple[Outcome, str]:
    failed = {one.letter: one.reason for one in broken}
    if "a" in failed:
        both = " and neither does B" if "b" in failed else ""
        return "not settled", f"A does not do its work{both}: {failed['a']}"
    if "b" in failed:
        return "worse", f"B does not do its work: {failed['b']}"
    by = {
        kind: [claim for claim in claims if claim.outcome == kind]
        for kind in ("worse", "better", "same", "open")
    }
    worse, better = (listed(_by(claim, about.rate) for claim in by[k]) for k in ("worse", "better"))
    if worse:
        faster = f", though faster {better}" if better else ""
        return "worse", f"B is slower than A {worse}{faster}."
    waiting = [claim for claim in by["open"] if claim.decides]
    settled = [claim for claim in [*by["same"], *by["better"]] if claim.decides]
    if waiting or not settled:
        return "not settled", _not_settled(about, waiting, claims)
    if better:
        return "no worse", f"B is faster than A {better}."
    names = listed(name_of(claim, about.rate) for claim in settled)
    said = f"No difference of {percent(about.margin)} or more in {names}"
    return "no worse", f"{said}; one would have been seen."


def _not_settled(about: About, waiting: Sequence[Claim], claims: Sequence[Claim]) -> str:
    margin = percent(about.margin)
    if not waiting:
        why = next((claim.reason for claim in claims if claim.reason), "nothing was measured")
        return f"Not settled: {why}."
    if noisy := next((claim.reason for claim in waiting if claim.reason), ""):
        return f"Not settled: {noisy}."
    said = "Not settled"
    known = [claim.resolves for claim in waiting if claim.resolves is not None]
    if len(known) == len(waiting):
        said += f": this machine resolves {percent(max(known))} in {_minutes(about.spent_s)}"
    more = [claim.more_s for claim in waiting if claim.more_s is not None]
    if len(more) < len(waiting):
        return f"{said}; a quieter machine is needed for {margin}."
    return f"{said}; about {_minutes(max(more))} more for {margin}."


def _steady_rate(run: RunRecord) -> str:
    made = [one.given for one in run.scalings or [] if one.load == STEADY]
    loads = run.study.get("loads", [])
    asked = [
        load.get("phases", [])
        for load in loads
        if load.get("name") == STEADY and not load.get("scale")
    ]
    phases: list[str] = next((found for found in [*made, *asked] if found), [])
    return rate_text(quantity.phase(phases[0]).rate) if phases else ""


def rate_text(rate: float) -> str:
    """A rate as it is told, such as `1,200/s`."""
    return f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.3g}/s"


def name_of(claim: Claim, rate: str) -> str:
    """What a claim is about, such as `CPU per request at 1,200/s`."""
    name = {
        "cpu_us_per_request": "CPU per request",
        "throughput_rps": "throughput",
        "p99_us": "p99 latency",
    }[claim.metric]
    return f"{name} at {rate or 'a steady rate'}" if claim.load == STEADY else name


def size_of(claim: Claim) -> str:
    """How large the difference is, such as `4.6% [3.1, 6.2]`, its sign left out."""
    assert claim.change is not None
    assert claim.low is not None
    assert claim.high is not None
    low, high = claim.low, claim.high
    if claim.change < 0:
        low, high = -high, -low
    return f"{_figure(abs(claim.change))}% [{_figure(low)}, {_figure(high)}]"


def signed(claim: Claim) -> str:
    """The difference with its sign and interval, such as `+4.6% [+3.1, +6.2]`; empty where next to
    nothing is known of it."""
    if claim.change is None or claim.low is None or claim.high is None or claim.high > MOST_SHOWN:
        return ""
    return f"{_signed(claim.change)}% [{_signed(claim.low)}, {_signed(claim.high)}]"


def _by(claim: Claim, rate: str) -> str:
    return f"by {size_of(claim)} in {name_of(claim, rate)}"


def _figure(share: float) -> str:
    if not math.isfinite(share):
        return "∞"
    return f"{100 * share:.1f}" if abs(share) < 1 else f"{100 * share:,.0f}"


def _signed(share: float) -> str:
    text = _figure(abs(share))
    if not float(text.replace(",", "").replace("∞", "1")):
        return text
    return ("+" if share > 0 else "−") + text


def _minutes(seconds: float) -> str:
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{math.ceil(seconds / 60)} min"


def limits(run: RunRecord) -> Iterator[str]:
    """What limited the full load, where that was not the service's own CPU."""
    full = [trial for trial in run.trials if trial.load == FULL and trial.status == "ok"]
    kinds = Counter(trial.bottleneck for trial in full)
    if 2 * kinds["waiting"] >= max(1, len(full)):
        yield (
            "under full load the service waited (for a lock, a pool, a database or a clock), so "
            "more than its CPU limits its throughput"
        )
    if 2 * kinds["machine-noise"] >= max(1, len(full)):
        yield "other programs used the CPU in half of the trials or more"
    if whole := next((t.setup.turns_note for t in full if t.setup and t.setup.turns_note), ""):
        yield f"the versions did not take turns, because {whole}"
