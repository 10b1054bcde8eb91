"""The commands in a line that a shell reads: the program of each, and what only leads to it.

Such as `cd web && CI=1 corepack pnpm install`.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

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

_SHELL = re.compile(r"(?:.*/)?(?:ba|da|k|z)?sh")
_READS_LINE = re.compile(r"-[a-z]*c")
_VARIABLE = re.compile(r"([A-Za-z_]\w*)=(.*)", re.DOTALL)
_REDIRECTION = re.compile(r"\d*[<>]")
_PYTHON = re.compile(r"python[\d.]*|\$\{PYTHON\}")

_OF_SHELLS = frozenset({"!", "do", "else", "exec", "then", "time", "{"})
"""Words of a shell before a program."""

_VALUED = {
    "corepack": frozenset[str](),
    "env": frozenset({"-C", "--chdir", "-u", "--unset"}),
    "npx": frozenset({"-p", "--package", "-w", "--workspace"}),
    "sudo": frozenset({"-D", "--chdir", "-g", "--group", "-u", "--user"}),
}
"""Programs that start another one; of their options, those that the next word belongs to."""

_ENTERS = {"env": frozenset({"-C", "--chdir"}), "sudo": frozenset({"-D", "--chdir"})}
"""Of these, those that name the folder in which the other one is started."""


@dataclass(frozen=True)
class Invocation:
    """A program and its arguments, in a line of a shell or alone."""

    name: str
    """Of its program, such as `pnpm`, `uv` or, of `python -m pip`, `pip`."""
    started: tuple[str, ...]
    """All words up to it by which it is started, such as `env CI=1 corepack pnpm`, but for the
    shell's own and those that name a folder."""
    arguments: tuple[str, ...]
    folder: str
    """In which it is started, as seen from where its shell stands; empty for that itself."""
    below: str
    """Where its shell stands by the `cd` before it, as seen from where the line begins."""
    end: int
    """Where it ends in the line; 0 where there is none."""
    variables: Mapping[str, str]
    """What the line sets for it."""


def _is_line(argv: Sequence[str]) -> bool:
    """Whether a command is a shell that reads its last word as a line."""
    shell = len(argv) == 3 and _SHELL.fullmatch(argv[0])
    return bool(shell) and _READS_LINE.fullmatch(argv[1]) is not None


def line_of(argv: Sequence[str]) -> str:
    """The line that a shell reads; of anything but a line, its words, quoted as for one."""
    return argv[2] if _is_line(argv) else shlex.join(argv)


def is_plain(line: str) -> bool:
    """Whether a line is nothing but commands of which each goes on where the one before it did its
    work: then one that fails within it fails the line."""
    ends = {separator["ends"] for separator in _SEPARATOR.finditer(line) if separator["ends"]}
    return ends <= {"&&"} and _NOT_PLAIN.search(line) is None


def commands_of(argv: Sequence[str]) -> Iterator[Invocation]:
    """The commands of a line, those that change the folder or a variable among them; of anything
    but a line, the one that it is."""
    below, exported = "", dict[str, str]()
    for words, end in _parts(argv):
        command = _command(words, end, below, exported)
        yield command
        if command.name == "cd" and len(command.arguments) == 1:
            below = os.path.join(below, command.arguments[0])
        if command.name == "export":
            assignments = filter(None, map(_VARIABLE.fullmatch, command.arguments))
            exported |= {one[1]: one[2] for one in assignments}


def last_of(argv: Sequence[str]) -> Invocation:
    """The last command of a line, which is what starts a service."""
    *_, last = commands_of(argv)
    return last


def _parts(argv: Sequence[str]) -> Iterator[tuple[list[str], int]]:
    """The words of each command, and where it ends in the line."""
    if not _is_line(argv):
        yield list(argv), 0
        return
    line, begin = argv[2], 0
    ends = [separator for separator in _SEPARATOR.finditer(line) if separator["ends"]]
    for start, end in [*((one.start(), one.end()) for one in ends), (len(line), len(line))]:
        yield _words(line[begin:start]), start
        begin = end


def _words(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError:
        words = command.split()
    redirected = (place for place, word in enumerate(words) if _REDIRECTION.match(word))
    return words[: next(redirected, None)]


def _command(words: Sequence[str], end: int, below: str, exported: Mapping[str, str]) -> Invocation:
    started: list[str] = []
    variables = dict(exported)
    folder = starter = ""
    at = 0
    while at < len(words):
        word, taken = words[at], 1
        option, equals, value = word.partition("=")
        if at and word.startswith("-"):
            if not equals and option in _VALUED.get(starter, ()):
                taken, value = 2, words[at + 1] if at + 1 < len(words) else ""
            if option in _ENTERS.get(starter, ()):
                folder = os.path.join(folder, value)
            elif starter in _VALUED:
                started += words[at : at + taken]
        elif word in _OF_SHELLS or word in _VALUED:
            starter = word
            started += [word] if word in _VALUED else []
        elif assignment := _VARIABLE.fullmatch(word):
            variables[assignment[1]] = assignment[2]
            started.append(word)
        else:
            break
        at += taken
    # `npx pnpm@9` is pnpm, and `.venv/bin/python -m pip` is pip.
    last = at
    if at < len(words) and _PYTHON.fullmatch(Path(words[at]).name) and "-m" in words[at:]:
        last = words.index("-m", at) + 1
    started += words[at : last + 1]
    name = Path(words[last]).name.partition("@")[0] if last < len(words) else ""
    if started and started[0] != "env" and _VARIABLE.fullmatch(started[0]):
        started.insert(0, "env")
    return Invocation(
        name, tuple(started), tuple(words[last + 1 :]), folder, below, end, variables
    )  # fmt: skip
