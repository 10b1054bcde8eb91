"""What a user sees when something goes wrong: one line, and where the rest is."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import traceback
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

from webdyno.errors import UserError
from webdyno.printable import one_line
from webdyno.redaction import printed_command
from webdyno.runtime.disk import is_full

USAGE = 2
"""Exit code of bad input."""

NO_ROOM = 74
"""Exit code where a disk is full (EX_IOERR)."""

INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells have it for SIGINT."""

SOFTWARE = 70
"""Exit code of a fault of our own (EX_SOFTWARE of sysexits.h)."""


def program() -> str:
    """What the user called: `./webdyno` from a clone, `webdyno` from an installed package."""
    return os.environ.get("WEBDYNO_PROGRAM") or "webdyno"


def open_closed_streams() -> None:
    """Let nothing that is opened later take the number of a standard stream that was closed by the
    user (`webdyno list >&-`): what is printed would be written into it."""
    for number, mode in enumerate(("r", "w", "w")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # Takes the lowest number, which is this one.
            name = ("stdin", "stdout", "stderr")[number]
            setattr(sys, name, open(number, mode, closefd=False))  # noqa: SIM115


def give_to_nobody(stream: TextIO) -> None:
    """Lose what is written to `stream`, and what it still holds back, now or at exit."""
    nobody = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nobody, stream.fileno())
    os.close(nobody)


def suit_any_terminal() -> None:
    """Print whatever a terminal says of itself: a sign that its encoding lacks becomes `?`, and a
    width or height of 0, or of no number, counts as unknown."""
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.encoding.lower() != "utf-8":
        sys.stdout.reconfigure(errors="replace")
    for name in ("COLUMNS", "LINES"):
        given = os.environ.get(name, "")
        if not given.isdecimal() or int(given) == 0:
            os.environ.pop(name, None)


def say(message: str) -> None:
    """One line on stderr; line breaks inside the message become spaces. Commands that it names are
    called as the user called this one."""
    message = message.replace("`webdyno ", f"`{program()} ")
    # Nobody may be listening, and a name may hold bytes that are no text.
    with contextlib.suppress(OSError, ValueError):
        print(f"webdyno: {one_line(message)}", file=sys.stderr)


def report_failure(error: Exception) -> int:
    """Keep the traceback in a file and name it in one line; raise where WEBDYNO_DEBUG=1."""
    if os.environ.get("WEBDYNO_DEBUG") == "1":
        raise error
    text = "".join(traceback.format_exception(error))
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    try:
        path = _write(text)
    except (OSError, UserError):
        # No place to write: the traceback itself is then worth more than a tidy screen.
        sys.stderr.write(text)
        say(f"a bug in Webdyno: {what}")
    else:
        say(f"a bug in Webdyno: {what:.300} (details: {path}; please report it)")
    return SOFTWARE


class RunCutShort(Exception):
    """A disk was full while a run was made that `--resume` continues; its cause is the fault."""


@contextlib.contextmanager
def resumable() -> Iterator[None]:
    """Within it a run is made that `--resume` continues. Raises `RunCutShort` where a disk is
    full."""
    try:
        yield
    except Exception as error:
        if is_full(error):
            raise RunCutShort from error
        raise


def report_disk_full(*, resumable: bool = False) -> int:
    """Say in one line which of the disks that Webdyno writes to is full, and how to go on:
    `resumable` where a run was going that `--resume` continues."""
    from webdyno.runtime.disk import disk_full_message
    from webdyno.runtime.home import Home

    folders = [Path()]
    with contextlib.suppress(OSError):  # It may have been removed.
        folders = [Path.cwd()]
    with contextlib.suppress(UserError):  # A store that is named wrongly is none to be full.
        folders += Home.default().written
    say(disk_full_message(folders, resumable))
    return NO_ROOM


def _write(text: str) -> Path:
    from webdyno.runtime.home import Home

    folder = Home.default().root / "failures"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{os.getpid()}.txt"
    path.write_text(f"{printed_command(sys.argv)}\n\n{text}", encoding="utf-8")
    return path
