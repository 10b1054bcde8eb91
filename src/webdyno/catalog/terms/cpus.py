"""Lists of CPUs as the kernel and taskset(1) write them: `0-3,8`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from webdyno.errors import UserError

_PART = re.compile(r"([0-9]{1,6})(?:-([0-9]{1,6}))?")
HIGHEST = 65_535
"""No kernel numbers more CPUs; a bound keeps a slip of the pen from filling memory."""


def parse_cpus(text: str, where: str = "CPUs") -> tuple[int, ...]:
    """The CPUs that `text` lists, ascending. Raises `UserError` that names `where`."""
    found: set[int] = set()
    for part in text.replace(" ", "").split(","):
        match = _PART.fullmatch(part)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
        if last < first or last > HIGHEST:
            raise UserError(f"{where}: '{text}' is not a list of CPUs; write it like 0-3,8")
        found.update(range(first, last + 1))
    return tuple(sorted(found))


def cpus_text(cpus: Iterable[int]) -> str:
    """`cpus` as such a list: `0-3,8`; those of a run of two are told one by one."""
    parts: list[str] = []
    for first, last in _runs(sorted(set(cpus))):
        if last - first >= 2:
            parts.append(f"{first}-{last}")
        else:
            parts += [str(cpu) for cpu in range(first, last + 1)]
    return ",".join(parts)


def _runs(cpus: list[int]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for cpu in cpus:
        if runs and runs[-1][1] == cpu - 1:
            runs[-1] = (runs[-1][0], cpu)
        else:
            runs.append((cpu, cpu))
    return runs
