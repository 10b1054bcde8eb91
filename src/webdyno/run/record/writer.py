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
    if _held(path):
        raise _refusal(run, str(path))


def under_way(id_: str, folder: Path, store: Store) -> bool:
    """Whether a process, on any machine that shares the store, writes the run `id_` now. One that
    was killed leaves its run marked as running, but nobody writes it."""
    return _held(folder / LOCK) or store.is_written(id_)


def others_under_way(run: RunRecord) -> list[str]:
    """The ids of other runs of this home that are being made at this moment."""
    locks = sorted(Path(run.folder).parent.glob(f"*/{LOCK}"))
    return [
        lock.parent.name for lock in locks if lock.parent != Path(run.folder) and _held(lock)
    ]  # fmt: skip


def _held(lock: Path) -> bool:
    with contextlib.suppress(OSError), lock.open(encoding="ascii") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def _refusal(run: RunRecord, path: str) -> UserError:
    pid = Path(path).read_text(encoding="ascii", errors="replace")
    return UserError(
        f"run {run.id} is under way in process {pid or 'unknown'}; wait for its end, or stop it"
    )
