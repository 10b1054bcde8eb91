"""The load beside a proof: its connections are opened around those of the proof."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager

from webdyno.generators.engine import Sliced
from webdyno.generators.generator import GeneratorFault, LoadInSlices
from webdyno.generators.progress import LoadProgress

_OPENING_S = 0.02
"""How long connections are given to open before others come."""

_NO_PROGRESS = LoadProgress(elapsed_s=0.0)


class Gathering(LoadInSlices):
    """Two parts of a closed load as one, and what is begun between them."""

    by_the_clock = False

    def __init__(
        self, first: Sliced | None, begin: Callable[[], Future[None]], later: Sliced | None
    ) -> None:
        """`begin` is called when `first` is open. Beside a proof that has as many connections as
        the load had there is neither part."""
        self._first, self._begin, self._later = first, begin, later
        self._parts = [part for part in (first, later) if part is not None]
        self._between: Future[None] | None = None

    @property
    def between(self) -> Future[None]:
        """What was begun between the parts. Raises `GeneratorFault` where it was not."""
        if self._between is None:
            raise GeneratorFault("engine: the load beside a proof did not begin")
        return self._between

    @contextmanager
    def opened(self) -> Iterator[None]:
        """It goes on for the length of the block."""
        self.go_on(0.0)
        yield

    def agree(self, seconds: float) -> None:
        """See `LoadInSlices`; where others make it there is no rhythm to agree on."""

    def await_turn(self, before_s: float = 0.0) -> None:
        """See `LoadInSlices`."""

    def go_on(self, seconds: float) -> None:
        """See `LoadInSlices`. The first time, one part is opened after the other."""
        ends = time.monotonic() + seconds
        if self._between is None:
            self._open()
        else:
            for part in self._parts:
                part.go_on(0.0)
        time.sleep(max(0.0, ends - time.monotonic()))

    def _open(self) -> None:
        if self._first is not None:
            self._first.go_on(_OPENING_S)
        self._between = self._begin()
        if self._later is not None:
            self._later.go_on(_OPENING_S)

    def hold(self) -> LoadProgress:
        """See `LoadInSlices`. Nobody asks how far it is."""
        for part in self._parts:
            part.hold()
        return _NO_PROGRESS

    def stop(self) -> None:
        """End both parts."""
        for part in self._parts:
            part.stop()
