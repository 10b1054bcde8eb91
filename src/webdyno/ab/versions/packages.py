"""Two versions of a dependency: how a build installs each, and whether a manifest names it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from packaging.utils import canonicalize_name

from webdyno.ab.recognise.python.needs import needs_of
from webdyno.ab.recognise.recognised import text_of
from webdyno.ab.recognise.workspace import members_of
from webdyno.ab.versions.installers import (
    TOP,
    Installer,
    chosen,
    command_in_its_folder,
    installers_of,
    is_path_in_build,
)
from webdyno.ab.versions.version import LETTERS, Version
from webdyno.catalog.servers.program import Argv
from webdyno.errors import UserError
from webdyno.redaction import without_secrets
from webdyno.runtime.programs import LANGUAGES, PROGRAM


def from_packages(
    packages: Sequence[str], folder: Path, language: str, build: Sequence[Argv] = ()
) -> tuple[Version, Version]:
    """Two versions of a dependency, written `name@version`, installed by a command that the
    `build` gets in addition, where `pairing` puts it.

    Raises `UserError` for a language of which this is not known.
    """
    language = "node" if language == "bun" else language  # Its packages are npm's.
    installers = installers_of(build)
    a, b = (
        _version(letter, package, folder, language, installers)
        for letter, package in zip(LETTERS, packages, strict=True)
    )
    return a, b


def _version(
    letter: str, package: str, folder: Path, language: str, installers: Sequence[Installer]
) -> Version:
    name, version = _parted(package)

    def needs_in(where: str) -> str:
        return _needs(folder / where, language)

    after = chosen(installers, lambda where: _is_named(name, needs_in(where), language))
    needs = needs_in(after.where if after else TOP)
    return Version(
        letter,
        without_secrets(package),
        folder,
        added=(_install(name, version, language, after),),
        after=after,
        package=name,
        caution=_unnamed(name, needs, language),
    )


def _parted(package: str) -> tuple[str, str]:
    """Name and version of `name@version`, or `name==version`. Raises `UserError`."""
    # A name may begin with an `@`, and a version, such as `npm:other@1`, have one.
    at = package.find("@", 1)
    name, version = (package[:at], package[at + 1 :]) if at > 0 else ("", "")
    if "==" in package:
        name, _, version = package.partition("==")
    if not name or not version or package.startswith("-"):
        raise UserError(f"--with {package}: no version; write it as name@version")
    return name, version


def named(package: str) -> str:
    """The name of a package in Python as names are compared, without extras."""
    return canonicalize_name(package.partition("[")[0].strip())


_MANIFESTS = {"node": "package.json", "python": "pyproject.toml"}
"""Of the members of a workspace."""


def _needs(folder: Path, language: str) -> str:
    """What the manifests in `folder` say, and those of its members where it is a workspace."""
    return "\n".join(_texts(folder, language)).strip()


def _texts(folder: Path, language: str) -> Iterator[str]:
    manifest = _MANIFESTS.get(language, "")
    for one in ("", *members_of(folder, manifest)) if manifest else ():
        yield text_of(folder / one / manifest) if language == "node" else needs_of(folder / one)


def _is_named(name: str, needs: str, language: str) -> bool:
    if language == "node":
        return f'"{name}"' in needs
    # Hyphens, dots and underscores are the same in names.
    parts = "[-_.]+".join(map(re.escape, named(name).split("-")))
    return re.search(rf"(?<![\w.-]){parts}(?![\w-])", needs) is not None


def _unnamed(name: str, needs: str, language: str) -> str:
    """That no manifest names a dependency, which the service may then not load; empty where one
    does, and where there is none."""
    if not needs or _is_named(name, needs, language):
        return ""
    where = "in package.json" if language == "node" else "named by its manifests"
    return f"{name} is not {where}: both versions are the same if nothing else loads it"


def _install(name: str, version: str, language: str, after: Installer | None) -> tuple[str, ...]:
    if language in LANGUAGES and (command := LANGUAGES[language].install):
        if after is not None:
            command = LANGUAGES[language].install_by.get(after.program, command)
        words: list[str] = []
        for place, part in enumerate(command):
            if after is not None and (part == PROGRAM or _is_it(place, part, after)):
                words += after.words
            else:
                words.append(part.format(name=name, version=version))
        return command_in_its_folder(after, words) if after else tuple(words)
    if not language:
        raise UserError("--with needs to know the service's language; set it in webdyno.toml")
    raise UserError(
        f"--with is for services in Node.js, Bun and Python, not {language}; compare two "
        "folders or two commits instead"
    )


def _is_it(place: int, part: str, after: Installer) -> bool:
    """Whether a word of a command stands for the program that `after` starts: npm, or a pip of the
    build's own, as another one would install outside of it."""
    if place or Path(part).name != after.program.removesuffix("3"):
        return False
    return after.program == "npm" or any(map(is_path_in_build, after.words))
