"""A recorded load: windows of about a tenth of a second, and what is known of them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from webdyno.verdict.steadiness.warm import Windows

COLUMNS = ("end_s", "answers", "cpu_s", "compiler_s", "compiler_wait_s", "busy_s")


@dataclass(frozen=True)
class Curve:
    """A server under load from its first answer on. `facts` are the file's header: `runtime`,
    `server`, `scenario`, `conditions`, `label` and whatever else was noted."""

    name: str
    facts: dict[str, str]
    windows: Windows


def write_curve(path: Path, facts: dict[str, str], windows: Windows) -> None:
    """Write `windows` as a CSV file; columns that could not be seen are left out."""
    columns: dict[str, NDArray[np.float64] | None] = {
        "end_s": windows.ends_s,
        **{name: getattr(windows, name) for name in COLUMNS[1:]},
    }
    known = {name: values for name, values in columns.items() if values is not None}
    lines = [f"# {key}: {value}" for key, value in facts.items()]
    lines.append(",".join(known))
    lines += [",".join(f"{value:.4g}" for value in row) for row in _rows(known)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def read_curve(path: Path) -> Curve:
    """Read what `write_curve` wrote."""
    lines = path.read_text(encoding="utf-8").splitlines()
    head = [line for line in lines if line.startswith("#")]
    facts = dict(line.removeprefix("# ").split(": ", 1) for line in head)
    names, *rows = lines[len(head) :]
    table = np.array([[float(cell) for cell in row.split(",")] for row in rows])
    columns = dict(zip(names.split(","), table.T, strict=True))
    return Curve(
        path.stem,
        facts,
        Windows(columns.pop("end_s"), columns.pop("answers"), **columns),
    )


def _rows(columns: dict[str, NDArray[np.float64]]) -> list[tuple[float, ...]]:
    return list(zip(*columns.values(), strict=True))
