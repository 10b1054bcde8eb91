"""`webdyno hit --objective`: the highest rate at which a running server meets an objective.

The search is that of a study's trial. What a trial has and this has not: a warm-up, so the server
is as warm as it is, and a watch on its CPU, so a generator at its limit is always to blame.
"""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from webdyno.catalog.loads.load import Objective
from webdyno.catalog.terms import quantity
from webdyno.cli.hit import run, view
from webdyno.cli.hit.export import SearchedHit, SoughtLoad
from webdyno.cli.hit.live_line import LiveLine
from webdyno.cli.hit.warnings import warnings
from webdyno.cli.output import write_and_show
from webdyno.cli.prose import hanging
from webdyno.errors import UserError
from webdyno.generators.progress import LoadProgress
from webdyno.generators.result import LoadResult
from webdyno.generators.specification import LoadSpec, OpenShape, Shape, shape_of
from webdyno.report.numbers import counted
from webdyno.store.document import written
from webdyno.store.search import SearchRecord, SearchStep
from webdyno.trial.loads.search import BREATH_S
from webdyno.trial.loads.search_steps import (
    SearchedStep,
    best_of,
    goal_of,
    search_record,
    step_result,
)
from webdyno.verdict.search.objective import CONFIDENCE, Search, Unshowable
from webdyno.verdict.search.objective_step import Goal, judge_step
from webdyno.words import duration


@dataclass(frozen=True)
class SearchOutcome:
    """`result` and `load` are those of the step that stands for the search; where nothing could be
    searched for, those of the closed loop before it, and `record` is None."""

    load: Shape
    result: LoadResult
    record: SearchRecord | None


def search(url: str, spec: LoadSpec, load: Objective, console: Console, json: Path | None) -> int:
    """Search for `load`'s rate, after the closed loop that `spec` holds, and say what was found.

    Gives the exit code: 1 where the objective was met at no rate that was tried.
    """
    outcome = _search(url, spec, load, console)

    def document() -> str:
        made = spec.model_copy(update={"load": outcome.load})
        sought = {"load": SoughtLoad.of(load), "search": outcome.record}
        return written(SearchedHit.of(url, made, outcome.result, **sought))

    write_and_show([(json, document)], lambda: _show(outcome, console))
    return 0 if outcome.record is not None and outcome.record.capacity_rps > 0 else 1


def _show(outcome: SearchOutcome, console: Console) -> None:
    if outcome.record is not None:
        assert isinstance(outcome.load, OpenShape)
        said = _summary(outcome.record, outcome.load.phases[0].rate)
        print(hanging(said, " " * 14), flush=True)
    print(view.summary(outcome.result, outcome.load), flush=True)
    view.show_warnings(warnings(outcome.result, outcome.load), console)


def _search(url: str, spec: LoadSpec, load: Objective, console: Console) -> SearchOutcome:
    goal = goal_of(load)
    users = load.connections * (spec.http2.streams if spec.http2 else 1)
    print(hanging(_opening(url, spec, load), " " * 4), flush=True)
    closed = spec.load
    probe = _make(spec, closed, 0, console)
    if not probe.counts.ok or probe.stopped_early:
        return SearchOutcome(closed, probe, None)
    print(f"  closed load of {closed.connections} connections: {_probed(probe):,.0f}/s", flush=True)
    most = quantity.rate(load.max_rate) if load.max_rate else None
    try:
        rates = Search(goal, _probed(probe), most)
    except Unshowable as error:
        raise UserError(
            f"--objective: {error.why}; make steps longer (-d {error.step_s}s), or ask for a lower "
            "quantile"
        ) from None
    made: list[SearchedStep] = []
    while (step := rates.next()) is not None:
        time.sleep(BREATH_S)
        opened = shape_of(load.at(step.rate_rps, step.seconds))
        result = _make(spec, opened, len(made) + 1, console, load.patience_s())
        if result.stopped_early:
            break
        one = SearchedStep(step, judge_step(goal, step_result(goal, result, users, None)), result)
        made.append(one)
        rates.learn(step, one.judged)
        step_record = search_record(load, goal, 0, rates.finding(), made).steps[-1]
        print(hanging(_line(goal, step_record, len(made)), " " * 8))
    if not made:
        return SearchOutcome(closed, probe, None)
    finding = rates.finding()
    best = best_of(made, finding)
    record = search_record(load, goal, rates.probe_rps, finding, made)
    return SearchOutcome(
        shape_of(load.at(best.step.rate_rps, best.step.seconds)), best.result, record
    )


def _make(
    spec: LoadSpec,
    load: Shape,
    number: int,
    console: Console,
    timeout_s: float | None = None,
) -> LoadResult:
    """One load of the search; a terminal shows how far it is."""
    made = {
        "load": load,
        "seed": (spec.seed + number) % 2**64,
        "timeout_s": spec.timeout_s if timeout_s is None else timeout_s,
    }
    prepared = run.prepare(spec.model_copy(update=made))
    if not console.is_terminal:
        return run.run(prepared, _NoProgress())
    with LiveLine(load, console) as line:
        return run.run(prepared, line)


class _NoProgress:
    """In a log each step has a line of its own: what happens within it needs none."""

    def update(self, progress: LoadProgress) -> None:
        del progress


def _probed(probe: LoadResult) -> float:
    """The closed loop's rate, by the median second: its first ones may be of a cold server."""
    whole = [row.ok for row in probe.series if row.second + 1 <= probe.elapsed_s]
    median = statistics.median(whole) if len(whole) > 1 else 0.0
    return float(median or probe.throughput_rps)


def _opening(url: str, spec: LoadSpec, load: Objective) -> str:
    threads = counted(min(spec.threads, load.connections), "thread")
    return (
        f"Searching for the highest rate with {load.objective} and {load.errors} errors @ {url}\n"
        f"  {threads} and {counted(load.connections, 'connection')}, Poisson arrivals, "
        f"steps of {duration(load.step)} or longer, to within {load.tolerance:.0%}"
    )


_OUTCOMES = {"held": "held", "failed": "failed", "unheld": "unclear"}
"""As said of a step; unclear: the generator was at fault."""


def _line(goal: Goal, step: SearchStep, number: int) -> str:
    took = view.short_time(step.quantile_us) if step.quantile_us is not None else "-"
    return (
        f"  {number:>2}  {step.rate_rps:>11,.1f}/s {step.seconds:>4.0f} s  {step.purpose:<7} "
        f"{_OUTCOMES[step.outcome]:<7}  p{goal.quantile * 100:g} {took:>9}  {step.reason}"
    )


def _summary(record: SearchRecord, shown_rps: float) -> str:
    """What was found; the figures that follow are those of a step at the rate `shown_rps`."""
    steps = counted(len(record.steps), "step")
    between = f"[{record.low_rps:,.1f}, {record.high_rps:,.1f}]"
    rate = f"{record.capacity_rps:,.1f}/s {between}, {CONFIDENCE:.0%} confidence"
    said = {
        "met": f"{rate}; {steps}",
        "at-least": f"at least {record.capacity_rps:,.1f}/s: {record.reason}; {steps}",
        "not-met": f"none: {record.reason}; {steps}",
        "undecided": f"{rate}, not narrowed further: {record.reason}",
    }[record.kind]
    if record.found_nothing:
        said = f"not found: {record.reason}; {steps}"
    ends = [
        f"{rate_rps:,.1f}/s {what}"
        for rate_rps, what in ((record.held_rps, "held"), (record.failed_rps, "failed"))
        if rate_rps is not None
    ]
    lines = [f"Objective:    {record.objective}, {record.errors_share:.2%} errors at most"]
    lines.append(f"Highest rate: {said}")
    lines += [f"Bounds:       {', '.join(ends)}"] if ends else []
    return "\n".join(lines) + f"\nFigures at {shown_rps:,.1f}/s:"
