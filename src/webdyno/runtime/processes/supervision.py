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
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import NoReturn

from webdyno.runtime.proc import descendants, is_zombie
from webdyno.runtime.processes.private_folder import remove_private_folder, remove_unless_held

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_FORWARDED = (signal.SIGTERM, signal.SIGHUP)


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
        remove_unless_held(folder)
    return status


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
