"""What a run does next, by its plan and by what its trials really took."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from support.planned_run import TWO_LOADS, a_context, as_expected, study_of, timed
from support.small_study import matchups
from webdyno.run.blocks.context import RunContext
from webdyno.run.blocks.schedule import Unit, next_unit, sparing_the_headline
from webdyno.run.budget.agenda import planned_matchups


def driven(
    context: RunContext, seconds: Callable[[str, str], float], units: int = 100
) -> list[tuple[int, str, str, int]]:
    """Make the run's trials, of so many `seconds` by scenario and load; gives what was measured as
    block, scenario, load and number of trials."""
    seen: list[tuple[int, str, str, int]] = []
    for _ in range(units):
        unit = next_unit(context)
        if unit is None:
            break
        seen += _made(context, unit, seconds)
    context.store.close()
    return seen


def _made(
    context: RunContext, unit: Unit, seconds: Callable[[str, str], float]
) -> list[tuple[int, str, str, int]]:
    counts: dict[tuple[str, str], int] = {}
    for place, matchup in unit.order:
        index = unit.block * len(context.matchups) + place
        if index in context.done:
            continue
        cell = (matchup.cell.title, matchup.cell.load.label())
        trial = timed(matchup.entry.label, *cell, unit.block, seconds(*cell))
        context.done[index] = trial.model_copy(update={"index": index})
        context.run.trials.append(context.done[index])
        context.budget.spent_before += trial.took_s
        counts[cell] = counts.get(cell, 0) + 1
    return [(unit.block, *cell, count) for cell, count in counts.items()]


def test_everything_is_measured_block_by_block_where_there_is_time(tmp_path: Path) -> None:
    seen = driven(a_context(study_of("700s"), tmp_path), as_expected)
    assert {block for block, *_ in seen} >= {0, 1, 2}
    # What was published comes once, in the first block.
    assert [block for block, _, load, _ in seen if load == "published"] == [0, 0]
    sound = [(block, scenario, load) for block, scenario, load, _ in seen if load != "published"]
    assert [len([one for one in sound if one[0] == block]) for block in range(3)] == [4, 4, 4]


def test_a_load_whose_servers_were_cold_is_made_again_with_the_others(tmp_path: Path) -> None:
    loads = TWO_LOADS[:2]
    context = a_context(study_of("900s", loads=loads, scenarios=["json"]), tmp_path)
    assert context.run.plan is not None
    assert context.run.plan.everything
    for _ in range(3):
        unit = next_unit(context)
        assert unit is not None
        _made(context, unit, as_expected)
    for number, trial in enumerate(context.run.trials):
        assert trial.measurement is not None
        # So much noise that nothing is settled.
        trial.measurement.throughput_rps = 1000.0 * (1 + number * 7 % 5)
        if trial.load == "closed-64" and trial.block == 2:
            trial.not_steady = "its speed was still changing"
    unit = next_unit(context)
    context.store.close()
    assert unit is not None
    assert unit.needed
    assert {placed.matchup.cell.load.label() for placed in unit.order} == {"closed-8", "closed-64"}


def test_with_little_time_the_headline_is_measured_three_times(tmp_path: Path) -> None:
    study = study_of("100s", headline={"scenario": "sha256", "load": "closed-64"})
    seen = driven(a_context(study, tmp_path), as_expected)
    assert seen == [(block, "sha256", "closed-64", 4) for block in range(3)]


def test_time_that_was_not_needed_goes_to_what_was_not_planned(tmp_path: Path) -> None:
    study = study_of("100s", headline={"scenario": "sha256", "load": "closed-64"})
    seen = driven(a_context(study, tmp_path), lambda *_: 3.0)
    first, rest = seen[:3], seen[3:]
    assert {(scenario, load) for _, scenario, load, _ in first} == {("sha256", "closed-64")}
    begun = {(scenario, load) for _, scenario, load, _ in rest}
    assert ("json", "closed-8") in begun
    # Nothing is begun that could not be repeated.
    for cell in begun - {("sha256", "closed-64")}:
        assert [block for block, *place, _ in rest if tuple(place) == cell][:3] == [0, 1, 2]


def test_where_trials_take_longer_fewer_servers_are_measured_three_times(tmp_path: Path) -> None:
    headline = {"scenario": "json", "load": "closed-8", "servers": ["go/chi", "node/http"]}
    context = a_context(study_of("100s", headline=headline), tmp_path)
    seen = driven(context, lambda *_: 13.0)
    assert [count for *_, count in seen] == [4, 2, 2]
    assert context.run.plan is not None
    assert context.run.plan.given_up == ["go/gin", "go/gin (control)"]
    assert "time is too short for all" in context.run.notes[0]
    # Its places stay, so that a resumed run takes no trial for another.
    assert len(context.matchups) == len(planned_matchups(matchups(context.study), context.run.plan))


def test_where_everybody_is_needed_there_are_fewer_blocks_instead(tmp_path: Path) -> None:
    headline = {"scenario": "json", "load": "closed-8", "servers": ["go/chi", "node/http"]}
    context = a_context(study_of("100s", headline=headline), tmp_path)
    assert context.run.plan is not None
    context.run.plan = context.run.plan.model_copy(update={"everybody": True})
    assert driven(context, lambda *_: 13.0) == [(0, "json", "closed-8", 4)]
    assert context.run.plan.given_up == []


def test_who_was_proven_to_lie_is_not_measured_again_in_that_scenario(tmp_path: Path) -> None:
    study = study_of("3600s")
    context = a_context(study, tmp_path)
    unit = next_unit(context)
    assert unit is not None
    first = _made(context, unit, as_expected)
    scenario = first[0][1]
    liar = next(
        trial.entry
        for trial in context.run.trials
        if trial.scenario == scenario and "control" not in trial.entry
    )
    context.run.trials = [
        trial.model_copy(update={"lie": "it answered from memory"})
        if (trial.scenario, trial.entry) == (scenario, liar)
        else trial
        for trial in context.run.trials
    ]
    later: set[tuple[str, str]] = set()
    while unit := next_unit(context):
        _made(context, unit, as_expected)
        later |= {(m.cell.title, m.entry.label) for _, m in unit.order}
    context.store.close()
    assert (scenario, liar) not in later
    assert {one for title, one in later if title == scenario}
    others = {title for title, one in later if one == liar}
    assert others == {title for title, _ in later} - {scenario}


def test_a_killed_run_goes_on_with_its_plan(tmp_path: Path) -> None:
    study = study_of("100s", headline={"scenario": "sha256", "load": "closed-64"})
    first = a_context(study, tmp_path)
    unit = next_unit(first)
    assert unit is not None
    half = Unit(unit.block, unit.cell, unit.needed, unit.order[:2])
    _made(first, half, as_expected)
    first.store.close()

    again = a_context(study, tmp_path, first.run)
    again.done = {trial.index: trial for trial in first.run.trials}
    again.budget = first.budget
    seen = driven(again, as_expected)
    assert seen == [
        (0, "sha256", "closed-64", 2),
        (1, "sha256", "closed-64", 4),
        (2, "sha256", "closed-64", 4),
    ]
    assert len({trial.index for trial in again.run.trials}) == 12


def test_a_run_without_time_for_anything_still_begins(tmp_path: Path) -> None:
    seen = driven(a_context(study_of("1s"), tmp_path), as_expected)
    assert [(block, scenario, load) for block, scenario, load, _ in seen] == [
        (0, "json", "closed-8")
    ]


def test_others_do_not_spend_the_time_that_the_headline_s_servers_need(tmp_path: Path) -> None:
    headline = {"scenario": "json", "load": "closed-8", "servers": ["go/chi", "node/http"]}
    context = a_context(study_of("100s", headline=headline), tmp_path)
    unit = next_unit(context)
    assert unit is not None
    named = [one for one in unit.order if one[1].entry.server_variant.label in headline["servers"]]
    others = [one for one in unit.order if one not in named]
    # As planned there is time for everybody ...
    assert sparing_the_headline(context, unit, dict(enumerate(others))) == dict(enumerate(others))
    # ... but the first trial takes three times as long as was expected.
    _made(context, Unit(unit.block, unit.cell, unit.needed, named[:1]), lambda *_: 25.0)
    assert sparing_the_headline(context, unit, dict(enumerate(named[1:]))) == dict(
        enumerate(named[1:])
    )
    assert sparing_the_headline(context, unit, dict(enumerate(others))) == {}
    assert context.run.plan is not None
    assert set(context.run.plan.given_up) == {one[1].entry.label for one in others}
    context.store.close()


def test_a_run_ends_once_its_trials_are_enough(tmp_path: Path) -> None:
    context = a_context(study_of(budget=600.0), tmp_path)
    context.stop_when = lambda run: any(trial.block == 1 for trial in run.trials)
    made = driven(context, lambda _scenario, _load: 5.0)
    assert {block for block, *_ in made} == {0, 1}


def test_a_block_of_one_cell_is_known_as_that_cell_s(tmp_path: Path) -> None:
    context = a_context(study_of("700s"), tmp_path)
    assert context.run.plan is not None
    assert context.run.plan.everything
    units: list[Unit] = []
    # By the plan there is time for three blocks of everything. Trials take longer than that, so the
    # headline goes on alone, and after it what else there is time for.
    while unit := next_unit(context):
        units.append(unit)
        _made(context, unit, lambda _scenario, load: 33.0 if load == "published" else 14.0)
    context.store.close()
    for unit in units:
        cells = {placed.matchup.cell.key for placed in unit.order}
        assert unit.cell == (cells.pop() if len(cells) == 1 else None)
    headline, other = ("json", "closed-8"), ("json", "closed-64")
    assert [unit.cell for unit in units] == [None, headline, headline, other, other]


@pytest.mark.parametrize(("whole", "given_up"), [(True, 0), (False, 2)])
def test_a_plan_that_prefers_nobody_gives_up_nobody_for_the_headline(
    whole: bool, given_up: int, tmp_path: Path
) -> None:
    headline = {"scenario": "json", "load": "closed-8", "servers": ["go/chi", "node/http"]}
    study = study_of("100s", headline=headline, scenarios=["json"], loads=TWO_LOADS[:1])
    context = a_context(study, tmp_path)
    assert context.run.plan is not None
    assert context.run.plan.everything
    context.run.plan = context.run.plan.model_copy(update={"whole": whole})
    unit = next_unit(context)
    assert unit is not None
    named = [one for one in unit.order if one[1].entry.server_variant.label in headline["servers"]]
    others = [one for one in unit.order if one not in named]
    _made(context, Unit(unit.block, unit.cell, unit.needed, named[:1]), lambda *_: 25.0)
    left = sparing_the_headline(context, unit, dict(enumerate(others)))
    assert len(left) == len(others) - given_up
    assert len(context.run.plan.given_up) == given_up
    context.store.close()
