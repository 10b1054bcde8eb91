"""Servers that take turns, and who connects to one of them while it stands still.

The kernel takes connections, and requests on them, for a frozen server, which then works for them
in its own turn. It can accept none meanwhile, so the number of those that wait tells of each one
that came, even if it was closed at once. Landlock could forbid a server to connect to ports, but
not where it opens connections by TCP Fast Open or Multipath TCP.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from webdyno.runtime.proc import name_of
from webdyno.runtime.processes.listening import holders_of, sockets_of
from webdyno.runtime.processes.waiting import Caller, Waiting, callers, waiting
from webdyno.store.records import FlagRecord

CALLED, CALLS, MEETS = "foreign-clients", "calls-others", "meets-others"
"""The flags of a server that others connected to, of one that connected to the ports which others
were given, and of one that found another way to them: it may have looked for its like."""


class Processes(Protocol):
    """All that a program started, see `runtime.processes.family`."""

    def alive(self) -> list[int]:
        """Those that run."""
        ...


@dataclass
class Neighbour:
    """One of the servers that take turns, and what was seen of it. `by_us`: this process makes its
    load, so that any other connection is a stranger's."""

    entry: str
    port: int
    family: Processes
    by_us: bool = True
    listens: set[int] | None = None
    """The inodes of its listening sockets, when it stood still first; None until then."""
    waits: dict[int, int] = field(default_factory=dict)
    """Connections that waited at each of these when it was looked at last; none while it is awake.
    """
    before: set[int] = field(default_factory=set)
    """The inodes of those who had made these when it began to stand still."""
    refused: bool = False
    """Whether it once had more callers than it could take. The kernel repeats their calls, even for
    those who have closed meanwhile, so that the load's own come late."""
    came: int = 0
    """How many came while it stood still ..."""
    by: str = ""
    """... and from whom, as far as that is known."""
    called: str = ""
    """Whom it connected to that stood still, at the port which that was given ..."""
    met: str = ""
    """... or in another way; empty where nobody."""
    is_done: bool = False
    """Its load is over: what comes now does no harm to it."""

    def takes(self, inode: int, at: Waiting) -> bool:
        """Whether the socket that listens is its own."""
        return at.port == self.port or inode in (self.listens or ())


class Neighbours:
    """All that take turns with each other. One is awake at a time, or none."""

    def __init__(self) -> None:
        self._all: list[Neighbour] = []

    def meet(self, one: Neighbour) -> None:
        """From now on it takes turns with the others."""
        self._all.append(one)

    def leave(self, one: Neighbour) -> None:
        """It takes no more turns."""
        self._all.remove(one)

    def stands(self, one: Neighbour) -> None:
        """It was awake until now, and is frozen: see what it did to the others."""
        now = self._look()
        if one.listens is None:
            one.listens = now.keys() & sockets_of(one.family.alive()) if now else set()
        own = {inode: at for inode, at in now.items() if one.takes(inode, at)}
        one.waits = {inode: at.count for inode, at in own.items()}
        # Rarely anything waits, and to ask who it is may take long.
        one.before = _unaccepted(own, _connections_to(own)) if any(one.waits.values()) else set()
        one.refused = any(at.dropped for at in own.values())

    def goes_on(self, one: Neighbour) -> None:
        """It is about to be thawed."""
        self._look()
        one.waits = {}

    def _look(self) -> dict[int, Waiting]:
        now = waiting()
        for one in self._all:
            # Where many listen, the kernel may leave some out of what it tells.
            known = {inode: now[inode] for inode in one.waits if inode in now}
            came = sum(at.count - one.waits[inode] for inode, at in known.items())
            if came > 0:
                self._tell(one, came, known)
            one.waits |= {inode: at.count for inode, at in known.items()}
        return now

    def _tell(self, one: Neighbour, came: int, waits: dict[int, Waiting]) -> None:
        """Find out who made the connections to `one` that came while it stood still."""
        known_callers = _connections_to(waits)
        # Between processes of its own, there may be connections at any time, and a freeze takes a
        # moment; those of the load may come late, see `refused`.
        theirs = sockets_of([os.getpid(), *one.family.alive()])
        came -= len((_unaccepted(waits, known_callers) - one.before) & theirs)
        if came <= 0:
            return
        inodes = {caller.inode for caller in known_callers}
        inodes |= {inode for at in waits.values() for inode in at.callers}
        inodes -= theirs
        at_port = {caller.inode for caller in known_callers if caller.port == one.port}
        makers = []
        for other in self._all:
            held = set() if other is one else sockets_of(other.family.alive())
            if not inodes & held:
                continue
            makers.append(other.entry)
            if at_port & held:
                other.called = other.called or one.entry
            else:
                other.met = other.met or one.entry
        by = " and ".join(makers)
        if one.by_us and not by:
            by = _stranger(inodes)
        if not one.is_done and (by or (one.by_us and not one.refused)):
            one.came += came
            one.by = by or one.by


def _connections_to(at: Mapping[int, Waiting]) -> list[Caller]:
    """The connections to these sockets, as far as they are of TCP."""
    return callers({one.port for one in at.values() if one.port is not None})


def _unaccepted(at: Mapping[int, Waiting], known_callers: Collection[Caller]) -> set[int]:
    """The inodes of those who wait at these sockets, which `known_callers` holds of TCP."""
    unix = {inode for one in at.values() for inode in one.callers}
    return unix | {caller.inode for caller in known_callers if not caller.accepted}


def _stranger(inodes: Collection[int]) -> str:
    """The program outside this run that holds one of these sockets; empty where none is known."""
    pid = next(iter(holders_of(inodes)), None)
    return "" if pid is None else f"process {pid} ({name_of(pid)})"


def flags_of(one: Neighbour) -> list[FlagRecord]:
    """What forbids to rank it: others had it work in its own turns, or it had others."""
    flags = []
    if one.came:
        by = one.by or "a program that hung up at once"
        came = "a connection" if one.came == 1 else f"{one.came} connections"
        message = (
            f"{by} opened {came} to it while it was frozen for others' turns, and may have had it "
            "work in its own turns; leave that program out, and measure again"
        )
        flags.append(FlagRecord(code=CALLED, message=message))
    if whom := one.called or one.met:
        message = (
            f"it connected to {whom}, which was frozen and may have worked for it in its own turns "
            "later; a server may connect only to its own ports and its services"
        )
        flags.append(FlagRecord(code=CALLS if one.called else MEETS, message=message))
    return flags


def called_others(flags: Collection[FlagRecord]) -> str:
    """That a server with these flags had another work for it; empty where it did not."""
    return next((flag.message for flag in flags if flag.code == CALLS), "")


def called_by_others(flags: Collection[FlagRecord]) -> str:
    """That others had a server with these flags work for them; empty where nobody did."""
    return next((flag.message for flag in flags if flag.code == CALLED), "")
