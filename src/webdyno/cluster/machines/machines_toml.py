"""`machines.toml`: which machine of a cluster does what, so that a placement can be repeated."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from webdyno.catalog.reading.manifest import Manifest, read_manifest
from webdyno.catalog.terms.form import form
from webdyno.cluster.machines.membership import PORT, PORTS
from webdyno.errors import UserError

NAME = "machines.toml"

Role = Literal["server", "service", "generator"]


def address(text: str) -> str:
    """An address of one machine. Raises `ValueError` for one that others cannot reach it by."""
    try:
        parsed = ipaddress.IPv4Address(text)
    except ValueError:
        raise ValueError(f"'{text}' is not an IPv4 address; write it like 10.0.0.1") from None
    if parsed.is_loopback or parsed.is_unspecified or parsed.is_multicast:
        raise ValueError(
            f"{text} is not an address at which other machines can reach this one; give that of "
            "its network card, like 10.0.0.1"
        )
    return str(parsed)


Address = Annotated[str, AfterValidator(address)]


class Machine(Manifest):
    """A machine and its roles."""

    address: Address
    roles: Annotated[tuple[Role, ...], Field(min_length=1, strict=False)]


class Head(Manifest):
    """The first machine, and the first of the ports that all of them use."""

    address: Address
    port: Annotated[int, Field(ge=1024, le=65535 - PORTS)] = PORT
    ray: (
        Annotated[str, form(r"^[^:\s]+:\d{1,5}$", "must be host:port, such as 10.0.0.1:6379")]
        | None
    ) = None
    """A Ray that runs already."""


class Machines(Manifest):
    """The whole file."""

    head: Head
    machine: Annotated[tuple[Machine, ...], Field(min_length=1, strict=False)]

    @model_validator(mode="after")
    def _once(self) -> Machines:
        addresses = [one.address for one in self.machine]
        for one in addresses:
            if addresses.count(one) > 1:
                raise ValueError(
                    f"the machine {one} is listed twice; list it once, with all its roles"
                )
        return self

    def roles_of(self, address: str) -> tuple[str, ...] | None:
        """The roles of the machine with this address; None where it is not named."""
        roles = [one.roles for one in self.machine if one.address == address]
        return tuple(roles[0]) if roles else None

    def with_role(self, role: str) -> list[str]:
        """The addresses of the machines that have it, in the file's order."""
        return [one.address for one in self.machine if role in one.roles]


def found(file: Path | None) -> Machines | None:
    """The given file, or the one in this folder; None where there is none. Raises `UserError`."""
    if file is None and not Path(NAME).is_file():
        return None
    return read_manifest(file or Path(NAME), Machines)


def text(head: str, port: int, machines: Sequence[tuple[str, Sequence[str]]], ray: str = "") -> str:
    """The file for a cluster as it is; `ray` is the address of one that ran already."""
    lines = ["[head]", f'address = "{head}"', f"port = {port}"]
    lines += [f'ray = "{ray}"'] if ray else []
    for one, roles in machines:
        named = ", ".join(f'"{role}"' for role in roles)
        lines += ["", "[[machine]]", f'address = "{one}"', f"roles = [{named}]"]
    return "\n".join(lines) + "\n"


def check_address(value: str, option: str) -> str:
    """The address given to an option. Raises `UserError` for one that others cannot reach."""
    try:
        return address(value)
    except ValueError as error:
        raise UserError(f"{option}: {error}") from None
