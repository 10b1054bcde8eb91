"""What is known where a comparison is not settled, in a sentence: the narrow, then the wide."""

from __future__ import annotations

from collections.abc import Sequence

from webdyno.ab.conclusion.claims import Claim
from webdyno.ab.conclusion.words import MOST_SHOWN, by_how_much
from webdyno.report.numbers import bare_percent, percent, signed_interval
from webdyno.words import listed

NEAR = 2.0
"""An interval that reaches further than the narrowest by this factor is told apart from it."""


def what_is_known(
    waiting: Sequence[Claim], settled: Sequence[Claim], margin: float, rate: str
) -> str:
    """What is known of the comparisons that a verdict waits for and of those that are `settled`,
    such as `B differs from A by at most 5.0% [−2.7, +5.0] in CPU per request, but may differ by up
    to 26.4% in CPU per request at 160/s`.

    It says what the intervals say, which hold together, and nothing of those that the control does
    not bear out.
    """
    known = [claim for claim in waiting if _is_known(claim)]
    unknown = [claim.name_at(rate) for claim in waiting if claim not in known]
    known_part = _settled(settled, margin, rate)
    near: list[Claim] = []
    if known and not known_part:
        narrowest = min(map(_bound, known))
        near = [claim for claim in known if _bound(claim) <= NEAR * narrowest]
        sizes = (f"{_percent(one)} {_interval(one)} in {one.name_at(rate)}" for one in near)
        known_part = f"B differs from A by at most {listed(sizes)}"
    open_ = []
    if far := [claim for claim in known if claim not in near]:
        verb = "may differ" if known_part.startswith("B ") else "B may differ from A"
        sizes = (f"{_percent(one)} in {one.name_at(rate)}" for one in far)
        open_.append(f"{verb} by up to {listed(sizes)}")
    if unknown:
        open_.append(f"nothing certain is known about {listed(unknown)}")
    if not known_part:
        return "nothing certain is known yet"
    return f"{known_part}, but {', and '.join(open_)}" if open_ else known_part


def _settled(settled: Sequence[Claim], margin: float, rate: str) -> str:
    better = [by_how_much(claim, rate) for claim in settled if claim.outcome == "better"]
    same = [claim.name_at(rate) for claim in settled if claim.outcome == "same"]
    parts = [f"B is faster than A {listed(better)}"] if better else []
    if same:
        none = f"no difference of {percent(margin)} or more in {listed(same)}"
        parts.append(f"with {none}" if better else none)
    return ", ".join(parts)


def _is_known(claim: Claim) -> bool:
    """Not where its interval is too wide to say anything, or A differs from itself."""
    bounded = claim.low is not None and claim.high is not None and _bound(claim) <= MOST_SHOWN
    return bounded and not claim.doubt


def _interval(claim: Claim) -> str:
    return signed_interval(claim.low or 0.0, claim.high or 0.0)


def _percent(claim: Claim) -> str:
    return f"{bare_percent(_bound(claim))}%"


def _bound(claim: Claim) -> float:
    """The largest difference that its interval holds."""
    return max(abs(claim.low or 0.0), abs(claim.high or 0.0))
