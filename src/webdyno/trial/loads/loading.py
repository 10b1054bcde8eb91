"""What every kind of load is made with, and what it gives back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from webdyno.generators.job import BEGIN, END, Job
from webdyno.generators.plugin import GeneratorPlugin
from webdyno.generators.result import LoadResult
from webdyno.runtime.processes.process import ManagedProcess
from webdyno.store.counts import RequestCounts
from webdyno.store.search import SearchRecord
from webdyno.trial.events import Listener
from webdyno.trial.plan import TrialPlan
from webdyno.trial.site import Observing
from webdyno.trial.state import TrialState
from webdyno.trial.watching.measure import CoreUsage
from webdyno.verdict.steadiness.warm import AnswerCost

Marks = tuple[str, str]
"""The observer's marks around a load."""

EDGES: Marks = (BEGIN, END)
"""Those of a load that is made once."""


@dataclass(frozen=True)
class Loading:
    """A load about to be made, on a server that is ready for it and under an observer."""

    plan: TrialPlan
    generator: GeneratorPlugin
    job: Job
    process: ManagedProcess
    observer: Observing
    listener: Listener
    state: TrialState


@dataclass(frozen=True)
class WatchedLoad:
    """One load that was made: its result, how busy cores were, and the observer's marks around it,
    exactly or around the generator's whole run. Made in turns, it had `slices` of `slice_s` each,
    and between them its server stood still for `pauses_s`.
    """

    result: LoadResult
    cores: CoreUsage
    marks: Marks
    exactly: bool = True
    slices: int = 1
    slice_s: float | None = None
    pauses_s: tuple[float, ...] = ()


@dataclass(frozen=True)
class Loaded:
    """The load that counts. `counts` are those of all loads together, and so is `followed`, of
    counts that were set under load; `repeated` is how many were made before it, `before` what an
    answer of the last of them cost, or of the warm-up, and `compiled_s` the CPU time of the
    server's compilers in it alone.

    Where it is a step of a search, `search` tells of them all, and `refuting` is the gentlest that
    failed, which shows what limits the server.
    """

    load: WatchedLoad
    counts: RequestCounts
    followed: int
    repeated: int = 0
    before: AnswerCost | None = None
    compiled_s: float | None = None
    search: SearchRecord | None = None
    refuting: WatchedLoad | None = None

    @classmethod
    def once(cls, load: WatchedLoad, before: AnswerCost | None = None) -> Self:
        """Of the only load that was made."""
        result = load.result
        return cls(load, result.counts, result.changes.counts_followed, before=before)
