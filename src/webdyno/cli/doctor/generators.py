"""`webdyno doctor --generators`: the load engine beside the other generators of this machine."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from webdyno.generators.cross_check.check import Compared, CrossCheck

BUSY = 0.5
"""Load average above which others had a part in the figures."""


def run(console: Console, *, as_json: bool) -> None:
    """Measure for about a minute, and show what came of it."""
    from webdyno.generators.cross_check.check import check

    if as_json:
        console.print_json(json.dumps(document(check(lambda _: None))))
        return
    with console.status("measuring for about a minute") as status:
        checked = check(lambda step: status.update(step))
    show(console, checked)


def show(console: Console, checked: CrossCheck) -> None:
    """The tables, and what to know of them."""
    from webdyno.generators.cross_check import check as of

    closed = f"{of.CONNECTIONS} connections, {of.ROUNDS} rounds of {of.CLOSED_S} s"
    console.print(cost_table(checked))
    console.print(
        f"{closed}. CPU is that of the whole process, per answer, also relative to the engine's; "
        "the engine's excludes the start of its Python host but its memory includes it.\n"
    )
    console.print(latency_table(checked))
    console.print(
        f"{of.RATE:,}/s for {of.OPEN_S} s on a server that answers after 1 ms and stalls for "
        "200 ms of every 2 s; the truth is simulated. Server on core "
        f"{checked.server_cpu}, generator on core {checked.client_cpu}."
    )
    for line in remarks(checked):
        console.print(f"[yellow]![/] {line}", highlight=False)
    for tool in checked.missing:
        console.print(f"{tool.name} is not installed: {tool.install}", soft_wrap=True)


def cost_table(checked: CrossCheck) -> Table:
    """What a request costs each generator."""
    columns = ("version", "answers/s", "CPU µs", "engine's CPU", "memory MB")
    shown = _table("Closed load", columns)
    for row in checked.compared:
        shown.add_row(
            row.name,
            row.version,
            _number(row.rps, 0),
            _number(row.cpu_us, 2),
            _ratio(row),
            _number(row.peak_bytes and row.peak_bytes / 1e6, 0),
        )
    return shown


def latency_table(checked: CrossCheck) -> Table:
    """What each generator sees of a server that stands still, and what its users would."""
    from webdyno.generators.cross_check.check import SHARES

    shown = _table("Open load", [f"p{share * 100:g} ms" for share in SHARES])
    for row in checked.compared:
        if row.latency_ms:
            shown.add_row(row.name, *(_number(row.latency_ms.get(share), 2) for share in SHARES))
    truth = (_number(checked.truth_ms[share], 2) for share in SHARES)
    shown.add_row("truth", *truth, style="bold")
    return shown


def _table(title: str, columns: Sequence[str]) -> Table:
    from rich.table import Table

    shown = Table(box=None, pad_edge=False, title=title, title_justify="left")
    shown.add_column("")
    for column in columns:
        shown.add_column(column, justify="right", no_wrap=True)
    return shown


def remarks(checked: CrossCheck) -> list[str]:
    """What casts doubt on the figures."""
    said = []
    if checked.load_average > BUSY:
        said.append(
            f"other programs were running (load average {checked.load_average:.1f}): only the "
            "ratios are meaningful; repeat this on a quiet machine"
        )
    if checked.server_cpu == checked.client_cpu:
        said.append("server and generator shared one core and slowed each other down")
    said += [
        f"{row.name} {row.version}: the documentation's figures are for {row.pinned}"
        for row in checked.compared
        if row.pinned and row.version != row.pinned
    ]
    said += [f"{row.name}: {failure}" for row in checked.compared for failure in row.failures]
    return said


def document(checked: CrossCheck) -> dict[str, Any]:
    """The same for machines."""
    return {
        "generators": [
            {
                "name": row.name,
                "version": row.version,
                "documented_version": row.pinned or None,
                "answers_rps": row.rps,
                "cpu_us_per_answer": row.cpu_us,
                "engine_cpu_ratio": row.engine_cpu_ratio,
                "peak_bytes": row.peak_bytes,
                "latency_ms": _quantiles(row.latency_ms) if row.latency_ms else None,
                "failures": list(row.failures),
            }
            for row in checked.compared
        ],
        "truth_ms": _quantiles(checked.truth_ms),
        "missing": [{"name": tool.name, "install": tool.install} for tool in checked.missing],
        "remarks": remarks(checked),
    }


def _quantiles(quantiles: dict[float, float]) -> dict[str, float]:
    return {f"p{share * 100:g}".replace(".", ""): value for share, value in quantiles.items()}


def _ratio(row: Compared) -> str:
    return "–" if row.engine_cpu_ratio is None else f"× {row.engine_cpu_ratio:.2f}"


def _number(value: float | None, digits: int) -> str:
    return "–" if value is None else f"{value:,.{digits}f}"
