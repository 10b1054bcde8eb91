"""What every service has: a process of its own, variables for servers, and a stop."""

from __future__ import annotations

import os
import pwd
import shutil
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from webdyno.runtime.process import ManagedProcess


class ServiceError(Exception):
    """A service could not be started; the message says what it printed last."""


class ServiceMissing(ServiceError):
    """A service's program is not installed; the message says how to install it."""


@dataclass
class RunningService:
    """A started service. `env` is what servers and verifiers are given to reach it."""

    name: str
    version: str
    process: ManagedProcess
    env: dict[str, str]
    folder: Path
    facts: dict[str, str] = field(default_factory=dict)
    """Settings worth stating in the report, such as `synchronous_commit = off`."""

    def stop(self) -> None:
        """End it and remove its data."""
        import signal

        # SIGINT is PostgreSQL's fast shutdown; the others take SIGTERM, which it would wait on.
        how = signal.SIGINT if self.name == "postgresql" else signal.SIGTERM
        self.process.stop(how=how)
        shutil.rmtree(self.folder, ignore_errors=True)


def find_program(name: str, *folders: str) -> Path | None:
    """A program on PATH, or in folders outside it where distributions keep servers.

    `folders` may hold globs; of several matches the last in natural order (the newest) is taken.
    """
    if found := shutil.which(name):
        return Path(found).resolve()
    for pattern in (*folders, "/usr/sbin", "/usr/local/sbin", "/usr/libexec"):
        matches = sorted(Path("/").glob(f"{pattern.lstrip('/')}/{name}"), key=_natural)
        if matches:
            return matches[-1]
    return None


def unprivileged_user(*preferred: str) -> str | None:
    """The user to drop to where we are root (databases refuse to run as root); else None."""
    if os.geteuid() != 0:
        return None
    known = {entry.pw_name for entry in pwd.getpwall()}
    return next((name for name in (*preferred, "nobody") if name in known), None)


def hand_over(folder: Path, user: str | None) -> None:
    """Give `folder` and all below it to `user`; nothing where `user` is None."""
    if user is None:
        return
    entry = pwd.getpwnam(user)
    for path in _all_below(folder):
        os.chown(path, entry.pw_uid, entry.pw_gid, follow_symlinks=False)


def _all_below(folder: Path) -> Iterable[Path]:
    yield folder
    yield from folder.rglob("*")


def _natural(path: Path) -> list[int]:
    return [int(part) for part in "".join(c if c.isdigit() else " " for c in str(path)).split()]
