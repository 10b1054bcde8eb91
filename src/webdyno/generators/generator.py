"""What a generator must be able to do."""

from __future__ import annotations

from typing import Protocol

from webdyno.generators.job import Job
from webdyno.generators.progress import LoadProgress, Watch
from webdyno.generators.result import LoadResult


class LoadInSlices(Protocol):
    """Something that loads a server slice by slice, and stands still between two of them."""

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


class SlicedLoad(LoadInSlices, Protocol):
    """A load of which something is made: its clock stands still between slices, too."""

    def result(self) -> LoadResult:
        """What the whole load yielded, once it has ended. Raises `GeneratorError`."""
        ...

    def stop(self) -> None:
        """End it, wherever it is."""
        ...


class GeneratorError(Exception):
    """The generator itself failed: nothing was measured."""


class GeneratorFault(GeneratorError):
    """It could not make a load, whatever the server did: a limit of this machine's was reached, or
    another machine was lost. A program's failure may be the server's doing, and is not one."""


class Generator(Protocol):
    """Makes a load."""

    name: str

    def run(self, job: Job, watch: Watch | None = None) -> LoadResult:
        """Make the load, from start to end. Raises `GeneratorError`."""
        ...
