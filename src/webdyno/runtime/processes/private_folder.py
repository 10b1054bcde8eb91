"""The temporary folder of a process, and what ends with it: also of one that was killed, which the
next start finds by what is noted there.
"""

from __future__ import annotations

import contextlib
import fcntl
import itertools
import os
import shutil
import signal
import stat
import time
from pathlib import Path

from webdyno.errors import UserError
from webdyno.runtime.proc import is_zombie, processes
from webdyno.runtime.shared_memory import remove_shared_memory

_STARTED = "started"
"""The file in a process's temporary folder that names the programs which it has started."""

_DEATH_S = 2.0
"""How long a killed process may take to be gone, with its files and memory."""

_own_folder: list[Path] = []
_held: dict[Path, int] = {}
"""Every temporary folder that this process has made for itself, with the descriptor by which it is
locked as long as the process lives: a process of the same temporary files may be in another
namespace, where ids of processes are others. Programs that are started do not inherit it."""


def private_folder(temporary: Path) -> Path:
    """A temporary folder of this process; `supervised` removes it whatever happens.

    Folders of processes that are gone, killed together with their warden, are removed as well, and
    what these had started is ended. Raises `UserError` where somebody else made `temporary`, or
    where TMPDIR names a place that programs cannot use.
    """
    _check_chosen()
    for above in (temporary.parent, temporary):
        make_own(above)
    end_abandoned(temporary)
    folder = next(iter(_folders_held(temporary)), None) or _new_folder(temporary)
    _own_folder[:] = [folder]
    return folder


def _check_chosen() -> None:
    """Python passes over a TMPDIR that it cannot use, and takes another folder; compilers and
    servers do not. Raises `UserError`."""
    chosen = os.environ.get("TMPDIR", "")
    if chosen and not (os.path.isdir(chosen) and os.access(chosen, os.W_OK | os.X_OK)):
        raise UserError(
            f"TMPDIR={chosen}: not a folder that you may write to; name one, or unset it"
        )


def _folders_held(temporary: Path) -> list[Path]:
    """Those of this process that are there; a fork has none of its parent's."""
    mine = [
        folder for folder in _held if folder.parent == temporary and _pid_of(folder) == os.getpid()
    ]
    return [folder for folder in mine if folder.is_dir()]


def _new_folder(temporary: Path) -> Path:
    own = str(os.getpid())
    names = itertools.chain([own], (f"{own}-{number}" for number in itertools.count(2)))
    for folder in (temporary / name for name in names):
        # A process of another namespace may have the same id, and takes what is not locked yet for
        # abandoned.
        with contextlib.suppress(FileExistsError, FileNotFoundError):
            folder.mkdir()
            held = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
            with contextlib.suppress(OSError):  # A file system that knows no locks.
                fcntl.flock(held, fcntl.LOCK_EX)
            if _is_at(held, folder):
                _held[folder] = held
                return folder
            os.close(held)
    raise AssertionError("there are numbers enough")


def _is_at(held: int, folder: Path) -> bool:
    """Whether the open `held` is still what stands at `folder`."""
    with contextlib.suppress(OSError):
        return os.path.samestat(os.fstat(held), folder.stat())
    return False


def end_abandoned(temporary: Path) -> None:
    """End what processes that are gone have left below `temporary`: they were killed together with
    their wardens."""
    for old in temporary.glob("[0-9]*"):
        # One of our own id that we have not made is of an earlier process: ids come again.
        pid = _pid_of(old)
        if old not in _held and (pid == os.getpid() or _is_gone(pid)):
            remove_unless_held(old)


def _pid_of(folder: Path) -> int:
    return int(folder.name.partition("-")[0])


def remove_unless_held(folder: Path) -> None:
    """Remove the folder of a process that is gone, and end what it had started; nothing where the
    process lives, which ids do not tell in another namespace than its own."""
    try:
        held = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError:
        return
    try:
        with contextlib.suppress(OSError):  # A file system that knows no locks.
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return
        with contextlib.suppress(OSError):
            _end_noted(folder / _STARTED)
        _remove(folder)
    finally:
        os.close(held)


def _is_gone(pid: int) -> bool:
    """Also where nobody has asked yet how it ended."""
    return not Path(f"/proc/{pid}").exists() or is_zombie(pid)


def make_own(folder: Path) -> None:
    """Make `folder`, in a place that others share, one that nobody else can write to.

    Raises `UserError` where somebody else was there first.
    """
    folder.mkdir(mode=0o755, parents=True, exist_ok=True)
    seen = folder.lstat()
    if not stat.S_ISDIR(seen.st_mode) or seen.st_uid != os.geteuid():
        raise UserError(
            f"{folder} belongs to another user; remove it, or set TMPDIR to a folder of your own"
        )
    if seen.st_mode & 0o022:
        folder.chmod(stat.S_IMODE(seen.st_mode) & ~0o022)


def note_started(pid: int, since: int) -> None:
    """Keep on disk that this process has started `pid`, at `since` by the kernel's clock."""
    for folder in _own_folder:
        with contextlib.suppress(OSError), (folder / _STARTED).open("a") as file:
            file.write(f"{pid} {since}\n")


def _end_noted(path: Path) -> None:
    """Kill what a process that is gone had noted, with all in the same sessions."""
    try:
        noted = {tuple(map(int, line.split())) for line in path.read_text().splitlines()}
    except (OSError, ValueError):
        return
    table = processes()
    roots = {pid for pid, process in table.items() if (pid, process.started) in noted}
    killed = [pid for pid, one in table.items() if pid in roots or one.session in roots]
    for pid in killed:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    until = time.monotonic() + _DEATH_S
    while not all(map(_is_gone, killed)) and time.monotonic() < until:
        time.sleep(0.005)


def remove_private_folder(temporary: Path) -> None:
    """Remove what `private_folder` made for this process."""
    for folder in _folders_held(temporary):
        _remove(folder)
        os.close(_held.pop(folder))


def _remove(folder: Path) -> None:
    """Remove the folder of a process of which nothing runs any more."""
    remove_shared_memory(folder)
    shutil.rmtree(folder, ignore_errors=True)
