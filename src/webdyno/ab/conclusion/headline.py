"""The outcome of a comparison of two versions, and the sentence that an answer opens with."""

from __future__ import annotations

from collections.abc import Sequence

from webdyno.ab.conclusion.about import About
from webdyno.ab.conclusion.answer_differences import MOST_DIFFERENCES
from webdyno.ab.conclusion.broken import BrokenVersion
from webdyno.ab.conclusion.claims import Claim
from webdyno.ab.conclusion.unsettled import what_is_known
from webdyno.ab.conclusion.words import by_how_much, waited
from webdyno.report.numbers import counted, first_of, percent
from webdyno.run.comparison.outcome import ComparisonOutcome
from webdyno.words import listed

MOST_REQUESTS = 3
"""Of the requests that became slower, those that a sentence names."""


def headline_of(
    about: About, claims: Sequence[Claim], broken: Sequence[BrokenVersion]
) -> tuple[ComparisonOutcome, str]:
    """The outcome, and the sentence that tells it."""
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
            why = f"{known}, but {not_compared(lacking, about.rate, why)}"
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


def not_compared(claims: Sequence[Claim], rate: str, reason: str) -> str:
    """That these are not compared, and why."""
    names = [claim.name_at(rate) for claim in claims]
    verb = "is" if len(names) == 1 else "are"
    return f"{first_of(names, MOST_DIFFERENCES)} {verb} not compared: {reason}"
