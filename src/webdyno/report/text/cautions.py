"""What a reader must know before believing an answer, and how its A/A controls ended."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webdyno.report import summary
from webdyno.report.numbers import counted, percent, with_interval
from webdyno.report.text import disqualified, machine_blocks, not_measured
from webdyno.report.text.sentences import FEW, scope_of
from webdyno.run.judgement.figures import least_of
from webdyno.words import listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webdyno.store.records import RunRecord
    from webdyno.store.verdicts import VerdictRecord


@dataclass(frozen=True)
class Control:
    """The A/A control of one verdict: `ok` where it saw no difference between equals, `narrow`
    where none beyond the margin could have been missed. `reach` is the factor of the difference
    that its interval does not exclude: the larger, the worse."""

    ok: bool
    narrow: bool
    reach: float
    text: str
    scope: str

    @property
    def outcome_text(self) -> str:
        """How it ended, in words."""
        if not self.ok:
            return "the same server differed from itself: this machine was too noisy"
        if self.narrow:
            return "no difference, as expected"
        return "no difference found, but the interval could hide one"


def controls(run: RunRecord) -> list[Control]:
    """The A/A control of each verdict that has one."""
    found = []
    for verdict in run.verdicts:
        if verdict.control is not None:
            seen = verdict.control
            ok = seen.low <= 1.0 <= seen.high
            text = with_interval(seen.estimate, seen.low, seen.high)
            narrow = seen.outcome == "equal"
            reach = max(seen.high, 1 / seen.low if seen.low > 0 else math.inf)
            found.append(Control(ok, narrow, reach, text, scope_of(run, verdict)))
    return found


def cautions(run: RunRecord) -> list[str]:
    """What a reader must know before believing the answer, most important first."""
    texts = []
    if run.status == "interrupted":
        texts.append("The run was interrupted; its conclusions rest on the finished blocks.")
    if run.status == "failed":
        texts.append("The run failed; its conclusions rest on the finished trials.")
    if run.status == "running":
        texts.append("The run is not finished; these results are preliminary.")
    texts += [
        f"The A/A control failed in {control.scope}: the same server, entered twice, differed by "
        f"{control.text}. Differences of that size mean nothing here; repeat the run on a quieter "
        "machine."
        for control in controls(run)
        if not control.ok
    ]
    texts = disqualified.cautions(run) + texts
    texts += not_measured.cautions(run)
    texts += _unsettled(run) + _restless(run) + _disturbed(run) + _never_steady(run)
    texts += machine_blocks.cautions(run)
    bad = sum(trial.status != "ok" for trial in run.trials)
    if bad:
        texts.append(
            f"{bad} of {counted(len(run.trials), 'trial')} did not count; see the list of trials."
        )
    if "shared core" in run.placement:
        texts.append(f"Cores were shared: {run.placement}.")
    if "threads of one physical core" in run.placement:
        texts.append(
            f"Server and generator ran on threads of one physical core ({run.placement}) and "
            "slowed each other down: throughput is lower, CPU time per request higher and ratios "
            "between servers closer to 1 than on separate cores."
        )
    texts += [
        f"In {grown.scenario} under {grown.load} the load generator was the limit, here or in "
        f"a run before, so it was given more cores, for all servers alike: {grown.placement}."
        for grown in run.grown
    ]
    return texts


def _unsettled(run: RunRecord) -> list[str]:
    enough = [verdict for verdict in run.verdicts if not verdict.too_few]
    bounded = [said for verdict in enough for said in _out_of_reach(run, verdict)]
    left = [verdict for verdict in enough if not verdict.settled and not _told_elsewhere(verdict)]
    if not left:
        return bounded
    blocks = max(verdict.blocks for verdict in left)
    where = _where([scope_of(run, verdict) for verdict in left], len(enough))
    longer = f"Not settled in {where} after {counted(blocks, 'block')}; a longer --budget may help."
    return [longer, *bounded]


def _told_elsewhere(verdict: VerdictRecord) -> bool:
    """Whether it is unsettled only for entries that were still warming, or that were not asked for
    more: both are told elsewhere."""
    open_ = [p for p in verdict.ratios if p.outcome in ("not separated", "too few blocks")]
    if not open_:
        return bool(verdict.still_warming)
    return all(pair.out_of_reach for pair in open_)


def _out_of_reach(run: RunRecord, verdict: VerdictRecord) -> list[str]:
    """Entries that may do more than they did, each with those that it cannot be compared with."""
    others: dict[str, list[str]] = {}
    for pair in verdict.ratios:
        if pair.out_of_reach:
            least, other = pair.of, pair.to
            if least not in verdict.at_least:
                least, other = other, least
            others.setdefault(least, []).append(other)
    found = []
    for least, those in others.items():
        mine = [t for t in run.trials if t.cell == verdict.cell and t.entry == least]
        found.append(
            f"More blocks would not tell {least} and {listed(those)} apart in "
            f"{scope_of(run, verdict)}: {least} held all that was asked of it "
            f"({least_of(mine, verdict.metric)})."
        )
    return found


def _restless(run: RunRecord) -> list[str]:
    """Entries whose own trials differ by more than the machine's noise explains."""
    return [
        f"{one.entry} varied by {percent(round(one.spread, 2))} between its own trials in "
        f"{scope_of(run, verdict)}, where {percent(round(one.usual, 2))} is usual; look at its "
        "trials before you trust its place."
        for verdict in run.verdicts
        for one in verdict.restless
    ]


def _disturbed(run: RunRecord) -> list[str]:
    """Told where a tenth of the trials or more were slowed by something outside the study."""
    noisy = sum(trial.limit == "machine-noise" for trial in run.trials)
    if not noisy or noisy * 10 < len(run.trials):
        return []
    return [
        f"Other programs, the host or a quota took CPU time during {noisy} of "
        f"{counted(len(run.trials), 'trial')}. End those programs or lift the quota, and repeat "
        "the run; where you cannot, give it more blocks (--budget, --blocks)."
    ]


def _never_steady(run: RunRecord) -> list[str]:
    """A verdict of its own: told of every entry that mostly was not steady when measured."""
    found: dict[str, list[str]] = {}
    for verdict in run.verdicts:
        for entry, warmup in verdict.warmups.items():
            scope = summary.scope(run, verdict.scenario, verdict.load)
            where = found.setdefault(scope, [])
            # Where so few trials are left that its place is open, its row says so.
            told = entry in where or entry in verdict.still_warming
            if warmup.never_steady and not told:
                where.append(entry)
    return [
        f"Never steady in {scope}: {listed(entries)}. Their figures were still changing; raise "
        "warmup.max and look at the warm-up curves."
        for scope, entries in found.items()
        if entries
    ]


def _where(scopes: Sequence[str], of: int) -> str:
    """The scopes in a sentence; many are counted, among `of` in all."""
    return listed(scopes) if len(scopes) <= FEW else f"{len(scopes)} of {of} comparisons"
