"""What a run is given besides its study: where it takes place, and how it is to be made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from webdyno.catalog.catalog import Catalog
from webdyno.run.bench.bench import HERE, Bench
from webdyno.run.blocks.context import never
from webdyno.runtime.home import Home
from webdyno.store.records import GrownRecord, RunRecord
from webdyno.store.store import Store
from webdyno.trial.events import Listener, silent


@dataclass(frozen=True)
class RunEnvironment:
    """What surrounds a run, whatever its study: the servers and scenarios that there are, where
    files and results are kept, who is told of its events, and where the work is done."""

    catalog: Catalog
    home: Home
    store: Store
    listener: Listener = silent
    bench: Bench = HERE


@dataclass(frozen=True)
class RunSettings:
    """What the user, or the command that needs a run, wants of it beyond its study."""

    resume: RunRecord | None = None
    """The killed run to continue; None for a new one."""
    command: str | None = None
    """What the record gives as the command that made the run; None for that of this process."""
    whole: bool = False
    """Whether every block is measured in full, even where the budget is too small for all."""
    everybody: bool = False
    """Whether every server and the control stay, though loads may still be left out."""
    time_builds: bool = False
    """Whether the builds of a study that asks for it are timed, however far that exceeds the
    budget."""
    stop_when: Callable[[RunRecord], bool] = never
    """Whether nothing that is still to be measured would change the answer: then the run ends."""
    grown: GrownRecord | None = None
    """The generator that an earlier run found a cell to need; a new run has it from the start."""
    required_entry: str = ""
    """The entry without which the run is of no use: where it cannot be built, the run ends before
    its first trial. Empty where there is none."""
    board: str = ""
    """The scenario of the board to which a new run contributes; empty for any other run."""


USUAL = RunSettings()
"""A new run, made as its study and the budget have it."""
