"""As published and as it should be done, side by side: what the published method missed.

Everything here is read off the trials: which loads they ran, what the verifiers counted, what was
checked and how often. Nothing is said that a record does not show.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webdyno.catalog.loads.abilities import BUILT_IN, abilities_of
from webdyno.report.numbers import counted, percent
from webdyno.report.tables.published_places import RatioTable, ratio_tables
from webdyno.report.text import loads
from webdyno.words import listed

if TYPE_CHECKING:
    from webdyno.report.section import Section
    from webdyno.store.records import RunRecord, TrialRecord
    from webdyno.store.stored_study import PublishedFigure


@dataclass(frozen=True)
class FactRow:
    """How one thing was done under both methods."""

    label: str
    as_published: str
    sound: str


@dataclass(frozen=True)
class MethodsView:
    """Both methods of a run."""

    facts: tuple[FactRow, ...]
    missed: tuple[str, ...]
    tables: tuple[RatioTable, ...]


def methods(
    run: RunRecord, sections: Sequence[Section], figures: Sequence[PublishedFigure]
) -> MethodsView | None:
    """Both methods of `run`; None where it has trials of one of them only."""
    study = run.study
    as_published = {trial.load: study.is_published(trial.load) for trial in run.trials}
    old = [trial for trial in run.trials if as_published[trial.load]]
    new = [trial for trial in run.trials if not as_published[trial.load]]
    if not old or not new:
        return None
    return MethodsView(
        facts=tuple(_facts(run, old, new)),
        missed=tuple(_missed(run, old, new)),
        tables=tuple(ratio_tables(sections, figures)),
    )


def _generators(run: RunRecord, trials: Iterable[TrialRecord]) -> list[str]:
    """What made the loads of `trials`, in their order."""
    study = run.study
    loads = [study.load(label) for label in dict.fromkeys(trial.load for trial in trials)]
    return list(dict.fromkeys((load.generator if load else "") or BUILT_IN for load in loads))


def _facts(run: RunRecord, old: list[TrialRecord], new: list[TrialRecord]) -> Iterable[FactRow]:
    yield FactRow("Load", _loads(run, old), _loads(run, new))
    yield FactRow("Trials of a server", _repeats(old), _repeats(new))
    yield FactRow("Order", "the study's own", "random in every block")
    yield FactRow("Warm-up", _warmup(old), _warmup(new))
    yield FactRow("Answers checked", _checked(run, old), _checked(run, new))
    if any(trial.counted for trial in (*old, *new)):
        yield FactRow("Work that the answers did", _did(old), _did(new))
    yield FactRow("Limited by", _limits(old), _limits(new))


def _loads(run: RunRecord, trials: list[TrialRecord]) -> str:
    labels = dict.fromkeys(trial.load for trial in trials)
    return "; ".join(f"{label}: {loads.describe(run, label)}" for label in labels)


def _repeats(trials: list[TrialRecord]) -> str:
    counts = Counter(trial.place for trial in trials)
    least, most = min(counts.values()), max(counts.values())
    return str(least) if least == most else f"{least} to {most}"


def _warmup(trials: list[TrialRecord]) -> str:
    warm = [trial.warmup for trial in trials if trial.warmup is not None]
    if not warm:
        return "none; the first request counts"
    steady = sum(one.steady for one in warm)
    return f"before each trial; steady at its end in {steady} of {len(warm)}"


def _checked(run: RunRecord, trials: list[TrialRecord]) -> str:
    told = []
    for name in _generators(run, trials):
        can = abilities_of(name)
        if can.only_status:
            told.append(f"by {name}, which checks only their status")
        elif can.keeps_answers:
            told.append("all of them under load, and a sample in full")
        else:
            told.append(f"by {name}")
    return "; ".join(told)


def _sums(trials: Iterable[TrialRecord]) -> Counter[str]:
    sums: Counter[str] = Counter()
    for trial in trials:
        if trial.status == "ok":
            sums.update(trial.counted)
            # A count of nothing is said, too.
            sums.update(dict.fromkeys(trial.counted, 0))
    return sums


def _did(trials: list[TrialRecord]) -> str:
    of_load: dict[str, list[TrialRecord]] = {}
    for trial in trials:
        if trial.counted:
            of_load.setdefault(trial.load, []).append(trial)
    return "; ".join(f"{label}: {_shares(_sums(mine))}" for label, mine in of_load.items())


def _shares(sums: Counter[str]) -> str:
    whole = sum(sums.values())
    return ", ".join(
        f"{count:,} {name} ({percent(count / whole if whole else None)})"
        for name, count in sums.items()
    )


def _limits(trials: list[TrialRecord]) -> str:
    found = Counter(trial.limit or "unknown" for trial in trials if trial.status == "ok")
    return ", ".join(f"{name} in {count}" for name, count in found.most_common())


def _missed(run: RunRecord, old: list[TrialRecord], new: list[TrialRecord]) -> Iterable[str]:
    before, after = _sums(old), _sums(new)
    for name, count in after.items():
        if count and name in before and not before[name]:
            share = percent(count / sum(after.values()))
            yield (
                f"The published load skipped this work entirely: none of its "
                f"{sum(before.values()):,} answers is among the {name}. Under the sound loads "
                f"{share} of the answers are."
            )
    if all(count == 1 for count in Counter(t.entry + t.scenario for t in old).values()):
        yield "Each server was measured once, so no figure has an interval."
    if not any(trial.warmup for trial in old):
        yield "No server was warmed up, so the first, slowest requests are part of the figures."
    unchecked = [name for name in _generators(run, old) if abilities_of(name).only_status]
    if unchecked:
        yield (
            f"{listed(sorted(unchecked))} accepts every answer with a good status. Only the "
            "verifier, before and after the load, shows that answers were correct."
        )
    bound = [trial for trial in old if trial.limit == "generator-bound"]
    if bound:
        names = listed(dict.fromkeys(trial.entry for trial in bound))
        yield (
            f"{counted(len(bound), 'trial')} measured the generator instead of the server: {names}."
        )
