"""Whether the load would stay on this machine, and whether anything listens there."""

from __future__ import annotations

import ipaddress
import socket
from typing import TYPE_CHECKING

from webdyno.errors import UserError
from webdyno.runtime.own_addresses import addresses_of, is_here

if TYPE_CHECKING:
    from webdyno.generators.target import Target

_CONNECT_S = 3.0


def check_reachable(target: Target, *, allow_remote: bool) -> bool:
    """Raise `UserError` where the load would leave this machine unasked, or nothing listens.

    Gives whether another address than one of loopback is asked, which the engine must be told.
    """
    addresses = addresses_of(target.host, target.port)
    remote = [] if allow_remote else [one for one in addresses if not is_here(one)]
    if remote:
        raise UserError(
            f"'{target.host}' is {remote[0]}, another machine: loading it without its owner's "
            "permission is an attack; if you have it, add --allow-remote"
        )
    refusals = [_refusal(address, target.port) for address in addresses]
    if all(refusals):
        raise UserError(
            f"nothing answers at {target.host}:{target.port} ({refusals[0]}); "
            "start the server or check the port"
        )
    return not all(ipaddress.ip_address(one.partition("%")[0]).is_loopback for one in addresses)


def _refusal(address: str, port: int) -> str | None:
    """Why no connection opens; None if one does."""
    try:
        socket.create_connection((address, port), timeout=_CONNECT_S).close()
    except TimeoutError:
        return "no reply"
    except OSError as error:
        return (error.strerror or str(error)).lower()
    return None
