"""Nothing is left behind: whatever ends a run, its processes and temporary files go with it.

The command line runs as two processes. The outer one, the warden, adopts every orphan of the
inner one (Linux's child subreaper); when the inner one ends, killed or not, the warden ends what
is left and removes the run's temporary folder. Should the warden itself be killed, the kernel
sends the inner one SIGTERM, and it cleans up as on Ctrl-C. They are two process groups, so that no
signal to a group takes both; what a terminal sends, the warden hands on. Should both be killed at
once, the next start ends what they noted in their temporary folder.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import itertools
import os
import shutil
import signal
import stat
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import NoReturn

from webdyno.errors import UserError
from webdyno.runtime.proc import descendants, is_zombie, processes

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_FORWARDED = (signal.SIGTERM, signal.SIGHUP)
_STARTED = "started"
"""The file in a process's temporary folder that names the programs which it has started."""

_own_folder: list[Path] = []
_held: dict[Path, int] = {}
"""Every temporary folder that this process has made for itself, with the descriptor by which it is
locked as long as the process lives: a process of the same temporary files may be in another
namespace, where ids of processes are others. Programs that are started do not inherit it."""


def adopt_orphans() -> None:
    """Make this process the parent of its orphaned descendants, so that none escapes it."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def terminate_like_interrupt() -> None:
    """Let SIGTERM and SIGHUP end the program the way Ctrl-C does, running every clean-up."""

    def interrupt(_signal: int, _frame: FrameType | None) -> NoReturn:
        raise KeyboardInterrupt

    for number in _FORWARDED:
        signal.signal(number, interrupt)


def supervised(main: Callable[[], int], temporary: Path) -> int:
    """Run `main` under a warden and give its exit code.

    `temporary` is the parent of per-process temporary folders; that of the inner process, which is
    named after its pid, is removed at the end. Call before any thread is started.
    """
    adopt_orphans()
    warden = os.getpid()
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        # A terminal may hold up whoever writes from another group than its own (`stty tostop`).
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        _prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        terminate_like_interrupt()
        adopt_orphans()
        if os.getppid() != warden:
            os._exit(1)  # The warden died before the line above could take effect.
        _exit_with(main, temporary)
    _hand_on(child)
    status = _wait_for(child)
    _free_groups()  # What is frozen does not end.
    end_descendants()
    for folder in (temporary / str(child), *temporary.glob(f"{child}-*")):
        _remove_unless_held(folder)
    return status


def private_folder(temporary: Path) -> Path:
    """A temporary folder of this process; `supervised` removes it whatever happens.

    Folders of processes that are gone, killed together with their warden, are removed as well, and
    what these had started is ended. Raises `UserError` where somebody else made `temporary`.
    """
    for above in (temporary.parent, temporary):
        make_own(above)
    end_abandoned(temporary)
    folder = next(iter(_folders_held(temporary)), None) or _new_folder(temporary)
    _own_folder[:] = [folder]
    return folder


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
            _remove_unless_held(old)


def _pid_of(folder: Path) -> int:
    return int(folder.name.partition("-")[0])


def _remove_unless_held(folder: Path) -> None:
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
        shutil.rmtree(folder, ignore_errors=True)
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
    for pid, process in table.items():
        if pid in roots or process.session in roots:
            _send(pid, signal.SIGKILL)


def remove_private_folder(temporary: Path) -> None:
    """Remove what `private_folder` made for this process."""
    for folder in _folders_held(temporary):
        shutil.rmtree(folder, ignore_errors=True)
        os.close(_held.pop(folder))


def end_descendants(grace_s: float = 2.0, keep: frozenset[int] = frozenset()) -> list[int]:
    """End every descendant of this process but those in `keep`; gives the pids that were left."""
    left = [pid for pid in descendants(os.getpid()) if pid not in keep and not is_zombie(pid)]
    for pid in left:
        _send(pid, signal.SIGTERM)
        _send(pid, signal.SIGCONT)  # A frozen one would not notice.
    deadline = time.monotonic() + grace_s
    while time.monotonic() < deadline and any(not is_zombie(pid) for pid in left):
        time.sleep(0.01)
        _reap(keep)
    for _ in range(20):  # A killed parent may leave us new orphans: look again.
        rest = [pid for pid in descendants(os.getpid()) if pid not in keep and not is_zombie(pid)]
        if not rest:
            break
        for pid in rest:
            _send(pid, signal.SIGKILL)
        time.sleep(0.02)
        _reap(keep)
    _reap(keep)
    return left


def _hand_on(child: int) -> None:
    """Let the warden pass on to `child` what a terminal or a user sends."""
    for number in (signal.SIGINT, signal.SIGCONT, *_FORWARDED):
        signal.signal(number, lambda signum, _frame: _send(child, signum))
    # Of these two a process dies or stops where it stands: then it could not clean up.
    signal.signal(signal.SIGQUIT, lambda _signum, _frame: _send(child, signal.SIGTERM))

    def pause(_signum: int, _frame: FrameType | None) -> None:
        _send(child, signal.SIGSTOP)
        os.kill(os.getpid(), signal.SIGSTOP)

    signal.signal(signal.SIGTSTP, pause)


def _free_groups() -> None:
    # Imported here, since nothing but this moment needs it.
    from webdyno.runtime.confinement.own_groups import remove_leftovers

    with contextlib.suppress(OSError):
        remove_leftovers()


def _exit_with(main: Callable[[], int], temporary: Path) -> NoReturn:
    # A UserError goes up to the command line's own handler, in this process as in any other.
    try:
        code = main()
    except KeyboardInterrupt:
        # Whoever had something to keep has said so, and gave a code of its own.
        print("webdyno: interrupted", file=sys.stderr)
        code = 130
    finally:
        # The warden does this again; but it may be the one that was killed.
        end_descendants()
        remove_private_folder(temporary)
    sys.exit(code)


def _wait_for(child: int) -> int:
    while True:
        try:
            _, status = os.waitpid(child, 0)
        except InterruptedError:
            continue
        if os.WIFEXITED(status):
            return os.waitstatus_to_exitcode(status)
        number = signal.Signals(os.WTERMSIG(status))
        with contextlib.suppress(OSError):  # Nobody may be listening any more.
            print(f"webdyno: ended by {number.name}, with everything it started", file=sys.stderr)
        return 128 + number


def _reap(keep: frozenset[int]) -> None:
    for pid in descendants(os.getpid()):
        if pid not in keep and is_zombie(pid):
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)


def _send(pid: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)


def _prctl(option: int, value: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(option, value, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl failed")
