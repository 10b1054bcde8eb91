"""What keeps servers from Webdyno on this machine, and what is missing for it."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from functools import cache

from webdyno._engine import give_up_rights
from webdyno.runtime.confinement.confine import means
from webdyno.runtime.confinement.daemons import sockets_of_daemons
from webdyno.runtime.confinement.sandbox import USER, Sandbox, unprivileged
from webdyno.store.document import described


@described
@dataclass(frozen=True)
class Protection:
    """What keeps servers from Webdyno and from each other, a line each."""

    held: list[str]
    """What holds here."""
    missing: list[str]
    """What is missing, with the remedy."""


@cache
def landlock_holds() -> bool:
    """Whether this kernel holds a program to the rights it was left, found by trying it."""
    with contextlib.suppress(OSError):
        return Sandbox(("/",), ("/",)).run(lambda: give_up_rights(["/"], ["/"]))
    return False


@cache
def protection() -> Protection:
    """What holds here."""
    held, missing = [], []
    if landlock_holds():
        held.append("kept from Webdyno's files and each other's by Landlock")
    else:
        missing.append(
            "servers can write wherever you can: for Landlock, use Linux 5.13 or newer with "
            "'landlock' in the boot option lsm="
        )
    if os.geteuid() != 0:
        held.append("run as you: to protect your processes, start Webdyno as a separate user")
    elif user := unprivileged():
        held.append(f"run as {user} if that user can enter the folders they need")
    else:
        missing.append(
            f"servers run as root, because there is no user {USER}, or root may not start programs "
            "as another user (CAP_SETUID, CAP_SETGID, CAP_CHOWN); start Webdyno as an ordinary user"
        )
    as_us = os.geteuid() != 0 or not unprivileged()
    if as_us and (sockets := sockets_of_daemons()):
        missing.append(
            f"servers may have your daemons act for them, by {', '.join(sockets)}: start Webdyno "
            "as a separate user"
        )
    processes = means().processes
    held.append(f"all their processes are contained by {processes}")
    if not processes.startswith("cgroup"):
        missing.append("control groups are not writable, so a fork bomb would be stopped late")
    return Protection(held, missing)
