"""Which commands of a build install its dependencies, by which program, and where one more goes.

A command may be a line that a shell reads, such as `cd web && pnpm install && pnpm run build`.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from webdyno.ab.versions.command_lines import Invocation, commands_of, is_plain
from webdyno.ab.versions.managers import installs_in
from webdyno.catalog.servers.program import Argv
from webdyno.errors import UserError
from webdyno.redaction import without_secrets
from webdyno.verifier.base import shorten

TOP = "."


@dataclass(frozen=True)
class Installer:
    """A command that installs dependencies."""

    program: str
    """Such as `pnpm`."""
    words: tuple[str, ...]
    """By which it is started, as seen from `folder`, such as `corepack pnpm`."""
    folder: str
    """In which it installs, as seen from where its shell stands; empty for that itself."""
    where: str
    """The same, as seen from the build; `TOP` for that itself."""
    at: int
    """Its place in the build."""
    end: int
    """Where it ends in the line of a shell; 0 where there is none."""


def installers_of(build: Sequence[Argv]) -> list[Installer]:
    """The commands of a build that install dependencies, in their order."""
    return [one for at, argv in enumerate(build) for one in _installers(argv, at)]


def chosen(installers: Sequence[Installer], names: Callable[[str], bool]) -> Installer | None:
    """The one that installs a dependency which the manifests in its folder name, as `names` tells,
    or are likeliest to: of several, that of the build's own folder, else the last. None where
    there is none."""
    naming = [one for one in installers if names(one.where)] or installers
    likely = [one for one in naming if one.where == TOP] or naming
    return likely[-1] if likely else None


def with_added(
    build: Sequence[Argv], added: Sequence[Sequence[str]], after: Installer | None = None
) -> list[Argv]:
    """The build with the commands `added`: after what installs the others, which is `after` and
    what follows it at once, else the last that installs any; and before what may bundle them.

    Raises `UserError` for a line that may go on where an installation fails.
    """
    if not added:
        return list(build)
    installers = installers_of(build)
    last = after or (installers[-1] if installers else None)
    if last is None:
        return [*build, *map(list, added)]
    argv = build[last.at]
    # A line of one command gives its shell up to it; of several, the first may be `cd`.
    if len(list(commands_of(argv))) == 1:
        at = last.at
        while any(one.at == at + 1 for one in installers):
            at += 1
        return [*build[: at + 1], *map(list, added), *build[at + 1 :]]
    if not is_plain(argv[2]):
        raise UserError(
            f"--with cannot tell where '{_printed(argv[2])}' installs dependencies; join its "
            "commands with && only, or write each as an entry of its own under [build]"
        )
    line = "".join(f" && {shlex.join(one)}" for one in added)
    whole = f"{argv[2][: last.end].rstrip(' ')}{line} {argv[2][last.end :].lstrip(' ')}"
    return [*build[: last.at], [*argv[:2], whole.rstrip(" ")], *build[last.at + 1 :]]


def command_in_its_folder(installer: Installer, command: Sequence[str]) -> tuple[str, ...]:
    """A command as it works in the folder in which `installer` installs.

    Raises `UserError` where only a shell knows that folder.
    """
    if not installer.folder:
        return tuple(command)
    if any(sign in installer.folder for sign in "$`"):
        raise UserError(
            f"--with cannot tell in which folder {installer.program} installs dependencies: "
            f"'{_printed(installer.folder)}' is known only to a shell; write its path in the build"
        )
    return ("sh", "-c", 'cd "$0" && exec "$@"', installer.folder, *command)


def _printed(line: str) -> str:
    return shorten(without_secrets(line))


def _installers(argv: Sequence[str], at: int) -> Iterator[Installer]:
    for command in commands_of(argv):
        install_folder = installs_in(command.name, command.arguments)
        if install_folder is not None:
            folder = os.path.normpath(os.path.join(command.folder, install_folder) or TOP)
            yield Installer(
                program=command.name,
                words=_from_within(command, install_folder),
                folder="" if folder == TOP else folder,
                where=os.path.normpath(os.path.join(command.below, folder)),
                at=at,
                end=command.end,
            )


def _from_within(command: Invocation, folder: str) -> tuple[str, ...]:
    """How a command is started where one stands in the `folder` that its options name."""
    if not folder:
        return command.started
    return tuple(
        os.path.relpath(word, folder) if is_path_in_build(word) else word
        for word in command.started
    )


def is_path_in_build(word: str) -> bool:
    """Whether a word names a program by where it lies in the build."""
    return "/" in word and "=" not in word and word[0] not in "/@-$~"
