"""The programs that Webdyno knows: how each tells its version, where it hides, who installs it.

Each is declared by what needs it: a language, a service or a generator, in a file of its own (see
`webdyno.plugins`).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from webdyno.errors import UserError
from webdyno.plugins import Plugins

NUMBER = r"(\d+(?:\.\d+)*)"
"""A version, captured: for patterns."""

PROGRAM = "{program}"
"""In a command that installs a package: the words by which a build starts the program, such as
`corepack pnpm`."""

SBIN = ("/usr/sbin", "/usr/local/sbin", "/opt/homebrew/bin")
"""Folders in which daemons stand that are not on the PATH of a user."""

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True)
class Program:
    """One program. `pattern` captures the version in what `arguments` make it print."""

    name: str
    arguments: tuple[str, ...]
    pattern: str
    apt: str = ""
    brew: str = ""
    page: str = ""
    """Where newer versions come from, for when a distribution's is too old."""
    hint: str = ""
    """Where it comes from on each system, where that takes more than a package's name."""
    executables: tuple[str, ...] = ()
    """Names to look for, best first; the program's own name where there are none."""
    folders: tuple[str, ...] = field(default=())
    """Globs of folders outside PATH in which distributions put it."""
    extensions: tuple[str, ...] = ()
    """What makes it list its extensions, a line each; empty where it has none."""
    extension_versions: tuple[str, ...] = ()
    """What makes it print the versions of extensions whose names follow, a line each, in their
    order; empty where they have its own version, or it cannot tell."""
    extension_hint: Callable[[str, Sequence[str]], str] = lambda _version, _names: ""
    """How to get extensions, by the program's version and their names."""
    known: Callable[[], tuple[str, str]] | None = None
    """Tells path and version of one that need not be looked for."""
    use: str = ""
    """What it is good for though no server asks for it; empty where only servers do."""
    meanwhile: str = ""
    """What is done without it."""

    def version_in(self, text: str) -> str | None:
        """The version in the program's own output, such as `20.20.2`; None where there is none."""
        match = re.search(self.pattern, _COLOUR.sub("", text), re.MULTILINE)
        return match[1] if match else None

    def install_hint(self, minimum: str) -> str:
        """One clause that says how to get the program in at least version `minimum`."""
        newer = f"version {minimum} or newer" if minimum else "it"
        if self.hint:
            return f"install {newer}: {self.hint}"
        command = self._command()
        if command and self.page:
            return f"install {newer}: {command} (if that is too old: {self.page})"
        return f"install {newer}: {command or self.page}"

    def _command(self) -> str:
        if sys.platform == "darwin":
            return f"brew install {self.brew}" if self.brew else ""
        return f"sudo apt install {self.apt}" if self.apt else ""


class Language:
    """What a language brings."""

    def __init__(
        self,
        *programs: Program,
        mirror_of: Sequence[str] = (),
        install: Sequence[str] = (),
        install_by: Mapping[str, Sequence[str]] | None = None,
        unreached: str = "",
    ) -> None:
        """`mirror_of` is the command by which its package manager says where it was told to fetch
        a repository from elsewhere, to which the repository's address is added (git's own
        `insteadOf` needs no asking); `install` puts one package beside a built service, with
        `{name}` and `{version}` in it, and `install_by` does so where a build installs with the
        program by whose name it is there, with `PROGRAM` for that; `unreached` is a pattern of what
        its package manager prints where it reached no registry, with groups `host` and `reason`.
        Empty where there is none.
        """
        self.programs = programs
        self.mirror_of = tuple(mirror_of)
        self.install = tuple(install)
        self.install_by = {name: tuple(argv) for name, argv in (install_by or {}).items()}
        self.unreached = unreached


class _Needing(Protocol):
    @property
    def programs(self) -> tuple[Program, ...]: ...


LANGUAGES: Plugins[Language] = Plugins("webdyno.runtime.languages", "LANGUAGE", "language")

_HOMES: tuple[Plugins[_Needing] | Plugins[Language], ...] = (
    LANGUAGES,
    Plugins("webdyno.runtime.services.plugins", "SERVICE", "service"),
    Plugins("webdyno.generators.plugins", "GENERATOR", "generator"),
)
"""Whose programs there are, in the order in which `doctor` shows them; the last import slowly."""


def programs() -> dict[str, Program]:
    """All programs, by name; imports what declares them."""
    return {program.name: program for home in _HOMES for program in _programs_of(home)}


def program_named(name: str) -> Program:
    """The program `name`. Raises `UserError` where none is known by it."""
    for home in _HOMES:
        for program in _programs_of(home):
            if program.name == name:
                return program
    raise UserError(f"toolchain '{name}' is unknown; choose from {', '.join(programs())}")


def _programs_of(home: Plugins[_Needing] | Plugins[Language]) -> list[Program]:
    return [program for one in home.all().values() for program in one.programs]
