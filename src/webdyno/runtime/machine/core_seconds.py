"""What given cores did, whoever used them, and what the host of a virtual machine took of them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

_STAT = Path("/proc/stat")
_IDLE_FIELDS = (3, 4)
"""Positions of idle and iowait among the times of /proc/stat (proc(5))."""
_INTERRUPT_FIELDS = (5, 6)
"""Those of irq and softirq, which some kernels count as the interrupted program's as well."""
_STOLEN_FIELD = 7
_GUEST_FIELDS = 8
"""Guest times, from this position on, are counted in user and nice already."""


@dataclass(frozen=True)
class CoreSeconds:
    """Seconds since boot, in ticks of 10 ms."""

    busy: float
    """In which the cores did not idle, the stolen ones included."""
    stolen: float
    """Those in which a program was to run on them, but the host had given the core to others."""

    def plus(self, more: CoreSeconds) -> CoreSeconds:
        """Both together."""
        return CoreSeconds(self.busy + more.busy, self.stolen + more.stolen)

    def since(self, earlier: CoreSeconds) -> CoreSeconds:
        """What was added since `earlier`."""
        return CoreSeconds(self.busy - earlier.busy, self.stolen - earlier.stolen)

    def without(self, own_s: float) -> CoreSeconds:
        """What is left of it without the `own_s` seconds of known programs."""
        left = max(0.0, self.busy - own_s)
        # A kernel that counts stolen time as the running program's has it in `own_s` already.
        return CoreSeconds(left, min(self.stolen, left))


def core_seconds(
    cpus: Iterable[int], *, interrupts: bool = True, stat: Path = _STAT
) -> CoreSeconds | None:
    """What `cpus` did together; None where `stat` does not tell of each of them, as in a container
    that numbers its CPUs anew (LXCFS). Without `interrupts`, what they took is left out."""
    left_out = _IDLE_FIELDS if interrupts else _IDLE_FIELDS + _INTERRUPT_FIELDS
    names = {f"cpu{cpu}" for cpu in cpus}
    busy = stolen = 0
    try:
        lines = stat.read_text().splitlines()
    except OSError:
        return None
    for line in lines:
        name, *fields = line.split()
        if name in names:
            names.remove(name)
            times = [int(field) for field in fields[:_GUEST_FIELDS]]
            busy += sum(time for place, time in enumerate(times) if place not in left_out)
            stolen += sum(times[_STOLEN_FIELD:])
    if names:
        return None
    ticks = os.sysconf("SC_CLK_TCK")
    return CoreSeconds(busy / ticks, stolen / ticks)
