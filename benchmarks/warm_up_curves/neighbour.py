"""Another program on the server's cores, which works at random times."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Collection, Iterator

_WORK = """
import random, sys, time
part = float(sys.argv[1])
while True:
    end = time.monotonic() + random.expovariate(1 / (0.3 * part))
    while time.monotonic() < end:
        pass
    time.sleep(random.expovariate(1 / (0.3 * (1 - part))))
"""


@contextlib.contextmanager
def neighbour(cpus: Collection[int], part: float) -> Iterator[None]:
    """Keeps each of `cpus` busy for `part` of the time, in turns of 0.3 s on average."""
    started = []
    try:
        for cpu in cpus if part > 0 else ():
            process = subprocess.Popen([sys.executable, "-c", _WORK, str(part)])
            started.append(process)
            os.sched_setaffinity(process.pid, {cpu})
        yield
    finally:
        for process in started:
            process.kill()
            process.wait()
