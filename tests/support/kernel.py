"""What this machine's kernel offers, asked of the kernel itself and not of Webdyno."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

_IO_URING_SETUP = 425
"""The number of the system call, the same on every architecture but Alpha."""
_PARAMETERS_BYTES = 120
"""The size of the kernel's `struct io_uring_params`."""
_GROUPS = Path("/sys/fs/cgroup")


def offers_io_uring() -> bool:
    """Whether the kernel has enough of io_uring for the engine (6.1 has) and lets a process use
    it. Raises `OSError` where it refuses for another reason than these."""
    libc = ctypes.CDLL(None, use_errno=True)
    parameters = ctypes.create_string_buffer(_PARAMETERS_BYTES)
    ring = libc.syscall(_IO_URING_SETUP, 1, parameters)
    if ring >= 0:
        os.close(ring)
        major, minor = os.uname().release.split(".")[:2]
        return (int(major), int(minor)) >= (6, 1)
    code = ctypes.get_errno()
    if code in (errno.ENOSYS, errno.EPERM, errno.EACCES):
        return False
    raise OSError(code, f"io_uring_setup: {os.strerror(code)}")


def offers_control_groups() -> bool:
    """Whether a control group that can be frozen can be made here, and a process be put into it."""
    with subprocess.Popen(["sleep", "60"]) as process:
        try:
            return any(_joins(process.pid, parent) for parent in _parents())
        finally:
            process.kill()


def _parents() -> Iterator[Path]:
    """This process's group and those above it, in each hierarchy whose groups can be frozen."""
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        mounts = [_GROUPS / "freezer"] if "freezer" in controllers.split(",") else []
        if not controllers:
            mounts = [one for one in (_GROUPS, _GROUPS / "unified") if _is_v2(one)]
        for mount in mounts:
            own = mount / path.lstrip("/")
            yield own
            yield from (one for one in own.parents if one.is_relative_to(mount))


def _is_v2(mount: Path) -> bool:
    return (mount / "cgroup.controllers").exists()


def _joins(pid: int, parent: Path) -> bool:
    group = parent / f"asked-{os.getpid()}"
    try:
        group.mkdir()
    except OSError:
        return False
    try:
        (group / "cgroup.procs").write_text(str(pid))
        (parent / "cgroup.procs").write_text(str(pid))
    except OSError:
        return False
    finally:
        with contextlib.suppress(OSError):
            group.rmdir()
    return True
