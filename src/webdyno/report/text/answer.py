"""The answer in words, and how sure it is: derived from the verdicts and nothing else."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from webdyno.report import metrics
from webdyno.report.numbers import counted
from webdyno.report.text import not_measured
from webdyno.report.text.sentences import FEW, lead, scope_of, sentence, short, tie_words
from webdyno.report.too_few_blocks import too_few_blocks_of
from webdyno.words import listed

if TYPE_CHECKING:
    from webdyno.store.records import RunRecord

LONGEST = 160
"""Characters of a headline: two lines of a terminal. What it leaves out stands in the parts."""


@dataclass(frozen=True)
class HeadlineAnswer:
    """`headline` is one short sentence; `parts` holds (scope, sentence) of every verdict where the
    headline does not say it all, else nothing. `rest` is what a report that opens with one question
    says beside it."""

    headline: str
    parts: tuple[tuple[str, str], ...] = ()
    rest: tuple[str, ...] = ()


def answer(run: RunRecord) -> HeadlineAnswer:
    """The answer to the run's question, and who has no part in it."""
    without_missing = _answer(run)
    missing = not_measured.clause(run)
    if not missing:
        return without_missing
    if len(without_missing.headline) + len(missing) >= LONGEST:
        missing = not_measured.count(run)
    return replace(without_missing, headline=f"{without_missing.headline} {missing}")


def _answer(run: RunRecord) -> HeadlineAnswer:
    """The answer to the run's question, from all its verdicts together."""
    if not run.verdicts:
        good = sum(trial.status == "ok" for trial in run.trials)
        return HeadlineAnswer(f"No answer yet: {counted(good, 'valid trial')}, too few to compare.")
    parts = tuple((scope_of(run, verdict), sentence(verdict)) for verdict in run.verdicts)
    if len(parts) > 1:
        return HeadlineAnswer(_headline(run), parts)
    whole = parts[0][1]
    if len(whole) <= LONGEST:
        return HeadlineAnswer(whole)
    return HeadlineAnswer(lead(run.verdicts[0]), parts)


def _headline(run: RunRecord) -> str:
    if lacking := too_few_blocks_of(run.verdicts):
        return f"{lacking}."
    # What was measured too seldom says nothing, neither for nor against.
    enough = [verdict for verdict in run.verdicts if not verdict.too_few]
    run = run.model_copy(update={"verdicts": enough})
    if len(enough) == 1:
        return f"In {scope_of(run, enough[0])}: {lead(enough[0])}"
    best = [verdict.groups[0] if verdict.groups else [] for verdict in run.verdicts]
    names = {verdict.metric for verdict in run.verdicts}
    scopes = [scope_of(run, verdict) for verdict in run.verdicts]
    alone = [verdict.is_alone for verdict in run.verdicts]
    same = len(best[0]) == 1 and all(group == best[0] for group in best)
    if same and all(alone):
        where = listed(scopes) if len(scopes) <= FEW else f"any of {len(scopes)} verdicts"
        return f"Only {best[0][0]} could be ranked in {where}: there is nothing to compare it with."
    if same and not any(alone) and len(names) == 1:
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
        text = "; ".join(short(v, s) for v, s in zip(run.verdicts, scopes, strict=True))
        if len(text) < LONGEST:
            return f"{text[0].upper()}{text[1:]}."
    return _tally(run)


def _tally(run: RunRecord) -> str:
    """How often each entry is first, where there are too many verdicts to name: by the study's
    first metric, under its sound loads where it has any."""
    metric = run.verdicts[0].metric
    published = {load.label() for load in run.study.loads if load.as_published}
    mine = [verdict for verdict in run.verdicts if verdict.metric == metric]
    mine = [verdict for verdict in mine if verdict.load not in published] or mine
    if len(mine) == 1:
        return lead(mine[0])
    firsts = Counter(
        verdict.groups[0][0]
        for verdict in mine
        if verdict.groups and len(verdict.groups[0]) == 1 and len(verdict.groups) > 1
    )
    title = metrics.metric(metric).within
    single = sum(verdict.is_alone for verdict in mine)
    shared = len(mine) - firsts.total() - single
    leaders = firsts.most_common()
    shown = leaders if len(leaders) <= FEW + 1 else leaders[:FEW]
    parts = [f"{entry} leads {count}" for entry, count in shown]
    if others := leaders[len(shown) :]:
        parts.append(f"{len(others)} others lead {sum(count for _, count in others)}")
    where = "in" if parts or single else "in all"
    parts += [f"{where} {shared} no server leads alone"] if shared else []
    where = "in" if parts else "in all"
    parts += [f"{where} {single} a single server could be ranked"] if single else []
    return f"Of {counted(len(mine), 'comparison')} by {title}, {listed(parts)}."
