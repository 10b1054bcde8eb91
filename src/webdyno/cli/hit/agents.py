"""`hit --agents`: the load is made by several machines of a cluster, and shown as one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from webdyno.cli.hit import view
from webdyno.cli.hit.export import of_machines
from webdyno.cli.hit.live_line import LiveLine
from webdyno.cli.hit.options import Options
from webdyno.cli.hit.warnings import Caution, warnings
from webdyno.cli.output import write_and_show
from webdyno.cli.prose import hanging
from webdyno.errors import UserError
from webdyno.generators.specification import LoadSpec
from webdyno.report.numbers import counted
from webdyno.store.document import written

if TYPE_CHECKING:
    from rich.console import Console

    from webdyno.cluster.load.outcome import LoadOutcome
    from webdyno.store.load_machines import AgentRecord, LinkRecord

_SPEED_UNITS = 1e6


def hit(
    url: str,
    spec: LoadSpec,
    options: Options,
    count: int,
    console: Console,
    json: Path | None,
) -> int:
    """Make the load and say what came of it; the exit code is 1 where it is void or nothing was
    answered. Raises `UserError`."""
    from webdyno.cluster.load.hit import hit_many
    from webdyno.cluster.machines import membership
    from webdyno.cluster.machines.ray_start import require_ray
    from webdyno.runtime.home import Home

    _refuse(options, count, spec)
    require_ray()
    member = membership.required(Home.default().root)
    together = spec.model_copy(update={"threads": spec.threads * count})
    print(hanging(view.opening(url, together), " " * 4), flush=True)
    print(f"  from {counted(count, 'agent')}", flush=True)
    with LiveLine(spec.load, console) as line:
        outcome = hit_many(member, spec, count, line.update)

    def show() -> None:
        print(_summary_of(outcome, spec), flush=True)
        view.show_warnings(_cautions(outcome, spec), console)

    def document() -> str:
        made = of_machines(url, spec, outcome.result, _cautions(outcome, spec), outcome.record())
        return written(made)

    write_and_show([(json, document)], show)
    right = outcome.result is not None and outcome.result.counts.ok
    return 0 if right and not outcome.faults else 1


def _refuse(options: Options, count: int, spec: LoadSpec) -> None:
    """Raise `UserError` for what agents cannot do."""
    for given, name, remedy in (
        (options.objective, "--objective", "a search is many loads; give a --rate"),
        (options.record, "--record", "each agent would write a file of its own; leave it out"),
        (options.cpus, "--cpus", "each machine has its own CPUs; use -t for threads of each agent"),
    ):
        if given is not None:
            raise UserError(f"{name} cannot be combined with --agents: {remedy}")
    if spec.load.connections < count:
        raise UserError(f"--agents {count}: each needs a connection; give at least -c {count}")


def _cautions(outcome: LoadOutcome, spec: LoadSpec) -> list[Caution]:
    """Those of one engine, but for its CPU: each agent's is judged by its own machine's cores."""
    void = [Caution("void", f"void: {fault.message}") for fault in outcome.faults]
    if outcome.result is None:
        return void
    of_one = warnings(outcome.result, spec.load)
    return [*void, *(one for one in of_one if one.code != "generator_bound")]


def _summary_of(outcome: LoadOutcome, spec: LoadSpec) -> str:
    """The summary, then the machines; without the figures where the load is void."""
    lines = []
    if outcome.faults:
        lines += ["", "VOID: these are not the figures of the requested load:"]
        lines += [f"  {fault.message}" for fault in outcome.faults]
    elif outcome.result is not None:
        lines.append(view.summary(outcome.result, spec.load))
    lines += [_agent(agent) for agent in outcome.agents]
    lines += [_link(link) for link in outcome.links]
    if outcome.limit is not None:
        lines.append(f"Limit:        {outcome.limit.kind}: {outcome.limit.reason}")
    return "\n".join(lines)


def _agent(agent: AgentRecord) -> str:
    clock = agent.clock
    offset = f"{clock.offset_s * 1e3:+,.2f} ± {clock.uncertainty_s * 1e3:.2f} ms"
    said = f"Agent:        {agent.address}: clock {offset}"
    if agent.counts is None or agent.start_late_s is None or agent.cpu_share is None:
        return said
    return (
        f"{said}, began {agent.start_late_s * 1e3:.2f} ms late, "
        f"{agent.counts['sent']:,} sent, {agent.cpu_share:.0%} of its CPU"
    )


def _link(link: LinkRecord) -> str:
    beside = link.rtt_beside_s
    rtt = f"{link.rtt_before_s * 1e6:,.0f} µs before"
    rtt += f", {beside * 1e6:,.0f} µs beside" if beside is not None else ""
    up, down = link.up / _SPEED_UNITS, link.down / _SPEED_UNITS
    most_up, most_down = link.up_capacity / _SPEED_UNITS, link.down_capacity / _SPEED_UNITS
    return (
        f"Link:         {link.address}: {up:.1f} of {most_up:,.0f} MB/s up, {down:.1f} of "
        f"{most_down:,.0f} MB/s down, round trip {rtt}, {link.resent_share:.2%} retransmitted"
    )
