"""`webdyno doctor --machines`: every machine of the cluster in one table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from webdyno.cluster.link.clock import Clock
    from webdyno.cluster.machines.examined import ExaminedMachine
    from webdyno.cluster.machines.facts import Facts
    from webdyno.runtime.machine.noise import Noise


def look(console: Console, noise_s: float | None, *, as_json: bool) -> int:
    """Look at all machines and print what was seen; 1 where one does not answer or differs."""
    from webdyno.cluster.agents.cluster import connected
    from webdyno.cluster.machines.examined import examined
    from webdyno.cluster.machines.membership import required
    from webdyno.runtime.home import Home
    from webdyno.store.document import printed

    member = required(Home.default().root)
    with connected(member) as cluster:
        nodes = cluster.nodes()
    if noise_s is not None and not as_json:
        console.print(f"Measuring noise for {noise_s:g} s on each of {len(nodes)} machines …")
    machines = examined(member, nodes, noise_s)
    if as_json:
        typer.echo(printed([one.document() for one in machines]))
    else:
        _show(console, machines)
    doubts = [line for one in machines for line in _doubts(one, machines)]
    for line in doubts:
        typer.echo(line, err=True)
    return 1 if doubts else 0


def _show(console: Console, machines: list[ExaminedMachine]) -> None:
    from rich.table import Table
    from rich.text import Text

    titles = ("machine", "roles", "what it is", "noise", "clock", "link from here")
    table = Table(*titles, box=None, pad_edge=False)
    for one in machines:
        if one.facts is None:
            cells = [one.error]
        else:
            cells = [_what(one.facts), _noise(one.noise), _clock(one.clock), _link(one)]
        table.add_row(*map(Text, (one.address, ", ".join(one.roles), *cells)))
    console.print(table)


def _what(facts: Facts) -> str:
    from webdyno.report.numbers import counted, size

    machine = facts.machine
    return (
        f"{counted(machine.cores, 'core')}, {size(machine.memory_bytes)}, "
        f"Linux {machine.kernel}, {machine.architecture}, Webdyno {facts.webdyno}"
    )


def _noise(noise: Noise | None) -> str:
    if noise is None:
        return "not measured"
    return (
        f"work ±{noise.cv:.1%}, host {noise.steal_share:.1%}, others "
        f"{noise.foreign_share:.1%}, timers {noise.timer_late_us_p99:,.0f} µs late (p99)"
    )


def _clock(clock: Clock | None) -> str:
    if clock is None:
        return "this machine"
    return f"{clock.wall_offset_s * 1e3:+.2f} ± {clock.uncertainty_s * 1e3:.2f} ms"


def _link(one: ExaminedMachine) -> str:
    if one.link is None or one.clock is None:
        return ""
    return (
        f"{one.link.up / 1e6:,.0f} MB/s there, {one.link.down / 1e6:,.0f} MB/s back, "
        f"{one.clock.rtt_median_s * 1e6:,.0f} µs"
    )


def _doubts(one: ExaminedMachine, machines: list[ExaminedMachine]) -> list[str]:
    """What would keep a study from running on this machine beside the others."""
    if one.facts is None or one.error:
        return [f"{one.address}: {one.error}"]
    first = next(other.facts for other in machines if other.facts is not None)
    return [
        f"{one.address} has {name} {getattr(one.facts, key)}, {first.address} "
        f"{getattr(first, key)}; install the same version"
        for key, name in (("webdyno", "Webdyno"), ("ray", "Ray"), ("python", "Python"))
        if getattr(one.facts, key) != getattr(first, key)
    ]
