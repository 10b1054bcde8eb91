"""Where a run's time went."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webdyno.words import duration

if TYPE_CHECKING:
    from webdyno.store.records import RunRecord, TrialRecord

LOADED = ("warm-up", "measure")
"""Steps in which the server is under the load; all others are overhead."""

_STEPS = {
    "noise": "measuring the machine's noise",
    "build": "building servers, installing load generators",
    "services": "databases and other services, started and stopped",
    "start": "starting servers, until the first answer",
    "verify": "preparing and verifying answers",
    "warm-up": "loading servers until they are warm",
    "measure": "measuring servers",
    "audit": "checking answers and state after the load",
    "stop": "stopping servers",
    "sentinel": "measuring the sentinel, once per block",
    "judge": "the statistics",
    "other": "storing results, and time between trials",
}
NAMED = 4
"""More entries than this are counted where the warm-ups are told."""

_CALLED = {"prepare": "verify", "restart": "verify", "settle": "verify"}


@dataclass(frozen=True)
class StepSpent:
    """Seconds of a run that went into one kind of step, and their part of the whole."""

    step: str
    meaning: str
    seconds: float
    share: float


def time_spent(run: RunRecord) -> list[StepSpent]:
    """By step, in the order of a trial; together they are the run's wall time."""
    seconds = dict.fromkeys(_STEPS, 0.0)
    for name, value in run.step_seconds.items():
        seconds[name if name in seconds else "other"] += value
    for trial in run.trials:
        for name, value in trial.step_seconds.items():
            called = _CALLED.get(name, name)
            seconds[called if called in seconds else "other"] += value
    seconds["sentinel"] += sum(sentinel.seconds for sentinel in run.sentinels)
    known = sum(seconds.values())
    if run.took_s is not None:
        # Records of older runs that were resumed also hold the pause, which is nobody's.
        rest = run.took_s - known
        seconds["other"] += min(max(0.0, rest), _between(run.trials))
    whole = sum(seconds.values())
    return [
        StepSpent(step, meaning, seconds[step], seconds[step] / whole)
        for step, meaning in _STEPS.items()
        if whole and seconds[step] >= 0.001 * whole
    ]


def overhead_s(run: RunRecord) -> float | None:
    """Median over the trials of their time beside warm-up and measurement."""
    found = [
        trial.took_s - sum(trial.step_seconds.get(step, 0.0) for step in LOADED)
        for trial in run.trials
        if "measure" in trial.step_seconds
    ]
    return statistics.median(found) if found else None


def line(run: RunRecord) -> str:
    """`measure 45%, warm-up 31%, verify 12%, 4 others 12%; 1.1 s overhead per trial`."""
    spent = sorted(time_spent(run), key=lambda part: -part.seconds)
    if not spent:
        return ""
    shown = [f"{part.step} {part.share:.0%}" for part in spent[:4]]
    if rest := spent[4:]:
        shown.append(f"the rest {sum(part.share for part in rest):.0%}")
    text = ", ".join(shown)
    beside = overhead_s(run)
    return text + (f"; {duration(beside)} overhead per trial" if beside is not None else "")


def warm_ups(run: RunRecord) -> str:
    """`5.9 s per trial for java/servlet, 2.3 s for node/http`: the length of each entry's warm-up,
    median over its trials, the longest first; empty where nothing was warmed up."""
    seconds: dict[str, list[float]] = {}
    for trial in run.trials:
        if trial.warmup is not None and not trial.control:
            seconds.setdefault(trial.entry, []).append(trial.warmup.seconds)
    took = sorted(((statistics.median(s), e) for e, s in seconds.items()), key=lambda one: -one[0])
    if not took:
        return ""
    count = len(took) if len(took) <= NAMED + 1 else NAMED
    while 1 < count < len(took) and duration(took[count - 1][0]) == duration(took[count][0]):
        count -= 1  # Those that took as long are told of together.
    shown = took[:count]
    parts = [f"{duration(s)} for {entry}" for s, entry in shown]
    parts[0] = parts[0].replace(" for ", " per trial for ", 1)
    if rest := took[len(shown) :]:
        parts.append(f"{duration(rest[0][0])} or less for {len(rest)} others")
    return ", ".join(parts)


def _between(trials: list[TrialRecord]) -> float:
    """Most that can lie outside all steps: a few seconds, and the rests of the trials."""
    rests = 0.0
    for trial in trials:
        took = trial.took_s
        rests += max(0.0, took - sum(trial.step_seconds.values()))
    return rests + 5.0 + 1.0 * len(trials)
