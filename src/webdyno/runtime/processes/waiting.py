"""Connections that wait for a program to accept them, asked of the kernel (sock_diag(7)).

/proc/net/tcp tells the same of TCP, but lists every connection of the machine, which takes tens of
milliseconds beside thousands of them. The listening sockets alone take less than a tenth of one.
"""

from __future__ import annotations

import socket
import struct
from collections.abc import Collection, Iterator
from dataclasses import dataclass

_SOCK_DIAG, _BY_FAMILY, _DUMP = 4, 20, 0x301
"""linux/netlink.h, linux/sock_diag.h; the last is a request for all there are."""
_ERROR, _DONE = 2, 3
_HEAD = struct.Struct("=IHHII")
_ATTRIBUTE = struct.Struct("=HH")
_LISTEN = 1 << 10
_CONNECTED = 1 << 1 | 1 << 4 | 1 << 5 | 1 << 8
"""Established, or closed by one of the two ends: states of linux/tcp_states.h."""
_SHOW_CALLERS, _SHOW_QUEUE = 8, 16
_UNIX_BYTES, _CALLERS, _QUEUE = 16, 3, 4
"""How long the fixed part of what a Unix socket tells is, and what follows: linux/unix_diag.h."""
_TCP_BYTES, _MEMORY, _DROPS = 72, 7, struct.Struct("=I")
"""The same of a TCP socket, whose refusals stand at the end of its memory: linux/inet_diag.h."""
_MAPPED = bytes(10) + b"\xff\xff"
"""How an IPv6 address that stands for one of IPv4 begins."""
_BYTES = 1 << 17


@dataclass(frozen=True)
class Waiting:
    """Connections to one listening socket that nobody has accepted. `port` is its TCP port, None
    for a Unix socket, which also tells the inodes of its `callers`; `dropped` is how many it had to
    refuse so far, which the kernel of the other end tries again."""

    count: int
    port: int | None = None
    callers: frozenset[int] = frozenset()
    dropped: int = 0


@dataclass(frozen=True)
class Caller:
    """A connection to a TCP port of this machine: the inode of the socket that made it, and whether
    the other end has accepted it."""

    inode: int
    port: int
    accepted: bool


def waiting() -> dict[int, Waiting]:
    """What waits at each listening socket of this machine, by the socket's inode. Where the kernel
    does not tell, nothing does."""
    found: dict[int, Waiting] = {}
    try:
        for family in (socket.AF_INET, socket.AF_INET6):
            for one in _tcp(family, _LISTEN):
                (port,) = struct.unpack_from("!H", one, 4)
                count, _, _, inode = struct.unpack_from("=IIII", one, 56)
                memory = _attributes(one, _TCP_BYTES).get(_MEMORY, bytes(_DROPS.size))
                (dropped,) = _DROPS.unpack_from(memory, len(memory) - _DROPS.size)
                found[inode] = Waiting(count, port, dropped=dropped)
        for one in _unix_listeners():
            (inode,) = struct.unpack_from("=I", one, 4)
            attributes = _attributes(one, _UNIX_BYTES)
            (count,) = struct.unpack_from("=I", attributes.get(_QUEUE, bytes(4)))
            made = struct.iter_unpack("=I", attributes.get(_CALLERS, b""))
            found[inode] = Waiting(count, callers=frozenset(caller for (caller,) in made if caller))
    except OSError:
        pass
    return found


def callers(ports: Collection[int]) -> list[Caller]:
    """Connections within this machine to these TCP ports, as far as their makers still hold them
    open. Takes tens of milliseconds beside thousands of connections."""
    ends: dict[tuple[bytes, int, bytes, int], int] = {}
    try:
        for family in (socket.AF_INET, socket.AF_INET6):
            for one in _tcp(family, _CONNECTED):
                here, there = struct.unpack_from("!HH", one, 4)
                if here in ports or there in ports:
                    (inode,) = struct.unpack_from("=I", one, 68)
                    ends[_plain(one[8:24], family), here, _plain(one[24:40], family), there] = inode
    except OSError:
        return []
    return [
        # Nobody's yet: a socket gets its inode when it is accepted.
        Caller(inode, there, accepted=ends[other, there, own, here] != 0)
        for (own, here, other, there), inode in ends.items()
        if inode and there in ports and (other, there, own, here) in ends
    ]


def _plain(address: bytes, family: int) -> bytes:
    """An address in as few bytes as it needs: the two ends may be of different families."""
    if family == socket.AF_INET:
        return address[:4]
    return address[12:] if address.startswith(_MAPPED) else address


def _attributes(one: bytes, at: int) -> dict[int, bytes]:
    """What a socket tells after its fixed part, which is so long, by kind."""
    found = {}
    while at + _ATTRIBUTE.size <= len(one):
        length, kind = _ATTRIBUTE.unpack_from(one, at)
        found[kind] = one[at + _ATTRIBUTE.size : at + length]
        at += max(_ATTRIBUTE.size, length + 3 & ~3)
    return found


def _tcp(family: int, states: int) -> Iterator[bytes]:
    """`inet_diag_msg` of each TCP socket in these states."""
    request = struct.pack("=BBBBI", family, socket.IPPROTO_TCP, 1 << _MEMORY - 1, 0, states)
    return _answers_to(request + bytes(48))


def _unix_listeners() -> Iterator[bytes]:
    """`unix_diag_msg` of each Unix socket that listens, with its attributes."""
    show = _SHOW_CALLERS | _SHOW_QUEUE
    any_socket = 0xFFFFFFFF
    return _answers_to(
        struct.pack("=BBHIIIII", socket.AF_UNIX, 0, 0, _LISTEN, 0, show, any_socket, any_socket)
    )


def _answers_to(request: bytes) -> Iterator[bytes]:
    """Each answer to a request for sockets. Raises `OSError` where the kernel gives none."""
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, _SOCK_DIAG) as kernel:
        kernel.send(_HEAD.pack(_HEAD.size + len(request), _BY_FAMILY, _DUMP, 1, 0) + request)
        while True:
            answer, at = kernel.recv(_BYTES), 0
            while at < len(answer):
                length, kind, *_ = _HEAD.unpack_from(answer, at)
                if kind == _DONE:
                    return
                if kind == _ERROR:
                    (code,) = struct.unpack_from("=i", answer, at + _HEAD.size)
                    raise OSError(-code, "sock_diag")
                yield answer[at + _HEAD.size : at + length]
                at += length + 3 & ~3
