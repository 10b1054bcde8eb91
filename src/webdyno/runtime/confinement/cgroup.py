"""The limits that a container or a control group sets on this process."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

MOUNT = Path("/sys/fs/cgroup")
_NO_LIMIT_V1 = 1 << 60
"""Version 1 writes "no limit" as a number of bytes near 2**63."""


@dataclass(frozen=True)
class CgroupLimits:
    """CPU in cores (2.5 = two and a half) and memory in bytes; None where there is no limit."""

    cpus: float | None = None
    memory_bytes: int | None = None


def limits(mount: Path = MOUNT, membership: Path = Path("/proc/self/cgroup")) -> CgroupLimits:
    """The tightest limits of this process's groups and of those above them, versions 1 and 2."""
    cpus: list[float] = []
    memory: list[int] = []
    for controllers, path in groups(membership):
        if not controllers:
            for folder in _upwards(mount, path):
                cpus += _cpu_v2(folder)
                memory += _number(folder / "memory.max")
        if "cpu" in controllers:
            for folder in _upwards(controller_folder(mount, controllers, "cpu"), path):
                cpus += _cpu_v1(folder)
        if "memory" in controllers:
            for folder in _upwards(controller_folder(mount, controllers, "memory"), path):
                memory += _number(folder / "memory.limit_in_bytes")
    bounded = [value for value in memory if value < _NO_LIMIT_V1]
    return CgroupLimits(min(cpus, default=None), min(bounded, default=None))


class QuotaPauses(NamedTuple):
    """In how many of a quota's `periods` there was something to run, and in how many of these the
    quota was used up, so that all was `paused` until the next."""

    periods: int
    paused: int


def pauses(mount: Path = MOUNT, membership: Path = Path("/proc/self/cgroup")) -> QuotaPauses | None:
    """Those of this process's groups since they were made; of the group that was paused most. None
    without a quota."""
    found: list[QuotaPauses] = []
    for controllers, path in groups(membership):
        second = not controllers
        if not second and "cpu" not in controllers:
            continue
        top = mount if second else controller_folder(mount, controllers, "cpu")
        for folder in _upwards(top, path):
            if _cpu_v2(folder) if second else _cpu_v1(folder):
                found += _pauses(folder)
    return max(found, key=lambda one: one.paused, default=None)


def groups(membership: Path) -> Iterator[tuple[list[str], str]]:
    """Controllers and path of each group; version 2 names no controllers."""
    try:
        lines = membership.read_text().splitlines()
    except OSError:
        return
    for line in lines:
        _, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        yield [name for name in controllers.split(",") if name], path


def controller_folder(mount: Path, controllers: list[str], name: str) -> Path:
    """Where a version 1 controller is mounted: under its own name, or with its companions."""
    return next((mount / n for n in (",".join(controllers), name) if (mount / n).is_dir()), mount)


def _upwards(mount: Path, path: str) -> Iterator[Path]:
    # Inside a container the path may be that of the host and not exist here; the mount's own
    # folder is then the container's group.
    folder = mount / path.lstrip("/")
    while folder != mount:
        yield folder
        folder = folder.parent
    yield mount


def _cpu_v2(folder: Path) -> list[float]:
    try:
        quota, period = (folder / "cpu.max").read_text().split()
    except (OSError, ValueError):
        return []
    return [] if quota == "max" else [int(quota) / int(period)]


def _cpu_v1(folder: Path) -> list[float]:
    quota = _number(folder / "cpu.cfs_quota_us")
    period = _number(folder / "cpu.cfs_period_us")
    return [quota[0] / period[0]] if quota and period and quota[0] > 0 else []


def _pauses(folder: Path) -> list[QuotaPauses]:
    try:
        lines = (folder / "cpu.stat").read_text().splitlines()
        counters = dict(line.split() for line in lines)
        return [QuotaPauses(int(counters["nr_periods"]), int(counters["nr_throttled"]))]
    except (OSError, ValueError, KeyError):
        return []


def _number(path: Path) -> list[int]:
    try:
        return [int(path.read_text())]
    except (OSError, ValueError):
        return []
