"""`webdyno machines`: several machines as one laboratory: start, join, show, stop."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webdyno.cli.machines.membership import another, first
from webdyno.errors import UserError

if TYPE_CHECKING:
    from webdyno.cluster.machines.facts import Facts
    from webdyno.cluster.machines.membership import Membership
    from webdyno.cluster.machines.reach import Reach


class Action(Enum):
    """What is done with the machines."""

    show = "show"
    start = "start"
    join = "join"
    stop = "stop"


def machines(
    action: Annotated[
        Action, typer.Argument(help="show (the default), start, join HOST, or stop.")
    ] = Action.show,
    host: Annotated[
        str | None, typer.Argument(help="With join: the first machine, as HOST or HOST:PORT.")
    ] = None,
    address: Annotated[
        str | None,
        typer.Option(
            help="The address at which the other machines reach this one (required for start)."
        ),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(min=1024, max=65475, help="First of the 60 ports in use (default: 7411)."),
    ] = None,
    roles: Annotated[
        str | None,
        typer.Option(
            help="Roles of this machine: server, service, generator (default: server,service for "
            "start, generator for join)."
        ),
    ] = None,
    secret: Annotated[
        Path | None,
        typer.Option(help="With join: the secret's file, copied from the first machine."),
    ] = None,
    ray: Annotated[
        str | None,
        typer.Option(help="With start: use the Ray cluster already running at HOST:PORT."),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option(help="The placement (default: machines.toml in this folder, if it exists)."),
    ] = None,
    save: Annotated[
        Path | None, typer.Option(help="With show: write the current placement to this file.")
    ] = None,
) -> None:
    """Use several machines together, connected by Ray.

    Run `start` on the first machine and `join` on the others, then `webdyno hit URL --agents 3`
    or `webdyno run STUDY --machines`. Without an action, shows the machines: cores, memory,
    kernel, links and clocks.
    """
    from webdyno.cluster.machines import machines_toml, membership
    from webdyno.cluster.machines.ray_start import require_ray
    from webdyno.runtime.home import Home

    home = Home.default().root
    if action is not Action.join and host is not None:
        raise UserError(f"`machines {action.value}` takes no host; only join does")
    if action is Action.stop:
        raise typer.Exit(_stop(home))
    if ray is not None and action is not Action.start:
        raise UserError(
            "--ray is for `machines start` only: machines that join learn it from the first; "
            "leave it out"
        )
    require_ray()
    placement = machines_toml.found(file)
    if action is Action.show:
        raise typer.Exit(_show(membership.required(home), save))
    if (there := membership.current(home)) is not None:
        raise UserError(
            f"this machine is in the cluster of {there.head}; leave it first: "
            "`webdyno machines stop`"
        )
    wanted = (
        first(placement, address, port, roles, ray, home)
        if action is Action.start
        else another(placement, host, address, port, roles, secret)
    )
    raise typer.Exit(_enter(wanted, home))


def _enter(wanted: Membership, home: Path) -> int:
    from webdyno.cluster.keeper.keeper import start_keeper

    member = start_keeper(wanted, home)
    if member.ray:
        _try_theirs(member, home)
    roles = ", ".join(member.roles)
    print(f"{member.address} is in the cluster of {member.head} as {roles}")
    if member.is_head:
        if member.ray:
            print(
                f"  on the Ray at {member.ray}; ports {member.keeper_port} and "
                f"{member.worker_port} beside Ray's"
            )
        else:
            print(
                f"  ports {member.port}-{member.port + 59}; Ray's own listen on every address, "
                "with the secret"
            )
        print(f"  secret: {member.secret}")
        print("On the others, after copying that file to them:")
        suffix = "" if member.port == 7411 else f":{member.port}"
        print(f"  webdyno machines join {member.head}{suffix} --secret FILE")
    return 0


def _try_theirs(member: Membership, home: Path) -> None:
    """Leave again where this machine is not in the Ray that somebody has started."""
    from webdyno.cluster.agents.cluster import connected
    from webdyno.cluster.keeper.keeper import stop_keeper

    try:
        with connected(member) as cluster:
            if member.address not in [node.address for node in cluster.nodes()]:
                raise UserError(
                    f"{member.address} is not in the Ray cluster at {member.ray}; first run there: "
                    f"ray start --address={member.ray} --node-ip-address={member.address}"
                )
    except UserError:
        stop_keeper(home)
        raise


def _stop(home: Path) -> int:
    from webdyno.cluster.keeper.keeper import stop_keeper

    member = stop_keeper(home)
    print("this machine is not in a cluster" if member is None else f"{member.address} has left")
    return 0


def _show(member: Membership, save: Path | None) -> int:
    """Print the machines; 1 where one does not answer."""
    from webdyno.cluster.agents.cluster import connected
    from webdyno.cluster.machines import machines_toml
    from webdyno.cluster.machines.reach import Reach, at_once

    with connected(member) as cluster:
        nodes = cluster.nodes()
    reach = Reach(member)
    facts = at_once(reach.facts, [node.address for node in nodes])
    for node in nodes:
        known = facts[node.address]
        print(f"{node.address}  {', '.join(node.roles)}")
        if isinstance(known, str):
            print(f"  {known}")
            continue
        for line in _facts(known):
            print(f"  {line}")
        own = node.address == member.address
        print(f"  clock: {'this machine' if own else _clock(reach, node.address)}")
    if save is not None:
        placed = [(node.address, node.roles) for node in nodes]
        save.write_text(
            machines_toml.text(member.head, member.port, placed, member.ray), encoding="utf-8"
        )
        print(f"wrote {save}")
    return 1 if any(isinstance(known, str) for known in facts.values()) else 0


def _facts(facts: Facts) -> list[str]:
    """What a machine is and has, some lines."""
    from webdyno.report.numbers import counted, size

    machine, link = facts.machine, facts.link
    speed = f"{link.speed_mbit:,} Mbit/s" if link.speed_mbit else "speed unknown"
    return [
        f"{counted(machine.cores, 'core')}, {size(machine.memory_bytes)}, Linux {machine.kernel}, "
        f"{machine.architecture}",
        f"{link.interface}, {speed}, MTU {link.mtu}",
        f"Webdyno {facts.webdyno}, Ray {facts.ray}, Python {facts.python}; "
        f"{', '.join(facts.programs) or 'no other programs'}",
    ]


def _clock(reach: Reach, address: str) -> str:
    """The offset of the clock that tells the time of day, and how sure that is."""
    try:
        clock = reach.clock(address)
    except UserError as error:
        return str(error)
    return (
        f"{clock.wall_offset_s * 1e3:+.2f} ± {clock.uncertainty_s * 1e3:.2f} ms, "
        f"round trip {clock.rtt_median_s * 1e6:.0f} µs"
    )
