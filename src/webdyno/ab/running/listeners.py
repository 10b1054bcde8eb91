"""Two services that run already: where they are, and which of this machine's processes they are."""

from __future__ import annotations

import socket
from dataclasses import dataclass
from urllib.parse import urlsplit

from webdyno.errors import UserError
from webdyno.generators.target import parse
from webdyno.redaction import without_secrets
from webdyno.runtime.own_addresses import addresses_of, is_here, reached_by
from webdyno.runtime.ports import LOOPBACK
from webdyno.runtime.proc import look_at, name_of
from webdyno.runtime.processes.listening import strangers_on

FORWARDERS = ("docker-proxy", "rootlesskit", "rootlessport", "conmon", "slirp4netns", "pasta")
"""Programs that only pass on what a container's service does, whose CPU time is not theirs."""


@dataclass(frozen=True)
class ListeningService:
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


def running(url: str, option: str = "--url") -> ListeningService:
    """What serves `url` on this machine; `option` is where it was given, for messages.

    Raises `UserError` for any other URL.
    """
    argument = without_secrets(f"{option} {url}".strip())
    try:
        target = parse(url)
    except UserError as error:
        raise UserError(f"{option} {error}".strip()) from None
    if target.tls or target.websocket:
        raise UserError(
            f"{argument}: only http:// is supported here; write it like http://localhost:8080/"
        )
    address, port = _address(argument, target.host, target.port), target.port
    pid = process_on(port, address)
    return ListeningService(url, target.host_header, address, port, target.path, pid)


def process_on(port: int, address: str = LOOPBACK) -> int | None:
    """The process that listens on `port` of `address`, the first of several that share it; None
    where it cannot be seen, or only passes on what another does."""
    pids = set(strangers_on((), port, address))
    parents = {pid: seen.parent for pid in pids if (seen := look_at(pid)) is not None}
    first = [pid for pid, parent in parents.items() if parent not in pids]
    if len(first) != 1 or name_of(first[0]) in FORWARDERS:
        return None
    return first[0]


def _address(url: str, host: str, port: int) -> str:
    """An address of this machine that answers."""
    try:
        addresses = addresses_of(host, port)
    except UserError as error:
        raise UserError(f"{url}: {error}") from None
    if away := [one for one in addresses if not is_here(one)]:
        raise UserError(
            f"{url}: '{host}' is {away[0]}; only services on this machine are compared by their "
            "URLs"
        )
    for address in map(reached_by, addresses):
        try:
            socket.create_connection((address, port), timeout=3.0).close()
        except OSError:
            continue
        return address
    raise UserError(f"{url}: nothing answers there; start the service or check the port")
