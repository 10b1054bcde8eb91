"""All that a program starts, wherever it hangs by now.

A process is known by its id and the moment it started. It belongs to the program that it descends
from, even where those in between have ended; to the one whose control group or session it is in;
and to the one whose token its environment carries. What has shed all of these (forked twice, a
session of its own, an empty environment) comes to us as the nearest subreaper, and while programs
take turns only the one that is awake can have made it.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections.abc import Collection
from pathlib import Path

from webdyno.runtime.proc import Process, below, carries, descendants, look_at, processes
from webdyno.runtime.processes.private_folder import note_started
from webdyno.runtime.processes.supervision import adopt_orphans

_ROUNDS = 50
"""Looks at what is left while a family is ended: one that goes on forking may need several."""
_PAUSE_S = 0.01

_families: list[Family] = []
_lock = threading.RLock()


class Family:
    """A started program and all that came of it."""

    def __init__(
        self,
        root: int,
        *,
        token: tuple[str, str] | None = None,
        group: Path | None = None,
        account: Path | None = None,
    ) -> None:
        """`token` is a variable and its value in the program's environment, `group` a control
        group that holds it, `account` one that counts its CPU time."""
        adopt_orphans()
        seen = look_at(root)
        self.root = root
        self._since = seen.started if seen else 0
        note_started(root, self._since)
        self._known: dict[int, int] = {root: self._since}
        self._token, self._group, self.account = token, group, account
        self._table: dict[int, Process] = {}
        self.awake_since = time.monotonic()
        self.is_gone = False
        """Whether nobody was left at the last look, for certain: nobody comes after."""
        with _lock:
            _families.append(self)

    def members(self) -> list[int]:
        """All but the root, ended ones included that nobody has asked how."""
        self._renew()
        return [pid for pid in self._known if pid != self.root]

    def alive(self) -> list[int]:
        """All that run, the root first."""
        self._renew()
        found = [pid for pid in self._known if not self._table[pid].zombie]
        # A look at a table that changes may miss one that was forked meanwhile; its group does not.
        self.is_gone = not found and self._group is not None and not self._in_group()
        return found

    def stopped(self) -> list[int]:
        """Those known so far that stand still because somebody stopped them; a cheap look."""
        found = [(look_at(pid), started) for pid, started in list(self._known.items())]
        return [one.pid for one, since in found if one and one.stopped and one.started == since]

    def adopted(self) -> list[int]:
        """Those whose parent is none of the family: a walk from the root does not meet them."""
        self._renew()
        return [
            pid
            for pid in self._known
            if pid != self.root and self._table[pid].parent not in self._known
        ]

    def apart(self) -> list[int]:
        """Those that a signal to the root's process group does not reach."""
        found = []
        for pid in self.alive():
            with contextlib.suppress(ProcessLookupError):
                if os.getpgid(pid) != self.root:
                    found.append(pid)
        return found

    def in_own_session(self) -> list[int]:
        """Those that stayed in the session which the root was started in."""
        return [pid for pid in self.alive() if self._table[pid].session == self.root]

    def is_member(self, pid: int) -> bool:
        """Whether the process that has this id now was known as one of the family."""
        seen = look_at(pid)
        return seen is not None and self._known.get(pid) == seen.started

    def send(self, number: signal.Signals, pids: Collection[int]) -> None:
        """Send a signal to those of `pids` that are still the processes that were known."""
        for pid in pids:
            if self.is_member(pid):
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, number)

    def end(self, pids: Collection[int] | None = None) -> None:
        """Kill `pids`, all of the family by default, and whatever they start meanwhile."""
        for _ in range(_ROUNDS):
            if self.is_gone or pids == []:
                break
            left = self.alive()
            left = left if pids is None else [pid for pid in left if pid in pids]
            if not left:
                break
            self.send(signal.SIGKILL, left)
            time.sleep(_PAUSE_S)
        self._reap()

    def close(self) -> None:
        """Forget it; nothing is ended."""
        self._reap()
        with _lock, contextlib.suppress(ValueError):
            _families.remove(self)

    def _reap(self) -> None:
        # The root is its starter's to ask; only orphans that came to us are ours.
        for pid, process in self._table.items():
            if pid in self._known and pid != self.root and process.parent == os.getpid():
                with contextlib.suppress(OSError):
                    os.waitpid(pid, os.WNOHANG)

    def _renew(self) -> None:
        with _lock:
            _assign(processes())

    def _forget_ended(self, table: dict[int, Process]) -> None:
        self._table = table
        self._known = {
            pid: started
            for pid, started in self._known.items()
            if pid in table and table[pid].started == started
        }

    def _take(self, pids: Collection[int]) -> None:
        for pid in pids:
            if pid in self._table and self._table[pid].started >= self._since:
                self._known.setdefault(pid, self._table[pid].started)

    def _in_group(self) -> list[int]:
        if self._group is None:
            return []
        try:
            text = (self._group / "cgroup.procs").read_text()
        except OSError:
            return []
        return [int(pid) for pid in text.split()]

    def _in_session(self, table: dict[int, Process], taken: Collection[int]) -> list[int]:
        own = os.getsid(0)
        sessions = {self.root, *(table[pid].session for pid in self._known)} - {own}
        return [p.pid for p in table.values() if p.session in sessions and p.pid not in taken]

    def _carried_by(self, pid: int) -> bool:
        return self._token is not None and carries(pid, *self._token)


def members_of(root: int) -> list[int]:
    """All that the program `root` started, without it; the tree below where it is no family."""
    for family in _families:
        if family.root == root:
            return family.members()
    return descendants(root)


def account_of(root: int) -> Path | None:
    """The control group that counts the CPU time of the program `root` and all it started; None
    where there is none."""
    return next((family.account for family in _families if family.root == root), None)


def _assign(table: dict[int, Process]) -> None:
    """Give every process of `table` to the family that it belongs to, if any."""
    for family in list(_families):
        family._forget_ended(table)
        family._take(family._in_group())
        if not family._known and family._token is None:
            _families.remove(family)  # Nobody asks for what came of it.
    roots = {family.root for family in _families}
    for family in _families:
        others = roots - {family.root}
        taken = {pid for one in _families if one is not family for pid in one._known}
        family._take(set(below([family.root, *family._known], table)) - others - taken)
        family._take(family._in_session(table, others | taken))
        family._take(set(below(list(family._known), table)) - others - taken)
    for orphan in _orphans(table):
        home = next((one for one in _families if one._carried_by(orphan)), None)
        # The latest to wake: at any time all servers but one stand still.
        home = home or max(
            (one for one in _families if one._token is not None and one.awake_since),
            key=lambda one: one.awake_since,
            default=None,
        )
        if home is not None:
            home._take([orphan, *below([orphan], table)])


def _orphans(table: dict[int, Process]) -> list[int]:
    """Processes that came to us as a subreaper: what we start ourselves is in our own session, or
    the root of a family."""
    us, session = os.getpid(), os.getsid(0)
    taken = {pid for family in _families for pid in family._known} | {f.root for f in _families}
    return [
        process.pid
        for process in table.values()
        if process.parent == us and process.session != session and process.pid not in taken
    ]
