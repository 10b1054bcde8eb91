"""The measured load: the generator makes it while the observer watches."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from typing import Any

from webdyno._engine import Observer
from webdyno.generators.base import BEGIN, END, Generator, Job, Progress
from webdyno.generators.engine import Engine
from webdyno.runtime.cpu_time import busy_seconds
from webdyno.trial.plan import Listener, TrialPlan

START, IDLE = "start", "idle"
"""The observer's marks: at the first answer, after the proof, at the first and at the last moment
of the load."""

Held = dict[str, Any]
"""What a process tree used and held at a mark, by the observer's names."""


def load_and_watch(
    plan: TrialPlan,
    generator: Generator,
    job: Job,
    observer: Observer,
    listener: Listener,
    marks: tuple[str, str] = (BEGIN, END),
) -> dict[str, Any]:
    """Make the load, with a mark of the observer where it begins and where it ends.

    The result also tells how busy the server's and the generator's cores were between the marks,
    whoever used them, and over how long. A generator that does not tell its edges is marked around
    its whole run, in which it also opens its connections. Raises `GeneratorError`.
    """

    def watch(progress: Progress) -> bool:
        listener(
            "progress",
            elapsed_s=progress.elapsed_s,
            rps=progress.rps,
            errors=progress.errors,
            ticks=progress.ticks,
        )
        return False

    cores = CoresClock(plan)
    tells = isinstance(generator, Engine)

    def edge(name: str) -> None:
        observer.mark(marks[0] if name == BEGIN else marks[1])
        (cores.go_on if name == BEGIN else cores.hold)()

    if tells:
        result = generator.run(replace(job, edge=edge), watch)
    else:
        edge(BEGIN)
        result = generator.run(job, watch)
        edge(END)
    return {**result, **cores.seen(), "marked": tells}


class CoresClock:
    """How busy the server's and the generator's cores are while it runs, whoever uses them."""

    def __init__(self, plan: TrialPlan) -> None:
        """It stands still until `go_on`."""
        self._sets = plan.placement.server, plan.placement.generator
        self._busy = [0.0, 0.0]
        self._watched = 0.0
        self._since: tuple[float, list[float]] | None = None

    def go_on(self) -> None:
        """Run."""
        self._since = time.monotonic(), [busy_seconds(cpus) for cpus in self._sets]

    def hold(self) -> None:
        """Stand still; nothing where it does."""
        if self._since is None:
            return
        began, before = self._since
        self._watched += time.monotonic() - began
        now = [busy_seconds(cpus) for cpus in self._sets]
        self._busy = [a + n - b for a, n, b in zip(self._busy, now, before, strict=True)]
        self._since = None

    def seen(self) -> dict[str, float]:
        """What `assemble` takes of it, by the names in a result."""
        return {
            "server_cores_busy_s": self._busy[0],
            "generator_cores_busy_s": self._busy[1],
            "watched_s": self._watched,
        }


def memory_at_start(pid: int, cpu: int) -> Held:
    """What the tree under `pid` holds now, read from core `cpu`.

    By an observer of its own, so that the proof, which may be dear, does not count in the peak of
    the load.
    """
    observer = Observer({"server": pid}, cpu=cpu)
    observer.start()
    try:
        observer.mark(START)
    finally:
        observed = observer.stop()
    held: Held = json.loads(observed)["marks"][START]["roles"]["server"]
    return held
