"""Which addresses are this machine's own, so that a load to them bothers nobody else."""

from __future__ import annotations

import ipaddress
import socket

from webdyno.errors import UserError

_DISCARD = 9
"""Any port would do: nothing is sent there."""


def addresses_of(host: str, port: int) -> list[str]:
    """The addresses of `host`, each once, in the resolver's order. Raises `UserError`."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise UserError(f"'{host}' has no address ({error}); check the URL") from None
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def is_here(address: str) -> bool:
    """Whether `address` is one of this machine's: of loopback, or of any other interface. A name
    is none."""
    try:
        reached = reached_by(address)
    except ValueError:
        return False
    return ipaddress.ip_address(reached.partition("%")[0]).is_loopback or _is_own(reached)


def reached_by(address: str) -> str:
    """The address that a connection to `address` goes to: to none in particular means loopback,
    and IPv4 may be written as IPv6."""
    parsed = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(parsed, ipaddress.IPv6Address) and parsed.ipv4_mapped is not None:
        return reached_by(str(parsed.ipv4_mapped))
    if parsed.is_unspecified:
        return "127.0.0.1" if parsed.version == 4 else "::1"
    return address


def _is_own(address: str) -> bool:
    """Whether this machine, to send to `address`, would send from it. Nothing is sent."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as asking:
            # With the zone, such as %eth0, which an address of a link needs.
            ((*_, place),) = socket.getaddrinfo(address, _DISCARD, family, socket.SOCK_DGRAM)
            asking.connect(place)
            own = str(asking.getsockname()[0])
    except (OSError, ValueError):
        return False
    bare = [ipaddress.ip_address(one.partition("%")[0]) for one in (own, address)]
    return bare[0] == bare[1]
