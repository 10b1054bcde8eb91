"""`webdyno capacity`: how many machines a day's traffic needs, from what a run measured."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from webdyno.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import RenderableType

    from webdyno.capacity.plan import Demand
    from webdyno.capacity.queue import Discipline
    from webdyno.capacity.records import Plan
    from webdyno.capacity.traffic import DayCurve
    from webdyno.store.records import RunRecord


def capacity(
    run: Annotated[
        str, typer.Argument(help="A run's id (or its first characters), or 'latest'.")
    ] = "latest",
    page_views: Annotated[
        str | None,
        typer.Option(
            help="The day's traffic, such as 25M/day (the default); a view is one request."
        ),
    ] = None,
    rate: Annotated[
        str | None,
        typer.Option(help="In place of --page-views: the rate at the day's peak, such as 5000/s."),
    ] = None,
    objective: Annotated[
        str, typer.Option(help="What must hold in the busiest hour.")
    ] = "p99 < 100ms, errors < 0.1%",
    peak: Annotated[
        float | None,
        typer.Option(
            help="The day's peak rate, as a multiple of its mean (default: 2.8, by the rule)."
        ),
    ] = None,
    headroom: Annotated[str, typer.Option(help="Spare capacity to plan for, such as 30%.")] = "0%",
    queue: Annotated[
        str, typer.Option(help="How a machine serves concurrent requests: shared or fifo.")
    ] = "shared",
    servers: Annotated[str | None, typer.Option(help="Only these, comma-separated.")] = None,
    price: Annotated[
        str | None,
        typer.Option(
            help="Price of a machine as large as the server's share of this one, such as 0.10/h."
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the plan as JSON.")] = False,
) -> None:
    """Estimate how many machines a day's traffic needs, by a published rule and by simulation."""
    from webdyno.capacity.document import CapacityDocument
    from webdyno.capacity.objective import objective as read_objective
    from webdyno.capacity.plan import Demand, plans
    from webdyno.capacity.traffic import DayCurve
    from webdyno.catalog.terms import quantity
    from webdyno.cli import context
    from webdyno.cli.capacity.bills import bills_of, show_bills
    from webdyno.cli.name_lists import names
    from webdyno.cli.option_values import of_option, share_of
    from webdyno.store.document import printed

    if queue not in ("shared", "fifo"):
        raise UserError(f"--queue {queue}: no such queue; choose shared or fifo")
    curve = (
        DayCurve.of_the_rule() if peak is None else of_option("--peak", DayCurve.with_peak, peak)
    )
    demand = Demand(
        daily=_daily(page_views, rate, curve),
        curve=curve,
        goal=of_option("--objective", read_objective, objective),
        headroom=share_of("--headroom", headroom, 0.0, 1000.0),
    )
    each = None if price is None else of_option("--price", quantity.price, price)
    record = context.reading_store().run(run)
    if servers is not None:
        record = _only(record, names(servers, "--servers"))
    kind: Discipline = "fifo" if queue == "fifo" else "shared"
    found = plans(record, demand, kind)
    searched = any(trial.search is not None for trial in record.trials)
    if not found and not (searched and price):
        hint = "; with --price, its objective's loads are used" if searched else ""
        raise UserError(
            f"run {record.id} has no valid trial of a closed or iterations load; "
            f"only those show what a server can do{hint}"
        )
    billed = bills_of(record, found, demand.peak_rps, each)
    if json:
        typer.echo(printed(CapacityDocument.of(record.id, demand, kind, found, billed)))
    else:
        _show(demand, queue, found)
        show_bills(billed, price)
        typer.echo(f"run {record.id}")


def _daily(page_views: str | None, rate: str | None, curve: DayCurve) -> float:
    """The requests of the day that is planned for; with a rate, of the day that peaks at it."""
    from webdyno.catalog.terms import quantity
    from webdyno.cli.option_values import of_option

    if rate is None:
        if page_views is not None and page_views.strip().endswith("/s"):
            raise UserError(f"--page-views: '{page_views}' is a rate; give a peak rate with --rate")
        return of_option("--page-views", quantity.daily_views, page_views or "25M/day")
    if page_views is not None:
        raise UserError("--rate and --page-views cannot be combined; give one of them")
    peak_rps = of_option("--rate", quantity.rate, rate)
    if peak_rps <= 0:
        raise UserError(f"--rate: '{rate}' is not a valid rate; it must be above 0/s")
    return curve.daily(peak_rps)


def _only(record: RunRecord, names: list[str]) -> RunRecord:
    from webdyno.store.disqualification import without_disqualified

    known = {trial.entry for trial in record.trials}
    if unknown := next((name for name in names if name not in known), None):
        others = f"it has {', '.join(sorted(known))}" if known else "it has no trial; name another"
        raise UserError(f"--servers {unknown}: not in run {record.id}; {others}")
    # A lie counts wherever it was proven, also on the second entry of an A/A pair.
    kept = [trial for trial in without_disqualified(record.trials) if trial.entry in names]
    return record.model_copy(update={"trials": kept})


def _show(demand: Demand, queue: str, plans: list[Plan]) -> None:
    from rich.console import Console
    from rich.text import Text

    from webdyno.report.layout import say
    from webdyno.report.numbers import scale_for

    console = Console()
    rates = scale_for("rate", [demand.published_rps, demand.peak_rps])
    room = f", plus {demand.headroom:.0%} headroom" if demand.headroom else ""
    by_the_rule, at_the_peak = map(rates.with_unit, (demand.published_rps, demand.peak_rps))
    say(console, f"{demand.daily:,.0f} requests a day{room}; objective: {demand.goal.text}")
    say(console, f"published rule (80% of them within 40% of the day): {by_the_rule}")
    say(
        console,
        f"daily curve, highest at {demand.curve.peak:.2f} times its mean: {at_the_peak} at the "
        f"peak; machines simulated as queues ({queue})",
    )
    searched = any(plan.searched for plan in plans)
    for scenario, load in dict.fromkeys((plan.scenario, plan.load) for plan in plans):
        console.print(Text(f"\n{scenario}  {load}", style="bold"))
        those = [plan for plan in plans if (plan.scenario, plan.load) == (scenario, load)]
        console.print(_table(those, console.width, searched=searched))
        for plan in those:
            for note in _notes(plan, demand):
                say(console, note, "dim")
    if any(plan.blocks < 2 for plan in plans):
        say(console, "one block gives no interval; run more", "dim")


def _table(plans: list[Plan], width: int, *, searched: bool) -> RenderableType:
    """A row a server; `searched`: with the machines that its measured capacity says."""
    from webdyno.report.layout import Column, ends_joined, table
    from webdyno.report.tables.bills import capacity_text, machines_text

    titles = ["measured req/s", "by the rule", "within the objective", "machines"]
    titles += [*(["searched"] if searched else []), "blocks"]
    columns = [Column("server", names=True), *(Column(title, right=True) for title in titles)]
    rows: list[list[str]] = []
    for plan in plans:
        cells = [
            plan.entry,
            capacity_text(plan.throughput),
            machines_text(plan.published),
            "–" if plan.simulated is None else capacity_text(plan.simulated),
            machines_text(plan.machines),
            *([capacity_text(plan.searched) if plan.searched else "–"] if searched else []),
            str(plan.blocks),
        ]
        rows.append([ends_joined(cell) for cell in cells])
    return table(columns, rows, width, rule=True)


def _notes(plan: Plan, demand: Demand) -> Iterator[str]:
    """What the table does not say of a server, a sentence each."""
    from webdyno.words import duration

    goal = demand.goal
    if plan.reason:
        yield f"{plan.entry}: {plan.reason}"
    if plan.day:
        busiest, quietest = plan.day[0], plan.day[12]
        yield (
            f"{plan.entry}: each machine {busiest.utilisation:.0%} used in the busiest hour, "
            f"{goal.quantity} {busiest.latency_s * 1000:.1f} ms; {quietest.utilisation:.0%} and "
            f"{quietest.latency_s * 1000:.1f} ms in the quietest"
        )
    if plan.stalled_share > 1 - goal.quantile and plan.simulated:
        yield (
            f"{plan.entry}: users spent {plan.stalled_share:.1%} of their time on answers that "
            f"took {duration(goal.bound_s)} longer than the median; if such answers come together, "
            "because the server stands still, it misses the objective: try its peak rate with hit "
            "--rate"
        )
    if plan.limited_by_generator:
        yield f"{plan.entry}: the generator was the limit; the server can do at least this"
