"""The built-in engine as a generator: its run, in one piece or in slices, and its result."""

from __future__ import annotations

import math
import time
from typing import TypeVar

from pydantic import BaseModel, ValidationError

import webdyno._engine
from webdyno.catalog.loads.abilities import BUILT_IN, Abilities
from webdyno.catalog.loads.load import Closed, Open
from webdyno.errors import UserError
from webdyno.generators.engine_load import AgreesOnTurns
from webdyno.generators.generator import GeneratorFault, SlicedLoad
from webdyno.generators.job import BEGIN, END, Job
from webdyno.generators.job_spec import spec_of
from webdyno.generators.plugin import GeneratorPlugin
from webdyno.generators.progress import LoadProgress, Tick, Watch
from webdyno.generators.result import LoadResult
from webdyno.generators.state_changer import StateChanger

_LOOK_S = 0.1
_CONNECTING_S = 0.001
UNKNOWN_S = 2.0
"""What a load is taken to last that ends when its work is done, for how often state changes."""


class Engine(GeneratorPlugin):
    """Runs in this process, on threads of its own that hold no lock of Python's."""

    name = BUILT_IN
    abilities = Abilities(
        kinds=("closed", "open", "iterations", "objective"),
        takes_turns=True,
        tells_edges=True,
        holds_rates=True,
        keeps_answers=True,
        records=True,
        websocket=True,
    )

    def run(self, job: Job, watch: Watch | None = None) -> LoadResult:
        """Make the load; see `Generator.run`. An interrupt ends the load before it propagates."""
        load = _EdgeWatchedLoad(job)
        try:
            load.start()
            while not load.wait(_LOOK_S):
                if watch is not None and watch(load.progress()):
                    load.stop()
        except BaseException:
            load.stop()
            load.wait(5.0)
            raise
        if watch is not None:
            watch(load.progress())
        return load.result()

    def sliced(self, job: Job) -> Sliced:
        """See `GeneratorPlugin.sliced`."""
        return Sliced(job)


class Sliced(SlicedLoad):
    """The engine's `SlicedLoad`."""

    def __init__(self, job: Job) -> None:
        """Read the job. Raises `GeneratorFault`."""
        self._started = False
        self._load = _EdgeWatchedLoad(job)
        self.by_the_clock = isinstance(job.load, Open)

    def agree(self, seconds: float) -> None:
        """See `SlicedLoad`."""
        self._load.agree(seconds)

    def await_turn(self, before_s: float = 0.0) -> None:
        """See `SlicedLoad`."""
        if self._started:
            self._load.await_turn(before_s)

    def go_on(self, seconds: float) -> None:
        """See `SlicedLoad`."""
        if self._started:
            self._load.resume()
        else:
            self._started = True
            self._load.start()
            self._load.connect()
        self._load.wait(seconds)

    def hold(self) -> LoadProgress:
        """See `SlicedLoad`."""
        self._load.hold()
        return self._load.progress()

    def result(self) -> LoadResult:
        """See `SlicedLoad`."""
        return self._load.result()

    def stop(self) -> None:
        """See `SlicedLoad`."""
        self._load.stop()
        if self._started:
            self._load.wait(5.0)


class _EdgeWatchedLoad:
    """The engine's load, with its job told of the edges as they pass."""

    def __init__(self, job: Job) -> None:
        """Read the job. Raises `GeneratorFault`."""
        try:
            self._load = job.make_load(spec_of(job).json_text())
        except (ValueError, OSError, UserError) as error:
            raise GeneratorFault(f"engine: {error}") from None
        self._changer = (
            StateChanger(
                self._load,
                job.changes,
                job.lookups,
                seconds=job.load.seconds() or UNKNOWN_S,
                cpus=job.cpus,
            )
            if job.changes is not None
            else None
        )
        self._edge = job.edge or (lambda _name: None)
        # What a closed load cuts off is not measured; other loads count what they wait for.
        self._over = ("draining", "done") if isinstance(job.load, Closed) else ("done",)
        self._length_s = job.load.seconds() if isinstance(job.load, Closed) else None
        self._passed: set[str] = set()
        self._ticks: list[Tick] = []

    def agree(self, seconds: float) -> None:
        """See `AgreesOnTurns`; a load of this machine needs none."""
        if isinstance(self._load, AgreesOnTurns):
            self._load.agree(seconds)

    def await_turn(self, before_s: float) -> None:
        """See `AgreesOnTurns`."""
        if isinstance(self._load, AgreesOnTurns):
            self._load.await_turn(before_s)

    def start(self) -> None:
        """Begin. Raises `GeneratorFault`."""
        try:
            self._load.start()
        except (RuntimeError, OSError, ValueError) as error:
            raise GeneratorFault(f"engine: {error}") from None

    def connect(self) -> None:
        """Wait until the connections are open."""
        while self._look().phase == "connecting":
            self._load.wait(_CONNECTING_S)

    def wait(self, seconds: float) -> bool:
        """Wait until it has ended, for so long at most: whether it has."""
        until = time.monotonic() + seconds
        while True:
            progress = self._look()
            left = until - time.monotonic()
            if progress.done or left <= 0:
                return progress.done
            self._load.wait(min(left, self._next_edge_s(progress)))

    def _next_edge_s(self, progress: LoadProgress) -> float:
        """When to look again for an edge, however long nobody else wants to know."""
        if BEGIN not in self._passed:
            return _CONNECTING_S
        if END in self._passed or self._length_s is None:
            return math.inf
        return max(_CONNECTING_S, self._length_s - progress.elapsed_s)

    def progress(self) -> LoadProgress:
        """How far it is; the ticks are those since the last call."""
        progress = self._look()
        ticks, self._ticks = self._ticks, []
        return progress.model_copy(update={"ticks": ticks})

    def _look(self) -> LoadProgress:
        progress = read_engine_message(LoadProgress, self._load.progress())
        self._ticks += progress.ticks
        if progress.phase != "connecting":
            self._pass(BEGIN)
        if progress.phase in self._over:
            self._pass(END)
        return progress

    def _pass(self, name: str) -> None:
        if name not in self._passed:
            self._passed.add(name)
            if self._changer is not None:
                (self._changer.go_on if name == BEGIN else self._changer.hold)()
            self._edge(name)

    def resume(self) -> None:
        """Go on after `hold`."""
        self._load.resume()
        if self._changer is not None and END not in self._passed:
            self._changer.go_on()

    def hold(self) -> None:
        """Stand still."""
        self._load.pause()
        if self._changer is not None:
            self._changer.hold()

    def stop(self) -> None:
        """End early."""
        self._load.stop()
        if self._changer is not None:
            self._changer.leave()

    def result(self) -> LoadResult:
        """What it yielded, once it has ended. Raises `GeneratorFault`, and what a change raised."""
        if self._changer is not None:
            self._changer.end()
        try:
            result = parse(self._load.result())
        except RuntimeError as error:
            raise GeneratorFault(f"engine: {error}") from None
        if self._changer is None:
            return result
        changes = result.changes.model_copy(update={"waited_s": self._changer.waited_s})
        return result.model_copy(update={"changes": changes})


def parse(text: str) -> LoadResult:
    """The engine's result; where nothing was counted it says 0 µs, which would be the best."""
    result = read_engine_message(LoadResult, text)
    counted = {
        **dict.fromkeys(("latency_us", "latency_from_send_us", "first_byte_us"), result.counts.ok),
        "send_lag_us": result.counts.sent,
        "connect_us": result.connections_opened,
    }
    by_request = [
        one if one.counts["ok"] else one.model_copy(update={"latency_us": None})
        for one in result.by_request
    ]
    uncounted = {name: None for name, count in counted.items() if not count}
    return result.model_copy(update={"by_request": by_request, **uncounted})


T = TypeVar("T", bound=BaseModel)


def read_engine_message(model: type[T], text: str) -> T:
    """What the engine says, as a `model`. Raises `UserError` where it was built from other sources
    than these."""
    try:
        return model.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "its text"
        raise UserError(
            f"{webdyno._engine.__file__}: the engine does not match this Python code "
            f"({where}: {first['msg']}); run ./webdyno, which rebuilds it"
        ) from None
