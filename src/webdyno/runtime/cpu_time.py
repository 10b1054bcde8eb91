"""How busy given cores were, whoever used them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

_IDLE_FIELDS = (3, 4)
"""Positions of idle and iowait among the times of /proc/stat (proc(5))."""
_GUEST_FIELDS = 8
"""Guest times, from this position on, are counted in user and nice already."""


def busy_seconds(cpus: Iterable[int]) -> float:
    """CPU seconds since boot that `cpus` did not idle, stolen time included, in ticks of 10 ms."""
    wanted = {f"cpu{cpu}" for cpu in cpus}
    ticks = 0
    for line in Path("/proc/stat").read_text().splitlines():
        name, *fields = line.split()
        if name in wanted:
            times = [int(field) for field in fields[:_GUEST_FIELDS]]
            ticks += sum(time for place, time in enumerate(times) if place not in _IDLE_FIELDS)
    return ticks / os.sysconf("SC_CLK_TCK")
