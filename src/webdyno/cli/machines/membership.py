"""What `webdyno machines start` and `join` make of this machine: by options, else the placement."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from webdyno.errors import UserError

if TYPE_CHECKING:
    from webdyno.cluster.machines.machines_toml import Machines
    from webdyno.cluster.machines.membership import Membership


def first(
    placement: Machines | None,
    address: str | None,
    port: int | None,
    roles: str | None,
    ray: str | None,
    home: Path,
) -> Membership:
    """What `start` makes of this machine, with a new secret. Raises `UserError`."""
    from webdyno.cluster.machines import machines_toml, membership
    from webdyno.cluster.machines.their_ray import ray_address
    from webdyno.cluster.wire import secret

    own = address or (placement.head.address if placement else None)
    if own is None:
        raise UserError(
            "--address is missing; give the address at which the other machines reach this one"
        )
    own = machines_toml.check_address(own, "--address")
    theirs = ray or (placement.head.ray if placement else None)
    file = membership.secret_of(home)
    secret.make(file)
    return membership.Membership(
        address=own,
        head=own,
        port=port or (placement.head.port if placement else membership.PORT),
        roles=_roles(roles, placement, own, default=("server", "service")),
        secret=str(file.absolute()),
        ray=ray_address(theirs) if theirs else "",
    )


def another(
    placement: Machines | None,
    host: str | None,
    address: str | None,
    port: int | None,
    roles: str | None,
    secret: Path | None,
) -> Membership:
    """What `join` makes of this machine. Raises `UserError`."""
    from webdyno.cluster.machines import machines_toml, membership
    from webdyno.cluster.wire.secret import chosen

    name, _, of_host = (host or (placement.head.address if placement else "")).partition(":")
    if not name:
        raise UserError("no machine to join; name the first machine: webdyno machines join HOST")
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
    from webdyno.cluster.machines.membership import ROLES

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
