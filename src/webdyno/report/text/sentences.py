"""What one verdict says, in words: derived from it and nothing else."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from webdyno.report import metrics, pooled, summary
from webdyno.report.numbers import is_or_are, percent, with_interval
from webdyno.report.text import disqualified
from webdyno.report.too_few_blocks import too_few_blocks
from webdyno.words import listed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from webdyno.store.records import RunRecord
    from webdyno.store.verdicts import VerdictRecord

FEW = 3
"""More verdicts, scopes or names than this are counted in a headline, not named one by one."""


def sentence(verdict: VerdictRecord, told: VerdictRecord | None = None) -> str:
    """What one verdict says, with the ratio to the next best, ties, and who is not ranked, except
    where `told`, shown above it, leaves out the same for the same reason."""
    above = left_out(told) if told is not None else []
    left = [one for one in left_out(verdict) if one not in above]
    if lacking := too_few_blocks(verdict):
        return "; ".join([lacking[0].upper() + lacking[1:], *left]) + "."
    ties = [
        f"{listed(group)} {tie_words(verdict, group)}"
        for group in verdict.groups[1:]
        if len(group) > 1
    ]
    return "; ".join([_lead(verdict), *ties, *left]) + "."


def lead(verdict: VerdictRecord) -> str:
    """Who is first in one verdict and by how much, in a short sentence, and how many are not
    ranked."""
    told_apart = {*verdict.still_warming, *verdict.disqualified}
    left = len(verdict.not_ranked) - len(told_apart)
    more = [f"{left} {'is' if left == 1 else 'are'} not ranked"] if left else []
    liars = disqualified.clause(verdict)
    return "; ".join([_lead(verdict, _few), *liars, *_warming(verdict), *more]) + "."


def short(verdict: VerdictRecord, scope: str) -> str:
    """What one of several verdicts says, in a clause that begins with its `scope`."""
    if not verdict.groups:
        return f"in {scope}, nothing could be ranked"
    first = verdict.groups[0]
    if verdict.is_alone:
        return f"in {scope}, only {first[0]} could be ranked"
    if len(verdict.groups) == 1 and len(first) > 1:
        return f"in {scope}, no difference was found"
    if len(first) > 1:
        leaders = verdict.leaders
        return f"in {scope}, {_few(leaders)} lead and {tie_words(verdict, leaders)}"
    # An entry that is not ranked may well be the better one: its limit was not its own.
    count = sum(map(len, verdict.groups))
    some = f" of the {count} that could be ranked" if verdict.not_ranked else ""
    return f"in {scope}, {first[0]} {metrics.metric(verdict.metric).best}{some}"


def tie_words(verdict: VerdictRecord, group: Sequence[str]) -> str:
    """What a tie means: `could not be told apart (each held ...)` where more was not asked
    of them, `are tied (within 3%)` where equality was shown for every pair, `could not be told
    apart` where no pair was separated, `could not all be told apart` where a chain of ties joins
    entries of which some were."""
    if set(group) <= set(verdict.at_least):
        return "could not be told apart (each held all that was asked of it)"
    words = _outcomes(verdict, group)
    if words == {"equal"}:
        return f"are tied (within {percent(verdict.margin)})"
    return f"could not {'all ' if words & {'faster', 'slower'} else ''}be told apart"


def _outcomes(verdict: VerdictRecord, group: Sequence[str]) -> set[str]:
    """How the pairs within `group` ended."""
    found = set()
    for index, one in enumerate(group):
        for other in group[index + 1 :]:
            pair = pooled.find_ratio(verdict, one, other)
            found.add(pair.outcome if pair is not None else "not separated")
    return found


def _lead(verdict: VerdictRecord, names: Callable[[Sequence[str]], str] = listed) -> str:
    """Who is first and by how much; `names` says how a group is named."""
    if not verdict.groups:
        return "Nothing could be ranked"
    first = verdict.groups[0]
    if len(verdict.groups) == 1:
        if verdict.is_alone:
            return f"Only {first[0]} could be ranked, so there is nothing to compare it with"
        return _shared(verdict, names)
    words = metrics.metric(verdict.metric).beats
    rival = verdict.groups[1]
    found = _smallest(verdict, first, rival)
    by = f" by {with_interval(*found)}" if found else ""
    if len(first) == 1:
        return f"{first[0]} {words} the next best, {names(rival)},{by}"
    several = words.replace("is ", "are ", 1).replace("has ", "have ", 1).replace("needs", "need")
    more = " or more" if found else ""
    ends = "; all" if _joined(verdict) else " and"
    return f"{_shared(verdict, names)}{ends} {several} {names(rival)}{by}{more}"


def _joined(verdict: VerdictRecord) -> list[str]:
    """Entries of the first group that one of its leaders beats and a tie with another joins."""
    leaders = verdict.leaders
    return [one for one in verdict.groups[0] if one not in leaders]


def _shared(verdict: VerdictRecord, names: Callable[[Sequence[str]], str]) -> str:
    """Who shares the first place, and who is only joined to them by a chain of ties."""
    joined = _joined(verdict)
    if not joined:
        return f"{names(verdict.groups[0])} {tie_words(verdict, verdict.groups[0])}"
    leaders = verdict.leaders
    near = [
        leader
        for leader in leaders
        if not _outcomes(verdict, [leader, joined[0]]) & {"faster", "slower"}
    ]
    from_whom = names(near) if near and len(joined) == 1 else "all of them"
    return (
        f"{names(leaders)} {tie_words(verdict, leaders)};"
        f" {names(joined)} could not be told apart from {from_whom}"
    )


def _smallest(
    verdict: VerdictRecord, first: Sequence[str], rival: Sequence[str]
) -> tuple[float, float, float] | None:
    """The smallest lead of any of `first` over any of `rival`, with its interval: the one that is
    safe to state. Which pair's it is, is not known: it is at least the lowest of the lower
    ends, and at most the lowest of the upper ends, since all intervals hold together."""
    pairs = (pooled.find_ratio(verdict, a, b) for a in first for b in rival)
    known = [pair for pair in pairs if pair is not None and math.isfinite(pair.estimate)]
    if not known:
        return None
    estimate = min(pair.estimate for pair in known)
    return estimate, min(pair.low for pair in known), min(pair.high for pair in known)


def left_out(verdict: VerdictRecord) -> list[str]:
    """Who is not settled because it was still warming, and who is not ranked, with the reasons."""
    by_reason: dict[str, list[str]] = {}
    told_apart = {*verdict.still_warming, *verdict.disqualified}
    for left in verdict.not_ranked:
        if left.entry not in told_apart:
            by_reason.setdefault(left.reason, []).append(left.entry)
    return [*disqualified.sentences(verdict), *_warming(verdict)] + [
        f"{listed(entries)} {is_or_are(entries)} not ranked ({reason})"
        for reason, entries in by_reason.items()
    ]


def _warming(verdict: VerdictRecord) -> list[str]:
    """Who was still warming; why stands beside its figure."""
    entries = [entry for entry in verdict.still_warming if not entry.endswith("(control)")]
    return [f"{_few(entries)} {is_or_are(entries)} not settled: still warming"] if entries else []


def _few(names: Sequence[str]) -> str:
    """The names in a headline; of many the first, and how many more there are."""
    if len(names) <= FEW + 1:
        return listed(names)
    return listed([*names[:FEW], f"{len(names) - FEW} more"])


def scope_of(run: RunRecord, verdict: VerdictRecord) -> str:
    """Name a verdict as briefly as is clear."""
    name = summary.scope(run, verdict.scenario, verdict.load)
    if len({v.metric for v in run.verdicts}) < 2:
        return name
    return f"{name} by {metrics.metric(verdict.metric).within}"
