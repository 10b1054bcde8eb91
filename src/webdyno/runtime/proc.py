"""Reading process trees from /proc."""

from __future__ import annotations

import os
from pathlib import Path


def parents() -> dict[int, int]:
    """Parent pid of every process that can be read."""
    found: dict[int, int] = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            stat = Path(f"/proc/{name}/stat").read_text()
        except OSError:
            continue
        # The command may hold spaces and brackets; the fields follow its last bracket.
        found[int(name)] = int(stat.rpartition(")")[2].split()[1])
    return found


def descendants(root: int) -> list[int]:
    """All live descendants of `root`, children before grandchildren, without `root`."""
    children: dict[int, list[int]] = {}
    for pid, parent in parents().items():
        children.setdefault(parent, []).append(pid)
    found: list[int] = []
    queue = list(children.get(root, ()))
    while queue:
        pid = queue.pop(0)
        found.append(pid)
        queue.extend(children.get(pid, ()))
    return found


def is_zombie(pid: int) -> bool:
    """True where the process has ended and only waits for its parent to notice."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return True
    return stat.rpartition(")")[2].split()[0] == "Z"


def carries(pid: int, variable: str, value: str) -> bool:
    """True where the process was started with `variable=value` in its environment."""
    try:
        environment = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return False
    return f"{variable}={value}".encode() in environment
