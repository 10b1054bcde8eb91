"""The loads of two running services and of the control, and what they showed."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from webdyno.ab.conclusion.broken import BrokenVersion
from webdyno.ab.running.bystanders import Bystanders
from webdyno.ab.running.listeners import ListeningService
from webdyno.ab.running.table import ENTRIES, GENERATOR_SHARE
from webdyno.ab.running.turns import Turns
from webdyno.ab.study.confidence import CLAIM_BY_REQUEST, FigureKey
from webdyno.ab.study.statuses import remedy_under_load
from webdyno.catalog.loads.load import Load
from webdyno.catalog.scenarios.scenario import Scenario
from webdyno.errors import UserError
from webdyno.generators.engine import Engine, Sliced
from webdyno.generators.job import Job
from webdyno.generators.malformed import in_words
from webdyno.generators.result import LoadResult
from webdyno.redaction import without_secrets
from webdyno.runtime.processes.cpu_time import TreeClock
from webdyno.verifier.base import shorten
from webdyno.words import duration

Made = TypeVar("Made")

MOST_FAILED = 1e-3
"""Part of the requests that may fail; services with more do not do their work."""


class BrokenServiceError(Exception):
    """One of the two does not do its work."""

    def __init__(self, entry: str, reason: str) -> None:
        super().__init__(reason)
        # The control is A.
        self.version = BrokenVersion(entry[0], reason)


class _LateError(BrokenServiceError):
    """It did not answer in time, and did nothing else wrong."""


class RunningLoads:
    """Makes loads of the services, which are given by `ENTRIES`."""

    def __init__(
        self, services: Mapping[str, ListeningService], work: Scenario, cpus: Sequence[int]
    ) -> None:
        """`cpus` are the generator's."""
        self._services, self._work, self._cpus = services, work, tuple(cpus)
        self._seed = random.Random()
        self.late: dict[str, str] = {}
        """The versions of which a load was made again since answers came too late, each with what
        was wrong."""
        self.bystanders = Bystanders(service.pid for service in services.values())

    def once(
        self, entry: str, load: Load, changed: Callable[[Job], Job] = lambda job: job
    ) -> LoadResult:
        """The load of one entry, which may end before any answer. Raises `BrokenServiceError` where
        it does not do its work."""
        return self._if_late_again(
            lambda: self._sound(entry, load, Engine().run(changed(self._job(entry, load))))
        )

    def figures(self, kind: str, load: Load, turns: Turns) -> dict[str, dict[FigureKey, float]]:
        """Those of a load of all entries, in turns where there are any; by entry. Raises
        `BrokenServiceError`."""
        return self._if_late_again(lambda: self._measured(kind, load, turns))

    def _if_late_again(self, make: Callable[[], Made]) -> Made:
        """What `make` gives, made once more where answers came too late: on a starved machine a few
        may do so once. Each version is forgiven once in all: one whose answers come late in load
        after load does not do its work."""
        while True:
            try:
                return make()
            except _LateError as error:
                letter = error.version.letter
                if letter in self.late:
                    raise
                self.late[letter] = error.version.reason

    def _measured(self, kind: str, load: Load, turns: Turns) -> dict[str, dict[FigureKey, float]]:
        self.bystanders.begin()
        by_entry = self._in_turns(load, turns) if turns.length_s else self._one_by_one(load)
        self.bystanders.end()
        return {entry: self._figures_of(entry, kind, *by_entry[entry]) for entry in ENTRIES}

    def _in_turns(self, shape: Load, turns: Turns) -> dict[str, tuple[LoadResult, float]]:
        """The load of all entries, a slice each in turn until each had its duration: what came of
        it, and the CPU seconds that the service used."""
        loads = {entry: Sliced(self._job(entry, shape)) for entry in ENTRIES}
        spent = dict.fromkeys(ENTRIES, 0.0)
        waiting = list(ENTRIES)
        try:
            while waiting:
                self._seed.shuffle(waiting)
                for entry in list(waiting):
                    clock = self._clock(entry)
                    before = clock.seconds() if clock else 0.0
                    loads[entry].go_on(turns.length_s)
                    progress = loads[entry].hold()
                    # What is under way is its work, and would take the next one's time.
                    time.sleep(turns.settle_s)
                    spent[entry] += (clock.seconds() if clock else 0.0) - before
                    if progress.done:
                        waiting.remove(entry)
            results = {
                entry: self._checked(entry, shape, load.result()) for entry, load in loads.items()
            }
        finally:
            for load in loads.values():
                load.stop()
        return {entry: (results[entry], spent[entry]) for entry in ENTRIES}

    def _one_by_one(self, shape: Load) -> dict[str, tuple[LoadResult, float]]:
        """As `_in_turns`, the load of each entry in one piece, in random order."""
        results = {}
        for entry in self._seed.sample(ENTRIES, len(ENTRIES)):
            clock = self._clock(entry)
            marks: list[float] = []
            job = self._job(entry, shape)
            if clock is not None:
                job = replace(job, edge=_reading(clock, marks))
            result = self._checked(entry, shape, Engine().run(job))
            used = marks[-1] - marks[0] if len(marks) > 1 else math.nan
            results[entry] = (result, used)
        return results

    def _clock(self, entry: str) -> TreeClock | None:
        pid = self._services[entry].pid
        return None if pid is None else TreeClock(pid, refresh_s=0.0)

    def _figures_of(
        self, entry: str, kind: str, result: LoadResult, cpu_s: float
    ) -> dict[FigureKey, float]:
        ok, latency = max(1, result.counts.ok), result.latency_us
        figures = {
            FigureKey(kind, "throughput_rps"): result.throughput_rps,
            FigureKey(kind, GENERATOR_SHARE): result.busiest_share,
            FigureKey(kind, "p50_us"): latency.p50 if latency else math.nan,
            FigureKey(kind, "p99_us"): latency.p99 if latency else math.nan,
        }
        for one in result.by_request:
            if one.latency_us is not None:
                figures[FigureKey(kind, CLAIM_BY_REQUEST, one.name)] = one.latency_us.p50
        if self._services[entry].pid is not None:
            figures[FigureKey(kind, "cpu_us_per_request")] = cpu_s * 1e6 / ok
        return figures

    def _checked(self, entry: str, load: Load, result: LoadResult) -> LoadResult:
        """`result`, of a service that answered. Raises `BrokenServiceError`, and `UserError` where
        the load was too short for an answer."""
        if not self._sound(entry, load, result).counts.ok:
            url = without_secrets(self._services[entry].url)
            raise UserError(
                f"{url}: no answer came within {duration(load.seconds())}, the length of each "
                "load; compare for longer: --budget 10m, or -d 5m with hit"
            )
        return result

    def _sound(self, entry: str, load: Load, result: LoadResult) -> LoadResult:
        """`result`, of a service that did its work. Raises `BrokenServiceError`."""
        counts = result.counts
        if counts.errors > MOST_FAILED * max(1, counts.offered):
            details = [in_words(one.detail) for one in result.errors_detail]
            first = next(iter(details), "")
            kind = _LateError if counts.timed_out == counts.errors else BrokenServiceError
            if kind is _LateError:
                first = (
                    f"no answer within {duration(load.timeout)}; allow more by `timeout` under "
                    "[load], for hit by --timeout"
                )
            raise kind(
                entry,
                f"{counts.errors} of {counts.offered} requests failed under load"
                + (f": {shorten(first)}" if first else "")
                + (_GONE if any("refused" in one for one in details) else "")
                + remedy_under_load(first),
            )
        return result

    def _job(self, entry: str, load: Load) -> Job:
        service = self._services[entry]
        return Job(
            scenario=self._work.manifest,
            load=load,
            host=service.host,
            host_header=service.authority,
            port=service.port,
            cpus=self._cpus,
            seed=self._seed.getrandbits(32),
            samples=0,
        )


_GONE = "; it has ended or no longer listens there: see its own log, and start it again"
"""What it means that connections are refused, of a service that was there before the load."""


def _reading(clock: TreeClock, marks: list[float]) -> Callable[[str], None]:
    """What adds the clock's time to `marks` at each edge of a load."""

    def read(_edge: str) -> None:
        marks.append(clock.seconds())

    return read
