"""When and how a server ended that was not asked to."""

from __future__ import annotations

import os
import select
import signal
import threading
import time
from contextlib import ExitStack
from typing import Self

from webdyno.runtime.proc import look_at


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
        with ExitStack() as held:
            try:
                self._process: int | None = os.pidfd_open(self._pid)
                held.callback(os.close, self._process)
            except ProcessLookupError:  # Somebody has asked already how it ended.
                self._process = None
            # Looked at here: once a thread has come to it, the process may have ended meanwhile.
            if self._process is None or self._has_ended(self._process):
                self.after_s = 0.0
            self._leave, self._left = os.pipe()
            held.callback(os.close, self._leave)
            self._leaving = held.enter_context(ExitStack())
            self._leaving.callback(os.close, self._left)
            self._thread = threading.Thread(target=self._watch, daemon=True)
            self._thread.start()
            # Closed by whoever leaves: nothing of it stays open where one of these steps fails.
            self._held = held.pop_all()
        return self

    def _has_ended(self, process: int) -> bool:
        # Of one that is killed the first thread ends at once; a pidfd tells only of the last one's.
        seen = look_at(self._pid)
        if seen is None or seen.zombie or seen.ending:
            return True
        return bool(_ready(process, timeout_ms=0))

    def _watch(self) -> None:
        if self._process is None or self.after_s is not None:
            return
        if self._process in _ready(self._process, self._leave):
            self.after_s = time.monotonic() - self._began

    def __exit__(self, *_: object) -> None:
        with self._held:
            self._leaving.close()  # Which wakes the thread.
            self._thread.join()


def _ready(*descriptors: int, timeout_ms: int | None = None) -> list[int]:
    """Those that can be read, once one can; none where none can in time.

    `select` takes no descriptor above 1023, which a load of many connections leads to.
    """
    events = select.poll()
    for one in descriptors:
        events.register(one, select.POLLIN)
    return [one for one, _ in events.poll(timeout_ms)]
