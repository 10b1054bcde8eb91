"""`webdyno doctor`: what is installed, what is missing, and how noisy this machine is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from webdyno.cli.doctor.needs import needs_of, show_needs, show_unfetched, unfetched_of
from webdyno.cli.option_values import noise_s

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import Console

    from webdyno.run.budget.forecast import Forecast
    from webdyno.runtime.machine.facts import MachineFacts


def doctor(
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    noise: Annotated[
        bool, typer.Option("--noise/--no-noise", help="Measure how noisy this machine is.")
    ] = True,
    duration: Annotated[
        str,
        typer.Option(
            "--duration",
            "--seconds",
            help="How long to measure noise, from 1s to 2m; a bare number is seconds.",
        ),
    ] = "6s",
    generators: Annotated[
        bool,
        typer.Option(
            "--generators", help="Compare the load engine with other generators (one minute)."
        ),
    ] = False,
    machines: Annotated[
        bool, typer.Option("--machines", help="Check all machines of the cluster instead.")
    ] = False,
) -> None:
    """Show what is installed or missing, and how noisy this machine is."""
    from rich.console import Console

    from webdyno.cli import context
    from webdyno.report.layout import say
    from webdyno.runtime.machine.facts import fingerprint
    from webdyno.runtime.machine.noise import measure_noise

    seconds = noise_s(duration)
    console = Console(highlight=False)
    if machines:
        from webdyno.cli.doctor.machines import look

        raise typer.Exit(look(console, seconds if noise else None, as_json=json))
    if generators:
        from webdyno.cli.doctor.generators import run

        run(console, as_json=json)
        return
    servers = context.catalog().servers()
    needs = needs_of(servers)
    unfetched = unfetched_of(servers, {need.spec for need in needs if need.toolchain.ok})
    if not json:
        show_needs(console, needs)
        show_unfetched(console, unfetched)
        _show_machine(console, fingerprint())
    measured, foretold = None, None
    if noise:
        if not json:
            console.print(f"\n[bold]Noise[/] (measuring for {seconds:g} s)")
        measured = measure_noise(seconds)
        foretold = _foretold()
    machine = fingerprint(measured)
    if json:
        from webdyno.cli.doctor.documents import DoctorDocument
        from webdyno.store.document import printed

        typer.echo(printed(DoctorDocument.of(needs, unfetched, machine, foretold)))
    elif measured is not None:
        _show_noise(console, machine)
        if foretold is not None:
            say(console, foretold.sentence())


def _foretold() -> Forecast | None:
    """What can be told apart in how many minutes, from restarting a small server."""
    from webdyno.cli import context
    from webdyno.run.budget.forecast import measure_forecast
    from webdyno.runtime.processes.private_folder import private_folder, remove_private_folder

    temporary = context.home().temporary
    try:
        return measure_forecast(private_folder(temporary))
    finally:
        remove_private_folder(temporary)


def _show_facts(console: Console, facts: Mapping[str, str]) -> None:
    """Some lines, each behind its label."""
    from webdyno.report.layout import say

    for label, text in facts.items():
        say(console, f"{label:<10}  {text}")


def _show_machine(console: Console, machine: MachineFacts) -> None:
    from webdyno.report.layout import say_doubt
    from webdyno.report.numbers import size
    from webdyno.runtime.confinement.confine import means
    from webdyno.runtime.machine.advice import machine_limits

    held = means()
    most = machine.open_files_most
    raised = "without limit" if most is None else f"up to {most}"
    limit = f", {machine.limit_cpus:g} allowed" if machine.limit_cpus is not None else ""
    facts = {
        "CPU": f"{machine.cpu_model}, {machine.cores} of {machine.cores_total} cores{limit}",
        "Memory": size(machine.memory_bytes),
        "System": f"{machine.os}, kernel {machine.kernel}, {machine.architecture}",
        "Virtual": machine.virtualised,
        "Governor": machine.governor or "unknown",
        "Open files": f"{machine.open_files}, raised {raised} where needed",
        "Limits": f"enforced by {held.cpu} (CPU), {held.memory} (memory)",
    }
    console.print("\n[bold]Machine[/]")
    _show_facts(console, facts)
    for line in machine_limits(machine):
        say_doubt(console, line)
    _show_protection(console)
    _show_cores(console)


def _show_protection(console: Console) -> None:
    from webdyno.report.layout import say_doubt
    from webdyno.runtime.confinement.protection import protection

    for line in protection().held:
        _show_facts(console, {"Servers": line})
    for line in protection().missing:
        say_doubt(console, line)


def _show_cores(console: Console) -> None:
    from webdyno.report.layout import say_doubt
    from webdyno.runtime.machine.place import place
    from webdyno.runtime.machine.placement_advice import cautions, roles
    from webdyno.runtime.machine.topology import read_topology

    usual, with_services = place(), place(with_services=True)
    console.print("\n[bold]Cores[/]")
    _show_facts(console, roles(usual, with_services, read_topology()))
    for line in cautions(usual):
        say_doubt(console, line)


def _show_noise(console: Console, machine: MachineFacts) -> None:
    from webdyno.report.layout import say, say_doubt
    from webdyno.runtime.machine.advice import noise_causes, noise_meaning

    noise = machine.noise
    if noise is None:
        return
    late = f"{noise.timer_late_us_p50:.0f} µs (median), {noise.timer_late_us_p99:.0f} µs (p99)"
    facts = {
        "Work": f"varies by {noise.cv:.1%}; slowest 0.1 s {noise.worst_window:.0%} of the median",
        "Stolen": f"{noise.steal_share:.1%} of CPU time, by the host",
        "Others": f"{noise.foreign_share:.1%} of CPU time; load average {noise.load_average:.2f}",
        "Timers": f"late by {late}",
    }
    _show_facts(console, facts)
    say(console, noise_meaning(noise))
    for line in noise_causes(noise, machine):
        say_doubt(console, line)
