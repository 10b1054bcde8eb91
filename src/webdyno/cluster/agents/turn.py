"""One turn of a part of a load: from an agreed instant to another, both by this machine's clock."""

from __future__ import annotations

import threading
import time
from typing import Any


class Turn:
    """Begins when it is made, on a thread of its own: nothing that is timed waits for an order."""

    def __init__(self, load: Any, at_ns: int, seconds: float, *, first: bool) -> None:
        """Let `load` go on at `at_ns` for so long, and stand still again. The `first` turn of a
        load is begun by the engine itself."""
        self._load, self._first = load, first
        self._begin_s = at_ns / 1e9
        self._end_s = self._begin_s + seconds
        self.late_s = 0.0
        """How long after its instant it began."""
        self._thread = threading.Thread(target=self._run, daemon=True, name="turn")
        self._thread.start()

    def join(self) -> None:
        """Wait until it is over."""
        self._thread.join()

    def _run(self) -> None:
        time.sleep(max(0.0, self._begin_s - time.monotonic()))
        if not self._first:
            self._load.resume()
            self.late_s = time.monotonic() - self._begin_s
        if not self._load.wait(max(0.0, self._end_s - time.monotonic())):
            self._load.pause()
