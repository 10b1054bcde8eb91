"""A word a minute while a build goes on, where a log would else be silent for as long."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from webdyno.trial.events import BuildStarted, Event
from webdyno.words import duration

EVERY_S = 60.0


class StillBuilding:
    """Tells `say` of a build from its start to the next event."""

    def __init__(self, say: Callable[[str], None], every_s: float = EVERY_S) -> None:
        self._say, self._every_s = say, every_s
        self._over: threading.Event | None = None

    def event(self, event: Event) -> None:
        """Whatever happens next, the build before it has ended."""
        self.close()
        if isinstance(event, BuildStarted):
            self._over = threading.Event()
            args = (event.server, self._over)
            threading.Thread(target=self._tell, args=args, daemon=True).start()

    def close(self) -> None:
        """Say no more."""
        if self._over is not None:
            self._over.set()
            self._over = None

    def _tell(self, server: str, over: threading.Event) -> None:
        began = time.monotonic()
        while not over.wait(self._every_s):
            self._say(f"still building {server} ({duration(time.monotonic() - began)})")
