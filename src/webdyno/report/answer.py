"""The answer in words, and how sure it is: derived from the verdicts and nothing else."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webdyno.report import machine_blocks, metrics, summary
from webdyno.report.numbers import counted, interval, listed, percent, ratio

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from webdyno.store.records import RunRecord
    from webdyno.store.verdicts import RatioRecord, VerdictRecord


FEW = 3
"""More verdicts, scopes or names than this are counted in a headline, not named one by one."""

LONGEST = 160
"""Characters of a headline: two lines of a terminal. What it leaves out stands in the parts."""


@dataclass(frozen=True)
class Answer:
    """`headline` is one short sentence; `parts` holds (scope, sentence) of every verdict where the
    headline does not say it all, else nothing."""

    headline: str
    parts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Control:
    """The A/A control of one verdict: `ok` where it saw no difference between equals, `narrow`
    where none beyond the margin could have been missed."""

    ok: bool
    narrow: bool
    text: str
    scope: str


def answer(run: RunRecord) -> Answer:
    """The answer to the run's question."""
    if not run.verdicts:
        good = sum(trial.status == "ok" for trial in run.trials)
        return Answer(f"No answer yet: {counted(good, 'good trial')}, too few to compare.")
    parts = tuple((_scope(run, verdict), sentence(verdict)) for verdict in run.verdicts)
    if len(parts) > 1:
        return Answer(_headline(run), parts)
    whole = parts[0][1]
    if len(whole) <= LONGEST:
        return Answer(whole)
    return Answer(_only_headline(run.verdicts[0]), parts)


def sentence(verdict: VerdictRecord) -> str:
    """What one verdict says, with the ratio to the next best, ties, and who is not ranked."""
    ties = [
        f"{listed(group)} {tie_words(verdict, group)}"
        for group in verdict.groups[1:]
        if len(group) > 1
    ]
    return "; ".join([_lead(verdict), *ties, *_left_out(verdict)]) + "."


def controls(run: RunRecord) -> list[Control]:
    """The A/A control of each verdict that has one."""
    found = []
    for verdict in run.verdicts:
        if verdict.control is not None:
            seen = verdict.control
            ok = seen.low <= 1.0 <= seen.high
            text = f"{ratio(seen.estimate)} {interval(seen.low, seen.high)}"
            narrow = seen.outcome == "equal"
            found.append(Control(ok, narrow, text, _scope(run, verdict)))
    return found


def cautions(run: RunRecord) -> list[str]:
    """What a reader must know before believing the answer, most important first."""
    found = []
    if run.status == "interrupted":
        found.append("The run was interrupted: it concludes from the blocks that were finished.")
    if run.status == "failed":
        found.append("The run failed: it concludes from the trials that were finished.")
    if run.status == "running":
        found.append("The run is not finished: this is what it knows so far.")
    found += [
        f"The A/A control failed in {control.scope}: the same server, entered twice, differed by "
        f"{control.text}. Do not believe differences of that size; repeat the run on a quieter "
        "machine."
        for control in controls(run)
        if not control.ok
    ]
    found += _unsettled(run) + _disturbed(run) + _never_steady(run)
    found += machine_blocks.cautions(run)
    bad = sum(trial.status != "ok" for trial in run.trials)
    if bad:
        found.append(f"{bad} of {counted(len(run.trials), 'trial')} did not count; see the trials.")
    if "shared core" in run.placement:
        found.append(f"Cores were shared: {run.placement}.")
    return found


def _unsettled(run: RunRecord) -> list[str]:
    scopes = [_scope(run, verdict) for verdict in run.verdicts if not verdict.settled]
    if not scopes:
        return []
    blocks = max(verdict.blocks for verdict in run.verdicts if not verdict.settled)
    where = _where(scopes, len(run.verdicts))
    return [
        f"Not settled in {where} after {counted(blocks, 'block')}: more of them (--budget) may "
        "separate more."
    ]


def _disturbed(run: RunRecord) -> list[str]:
    """Told where a tenth of the trials or more were slowed by something outside the study."""
    noisy = sum(trial.bottleneck == "machine-noise" for trial in run.trials)
    if not noisy or noisy * 10 < len(run.trials):
        return []
    return [
        f"{noisy} of {counted(len(run.trials), 'trial')} were disturbed: other programs, or the "
        "host, used the cores meanwhile. Repeat the run on a quiet machine."
    ]


def _never_steady(run: RunRecord) -> list[str]:
    """A verdict of its own: told of every entry that mostly was not steady when measured."""
    found: dict[str, list[str]] = {}
    for verdict in run.verdicts:
        for entry, warmup in verdict.warmups.items():
            where = found.setdefault(_scope(run, verdict), [])
            if warmup.never_steady and entry not in where:
                where.append(entry)
    return [
        f"Never steady in {scope}: {listed(entries)}. What was measured still changed; allow a "
        "longer warm-up (warmup.max), and see the curves."
        for scope, entries in found.items()
        if entries
    ]


def tie_words(verdict: VerdictRecord, group: Sequence[str]) -> str:
    """What a shared place means: `are tied (within 3%)` where equality was shown for every pair,
    `could not be told apart` where no pair was separated, `could not all be told apart` where a
    chain of ties joins entries of which some were."""
    words = _outcomes(verdict, group)
    if words == {"equal"}:
        return f"are tied (within {percent(verdict.margin)})"
    return f"could not {'all ' if words & {'faster', 'slower'} else ''}be told apart"


def _outcomes(verdict: VerdictRecord, group: Sequence[str]) -> set[str]:
    """How the pairs within `group` ended."""
    found = set()
    for index, one in enumerate(group):
        for other in group[index + 1 :]:
            pair = summary.find_ratio(verdict, one, other)
            found.add(pair.outcome if pair is not None else "not separated")
    return found


def _headline(run: RunRecord) -> str:
    best = [verdict.groups[0] if verdict.groups else [] for verdict in run.verdicts]
    names = {verdict.metric for verdict in run.verdicts}
    scopes = [_scope(run, verdict) for verdict in run.verdicts]
    if len(names) == 1 and len(best[0]) == 1 and all(group == best[0] for group in best):
        words = metrics.metric(run.verdicts[0].metric).best
        how_many = "both" if len(scopes) == 2 else f"all {len(scopes)}"
        some = any(verdict.not_ranked for verdict in run.verdicts)
        ranked = " of those that could be ranked" if some else ""
        which = f": {listed(scopes)}" if len(scopes) <= FEW else " comparisons"
        return f"{best[0][0]} {words}{ranked} in {how_many}{which}."
    if all(len(v.groups) == 1 and len(v.groups[0]) > 1 for v in run.verdicts):
        all_said = {tie_words(verdict, verdict.groups[0]) for verdict in run.verdicts}
        said = all_said.pop() if len(all_said) == 1 else "could not all be told apart"
        every = "any of" if said.startswith("could not") else "all"
        where = listed(scopes) if len(scopes) <= FEW else f"{every} {len(scopes)} comparisons"
        return f"The servers {said} in {where}."
    if len(run.verdicts) <= FEW:
        text = "; ".join(_short(v, s) for v, s in zip(run.verdicts, scopes, strict=True))
        if len(text) < LONGEST:
            return f"{text[0].upper()}{text[1:]}."
    return _tally(run)


def _only_headline(verdict: VerdictRecord) -> str:
    """Of a single verdict whose sentence is too long: who leads, and how many are not ranked."""
    left = len(verdict.not_ranked)
    more = [f"{left} {'is' if left == 1 else 'are'} not ranked"] if left else []
    return "; ".join([_lead(verdict, _few), *more]) + "."


def _tally(run: RunRecord) -> str:
    """How often each entry is first, where there are too many verdicts to name: by the study's
    first metric, under its sound loads where it has any."""
    metric = run.verdicts[0].metric
    published = {
        load.get("name")
        for load in run.study.get("loads", [])
        if load.get("method") == "as-published"
    }
    mine = [verdict for verdict in run.verdicts if verdict.metric == metric]
    mine = [verdict for verdict in mine if verdict.load not in published] or mine
    if len(mine) == 1:
        return _only_headline(mine[0])
    firsts = Counter(
        verdict.groups[0][0]
        for verdict in mine
        if verdict.groups and len(verdict.groups[0]) == 1 and len(verdict.groups) > 1
    )
    title = metrics.metric(metric).title.lower()
    shared = len(mine) - firsts.total()
    leaders = firsts.most_common()
    shown = leaders if len(leaders) <= FEW + 1 else leaders[:FEW]
    parts = [f"{entry} leads {count}" for entry, count in shown]
    if others := leaders[len(shown) :]:
        parts.append(f"{len(others)} others lead {sum(count for _, count in others)}")
    parts += [f"{'in' if parts else 'in all'} {shared} nobody leads alone"] if shared else []
    return f"Of {counted(len(mine), 'comparison')} by {title}, {listed(parts)}."


def _short(verdict: VerdictRecord, scope: str) -> str:
    if not verdict.groups:
        return f"in {scope}, nothing could be ranked"
    first = verdict.groups[0]
    if len(verdict.groups) == 1 and len(first) > 1:
        return f"in {scope}, no difference was found"
    if len(first) > 1:
        return f"in {scope}, {_few(first)} share the first place"
    # An entry that is not ranked may well be the better one: its limit was not its own.
    count = sum(map(len, verdict.groups))
    some = f" of the {count} that could be ranked" if verdict.not_ranked else ""
    return f"in {scope}, {first[0]} {metrics.metric(verdict.metric).best}{some}"


def _lead(verdict: VerdictRecord, names: Callable[[Sequence[str]], str] = listed) -> str:
    """Who is first and by how much; `names` says how a group is named."""
    if not verdict.groups:
        return "Nothing could be ranked"
    first = verdict.groups[0]
    if len(verdict.groups) == 1:
        if len(first) == 1:
            return f"Only {first[0]} could be ranked, so there is nothing to compare it with"
        return f"{names(first)} {tie_words(verdict, first)}"
    words = metrics.metric(verdict.metric).beats
    rival = verdict.groups[1]
    found = _smallest(verdict, first, rival)
    by = f" by {ratio(found.estimate)} {interval(found.low, found.high)}" if found else ""
    if len(first) == 1:
        return f"{first[0]} {words} the next best, {names(rival)},{by}"
    several = words.replace("is ", "are ", 1).replace("has ", "have ", 1).replace("needs", "need")
    more = " or more" if found else ""
    return f"{names(first)} {tie_words(verdict, first)} and {several} {names(rival)}{by}{more}"


def _smallest(
    verdict: VerdictRecord, first: Sequence[str], rival: Sequence[str]
) -> RatioRecord | None:
    """The smallest lead of any of `first` over any of `rival`: the one that is safe to state."""
    pairs = (summary.find_ratio(verdict, a, b) for a in first for b in rival)
    known = [pair for pair in pairs if pair is not None and math.isfinite(pair.estimate)]
    return min(known, key=lambda pair: pair.estimate, default=None)


def _left_out(verdict: VerdictRecord) -> list[str]:
    by_reason: dict[str, list[str]] = {}
    for left in verdict.not_ranked:
        by_reason.setdefault(left.reason, []).append(left.entry)
    return [
        f"{listed(entries)} {'is' if len(entries) == 1 else 'are'} not ranked ({reason})"
        for reason, entries in by_reason.items()
    ]


def _few(names: Sequence[str]) -> str:
    """The names in a headline; of many the first, and how many more there are."""
    if len(names) <= FEW + 1:
        return listed(names)
    return listed([*names[:FEW], f"{len(names) - FEW} more"])


def _where(scopes: Sequence[str], of: int) -> str:
    """The scopes in a sentence; many are counted, among `of` in all."""
    return listed(scopes) if len(scopes) <= FEW else f"{len(scopes)} of {of} comparisons"


def _scope(run: RunRecord, verdict: VerdictRecord) -> str:
    name = summary.scope(run, verdict.scenario, verdict.load)
    if len({v.metric for v in run.verdicts}) < 2:
        return name
    return f"{name} by {metrics.metric(verdict.metric).title.lower()}"
