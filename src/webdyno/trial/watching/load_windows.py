"""What is seen of a server under load, window by window: answers, CPU time, its compilers' part."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from webdyno.generators.progress import LoadProgress
from webdyno.runtime.machine.core_seconds import core_seconds
from webdyno.runtime.machine.placement import Placement
from webdyno.runtime.processes.cpu_time import TreeClock
from webdyno.runtime.processes.thread_times import own_thread_times
from webdyno.runtime.processes.threads import NamedThreads
from webdyno.store.records import Warmup
from webdyno.trial.watching.fullness import LOAD_THREADS
from webdyno.verdict.steadiness.steady import Steady
from webdyno.verdict.steadiness.warm import FOREIGN, AnswerCost, Windows, each_us, foreign_share

LAST = 0.75
"""From this part of a load on, CPU time per answer is taken for that of the warm server ..."""

FIRST_S = 0.2
"""... but after so long on fresh connections, where the load before has shown it to be warm."""

ENOUGH = 5
"""Windows that it is taken from at the least."""

_USED = ("cpu_s", "compiler_s", "compiler_wait_s", "busy_s", "generator_s")


@dataclass
class LoadWindows:
    """A server under one load or several, one after the other; see
    `verdict.steadiness.warm.Windows`."""

    placement: Placement
    pid: int
    compilers: NamedThreads | None
    services: Sequence[int] = ()
    """The processes of the trial's services."""
    ends_s: list[float] = field(default_factory=list)
    answers: list[float] = field(default_factory=list)
    cpu_s: list[float] = field(default_factory=list)
    compiler_s: list[float] = field(default_factory=list)
    compiler_wait_s: list[float] = field(default_factory=list)
    busy_s: list[float] = field(default_factory=list)
    """How long the server's cores were busy, but not with those of the trial that share them."""
    generator_s: list[float] = field(default_factory=list)
    """CPU time of the engine's threads."""
    waited_s: float = 0.0
    """How long the server's threads were ready but had no core."""

    def __post_init__(self) -> None:
        self.warm_cost: AnswerCost | None = None
        self._clock = TreeClock(self.pid)
        with_services = "services" in self.placement.shared
        self._beside = [TreeClock(pid) for pid in self.services if with_services]
        self._before = self._used()
        self._waited_before = self._clock.waited_seconds()

    @property
    def seconds(self) -> float:
        """How long it was under load."""
        return self.ends_s[-1] if self.ends_s else 0.0

    def look(self, progress: LoadProgress) -> None:
        """Note the windows since the last look; what was used is spread over them evenly."""
        if not progress.ticks:
            return
        used = self._used()
        spent = [now - before for now, before in zip(used, self._before, strict=True)]
        self._before = used
        for tick in progress.ticks:
            self.ends_s.append(tick.end_s)
            self.answers.append(float(tick.ok))
            for name, part in zip(_USED, spent, strict=True):
                getattr(self, name).append(max(0.0, part) / len(progress.ticks))

    def ended(self, fresh: bool = False) -> None:
        """The load is over; with `fresh` it was the load before on connections of its own."""
        self.waited_s = max(0.0, self._clock.waited_seconds() - self._waited_before)
        since_s = max(FIRST_S, self._resumed_s()) if fresh else LAST * self.seconds
        self.warm_cost = self._cost(since_s)

    def extend(self, later: LoadWindows) -> None:
        """Add what was seen afterwards."""
        offset = self.seconds
        self.ends_s += [offset + end_s for end_s in later.ends_s]
        for name in ("answers", *_USED):
            getattr(self, name).extend(getattr(later, name))
        self.waited_s += later.waited_s
        self.warm_cost = later.warm_cost

    def windows(self) -> Windows:
        """As it is judged."""
        known = self.compilers is not None
        return Windows(
            np.array(self.ends_s),
            np.array(self.answers),
            np.array(self.cpu_s) if any(self.cpu_s) else None,
            np.array(self.compiler_s) if known else None,
            np.array(self.compiler_wait_s) if known else None,
            np.array(self.busy_s),
        )

    def record(self, judged: Steady) -> Warmup:
        """As it is stored, with how it ended."""
        widths = np.maximum(np.diff(np.array(self.ends_s), prepend=0.0), 1e-9)
        rates = np.array(self.answers) / widths
        each_us = 1e6 * np.array(self.cpu_s) / np.maximum(np.array(self.answers), 1.0)
        cost = self.warm_cost if judged.steady else None
        return Warmup(
            seconds=self.seconds,
            steady=judged.steady,
            steady_after_s=judged.since_s if judged.steady else None,
            kind=judged.kind,
            reason=judged.reason,
            answers=int(sum(self.answers)),
            cpu_s=round(sum(self.cpu_s), 3),
            compiler_s=None if self.compilers is None else round(sum(self.compiler_s), 3),
            steady_cpu_us=_rounded(cost.server_us) if cost else None,
            steady_generator_us=_rounded(cost.generator_us) if cost else None,
            ticks=[
                (round(end_s, 3), round(float(rate), 1))
                for end_s, rate in zip(self.ends_s, rates, strict=True)
            ],
            cpu_us=[round(float(us), 2) for us in each_us] if any(self.cpu_s) else [],
            run_delay_s=round(self.waited_s, 4),
        )

    def _resumed_s(self) -> float:
        """When it was done with the requests of the load before, whose clients had left: many
        servers work them off all the same, and answer none of the new ones meanwhile."""
        silent = np.flatnonzero(np.array(self.answers) == 0)
        if not silent.size:
            return 0.0
        # In the window after, part of the work was still for those.
        return self.ends_s[min(int(silent[-1]) + 1, len(self.ends_s) - 1)]

    def _cost(self, since_s: float) -> AnswerCost | None:
        """CPU time per answer from then on; None where others used the server's cores, too, since
        answers are dearer beside a neighbour."""
        if foreign_share(self.windows()) > FOREIGN:
            return None
        steady = np.array(self.ends_s) > since_s
        # The last window is cut short by the end, while the CPU time read with it is not.
        steady[-1:] = False
        if steady.sum() < ENOUGH:
            return None
        answers = float(np.array(self.answers)[steady].sum())
        spent_s = float((np.array(self.cpu_s) - np.array(self.compiler_s))[steady].sum())
        cost = AnswerCost.of(answers, spent_s)
        return cost and replace(cost, generator_us=self._generator_us(steady))

    def _generator_us(self, steady: NDArray[np.bool_]) -> float | None:
        """What the engine used for an answer; its threads are gone when the last window is read."""
        made = np.array(self.generator_s)
        known = steady & (made > 0)
        answers = float(np.array(self.answers)[known].sum())
        return each_us(float(made[known].sum()), answers)

    def _used(self) -> tuple[float, ...]:
        compiling = self.compilers.seconds() if self.compilers else (0.0, 0.0)
        generator_s = sum(ran for ran, _ in own_thread_times(LOAD_THREADS).values())
        cores = core_seconds(self.placement.server)
        # Where it is not known, nobody else is taken to have used them.
        busy_s = cores.busy if cores else 0.0
        busy_s -= sum(clock.seconds() for clock in self._beside)
        if "generator" in self.placement.shared:
            # The engine is part of this process, which is all on that core.
            busy_s -= time.process_time()
        return self._clock.seconds(), *compiling, busy_s, generator_s


def _rounded(us: float | None) -> float | None:
    return None if us is None else round(us, 3)
