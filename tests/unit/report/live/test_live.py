"""The live views, fed with the events of a run."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from rich.console import Console

from support.synthetic_run import build_run
from webdyno.catalog.studies.study import StudyManifest
from webdyno.report.live.picture import draw, sparkline
from webdyno.report.live.progress import RunProgress
from webdyno.report.live.views import LiveView, PlainView, view_for
from webdyno.trial.events import (
    BlockFinished,
    BuildFinished,
    BuildStarted,
    Event,
    LoadWentOn,
    Noted,
    RunFinished,
    RunStarted,
    ServerSkipped,
    StepStarted,
    TrialFinished,
    TrialStarted,
    TurnEnded,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from webdyno.store.records import RunRecord


def events(run: RunRecord) -> Iterator[Event]:
    """What the run loop would have said of `run`, up to its end."""
    study = StudyManifest.model_validate(run.study.as_stored())
    yield RunStarted(study=study, total_entries=16, budget_s=180.0)
    yield BuildStarted(server="node/express")
    yield BuildFinished(server="node/express", seconds=2.9, cached=False)
    yield BuildFinished(server="node/http", seconds=0.4, cached=True)
    for left in run.skipped:
        yield ServerSkipped(server=left.server, reason=left.reason)
    yield Noted(text="two cores: the server has one, the generator the other")
    for trial in run.trials:
        yield TrialStarted(
            server=trial.server,
            variant=trial.variant,
            control=trial.control,
            scenario=trial.scenario,
            load=trial.load,
            block=trial.block,
            order=trial.order,
        )
        for step in ("start", "verify", "warm-up", "measure"):
            yield StepStarted(name=step)
            yield LoadWentOn(elapsed_s=0.1, rps=900.0, errors=0)
            yield LoadWentOn(elapsed_s=0.2, rps=1800.0, errors=0)
        yield TrialFinished(record=trial)
        if trial.order == 15:
            yield BlockFinished(block=trial.block, verdicts=run.verdicts)
    yield RunFinished(run=run)


@pytest.fixture
def plain() -> tuple[PlainView, Callable[[], list[str]]]:
    """A plain view and its lines so far."""
    file = io.StringIO()
    view = PlainView(Console(file=file, width=80))
    return view, lambda: file.getvalue().splitlines()


def test_plain_has_one_line_a_trial(
    run: RunRecord, plain: tuple[PlainView, Callable[[], list[str]]]
) -> None:
    view, lines = plain
    with view:
        for event in events(run):
            before = len(lines())
            view.event(event)
            assert len(lines()) - before <= 1
    trials = [line for line in lines() if "req/s" in line]
    assert len(trials) == len(run.trials)
    failed = next(line for line in trials if "failed" in line)
    assert failed.startswith("block 1, ")
    assert "node/express json closed-64: failed" in failed
    assert "expected ten keys, got 9" in failed


def test_plain_tells_builds_gaps_and_standings(
    run: RunRecord, plain: tuple[PlainView, Callable[[], list[str]]]
) -> None:
    view, lines = plain
    for event in events(run):
        view.event(event)
    text = "\n".join(lines())
    assert "built node/express in 2.9 s" in text
    assert "node/http in" not in text  # cached: nothing was built
    assert "left out java/spring: no JDK 21" in text
    assert "block 3 done; json, closed-64: first go/net-http (settled)" in text
    assert "\x1b" not in text


def test_many_standings_are_counted_and_not_listed(
    run: RunRecord, plain: tuple[PlainView, Callable[[], list[str]]]
) -> None:
    view, lines = plain
    settled = run.verdicts[0]
    open_still = settled.model_copy(update={"settled": False})
    verdicts = [settled, settled, open_still, open_still]
    view.event(BlockFinished(block=2, verdicts=verdicts))
    assert lines()[-1] == "block 3 done; 2 of 4 comparisons settled"


def test_a_single_server_is_not_called_the_first(
    run: RunRecord, plain: tuple[PlainView, Callable[[], list[str]]]
) -> None:
    view, lines = plain
    alone = run.verdicts[0].model_copy(update={"groups": [["go/net-http"]], "settled": True})
    view.event(BlockFinished(block=2, verdicts=[alone]))
    assert lines()[-1] == "block 3 done"


def test_two_standings_of_one_load_are_told_apart(
    run: RunRecord, plain: tuple[PlainView, Callable[[], list[str]]]
) -> None:
    view, lines = plain
    both = [
        run.verdicts[0].model_copy(update={"metric": name})
        for name in ("throughput_rps", "cpu_us_per_request")
    ]
    view.event(BlockFinished(block=2, verdicts=both))
    assert "json, closed-64 by throughput: first" in lines()[-1]
    assert "json, closed-64 by CPU per request: first" in lines()[-1]


def at(run: RunRecord, last: type[Event], occurrence: int = 1) -> RunProgress:
    """The state right after the n-th event of the kind `last`."""
    state = RunProgress(clock=lambda: 0.0)
    for event in events(run):
        state.event(event)
        occurrence -= isinstance(event, last)
        if not occurrence:
            return state
    raise AssertionError(f"no such event: {last.__name__}")


def picture(state: RunProgress, width: int = 80, height: int = 24) -> list[str]:
    """The live view as lines of text."""
    console = Console(file=io.StringIO(), width=width, height=height, color_system=None)
    with console.capture() as capture:
        console.print(draw(state, console))
    return [line.rstrip() for line in capture.get().splitlines()]


def test_the_live_view_shows_where_the_run_is(run: RunRecord) -> None:
    state = at(run, LoadWentOn, 40)
    lines = picture(state)
    text = "\n".join(lines)
    assert "block 1, 4 of 16" in lines[0]
    assert "3:00 left of 3:00" in lines[0]
    assert state.current is not None
    assert state.current.entry in lines[2]
    assert "1,800 req/s  ▄█" in text
    assert "so far" in text


def test_servers_that_take_turns_are_shown_together(run: RunRecord) -> None:
    state = at(run, TrialStarted)
    state.event(TurnEnded(entry="node/http", rps=50_123.0, elapsed_s=1.0))
    state.event(TurnEnded(entry="go/net-http", rps=70_456.0, elapsed_s=1.0))
    lines = picture(state)
    assert lines[2].startswith("2 servers in turns")
    assert "go/net-http 70,456  node/http 50,123 req/s" in "\n".join(lines)


def test_a_new_step_starts_a_new_curve(run: RunRecord) -> None:
    state = at(run, StepStarted, 2)
    assert state.current is not None
    assert (state.current.step, list(state.current.ticks)) == ("verify", [])


@pytest.mark.parametrize("height", [10, 24, 60])
def test_the_live_view_keeps_to_the_screen(run: RunRecord, height: int) -> None:
    lines = picture(at(run, LoadWentOn, 8 * 40), height=height)
    assert len(lines) <= height
    assert max(map(len, lines)) <= 80


def test_the_clock_runs_from_the_first_trial_and_obeys_the_run_loop() -> None:
    time = [0.0]
    state = RunProgress(clock=lambda: time[0])
    study = StudyManifest.model_validate(build_run(blocks=1, seconds=1).study.as_stored())
    state.event(RunStarted(study=study, total_entries=2, budget_s=100.0))
    time[0] = 50.0  # building
    assert state.left_s == 100.0
    started = TrialStarted(server="a/b", scenario="json", load="l", block=0, order=0)
    state.event(started)
    time[0] = 60.0
    assert state.left_s == 90.0
    state.event(replace(started, budget_left_s=42.0))
    time[0] = 200.0
    assert state.left_s == 0.0


def test_what_is_being_done_is_told_with_its_time() -> None:
    time = [0.0]
    state = RunProgress(clock=lambda: time[0])
    study = StudyManifest.model_validate(build_run(blocks=1, seconds=1).study.as_stored())
    state.event(RunStarted(study=study, total_entries=2, budget_s=100.0))
    time[0] = 1.5
    assert picture(state)[2] == "preparing  1.5 s"
    state.event(BuildStarted(server="a/b"))
    time[0] = 6.0
    assert picture(state)[2] == "building a/b  4.5 s"
    state.event(TrialStarted(server="a/b", scenario="json", load="l", block=0, order=0))
    state.event(StepStarted(name="verify"))
    time[0] = 8.0
    assert "start  verify 2.0 s  warm-up" in picture(state)[3]


def test_unknown_events_end_no_run() -> None:
    RunProgress().event(Event())


def test_the_live_view_gives_the_terminal_back(run: RunRecord) -> None:
    file = io.StringIO()
    console = Console(file=file, force_terminal=True, width=80, height=24)
    view = LiveView(console, refresh_per_second=50)
    for event in events(run):
        view.event(event)
    view.close()
    text = file.getvalue()
    assert text.count("\x1b[?25l") == text.count("\x1b[?25h") == 1  # cursor hidden, shown again


def test_the_live_view_closes_on_an_interrupt(run: RunRecord) -> None:
    file = io.StringIO()
    view = LiveView(Console(file=file, force_terminal=True, width=80, height=24))

    def interrupted() -> None:
        with view:
            study = StudyManifest.model_validate(run.study.as_stored())
            view.event(RunStarted(study=study, total_entries=1))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert file.getvalue().count("\x1b[?25h") == 1


def test_the_view_is_chosen_by_the_terminal() -> None:
    assert isinstance(view_for(Console(file=io.StringIO())), PlainView)
    terminal = Console(file=io.StringIO(), force_terminal=True)
    assert isinstance(view_for(terminal), LiveView)
    assert isinstance(view_for(terminal, plain=True), PlainView)


def test_sparklines_start_at_zero() -> None:
    assert sparkline([0.0, 50.0, 100.0]) == "▁▄█"
    assert sparkline([100.0, 100.0]) == "██"
    assert sparkline([0.0, 0.0]) == "▁▁"
    assert sparkline([]) == ""
    assert sparkline([0.0, 100.0], unicode=False).isascii()
