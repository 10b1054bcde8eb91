"""What the kernel has counted on this machine's links: bytes, drops, segments sent again."""

from __future__ import annotations

import fcntl
import socket
import struct
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, RootModel

from webdyno.cluster.wire.messages import BoundedCount, BoundedText, WireMessage

_SIOCGIFADDR = 0x8915
_OF_INTERFACE = {"received_bytes": 0, "received_drops": 3, "sent_bytes": 8, "sent_drops": 11}
"""What the kernel has in which column."""

_NAMED = {
    "retransmitted": ("snmp", "Tcp", "RetransSegs"),
    "segments_sent": ("snmp", "Tcp", "OutSegs"),
    "timeouts": ("netstat", "TcpExt", "TCPTimeouts"),
    "listen_drops": ("netstat", "TcpExt", "ListenDrops"),
}


def _complete(counted: dict[str, int]) -> dict[str, int]:
    if missing := [key for key in (*_OF_INTERFACE, *_NAMED) if key not in counted]:
        raise ValueError(f"lacks {missing[0]}")
    return counted


Counted = Annotated[dict[BoundedText, BoundedCount], AfterValidator(_complete)]
"""What a machine says that its kernel has counted."""


class Counters(RootModel[Counted]):
    """The same as a whole answer."""


def interface_of(address: str) -> str:
    """The interface that has this IPv4 address; empty where none has."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        for _, name in socket.if_nameindex():
            request = struct.pack("256s", name.encode()[:15])
            try:
                interface_request = fcntl.ioctl(asking.fileno(), _SIOCGIFADDR, request)
            except OSError:
                continue
            if socket.inet_ntoa(interface_request[20:24]) == address:
                return name
    return ""


def read_counters(interface: str, proc: Path = Path("/proc/self/net")) -> dict[str, int]:
    """The counts since the machine started: bytes and drops of `interface`, TCP of them all."""
    counts = _of_interface((proc / "dev").read_text().splitlines(), interface)
    tables = {name: (proc / name).read_text().splitlines() for name in ("snmp", "netstat")}
    for key, (file, table, column) in _NAMED.items():
        counts[key] = _of_table(tables[file], table, column)
    return counts


def since(earlier: dict[str, int], later: dict[str, int]) -> dict[str, int]:
    """What was counted between two readings."""
    return {key: later[key] - earlier.get(key, 0) for key in later}


class LinkFacts(WireMessage, use_attribute_docstrings=True):
    """A link's own figures."""

    interface: BoundedText
    """Such as `eth0`."""
    speed_mbit: BoundedCount | None
    """Megabits per second; None where it does not tell."""
    mtu: BoundedCount
    """The largest packet, in bytes; 0 where it does not tell."""


def link_facts(interface: str, sys: Path = Path("/sys/class/net")) -> LinkFacts:
    """Those of this machine's link."""
    try:
        speed = int((sys / interface / "speed").read_text())
    except (OSError, ValueError):
        speed = -1
    try:
        mtu = int((sys / interface / "mtu").read_text())
    except (OSError, ValueError):
        mtu = 0
    return LinkFacts(interface=interface, speed_mbit=speed if speed > 0 else None, mtu=mtu)


def _of_interface(lines: Iterable[str], interface: str) -> dict[str, int]:
    for line in lines:
        name, colon, rest = line.partition(":")
        if colon and name.strip() == interface:
            fields = [int(field) for field in rest.split()]
            return {key: fields[column] for key, column in _OF_INTERFACE.items()}
    return dict.fromkeys(_OF_INTERFACE, 0)


def _of_table(lines: list[str], table: str, column: str) -> int:
    """A number from a file in which a line of names stands over each line of numbers."""
    for names, numbers in pairwise(lines):
        if names.startswith(f"{table}:") and numbers.startswith(f"{table}:"):
            numbers_by_name = dict(zip(names.split(), numbers.split(), strict=False))
            if column in numbers_by_name:
                return int(numbers_by_name[column])
    return 0
