"""The part of `webdyno capacity` that is about money."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webdyno.capacity.cost import Bill
    from webdyno.capacity.records import Plan
    from webdyno.store.records import RunRecord


def bills_of(
    record: RunRecord, plans: list[Plan], peak_rps: float, each: float | None
) -> list[Bill]:
    """A table for each load that says what a server handles; `each` is the price of a machine for
    an hour, and there is none without it."""
    from webdyno.capacity.cost import bills, bills_of_plans

    if each is None:
        return []
    searched = bills(record, peak_rps, each)
    goal = "the objective"
    return [*searched, *bills_of_plans(plans, goal, each)]


def show_bills(bills: list[Bill], price: str | None) -> None:
    """Print them."""
    from rich.console import Console
    from rich.text import Text

    from webdyno.report.layout import Column, ends_joined, say, table
    from webdyno.report.tables.bills import machines_text, money_text, saving_text

    console = Console()
    for bill in bills:
        title = f"\n{bill.scenario}  {bill.load}  at {price} a machine: {bill.objective}"
        console.print(Text(title, style="bold"))
        titles = ("machines", "per month", "saves against the most expensive")
        columns = [Column("server", names=True), *(Column(title, right=True) for title in titles)]
        rows = [
            [
                line.entry,
                ends_joined(machines_text(line.machines)),
                ends_joined(money_text(line.monthly)),
                ends_joined(saving_text(line)),
            ]
            for line in bill.lines
        ]
        console.print(table(columns, rows, console.width, rule=True))
        for line in bill.lines:
            if line.reason:
                say(console, f"{line.entry}: {line.reason}", "dim")
