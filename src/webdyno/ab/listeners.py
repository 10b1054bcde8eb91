"""Two services that run already: where they are, and which of this machine's processes they are."""

from __future__ import annotations

import ipaddress
import socket
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from webdyno.errors import UserError
from webdyno.runtime.proc import look_at
from webdyno.runtime.processes.listening import strangers_on

FORWARDERS = ("docker-proxy", "rootlesskit", "rootlessport", "conmon", "slirp4netns", "pasta")
"""Programs that only pass on what a container's service does, whose CPU time is not theirs."""


@dataclass(frozen=True)
class Running:
    """A running service. `host` is the address that answers, and `authority` the host and port as
    the URL has them, which each request names; `path` is that of the URL; `pid` None where its
    process is not known."""

    url: str
    authority: str
    host: str
    port: int
    path: str
    pid: int | None

    @property
    def name(self) -> str:
        """The host as the URL has it."""
        return urlsplit(self.url).hostname or self.host


def running(url: str, option: str = "--url") -> Running:
    """What serves `url` on this machine; `option` is where it was given, for messages.

    Raises `UserError` for any other URL.
    """
    told = f"{option} {url}".strip()
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or 80
    except ValueError as error:
        raise UserError(f"{told}: {error}") from None
    if parts.scheme != "http" or not host:
        raise UserError(f"{told}: write it like http://localhost:8080/ (https is not supported)")
    if parts.username is not None:
        raise UserError(f"{told}: a user name in it is not sent; use an Authorization header")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Running(url, parts.netloc, _address(told, host, port), port, path, process_on(port))


def process_on(port: int) -> int | None:
    """The process that listens on `port`, the first of several that share it; None where it cannot
    be seen, or only passes on what another does."""
    pids = set(strangers_on((), port))
    parents = {pid: seen.parent for pid in pids if (seen := look_at(pid)) is not None}
    first = [pid for pid, parent in parents.items() if parent not in pids]
    if len(first) != 1 or _name(first[0]) in FORWARDERS:
        return None
    return first[0]


def _address(told: str, host: str, port: int) -> str:
    """An address of this machine that answers."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise UserError(f"{told}: '{host}' has no address ({error}); check the URL") from None
    for *_, (address, *_rest) in found:
        if not ipaddress.ip_address(str(address).partition("%")[0]).is_loopback:
            raise UserError(
                f"{told}: '{host}' is {address}; only services on this machine, at localhost, "
                "are compared by their URLs"
            )
        try:
            socket.create_connection((str(address), port), timeout=3.0).close()
        except OSError:
            continue
        return str(address)
    raise UserError(f"{told}: nothing answers there; start the service or check the port")


def _name(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""
