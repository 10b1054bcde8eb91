"""What a generator is given and what it must be able to do."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from webdyno._engine import Load as BuiltIn
from webdyno.catalog.loads.load import Load
from webdyno.catalog.scenarios.scenario import ScenarioManifest
from webdyno.generators.progress import LoadProgress, Watch
from webdyno.generators.result import LoadResult
from webdyno.generators.specification import StateChange

BEGIN, END = "begin", "end"
"""The edges of a load."""


class EngineLoad(Protocol):
    """A load of the engine's, wherever it is made; see `_engine.Load`."""

    def start(self) -> None:
        """Open the connections and begin."""
        ...

    def progress(self) -> str:
        """JSON of how far it is, a `LoadProgress`."""
        ...

    def pause(self) -> None:
        """Stand still."""
        ...

    def resume(self) -> None:
        """Go on."""
        ...

    def begin_change(self, spec: str) -> None:
        """From now on old and new state are right; `spec` is JSON of a `ChangeSpec`."""
        ...

    def end_change(self) -> None:
        """From now on the new one alone is."""
        ...

    def stop(self) -> None:
        """End early."""
        ...

    def wait(self, timeout_s: float) -> bool:
        """Wait for the end, for so long at most: whether it came."""
        ...

    def result(self) -> str:
        """JSON of what it yielded, a `LoadResult`."""
        ...


@runtime_checkable
class AgreesOnTurns(Protocol):
    """What an `EngineLoad` has beside that where others make it, who have to know of each turn
    before it begins: they begin and end it by their clocks, and `resume` and `pause` find it so."""

    def agree(self, seconds: float) -> None:
        """Agree on a turn of so long, soon; of a load that has not started, on its first."""
        ...

    def await_turn(self, before_s: float = 0.0) -> None:
        """Wait until so long before it begins."""
        ...


def fresh_seed() -> int:
    """A seed that no server can find out beforehand, as it could from the id of its run.

    Each load gets one of its own: what a server was asked in its warm-up, and answered, it could
    else keep until it is asked the same under load. And a seed tells which answers are sampled.
    """
    return secrets.randbits(48)


@dataclass(frozen=True)
class Job:
    """A load to be made: which work, at which port, from which cores.

    `variables` and `lookups` are the verifier's: values that replace the manifest's, and expected
    answers by drawn value. `samples` is how many answers the audit wants to see, with bodies of
    `body_bytes` at most. `record` is where each request is to be written as a line of a JTL, by
    generators that know of each. `changes` gives the next change of the server's state to make at a
    random moment of the load, by generators that can judge answers meanwhile; `lookups` follow it
    where they are dicts. `edge` is called with `BEGIN` once the connections are open, and with
    `END` when what is measured is over, by generators that can tell. `host_header` is the `Host`
    that is sent where it is not `host` and `port`, by the engine. `make_load` gives the engine's
    load of the JSON of a `LoadSpec`: one made here, or from other machines.
    """

    scenario: ScenarioManifest
    load: Load
    port: int
    cpus: tuple[int, ...]
    seed: int
    samples: int = 200
    body_bytes: int = 256 * 1024
    host: str = "127.0.0.1"
    host_header: str | None = None
    variables: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    lookups: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    record: Path | None = None
    changes: Callable[[], StateChange | None] | None = None
    edge: Callable[[str], None] | None = None
    make_load: Callable[[str], EngineLoad] = BuiltIn


class SlicedLoad(Protocol):
    """A load that is made slice by slice; between two of them it stands still, and its clock."""

    by_the_clock: bool
    """Whether requests arrive whatever the server does."""

    def agree(self, seconds: float) -> None:
        """Have whoever makes the load know that it goes on soon, for so long."""
        ...

    def await_turn(self, before_s: float = 0.0) -> None:
        """Wait until so long before it does."""
        ...

    def go_on(self, seconds: float) -> None:
        """Load for so long, or to the end of the load; `hold` then lets it stand still.

        The first time it also opens the connections, which does not count.
        """
        ...

    def hold(self) -> LoadProgress:
        """Stand still; gives how far it is."""
        ...

    def result(self) -> LoadResult:
        """What the whole load yielded, once it has ended. Raises `GeneratorError`."""
        ...

    def stop(self) -> None:
        """End it, wherever it is."""
        ...


class GeneratorError(Exception):
    """The generator itself failed: nothing was measured."""


class Generator(Protocol):
    """Makes a load."""

    name: str

    def run(self, job: Job, watch: Watch | None = None) -> LoadResult:
        """Make the load, from start to end. Raises `GeneratorError`."""
        ...
