"""What a server under test may touch: nothing of Webdyno's, and nothing of another server's.

It reads the machine as any program does, but not Webdyno's state, sources and temporary files; of
these only its own build and what its trial gives it. It writes nowhere but in folders that its
trial has made for that, and its log. Landlock holds it to that, for any user and on any kernel that
has it; where Webdyno is root, servers run as a user without rights besides.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import shutil
import stat
import sys
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from webdyno._engine import give_up_rights
from webdyno.runtime.confinement.other_user import can_become

T = TypeVar("T")

USER = "nobody"
_DEVICES = ("null", "zero", "full", "random", "urandom", "tty", "shm")
_TERMINALS = ("pts", "tty?*", "console")
"""In /dev: whoever opens the user's own terminal reads what is typed, and writes what it obeys."""
# As Linux has them.
_MOST_INTERPRETERS, _LONGEST_FIRST_LINE = 5, 256
CONTENT = ("servers", "scenarios", "studies")
"""Folders of content, in which Webdyno's questions stand."""


@dataclass(frozen=True)
class Sandbox:
    """The rights of one program: where it may read and execute, and where it may do anything."""

    read: tuple[str, ...]
    write: tuple[str, ...]
    user: str | None = None
    """Whom it runs as; None for Webdyno's own user."""

    def run(self, start: Callable[[], T]) -> T:
        """Call `start` in a thread of its own that has these rights and no others. What it starts
        has them, too; this process keeps all of its own. Raises what `start` does."""
        done: list[T] = []
        failed: list[BaseException] = []

        def body() -> None:
            try:
                give_up_rights(list(self.read), list(self.write))
                done.append(start())
            except BaseException as error:
                failed.append(error)

        thread = threading.Thread(target=body, name="sandbox")
        thread.start()
        thread.join()
        if failed:
            raise failed[0]
        return done[0]


def within(folder: Path, act: Callable[[], T]) -> T:
    """Call `act` where no link that a server put into `folder` leads out of it: it opens, writes
    and removes files nowhere else. Raises what `act` does."""
    return Sandbox((), (str(folder),)).run(act)


def sandbox_of(
    build: Path,
    *,
    hidden: Collection[Path],
    own: Collection[Path],
    log: Path,
    programs: Collection[str],
    also: Collection[Path] = (),
) -> Sandbox:
    """The rights of a server that was built in `build`.

    `hidden` is Webdyno's own; so is its checkout. `own` are the folders that it writes to,
    `programs` what is started, with its interpreters, `also` what else it may read.
    """
    user = unprivileged()
    needed = [build, *own, *map(Path, programs)]
    if user and not (all(_others_reach(path) for path in needed) and _others_read(build)):
        user = None
    away = {path.resolve() for path in hidden}
    away |= {path for name in _TERMINALS for path in Path("/dev").glob(name)}
    checkout = Path(__file__).resolve().parents[4]
    if (checkout / "pyproject.toml").is_file():
        away.add(checkout)
    # A server in Python may run with the interpreter that runs us.
    read = [*_all_but(away), str(build), *map(str, also), sys.prefix]
    write = [*map(str, own), str(log), *(f"/dev/{name}" for name in _DEVICES)]
    return Sandbox(tuple(read), tuple(write), user)


def programs_of(argv: Sequence[str], cwd: Path, env: Mapping[str, str]) -> list[str]:
    """The program that `argv` names and, where it is a script, its interpreters; links followed.

    Of a line for a shell, those of all its commands.
    """
    if list(argv[:2]) == ["sh", "-c"] and len(argv) > 2:
        lines = [["sh"], *_commands_in(argv[2])]
        return [programs for one in lines for programs in programs_of(one, cwd, env)]
    programs: list[str] = []
    name = argv[0]
    while len(programs) < _MOST_INTERPRETERS:
        path = shutil.which(str(cwd / name) if "/" in name else name, path=env.get("PATH"))
        if path is None:
            break
        programs.append(os.path.realpath(path))
        words = _first_line(programs[-1])
        if words[:1] == ["/usr/bin/env"]:
            words = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
        if not words:
            break
        name = words[0]
    return programs


def _commands_in(line: str) -> Iterator[list[str]]:
    """The words of each command in a line for a shell, as far as they can be told."""
    for part in re.split(r"[;&|\n]+", line):
        with contextlib.suppress(ValueError):  # A quotation that does not end within the part.
            words = shlex.split(part)
            while words and (words[0] == "exec" or re.match(r"\w+=", words[0])):
                words.pop(0)
            if words and words[0]:
                yield words


def _first_line(path: str) -> list[str]:
    """The words after `#!` in a script's first line; none in any other file."""
    with contextlib.suppress(OSError), open(path, "rb") as file:
        line = file.readline(_LONGEST_FIRST_LINE)
        if line.startswith(b"#!"):
            return os.fsdecode(line[2:]).split()
    return []


def unprivileged() -> str | None:
    """The user that servers run as where Webdyno is root; None elsewhere, and where root may not
    start programs as that user."""
    return USER if os.geteuid() == 0 and can_become(USER) else None


def _others_reach(path: Path) -> bool:
    """Whether users without rights may enter all folders on the way to `path`, and on the way to
    where links lead from there."""
    try:
        folders = {*path.absolute().parents, *path.resolve().parents}
        modes = [folder.stat().st_mode for folder in folders]
    except OSError:
        return False
    return all(mode & stat.S_IXOTH for mode in modes)


def _others_read(build: Path) -> bool:
    """Whether users without rights may read what lies in `build`, which a umask of 077 forbids.

    Of what lies deeper it says nothing: there may be tens of thousands of files.
    """
    needed_modes = stat.S_IROTH, stat.S_IROTH | stat.S_IXOTH
    try:
        modes = [path.stat().st_mode for path in (build, *build.iterdir()) if path.exists()]
    except OSError:
        return False
    return all(mode & (bits := needed_modes[stat.S_ISDIR(mode)]) == bits for mode in modes)


def _all_but(hidden: Collection[Path]) -> list[str]:
    """Paths that cover the whole file system without `hidden` and what is below."""
    found: list[str] = []
    ways = {parent for path in hidden for parent in path.parents}
    queue = [Path("/")] if hidden else []
    while queue:
        with contextlib.suppress(OSError), os.scandir(queue.pop()) as entries:
            for entry in entries:
                path = Path(entry.path)
                # A link grants nothing: where it leads is covered from there.
                if entry.is_symlink() or path in hidden:
                    continue
                if path in ways:
                    queue.append(path)
                else:
                    found.append(entry.path)
    return found
