"""A neighbour: a process that uses a part of a core in bursts, at random times, on any core.

Run as a program it is the neighbour itself, which ends with whoever started it.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

SHORTEST_S, LONGEST_S = 0.1, 2.0
"""Of a burst, and at half a core of the pauses between them."""

_PR_SET_PDEATHSIG = 1


@contextlib.contextmanager
def neighbour(share: float) -> Iterator[None]:
    """Have one meanwhile that uses `share` of a core on the mean; none where it is 0."""
    if not share:
        yield
        return
    process = subprocess.Popen([sys.executable, __file__, str(share), str(os.getpid())])
    try:
        yield
    finally:
        process.kill()
        process.wait()


def bursts(share: float, draw: random.Random) -> Iterator[tuple[float, float]]:
    """Seconds of work and of rest after it, on and on; the work is `share` of both in the end."""
    while True:
        yield (
            draw.uniform(SHORTEST_S, LONGEST_S),
            draw.uniform(SHORTEST_S, LONGEST_S) * (1 - share) / share,
        )


def _disturb(share: float, parent: int) -> None:
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        return  # It ended before the line above could take effect.
    for work_s, rest_s in bursts(share, random.Random()):
        until = time.monotonic() + work_s
        while time.monotonic() < until:
            pass
        time.sleep(rest_s)


if __name__ == "__main__":
    _disturb(float(sys.argv[1]), int(sys.argv[2]))
