"""One writer a run: a lock that the kernel gives back when its process ends, however it ends.

Where machines share a store, it keeps a second one for those that cannot see each other's files.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from webdyno.errors import UserError
from webdyno.store.records import RunRecord
from webdyno.store.store import Store

LOCK = "writer.lock"
"""The file in a run's folder that its writer holds; it names the writer's process."""


@contextmanager
def sole_writer(run: RunRecord, store: Store) -> Iterator[None]:
    """Be the one that writes `run` meanwhile. Raises `UserError` where another process is."""
    folder = Path(run.folder)
    folder.mkdir(parents=True, exist_ok=True)
    # Never removed: a second writer could lock a file of the same name beside the first one's.
    with (folder / LOCK).open("a+", encoding="ascii") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise _refusal(run, file.name) from None
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        with store.writing(run.id):
            yield


def refuse_if_written(run: RunRecord) -> None:
    """Raises `UserError` where another process writes `run` at this moment."""
    path = Path(run.folder) / LOCK
    with contextlib.suppress(FileNotFoundError), path.open(encoding="ascii") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            raise _refusal(run, file.name) from None


def others_under_way(run: RunRecord) -> list[str]:
    """The ids of other runs of this home that are being made at this moment."""
    found = []
    for lock in sorted(Path(run.folder).parent.glob(f"*/{LOCK}")):
        if lock.parent == Path(run.folder):
            continue
        with contextlib.suppress(OSError), lock.open(encoding="ascii") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                found.append(lock.parent.name)
    return found


def _refusal(run: RunRecord, path: str) -> UserError:
    pid = Path(path).read_text(encoding="ascii", errors="replace")
    return UserError(
        f"run {run.id} is under way in process {pid or 'unknown'}; wait for its end, or stop it"
    )
