"""What every ecosystem offers: to tell what is behind, and to update it; how clients are asked."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from webdyno.printable import printable
from webdyno.store.document import described

WITHIN_S = 300.0
"""A client that takes longer has no network, or too slow a one."""

_FAILURE = re.compile(
    r"(?i)\b(cannot|could not|denied|failed|fatal|forbidden|refused|timed out|unable to)\b"
)
"""What a client says of a failure that it does not call an error: Composer, and git below go."""


class RegistryUnanswered(Exception):
    """A client is missing, or could not answer; the message is one line, `printed` all it said."""

    def __init__(self, message: str, printed: str = "") -> None:
        super().__init__(message)
        self.printed = printed


@described
@dataclass(frozen=True)
class Package:
    """A direct dependency that is behind."""

    name: str
    """As its registry calls it."""
    locked: str
    """The release that is used; empty where none is locked."""
    within: str
    """The newest release that the manifest's bounds allow: the locked one where it is pinned."""
    newest: str
    """The newest release."""


class Ecosystem(Protocol):
    """One package manager. Its folders are copies: a client may write there."""

    manifest: str
    """The file that tells that a folder belongs to it."""
    writes: tuple[str, ...]
    """The files that an update may change."""

    def outdated_packages(self, folder: Path, series: str) -> list[Package]:
        """Direct dependencies of `folder` that are not the newest, by name; of `series` (such as
        `24`) where it is not empty. Raises `RegistryUnanswered`."""
        ...

    def check_client(self) -> None:
        """Raise `RegistryUnanswered` where a program is missing that `update` needs, though
        `outdated_packages` does not: before registries are asked, which takes a while."""
        return  # Most need none: no class has to say so.

    def update(self, folder: Path, packages: Sequence[Package]) -> dict[str, str]:
        """Take the newest release of `packages`, in manifest and lock file. Gives why a package
        stays as it is, by its name, where the client says so. Raises `RegistryUnanswered`."""
        ...


def ask(
    command: Sequence[str],
    folder: Path,
    *,
    codes: Sequence[int] = (0,),
    env: Mapping[str, str] | None = None,
) -> tuple[str, str]:
    """What `command` prints in `folder`, to stdout and to stderr.

    Raises `RegistryUnanswered` where it is not installed, or ends with none of `codes`.
    """
    program = command[0]
    path = shutil.which(program)
    if path is None:
        raise RegistryUnanswered(f"{Path(program).name} is not installed")
    try:
        completed = subprocess.run(
            [path, *command[1:]],
            cwd=folder,
            capture_output=True,
            text=True,
            errors="replace",
            stdin=subprocess.DEVNULL,
            timeout=WITHIN_S,
            env={**os.environ, "LC_ALL": "C", **(env or {})},
        )
    except subprocess.TimeoutExpired:
        raise RegistryUnanswered(
            f"{' '.join(command[:2])}: no answer within {WITHIN_S:.0f} s"
        ) from None
    except OSError as error:
        raise RegistryUnanswered(f"{path}: {error.strerror}") from None
    if completed.returncode not in codes:
        printed = completed.stderr or completed.stdout
        raise RegistryUnanswered(f"{' '.join(command[:2])}: {_error_of(printed)}", printed)
    return completed.stdout, completed.stderr


def _error_of(text: str) -> str:
    """The line of `text` that tells what was wrong."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    marked = [line for line in lines if "error" in line.lower()]
    failures = [line for line in lines if _FAILURE.search(line)]
    return printable((marked or failures or lines or ["it failed without a message"])[0])[:200]
