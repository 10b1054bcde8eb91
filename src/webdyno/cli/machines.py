"""`webdyno machines`: several machines as one laboratory: start, join, show, stop."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webdyno.errors import UserError

if TYPE_CHECKING:
    from webdyno.cluster.facts import Facts
    from webdyno.cluster.machines_toml import Machines
    from webdyno.cluster.membership import Membership
    from webdyno.cluster.reach import Reach


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
        typer.Option(help="Address of this machine to bind, and only that (start: required)."),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(min=1024, max=65475, help="First of the 60 ports in use (7411)."),
    ] = None,
    roles: Annotated[
        str | None,
        typer.Option(help="What this machine does: server, service, generator (join: generator)."),
    ] = None,
    secret: Annotated[
        Path | None,
        typer.Option(help="With join: the secret's file, copied from the first machine."),
    ] = None,
    ray: Annotated[
        str | None,
        typer.Option(help="With start: use the Ray that runs at HOST:PORT already, and leave it."),
    ] = None,
    file: Annotated[
        Path | None, typer.Option(help="The placement (machines.toml in this folder, if there).")
    ] = None,
    save: Annotated[
        Path | None, typer.Option(help="With show: write the placement as it is to this file.")
    ] = None,
) -> None:
    """Several machines as one laboratory, on Ray.

    Start on one machine, join from the others, then `webdyno hit URL --agents 3`. Without an
    action, shows the machines: cores, memory, kernel, links, clocks.
    """
    from webdyno.cluster import machines_toml, membership
    from webdyno.cluster.ray_start import require_ray
    from webdyno.runtime.home import Home

    home = Home.default().root
    if action is not Action.join and host is not None:
        raise UserError(f"`machines {action.value}` takes no host; only join does")
    if action is Action.stop:
        raise typer.Exit(_stop(home))
    if ray is not None and action is not Action.start:
        raise UserError("--ray is for `machines start`; the others learn of it when they join")
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
        _first(placement, address, port, roles, ray, home)
        if action is Action.start
        else _another(placement, host, address, port, roles, secret)
    )
    raise typer.Exit(_enter(wanted, home))


def _first(
    placement: Machines | None,
    address: str | None,
    port: int | None,
    roles: str | None,
    ray: str | None,
    home: Path,
) -> Membership:
    """What `start` makes of this machine. Raises `UserError`."""
    from webdyno.cluster import machines_toml, membership, secret
    from webdyno.cluster.their_ray import ray_address

    own = address or (placement.head.address if placement else None)
    if own is None:
        raise UserError(
            "--address: give the address of this machine by which the others reach it; nothing is "
            "bound on all addresses by default"
        )
    own = machines_toml.check_address(own, "--address")
    theirs = ray or (placement.head.ray if placement else None)
    file = membership.folder(home) / "secret"
    secret.make(file)
    return membership.Membership(
        address=own,
        head=own,
        port=port or (placement.head.port if placement else membership.PORT),
        roles=_roles(roles, placement, own, default=("server", "service")),
        secret=str(file.absolute()),
        ray=ray_address(theirs) if theirs else "",
    )


def _another(
    placement: Machines | None,
    host: str | None,
    address: str | None,
    port: int | None,
    roles: str | None,
    secret: Path | None,
) -> Membership:
    """What `join` makes of this machine. Raises `UserError`."""
    from webdyno.cluster import machines_toml, membership
    from webdyno.cluster.secret import chosen

    name, _, of_host = (host or (placement.head.address if placement else "")).partition(":")
    if not name:
        raise UserError("name the first machine: webdyno machines join HOST")
    if of_host and not of_host.isdigit():
        raise UserError(f"'{host}' is not HOST:PORT; the port must be a number")
    head = machines_toml.check_address(_address_of(name), "HOST")
    own = machines_toml.check_address(address or _own_address(head), "--address")
    if own == head:
        raise UserError(f"{head} is this machine, which has started the cluster; join from others")
    known = placement.head.port if placement else membership.PORT
    return membership.Membership(
        address=own,
        head=head,
        port=port or int(of_host or known),
        roles=_roles(roles, placement, own, default=("generator",)),
        secret=str(chosen(secret)),
    )


def _roles(
    given: str | None, placement: Machines | None, address: str, default: tuple[str, ...]
) -> tuple[str, ...]:
    from webdyno.cluster.membership import ROLES

    if given is None:
        return (placement.roles_of(address) if placement else None) or default
    roles = tuple(dict.fromkeys(part.strip() for part in given.split(",") if part.strip()))
    for role in roles:
        if role not in ROLES:
            raise UserError(f"--roles: '{role}' is not a role; choose from {', '.join(ROLES)}")
    if not roles:
        raise UserError(f"--roles: none given; choose from {', '.join(ROLES)}")
    return roles


def _address_of(name: str) -> str:
    import socket

    try:
        return socket.gethostbyname(name)
    except OSError as error:
        raise UserError(f"'{name}' has no address ({error}); check the name") from None


def _own_address(head: str) -> str:
    """The address of this machine on its way to `head`; nothing is sent."""
    import socket

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect((head, 9))
        except OSError as error:
            raise UserError(
                f"{head} cannot be reached ({error.strerror}); check the address"
            ) from None
        return str(asking.getsockname()[0])


def _enter(wanted: Membership, home: Path) -> int:
    from webdyno.cluster.keeper import start_keeper

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
    from webdyno.cluster.keeper import stop_keeper
    from webdyno.cluster.ray_cluster import connected

    try:
        with connected(member) as cluster:
            if member.address not in [node.address for node in cluster.nodes()]:
                raise UserError(
                    f"{member.address} is no machine of the Ray at {member.ray}; first run there: "
                    f"ray start --address={member.ray} --node-ip-address={member.address}"
                )
    except UserError:
        stop_keeper(home)
        raise


def _stop(home: Path) -> int:
    from webdyno.cluster.keeper import stop_keeper

    member = stop_keeper(home)
    print("this machine is in no cluster" if member is None else f"{member.address} has left")
    return 0


def _show(member: Membership, save: Path | None) -> int:
    """Print the machines; 1 where one does not answer."""
    from webdyno.cluster import machines_toml
    from webdyno.cluster.ray_cluster import connected
    from webdyno.cluster.reach import Reach, at_once

    with connected(member) as cluster:
        nodes = cluster.nodes()
    reach = Reach(member)
    facts = at_once(reach.facts, [node.address for node in nodes])
    for node in nodes:
        found = facts[node.address]
        print(f"{node.address}  {', '.join(node.roles)}")
        if isinstance(found, str):
            print(f"  {found}")
            continue
        for line in _facts(found):
            print(f"  {line}")
        own = node.address == member.address
        print(f"  clock: {'this machine' if own else _clock(reach, node.address)}")
    if save is not None:
        placed = [(node.address, node.roles) for node in nodes]
        save.write_text(
            machines_toml.text(member.head, member.port, placed, member.ray), encoding="utf-8"
        )
        print(f"wrote {save}")
    return 1 if any(isinstance(found, str) for found in facts.values()) else 0


def _facts(found: Facts) -> list[str]:
    """What a machine is and has, some lines."""
    from webdyno.report.numbers import counted, size

    machine, link = found.machine, found.link
    speed = f"{link.speed_mbit:,} Mbit/s" if link.speed_mbit else "speed unknown"
    return [
        f"{counted(machine.cores, 'core')}, {size(machine.memory_bytes)}, Linux {machine.kernel}, "
        f"{machine.architecture}",
        f"{link.interface}, {speed}, MTU {link.mtu}",
        f"Webdyno {found.webdyno}, Ray {found.ray}, Python {found.python}; "
        f"{', '.join(found.programs) or 'no other programs'}",
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
