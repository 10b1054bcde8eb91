"""What the runs of several machines said, side by side."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

COLUMNS = (
    "machine", "server", "trials", "server CPU", "generator CPU", "threads", "turns", "limit",
    "doubts",
)  # fmt: skip

_FIGURE = re.compile(r"(?<![a-z])\d[\d.,]*\b")


def table(folders: Sequence[Path]) -> str:
    """Markdown: placement of each machine, a row for each of its servers, and all sentences."""
    runs = [(folder.name, run) for folder in folders if (run := read(folder)) is not None]
    none = [folder.name for folder in folders if folder.name not in dict(runs)]
    lines = ["# Machines", ""]
    lines += [f"- {name}: {run.get('placement') or 'no placement'}" for name, run in runs]
    lines += [f"- {name}: no run; see its run.txt and console.log" for name in none]
    lines += ["", _row(COLUMNS), _row(["---"] * len(COLUMNS))]
    lines += [_row([name, *row]) for name, run in runs for row in rows(run)]
    for name, run in runs:
        lines += ["", f"## {name}", "", *(f"- {line}" for line in sentences(run))]
    return "\n".join(lines) + "\n"


def read(folder: Path) -> dict[str, Any] | None:
    """A machine's run: the stored record, which holds more, or the exported JSON."""
    for name in ("record.json", "run.json"):
        try:
            found = json.loads((folder / name).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        if isinstance(found, dict):
            return found
    return None


def rows(run: Mapping[str, Any]) -> list[list[str]]:
    """The cells of each server of a run, without the machine's name."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for trial in run["trials"]:
        found.setdefault(entry(trial), []).append(trial)
    return [
        [
            name,
            _counted(trial["status"] for trial in trials),
            _span(_share(trial, "server") for trial in trials),
            _span(_share(trial, "generator") for trial in trials),
            _counted(_generator(trial).get("threads") for trial in trials),
            _counted(_turns(trial) for trial in trials),
            _counted(trial.get("bottleneck") for trial in trials),
            _counted(flag["code"] for trial in trials for flag in trial["flags"]),
        ]
        for name, trials in sorted(found.items())
    ]


def sentences(run: Mapping[str, Any]) -> list[str]:
    """Why each server was limited, and each doubt: once each, whatever figures are in it."""
    said = (
        f"{entry(trial)}: {text}"
        for trial in run["trials"]
        for text in (
            trial.get("reason"),
            trial.get("bottleneck_reason"),
            *(f"{flag['code']}: {flag['message']}" for flag in trial["flags"]),
        )
        if text
    )
    shapes: dict[str, str] = {}
    for text in said:
        shapes.setdefault(_FIGURE.sub("0", text), text)
    return [*shapes.values(), *run.get("notes", [])]


def entry(trial: Mapping[str, Any]) -> str:
    """The name that reports give to a trial's server."""
    name = str(trial["server"])
    if trial.get("variant", "default") != "default":
        name += f"@{trial['variant']}"
    return f"{name} (control)" if trial.get("control") else name


def _measured(trial: Mapping[str, Any]) -> Mapping[str, Any]:
    # A record holds what was measured apart, the export beside the rest.
    found: Mapping[str, Any] = trial.get("measurement", trial) or {}
    return found


def _generator(trial: Mapping[str, Any]) -> Mapping[str, Any]:
    found = _measured(trial).get("generator")
    return found if isinstance(found, Mapping) else {}


def _share(trial: Mapping[str, Any], role: str) -> float | None:
    use = (_measured(trial).get("cpu") or {}).get(role)
    return use["share"] if use else None


def _turns(trial: Mapping[str, Any]) -> str | None:
    slices = _generator(trial).get("slices")
    if slices is None:
        return None
    return "in one piece" if slices == 1 else "in turns"


def _counted(values: Iterable[Any]) -> str:
    """`ok` where all are, `2 ok, 1 failed` else."""
    found = Counter(str(value) for value in values if value not in (None, ""))
    if len(found) == 1:
        (value,) = found
        return value
    return ", ".join(f"{times} {value}" for value, times in found.most_common())


def _span(shares: Iterable[float | None]) -> str:
    known = [share for share in shares if share is not None]
    if not known:
        return ""
    low, high = min(known), max(known)
    return f"{low:.0%}" if f"{low:.0%}" == f"{high:.0%}" else f"{low:.0%} to {high:.0%}"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
