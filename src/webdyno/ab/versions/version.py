"""The two versions: what they are called, where their files are, and in what they differ."""

from __future__ import annotations

import math
import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from webdyno.ab.git.checkout import (
    Commit,
    ambiguous,
    check_out,
    find_commit,
    is_working_copy,
    names_of,
    top_of,
    tracked,
    uncommitted,
    why_no_commit,
)
from webdyno.ab.git.submodules import missing_submodules
from webdyno.ab.versions.installers import Installer
from webdyno.ab.versions.pointers import pointers_in
from webdyno.catalog.catalog import Catalog
from webdyno.catalog.descriptions.description import FILE, Description
from webdyno.catalog.servers.language import LanguageManifest
from webdyno.catalog.terms.command import argv_of
from webdyno.errors import UserError
from webdyno.redaction import without_secrets
from webdyno.report.numbers import first_of
from webdyno.runtime.programs import LANGUAGES
from webdyno.runtime.toolchains import find

LETTERS = ("a", "b")

MOST_NAMED = 3
"""Of submodules and files that are missing."""

MOST_BYTES = 2_000_000_000
"""Of a folder that is copied as it is, with all that was built in it."""


@dataclass(frozen=True)
class Version:
    """One of the two. `name` is how the user named it."""

    letter: str
    name: str
    folder: Path
    commit: str = ""
    command: tuple[str, ...] = ()
    """How it is started, where that differs from the other's."""
    added: tuple[tuple[str, ...], ...] = ()
    """Build commands that the other does not have."""
    after: Installer | None = None
    """The command of the build that they follow; None for the last that installs anything."""
    package: str = ""
    """The dependency in which it differs from the other; empty where that is something else."""
    runtime: str = ""
    """Of its language's, that on which it runs; empty for the machine's own."""
    caution: str = ""
    description: Description | None = None
    """How it is built and started, where that differs from what the description of both says."""

    def files(self, built: bool) -> tuple[str, ...] | None:
        """What is copied of its folder: its sources where it is `built`, else all there is.

        None where no list is known, so that the names of folders decide. Raises `UserError` for a
        folder that is too large to be copied as it is.
        """
        if self.commit:
            return _everything(self.folder)  # It is all source, however large.
        return tracked(self.folder) if built else _everything(self.folder, MOST_BYTES)


def from_places(places: Sequence[str], cwd: Path, into: Path) -> tuple[Version, Version]:
    """Two folders or git references; one alone is compared with the working copy.

    Commits are checked out below `into`. Raises `UserError`.
    """
    if len(places) > 2:
        raise UserError(
            f"ab compares two versions, not {len(places)}; name two, or one to compare it with "
            "this folder"
        )
    located = [_place(text, cwd) for text in ([*places, "."] if len(places) == 1 else places)]
    versions = [
        _checked_out(letter, text, where, cwd, into) if isinstance(where, Commit) else
        Version(letter, _name_of_folder(where) if text == "." else text, where,
                caution=_missing_files(top_of(where), where))
        for letter, (text, where) in zip(LETTERS, located, strict=True)
    ]  # fmt: skip
    a, b = versions
    if a.commit and b.commit:
        head = find_commit(cwd, "HEAD")
        a, b = (_less_changes(one, cwd) if head and one.commit == head.hash else one
                for one in (a, b))  # fmt: skip
    if a.commit and a.commit == b.commit:
        b = replace(b, caution="the same commit as A")
    return a, b


def _less_changes(version: Version, cwd: Path) -> Version:
    """A version of the last commit, where the folder that one stands in has changes which no
    version has; those to the description hold for both."""
    changed = [name for name in uncommitted(cwd) if name != FILE]
    if not changed:
        return version
    caution = (
        f"without the uncommitted changes of your working copy ({first_of(changed, MOST_NAMED)}); "
        "to compare those, name one commit alone"
    )
    return replace(version, caution="; ".join(filter(None, (version.caution, caution))))


def _place(text: str, cwd: Path) -> tuple[str, Path | Commit]:
    if not text.strip():
        # As of a variable that is not set, whose folder would be the one that one stands in.
        raise UserError("a version is empty; name a commit, a branch or a folder (. for this one)")
    folder = cwd / text
    commit = None if text in (".", "..") else find_commit(cwd, text)
    if not folder.is_dir():
        if commit is None:
            raise UserError(f"'{text}' is neither a folder nor {why_no_commit(cwd, text)}")
        return text, commit
    if commit is not None and not text.startswith((".", "/")):
        name = next(iter(names_of(cwd, text)), commit.hash)
        raise UserError(f"'{text}' is both a folder and a git reference; write ./{text} or {name}")
    return text, folder.resolve()


def _checked_out(letter: str, text: str, commit: Commit, cwd: Path, into: Path) -> Version:
    folder = check_out(commit, into / letter)
    named = text if commit.hash.startswith(text) else f"{text} ({commit.short_hash})"
    cautions = (ambiguous(cwd, text), _missing_files(into / letter, folder))
    return Version(letter, named, folder, commit.hash, caution="; ".join(filter(None, cautions)))


def _missing_files(tree: Path, folder: Path) -> str:
    """That files of submodules or of Git LFS are missing in a folder of a tree, with the remedy;
    empty where none is."""
    cautions = []
    if missing := missing_submodules(tree, folder):
        cautions.append(
            f"without the files of its git submodules ({first_of(missing, MOST_NAMED)}), which "
            "this clone does not have; fetch them with `git submodule update --init --recursive`"
        )
    if pointers := pointers_in(tree, folder):
        cautions.append(
            "with Git LFS pointers in place of the files themselves "
            f"({first_of(pointers, MOST_NAMED)}); fetch them with `git lfs install` and `git lfs "
            f"pull`{'' if shutil.which('git-lfs') else ' once git-lfs is installed'}"
        )
    return "; ".join(cautions)


def from_commands(commands: Sequence[str], folder: Path) -> tuple[Version, Version]:
    """Two ways to start what is in `folder`."""
    a, b = (
        Version(letter, without_secrets(line), folder, command=tuple(argv_of(line)))
        for letter, line in zip(LETTERS, commands, strict=True)
    )
    return a, b


def from_runtimes(
    runtimes: Sequence[str], folder: Path, language_name: str, catalog: Catalog
) -> tuple[Version, Version]:
    """Two runtimes of the language `language_name`, written `node@20`: the machine's own, or one
    that Webdyno can install.

    Raises `UserError` where one is neither.
    """
    language = catalog.language(language_name)
    own = [LANGUAGES[language_name].programs[0].name] if language_name in LANGUAGES else []
    provided = {name for one in language.runtimes.values() for name in one.provides}
    a, b = (
        Version(letter, text, folder, runtime=_runtime(text, language, sorted(provided) or own))
        for letter, text in zip(LETTERS, runtimes, strict=True)
    )
    return a, b


def _runtime(text: str, language: LanguageManifest, programs: Sequence[str]) -> str:
    program, _, version_prefix = text.partition("@")
    if not version_prefix:
        raise UserError(f"--runtime {text}: no version; write it as node@20")
    if programs and program not in programs:
        # Else both versions would run on what the service runs on anyway.
        raise UserError(
            f"--runtime {text}: this service does not run on {program}; write it like "
            f"{programs[0]}@VERSION"
        )
    for name, runtime in language.runtimes.items():
        if _is_of(runtime.provides.get(program, ""), version_prefix):
            return name
    own = find(program).found_version or ""
    if _is_of(own, version_prefix):
        return ""
    provided = [runtime.provides.get(program, "") for runtime in language.runtimes.values()]
    known = ", ".join(f"{program}@{version}" for version in [own, *provided] if version) or "none"
    raise UserError(
        f"--runtime {text}: unknown; choose from {known}{_of_two_commands(program, version_prefix)}"
    )


def _of_two_commands(program: str, version_prefix: str) -> str:
    """How runtimes are compared that Webdyno does not choose itself, as the end of a sentence."""
    if program == "python":
        # The packages of a virtual environment are those of the Python that made it.
        return (
            ", or let one build make an environment for each (--build 'python3 -m venv a && "
            f"a/bin/pip install … && python{version_prefix} -m venv b && b/bin/pip install …'), "
            "and start one by each of two --command ('a/bin/python …', 'b/bin/python …')"
        )
    return (
        ", or name the programs of two that this machine has in two --command "
        f"('/path/to/{program} …')"
    )


def _is_of(version: str, version_prefix: str) -> bool:
    return version == version_prefix or version.startswith(f"{version_prefix}.")


def from_one_folder(folder: Path) -> tuple[Version, Version]:
    """The same twice: what this machine tells apart where there is no difference."""
    caution = _missing_files(top_of(folder), folder.resolve())
    a = Version("a", _name_of_folder(folder), folder, caution=caution)
    return a, Version("b", "the same again", folder)


def _name_of_folder(folder: Path) -> str:
    """What the folder that one stands in is called."""
    return "the working copy" if is_working_copy(folder) else "this folder"


def _everything(folder: Path, most_bytes: float = math.inf) -> tuple[str, ...]:
    """All files below `folder`, less git's own. Raises `UserError` for more than `most_bytes`."""
    paths: list[str] = []
    size = 0
    for root, folders, files in os.walk(folder):
        folders.sort()
        if ".git" in folders:
            folders.remove(".git")
        # A link to a folder is a file here: it is copied as a link.
        links = [name for name in folders if (Path(root) / name).is_symlink()]
        for name in sorted([*files, *links]):
            path = Path(root) / name
            if name == ".git" or not (path.is_symlink() or path.is_file()):
                continue
            paths.append(str(path.relative_to(folder)))
            size += path.lstat().st_size
        if size > most_bytes:
            raise UserError(
                f"{folder} holds more than {most_bytes / 1e9:.3g} GB; name the commands that build "
                "it (--build), so that only its sources are copied"
            )
    # As `tracked` has them: the same files are the same source.
    return tuple(sorted(paths))
