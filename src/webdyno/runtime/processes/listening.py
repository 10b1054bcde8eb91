"""Which TCP ports a process tree listens on, read from /proc.

psutil reads all sockets of the machine for it, in twice the time, and this is asked while a server
starts, again and again.
"""

from __future__ import annotations

import contextlib
import os
import re
import socket
import sys
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from webdyno.runtime.ports import LOOPBACK
from webdyno.runtime.proc import text_of_proc

_LISTEN = "0A"
"""The state of a listening socket in /proc/net/tcp (proc(5))."""
_SOCKET = re.compile(r"^socket:\[(\d+)\]$")
_UNIX = re.compile(
    r"^\S+: [\dA-F]+ [\dA-F]+ ([\dA-F]{8}) [\dA-F]{4} [\dA-F]{2} +(\d+) (.+)$",
    re.ASCII | re.MULTILINE,
)
"""A line of /proc/net/unix with a path, which any program may choose: flags, inode, path."""
_ACCEPTS = 0x10000
"""The flag of a Unix socket that listens, in /proc/net/unix (__SO_ACCEPTCON)."""
_ANY = {"00000000", "0" * 32}


def listening_ports(pids: Iterable[int], host: str = LOOPBACK) -> dict[int, bool]:
    """The ports that the processes listen on, each with whether the address `host` reaches it."""
    inodes, here = sockets_of(pids), _ANY | _written(host)
    ports: dict[int, bool] = {}
    for port, address, inode in _listeners():
        if inode in inodes:
            reached = address in here
            ports[port] = reached or ports.get(port, False)
    return ports


def on_all_addresses(pids: Iterable[int], port: int) -> bool:
    """Whether the processes listen on `port` for any machine that can reach this one."""
    inodes = sockets_of(pids)
    return any(
        at == port and address in _ANY and inode in inodes for at, address, inode in _listeners()
    )


def strangers_on(pids: Iterable[int], port: int, host: str = LOOPBACK) -> list[int]:
    """Processes outside `pids` that listen where `host`:`port` reaches them, as far as can be
    seen: another user's are hidden from all but root."""
    those = _ANY | _written(host)
    here = {inode for at, address, inode in _listeners() if at == port and address in those}
    known = set(pids)
    if not (left := here - sockets_of(known)):
        return []
    # A socket that was handed down is held by those who handed it, too.
    return [pid for pid in holders_of(left) if pid not in known]


def holders_of(inodes: Collection[int]) -> Iterator[int]:
    """Processes that hold one of these sockets, as far as can be seen: see `strangers_on`."""
    others = (int(name) for name in os.listdir("/proc") if name.isdigit())
    return (pid for pid in others if not sockets_of([pid]).isdisjoint(inodes))


def without_port(pids: Collection[int]) -> str:
    """What to tell of processes that listen on no TCP port; empty where they listen on one, or
    where that of one of them cannot be seen."""
    if listening_ports(pids) or any(map(_is_closed_to_us, pids)):
        return ""
    held = sockets_of(pids)
    paths = sorted(path for path, inode in _unix_listeners() if inode in held)
    only = f", only on the Unix socket {paths[0]}" if paths else ""
    return f"it listens on no TCP port{only}"


def _is_closed_to_us(pid: int) -> bool:
    """Whether the kernel hides from us what the process has open, as another user's from all but
    root, and from root in a container without CAP_SYS_PTRACE."""
    try:
        os.readlink(f"/proc/{pid}/cwd")  # By the same rule as each of /proc/PID/fd.
    except PermissionError:
        return True
    except OSError:
        pass
    return False


def _unix_listeners() -> Iterator[tuple[str, int]]:
    """Path and inode of every listening Unix socket that has a path."""
    with contextlib.suppress(OSError):
        table = text_of_proc(Path("/proc/net/unix"))
        for flags, inode, path in _UNIX.findall(table):
            if int(flags, 16) & _ACCEPTS:
                yield path, int(inode)


def _written(address: str) -> set[str]:
    """An address as the table of each family writes it, in the machine's byte order."""
    if ":" in address:
        packed = socket.inet_pton(socket.AF_INET6, address.partition("%")[0])
        words = [int.from_bytes(packed[at : at + 4], sys.byteorder) for at in range(0, 16, 4)]
        return {"".join(f"{word:08X}" for word in words)}
    word = f"{int.from_bytes(socket.inet_aton(address), sys.byteorder):08X}"
    mapped = f"{int.from_bytes(bytes(2) + bytes([255, 255]), sys.byteorder):08X}"
    return {word, f"{'0' * 16}{mapped}{word}"}


def sockets_of(pids: Iterable[int]) -> set[int]:
    """The inodes of the sockets that the processes hold."""
    inodes = set[int]()
    for pid in pids:
        with contextlib.suppress(OSError):
            for entry in os.scandir(f"/proc/{pid}/fd"):
                with contextlib.suppress(OSError):
                    if match := _SOCKET.match(os.readlink(entry.path)):
                        inodes.add(int(match[1]))
    return inodes


def _listeners() -> Iterator[tuple[int, str, int]]:
    """Port, address and inode of every listening TCP socket."""
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        with contextlib.suppress(OSError):
            for line in Path(table).read_text().splitlines()[1:]:
                fields = line.split()
                if fields[3] == _LISTEN:
                    address, _, port = fields[1].partition(":")
                    yield int(port, 16), address, int(fields[9])


def elsewhere(pids: Iterable[int], port: int, host: str = LOOPBACK) -> str:
    """What to tell of processes that listen, but not where `host`:`port` reaches them; empty
    where they listen there, or nowhere yet."""
    ports = listening_ports(pids, host)
    if not ports or ports.get(port):
        return ""
    if port in ports:
        return f"listens on $PORT ({port}), but not on {host}: bind it to $HOST ({host})"
    found = " and ".join(map(str, sorted(ports)[:3]))
    return (
        f"listens on {found}, not on $PORT ({port}): read PORT from the environment, or give "
        "${PORT} in the command"
    )
