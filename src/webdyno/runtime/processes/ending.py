"""When and how a server ended that was not asked to."""

from __future__ import annotations

import os
import select
import signal
import threading
import time
from types import TracebackType
from typing import Self

from webdyno.runtime.proc import is_zombie


def how(code: int) -> str:
    """How a server ended, by its exit code as `subprocess` gives it: negative for a signal."""
    if code == 0:
        return "exited with 0, but has to stay in the foreground (start it without --daemon or '&')"
    if code > 0:
        return f"exited with {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    return f"was killed ({name})" if -code == signal.SIGKILL else f"was ended by a signal ({name})"


class Ending:
    """Notes the moment at which a process ends within a `with`; it sleeps until then."""

    def __init__(self, pid: int) -> None:
        """Of the process `pid`, a child that was not waited for yet."""
        self._pid = pid
        self.after_s: float | None = None
        """Seconds from the beginning until it ended, 0 where it had ended before; None while it
        lives."""

    def __enter__(self) -> Self:
        self._began = time.monotonic()
        self._leave, self._left = os.pipe()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()
        return self

    def _watch(self) -> None:
        try:
            process = os.pidfd_open(self._pid)
        except ProcessLookupError:  # Somebody has asked already how it ended.
            self.after_s = 0.0
            return
        try:
            # `select` takes no descriptor above 1023, which a load of many connections leads to.
            events = select.poll()
            events.register(process, select.POLLIN)
            # One that is killed is a zombie at once; a pidfd tells only of its last thread's end.
            if is_zombie(self._pid) or events.poll(0):
                self.after_s = 0.0
                return
            events.register(self._leave, select.POLLIN)
            if process in dict(events.poll()):
                self.after_s = time.monotonic() - self._began
        finally:
            os.close(process)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        os.close(self._left)
        self._thread.join()
        os.close(self._leave)
