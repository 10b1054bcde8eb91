"""Ports on loopback, or on another of this machine's addresses."""

from __future__ import annotations

import random
import socket
from pathlib import Path

LOOPBACK = "127.0.0.1"

LOWEST = 10_000
"""Below it are the ports of well-known services."""
OUTGOING_FROM = 32_768
"""Where the system's own choice begins, unless it says otherwise."""

_RANGE = Path("/proc/sys/net/ipv4/ip_local_port_range")
_TRIES = 100


def free_port(address: str = LOOPBACK) -> int:
    """A port of `address` that nobody listens on at this moment.

    None of those that the system gives to outgoing connections, where there are others: a load
    opens thousands of them, and one could take the port before the server is there.
    """
    below = _outgoing_from()
    for _ in range(_TRIES if below > LOWEST else 0):
        port = random.randrange(LOWEST, below)
        if _can_be_bound(address, port):
            return port
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind((address, 0))
        chosen: int = probe.getsockname()[1]
        return chosen


def is_listening(port: int, address: str = LOOPBACK) -> bool:
    """True where something accepts connections on `port` of `address`."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.settimeout(1.0)
        return probe.connect_ex((address, port)) == 0


def _can_be_bound(address: str, port: int) -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        try:
            probe.bind((address, port))
        except OSError:
            return False
        return True


def _outgoing_from(path: Path = _RANGE) -> int:
    try:
        return int(path.read_text().split()[0])
    except (OSError, ValueError, IndexError):
        return OUTGOING_FROM
