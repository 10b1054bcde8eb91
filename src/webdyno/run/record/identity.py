"""Which trial is which: by what it is, not by where it stood when the run began.

What can be built may differ when a run goes on, and with it the number of trials in a block.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from webdyno.errors import UserError
from webdyno.run.preparation.own_code import OWN
from webdyno.run.preparation.sources import WARM_UP
from webdyno.run.study.plan import PlacedMatchup
from webdyno.store.records import RunRecord, TrialRecord, entry_label

NOT_COMPARABLE = "earlier and later trials would not be comparable; start a new run"


def still_to_make(
    done: Mapping[int, TrialRecord],
    block: int,
    trials_in_block: int,
    placed_matchups: Sequence[PlacedMatchup],
) -> dict[int, PlacedMatchup]:
    """Of `placed_matchups`, trials of `block`, the ones that are not `done`, by index.

    An index that another trial has, from when the blocks were of another size, is not used again.
    """
    measured = {(trial.block, trial.entry, trial.scenario, trial.load) for trial in done.values()}
    left: dict[int, PlacedMatchup] = {}
    for placed in placed_matchups:
        matchup = placed.matchup
        if (block, matchup.entry.label, *matchup.cell.key) in measured:
            continue
        index = block * trials_in_block + placed.place
        if index in done or index in left:
            index = max([*done, *left]) + 1
        left[index] = placed
    return left


def refuse_changed_sources(
    run: RunRecord,
    sources: Mapping[tuple[str, str], Mapping[str, str]],
    skipped: Collection[str] = (),
) -> None:
    """Raises `UserError` naming the servers and scenarios of `run`'s trials whose source is another
    than in `sources`, by entry and scenario, as `sources_of` gives them today; also a scenario that
    a server implements no more, another warm-up of a server, and another measuring code of
    Webdyno's. Servers in `skipped` cannot be built today, which is told elsewhere."""
    changed: dict[str, None] = {}
    for trial in run.trials:
        today = sources.get((trial.entry, trial.scenario))
        if today is None:
            if entry_label(trial.server, trial.variant) not in skipped:
                changed[f"{trial.server} implements {trial.scenario} no more"] = None
            continue
        said = {
            "server": f"server {trial.server}",
            "scenario": f"scenario {trial.scenario}",
            WARM_UP: f"the warm-up of {trial.server}",
            **dict.fromkeys(OWN, "Webdyno's measuring code"),
        }
        for kind in today:
            if trial.sources.get(kind, today[kind]) != today[kind]:
                changed[said[kind]] = None
    if changed:
        raise UserError(f"run {run.id}: changed since: {', '.join(changed)}; {NOT_COMPARABLE}")


def refuse_changed_versions(run: RunRecord, versions: Mapping[str, Mapping[str, str]]) -> None:
    """Raises `UserError` naming the tools of which `run`'s trials had another version than in
    `versions`, which are today's by entry: a server on two runtimes has two of the same tool."""
    changed: dict[str, None] = {}
    for trial in run.trials:
        for tool, version in versions.get(trial.entry, {}).items():
            if (before := trial.versions.get(tool, version)) != version:
                of = entry_label(trial.server, trial.variant)
                said = f"{tool} was {before or 'unknown'} and is {version} ({of})"
                changed[said] = None
    if changed:
        raise UserError(f"run {run.id}: {', '.join(changed)}; {NOT_COMPARABLE}")


def refuse_changed_services(run: RunRecord, trial: TrialRecord) -> None:
    """Raises `UserError` where a service of `trial`, which is new, had another version than beside
    `run`'s trials so far; none of them is known before it has run."""
    now = {one.program: one.version for one in trial.services}
    for earlier in run.trials:
        for one in earlier.services:
            if now.get(one.program, one.version) != one.version:
                said = f"{one.program} was {one.version} and is {now[one.program]}"
                raise UserError(f"run {run.id}: {said}; {NOT_COMPARABLE}")
