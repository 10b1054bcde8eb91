"""Which commands of a build install its dependencies, by which program, and where one more goes.

A command may be a line that a shell reads, such as `cd web && pnpm install && pnpm run build`.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from webdyno.catalog.program import Argv
from webdyno.errors import UserError
from webdyno.verifier.base import shorten
from webdyno.withheld import without_secrets

_SEPARATOR = re.compile(
    r"""
    '[^']*' | "(?:\\.|[^"\\])*" | `[^`]*` | \$\([^()]*\) | \\.  # What a shell does not split.
    | (?P<ends> && | \|\| | [;|()\n] | (?<!>)&(?!>) )
    """,
    re.DOTALL | re.VERBOSE,
)
_NOT_PLAIN = re.compile(
    r"\#|\$\(|`|<<|(?:^|\s)(?:if|then|else|for|while|until|do|case|exec|\{|!)(?:\s|$)"
)
"""Where commands may begin and end otherwise than `_SEPARATOR` says, or end their shell."""
_VARIABLE = re.compile(r"[A-Za-z_]\w*=")

_MANAGERS = frozenset(
    {"bun", "npm", "pdm", "pip", "pip3", "pipenv", "pnpm", "poetry", "uv", "yarn"}
)
_INSTALLS = frozenset({"ci", "i", "install", "sync"})
"""What package managers call the installation of all dependencies."""

_STARTERS = frozenset(
    {"!", "corepack", "do", "else", "env", "exec", "npx", "sudo", "then", "time", "{"}
)
"""Programs, and words of a shell, that a package manager stands behind."""


@dataclass(frozen=True)
class Installer:
    """A command that installs dependencies: its program, and all words up to it."""

    program: str
    """Such as `pnpm`."""
    words: tuple[str, ...]
    """Such as `corepack pnpm`."""
    end: int
    """Where it ends in the line of a shell; 0 where there is none."""


def installer_of(argv: Sequence[str]) -> Installer | None:
    """The last command of `argv` that installs dependencies; None where none does."""
    found = [one for words, end in _commands(argv) if (one := _installer(words, end))]
    return found[-1] if found else None


def syncs(command: Sequence[str]) -> bool:
    """Whether a command has uv put the locked versions back before it starts a program."""
    return re.search(r"\buv run\b(?!.* --no-sync\b)", " ".join(command)) is not None


def with_added(build: Sequence[Argv], added: Sequence[Sequence[str]]) -> list[Argv]:
    """The build with the commands `added`: after what installs the others, and before what may
    bundle them. Raises `UserError` for a line that may go on where an installation fails."""
    if not added:
        return list(build)
    found = [(place, made) for place, argv in enumerate(build) if (made := installer_of(argv))]
    if not found:
        return [*build, *map(list, added)]
    at, last = found[-1]
    argv = build[at]
    # A line of one command gives its shell up to it; of several, the first may be `cd`.
    if len(list(_commands(argv))) == 1:
        return [*build[: at + 1], *map(list, added), *build[at + 1 :]]
    if not _is_plain(argv[2]):
        raise UserError(
            f"--with cannot tell where '{without_secrets(shorten(argv[2]))}' installs "
            "dependencies; join its commands by && alone, or write a command each under [build]"
        )
    line = "".join(f" && {shlex.join(one)}" for one in added)
    whole = f"{argv[2][: last.end].rstrip(' ')}{line} {argv[2][last.end :].lstrip(' ')}"
    return [*build[:at], [*argv[:2], whole.rstrip(" ")], *build[at + 1 :]]


def _is_plain(line: str) -> bool:
    """Whether a line is nothing but commands of which each goes on where the one before it did its
    work: then an installation within it fails the line where it fails."""
    ends = {found["ends"] for found in _SEPARATOR.finditer(line) if found["ends"]}
    return ends <= {"&&"} and _NOT_PLAIN.search(line) is None


def _is_line(argv: Sequence[str]) -> bool:
    return len(argv) == 3 and list(argv[:2]) == ["sh", "-c"]


def _commands(argv: Sequence[str]) -> Iterator[tuple[list[str], int]]:
    """The words of each command, and where it ends in the line of a shell."""
    if not _is_line(argv):
        yield list(argv), 0
        return
    line, begin = argv[2], 0
    ends = [found for found in _SEPARATOR.finditer(line) if found["ends"]]
    for start, end in [*((one.start(), one.end()) for one in ends), (len(line), len(line))]:
        yield _words(line[begin:start]), start
        begin = end


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:
        return command.split()


def _installer(words: Sequence[str], end: int) -> Installer | None:
    at = 0
    while at < len(words) and _starts(words, at):
        at += 1
    if at == len(words):
        return None
    # `npx pnpm@9` is pnpm, and `.venv/bin/python -m pip` is pip.
    program = Path(words[at]).name.partition("@")[0]
    if re.match(r"python[\d.]*$|\$\{PYTHON\}$", program) and "-m" in words[at:]:
        at = words.index("-m", at) + 1
        program = words[at] if at < len(words) else ""
    rest = words[at + 1 :]
    # Yarn installs if it is told nothing else.
    alone = program == "yarn" and all(part.startswith("-") for part in rest)
    if program not in _MANAGERS or not (alone or _INSTALLS & set(rest)):
        return None
    before = [one for one in words[: at + 1] if one != "exec"]
    sets = before[0] != "env" and _VARIABLE.match(before[0])
    return Installer(program, tuple(["env", *before] if sets else before), end)


def _starts(words: Sequence[str], at: int) -> bool:
    """Whether a word only leads to the program that does the work."""
    word = words[at]
    option = at > 0 and word.startswith("-")
    return option or word in _STARTERS or _VARIABLE.match(word) is not None
