"""Random signals to random processes of real runs, and what each leaves behind.

A round starts a run, sends a signal to one of its processes or process groups at a random moment,
waits for the end, and resumes the run where it did not come to its own. Whatever was hit, no stored
trial may be lost or changed, and nothing may be left.
"""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.faults.lab import Key, Lab, Left

SIGNALS = (signal.SIGKILL, signal.SIGSTOP, signal.SIGQUIT, signal.SIGTERM, signal.SIGINT)

LEFT_AFTER_S = 10.0
"""How long what is left has to go away; as long as a run takes, where a busy machine makes that
longer: whoever lost its warden still has its own end to make."""

ENDS_WITHIN_S = 120.0
"""How long a run may go on after its signal: some ten times what it takes undisturbed."""

STOPPED_S = (0.2, 2.0)
"""How long who is stopped stays so."""

_TOLD = re.compile(r"^block \d+, \d+ of \d+: ", re.MULTILINE)
"""A finished trial, as `run --plain` tells it."""


@dataclass
class Round:
    """What was done in a round, and what came of it."""

    number: int
    signal: signal.Signals
    at_s: float = 0.0
    group: bool = False
    target: str = "nobody: it had ended"
    resumed: bool = False
    trials: int = 0
    """Stored at its end."""
    lost: int = 0
    changed: int = 0
    left: list[Left] = field(default_factory=list)
    hung: bool = False
    not_resumed: str = ""

    @property
    def is_clean(self) -> bool:
        """Whether nothing is wrong with it."""
        faults = (self.lost, self.changed, any(self.left), self.hung, self.not_resumed)
        return not any(faults)

    def told(self) -> str:
        """What was done, and what is wrong, on one line."""
        whom = "the group of" if self.group else "process"
        sent = f"{self.signal.name} after {self.at_s:.2f} s to {whom} {self.target}"
        parts = [f"round {self.number}: {sent}", *(str(left) for left in self.left if left)]
        parts += [f"{self.lost} lost"] if self.lost else []
        parts += [f"{self.changed} changed"] if self.changed else []
        parts += ["it hung"] if self.hung else []
        parts += [self.not_resumed] if self.not_resumed else []
        return "; ".join(parts)


def usual_s(lab: Lab, study: Path) -> float:
    """How long an undisturbed run takes; it also makes what later ones find in their caches.

    Raises `AssertionError` where it does not end well.
    """
    began = time.monotonic()
    process = lab.start(study)
    assert lab.wait(process, ENDS_WITHIN_S), lab.said()
    assert process.returncode == 0, lab.said()
    assert not lab.left(), lab.left()
    return time.monotonic() - began


def rounds(lab: Lab, count: int, seed: int) -> Iterator[Round]:
    """Make `count` rounds, with each signal and each study as often as the others."""
    lengths_s = [usual_s(lab, study) for study in lab.studies]
    for number in range(count):
        which = number % len(lab.studies)
        draw = Random(f"{seed}/{number}")
        yield _round(lab, number, draw, lab.studies[which], lengths_s[which])


def _round(lab: Lab, number: int, draw: Random, study: Path, length_s: float) -> Round:
    made = Round(number, SIGNALS[number % len(SIGNALS)], at_s=draw.uniform(0, length_s))
    before = lab.stored()
    known = set(lab.runs())
    process = lab.start(study)
    lab.wait(process, made.at_s)
    _strike(lab, made, draw)
    at_once = lab.stored()
    if not lab.wait(process, ENDS_WITHIN_S):
        made.hung = True
    made.left.append(lab.left(max(LEFT_AFTER_S, length_s)))
    if made.hung or made.left[-1]:
        lab.clear()
        lab.wait(process, 10)
    then = lab.stored()
    made.lost += max(0, len(_TOLD.findall(lab.said())) - (len(then) - len(before)))
    _compare(made, before, then)
    _compare(made, at_once, then)
    new = [run for run in lab.runs() if run not in known]
    for run in new:
        if lab.runs()[run] != "finished":
            _resume(lab, made, study, run)
    _compare(made, then, lab.stored())
    made.trials = len(lab.stored()) - len(before)
    return made


def _strike(lab: Lab, made: Round, draw: Random) -> None:
    """Send the round's signal to somebody who lives now."""
    made.group = draw.random() < 0.4
    alive = sorted(lab.tree())
    targets = sorted({_group_of(pid) for pid in alive} - {0, os.getpgrp()}) if made.group else alive
    if not targets:
        return
    target = draw.choice(targets)
    made.target = _name_of(target)
    send: Callable[[int, int], None] = os.killpg if made.group else os.kill
    try:
        send(target, made.signal)
        if made.signal == signal.SIGSTOP:
            time.sleep(draw.uniform(*STOPPED_S))
            send(target, signal.SIGCONT)
    except ProcessLookupError:
        made.target += ", which had just ended"


def _resume(lab: Lab, made: Round, study: Path, run: str) -> None:
    """Go on with a run that did not come to its end."""
    made.resumed = True
    process = lab.start(study, "--resume", run)
    if not lab.wait(process, ENDS_WITHIN_S):
        made.not_resumed = "the resumed run hung"
        lab.clear()
        lab.wait(process, 10)
    elif process.returncode not in (0, 1):
        made.not_resumed = f"resuming ended with {process.returncode}: {lab.said()[-500:]}"
    elif lab.runs()[run] != "finished" or not lab.is_whole(run):
        made.not_resumed = f"the resumed run is {lab.runs()[run]}, with trials missing"
    made.left.append(lab.left())
    if made.left[-1]:
        lab.clear()


def _compare(made: Round, before: dict[Key, str], after: dict[Key, str]) -> None:
    made.lost += sum(key not in after for key in before)
    made.changed += sum(after.get(key, digest) != digest for key, digest in before.items())


def _group_of(pid: int) -> int:
    try:
        return os.getpgid(pid)
    except ProcessLookupError:
        return 0


def _name_of(pid: int) -> str:
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            words = file.read().split(b"\0")
    except OSError:
        return str(pid)
    # Of a whole path the last part tells enough.
    shown = [word.decode(errors="replace").rpartition("/")[2] for word in words[:4] if word]
    return f"{pid} ({' '.join(shown)[:60]})"


COLUMNS = (
    "signal", "rounds", "to groups", "resumed", "trials", "lost", "changed", "processes left",
    "ports left", "files left", "groups left", "hung", "not resumed",
)  # fmt: skip


def table(made: Sequence[Round]) -> str:
    """The rounds by signal, as a table of Markdown."""
    by_signal = [(number.name, [r for r in made if r.signal == number]) for number in SIGNALS]
    lines = [COLUMNS, tuple("--:" for _ in COLUMNS)]
    lines += [_row(name, some) for name, some in [*by_signal, ("all", list(made))]]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _row(name: str, made: Sequence[Round]) -> tuple[str, ...]:
    left = [one for round_ in made for one in round_.left]
    figures = (
        len(made),
        sum(one.group for one in made),
        sum(one.resumed for one in made),
        sum(one.trials for one in made),
        sum(one.lost for one in made),
        sum(one.changed for one in made),
        sum(len(one.processes) for one in left),
        sum(len(one.ports) for one in left),
        sum(len(one.files) for one in left),
        sum(len(one.groups) for one in left),
        sum(one.hung for one in made),
        sum(bool(one.not_resumed) for one in made),
    )
    return (name, *map(str, figures))
