"""What each flaw of the published programs does to a figure, as the table in docs/studies.md.

Each flaw of studies_prose.toml has the study that measures it, the scenarios in which it shows, and
`pairs`: a `variant` with the flaw, and `beside` it the same server without. Where the flaw is the
load's, `load` and `beside_load` are named instead, and the server is the same. `of` says what else
sets the two apart, `untold` why no figure of ours shows the flaw. What a pair does is told where a
run measured both side by side; the rest is listed below the table.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from measured import ENOUGH

from webdyno.report.numbers import ratio

WIDTH = 118
_HEAD = ["| Flaw | Compared | What it does here |", "|---|---|---|"]


def table(flaws: Sequence[dict[str, Any]], runs: Sequence[dict[str, Any]]) -> list[str]:
    """The table of what was measured, and the list of what was not."""
    lines, cells = [*_HEAD], []
    others: dict[tuple[str, str], list[str]] = {}
    for flaw in flaws:
        for pair in flaw["pairs"]:
            found = [] if "untold" in pair else _measured(pair, flaw["scenarios"], runs)
            cells += [flawed for flawed, _ in found]
            if told := [_effect(pair, flawed, sound) for flawed, sound in found]:
                compared = "<br>".join(_compared(pair))
                lines.append(f"| {flaw['says']} | {compared} | {'<br>'.join(told)} |")
            else:
                why = pair.get("untold", f"study `{flaw['study']}`")
                others.setdefault((flaw["says"], why), []).append(
                    (", " if "of" in pair else " ").join(_compared(pair))
                )
    return [*([*lines, ""] if cells else []), *_when(cells), *_left(others)]


def _compared(pair: dict[str, Any]) -> tuple[str, str]:
    """What has the flaw, and what it stands beside."""
    under = f" under `{pair['load']}`" if "load" in pair else ""
    of = f", {pair['of']}" if "of" in pair else ""
    beside = pair["beside_load"] if "load" in pair else pair["beside"]
    return f"`{pair['variant']}`{under}{of}", f"beside `{beside}`"


def _left(others: Mapping[tuple[str, str], Sequence[str]]) -> list[str]:
    """Of which flaws we have no figure, and what would tell."""
    if not others:
        return []
    items = [f"- {says}: {'; '.join(pairs)} ({why})" for (says, why), pairs in others.items()]
    return ["Not measured so far:", "", *items, ""]


def _measured(
    pair: dict[str, Any], scenarios: Sequence[str], runs: Sequence[dict[str, Any]]
) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Of each scenario and load the cell with the flaw, and that without it, mostly the same one:
    of several runs the newest, unless an older one has more of the trials that a place takes. Cells
    of a single trial are left out where others have more."""
    cells = [cell for run in runs for cell in run["cells"] if cell["scenario"] in scenarios]
    both = [(one, other) for one in cells for other in cells if _is_of(pair, one, other)]

    def worth(cells: tuple[dict[str, Any], dict[str, Any]]) -> tuple[int, str]:
        trials = (row["trials"] for row in _rows(pair, *cells))
        return min(ENOUGH, *trials), cells[0]["run"]["date"]

    found = list({(one["scenario"], one["load"]): (one, other)
                  for one, other in sorted(both, key=worth)}.values())  # fmt: skip
    # One trial beside one does not show by how much they vary.
    repeated = [cells for cells in found if worth(cells)[0] > 1]
    return repeated or found


def _is_of(pair: dict[str, Any], flawed: dict[str, Any], sound: dict[str, Any]) -> bool:
    """Whether one run measured the pair's flaw in one cell, and what is without it in the other."""
    if "load" in pair:
        loads = flawed["load"], sound["load"]
        # Files of before runs had an id tell a run by its day and length.
        alike = (flawed["scenario"], flawed["run"]) == (sound["scenario"], sound["run"])
        at_its_place = alike and loads == (pair["load"], pair["beside_load"])
    else:
        at_its_place = flawed is sound
    return at_its_place and len(_rows(pair, flawed, sound)) == 2


def _rows(
    pair: dict[str, Any], flawed: dict[str, Any], sound: dict[str, Any]
) -> list[dict[str, Any]]:
    """That of the variant, and that beside it: fewer where one was not measured."""
    wanted = (flawed, pair["variant"]), (sound, pair.get("beside", pair["variant"]))
    return [row for cell, entry in wanted for row in cell["rows"] if row["entry"] == entry]


def _effect(pair: dict[str, Any], flawed: dict[str, Any], sound: dict[str, Any]) -> str:
    """`json` under `closed-64`: 0.21 times the rate, 2.40 times the CPU per request."""
    one, other = _rows(pair, flawed, sound)
    where = f"`{flawed['scenario']}`" + ("" if "load" in pair else f" under `{flawed['load']}`")
    reasons = {row["entry"]: _short_reason(row) for row in (one, other) if row["reason"]}
    if not one["rps"] or not other["rps"]:
        return f"{where}: no figure ({_listed(reasons) or 'no trial counts'})"
    # Of an open load the rate is given; of others it is what the server can do.
    parts = [] if flawed.get("kind") == "open" else [_part(one, other, "rps", "range", "the rate")]
    if one["cpu_us"] and other["cpu_us"]:
        parts.append(_part(one, other, "cpu_us", "cpu_range", "the CPU per request"))
    open_place = f"; not ranked: {_listed(reasons)}" if reasons else ""
    return f"{where}: {', '.join(parts) or 'no figure'}{open_place}"


def _part(one: dict[str, Any], other: dict[str, Any], key: str, span: str, what: str) -> str:
    times = one[key] / other[key]
    told = f"{ratio(times).removesuffix('x')} times {what}"
    mine, theirs = one.get(span), other.get(span)
    if mine and theirs and mine[0] <= theirs[1] and theirs[0] <= mine[1]:
        told += " (ranges overlap)"
    return told


def _short_reason(row: dict[str, Any]) -> str:
    """Why it was not ranked, without the details."""
    return str(row["reason"]).partition(":")[0].partition(";")[0]


def _listed(reasons: dict[str, str]) -> str:
    same = set(reasons.values())
    if len(reasons) > 1 and len(same) == 1:
        return f"both {same.pop()}"
    return ", ".join(f"`{entry}` {reason}" for entry, reason in reasons.items())


def _when(cells: Sequence[dict[str, Any]]) -> list[str]:
    """How to read the table, and when and where it was measured."""
    if not cells:
        return []
    days = sorted({cell["run"]["date"] for cell in cells})
    dates = f"on {days[0]}" if len(days) == 1 else f"between {days[0]} and {days[-1]}"
    machines = " and ".join(sorted({cell["run"]["machine"] for cell in cells}))
    told = (
        "Each ratio is the quotient of two medians of one run. Ranges overlap if the best trial of "
        "the worse one is as good as the worst of the other; then the two are not told apart. "
        f"Measured {dates}, on {machines}."
    )
    return [textwrap.fill(told, WIDTH), ""]
