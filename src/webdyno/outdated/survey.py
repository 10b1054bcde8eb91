"""What of a catalog's servers and runtimes is behind, asked of several clients at once."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from pydantic import Field

from webdyno.catalog.catalog import Catalog
from webdyno.catalog.servers.server import Server
from webdyno.outdated.ecosystem import Package, RegistryUnanswered
from webdyno.outdated.go import newest_go
from webdyno.outdated.newer import newer
from webdyno.outdated.registry import ecosystems_of
from webdyno.runtime.builds.sources import copy_files, source_files, source_of
from webdyno.store.document import described

AT_ONCE = 3
"""Clients that are asked at the same time: they mostly wait for a registry."""


_UNASKED = {
    "Package.swift": "SwiftPM takes packages from git repositories, and lists no newer releases",
    "Gemfile": "Bundler is not asked; run `bundle outdated`",
    "*.csproj": "NuGet is not asked; run `dotnet list package --outdated`",
}
"""Patterns of the manifests whose ecosystems' clients are not asked, and why."""

_OF_THE_SYSTEM = (
    "no manifest of a client that is asked: libraries come with the system's packages, which apt "
    "or the like updates, or are fetched by the build"
)


@dataclass(frozen=True)
class Subject:
    """A server, or another release of a language's runtime."""

    name: str
    folder: Path
    files: Sequence[Path]
    series: str = ""
    """Of a runtime, which is named by it: only releases of this series count as newer."""
    go: str = ""
    """The release of Go, which is not fetched by files of the folder but by the go command."""


@described
@dataclass(frozen=True)
class RegistryAnswer:
    """What was found of a server, or of a language's runtime."""

    subject: Annotated[str, Field(serialization_alias="server")]
    """Its name."""
    packages: list[Package] = field(default_factory=list)
    """Direct dependencies that are behind."""
    unanswered: list[str] = field(default_factory=list)
    """Clients that could not tell, each with the reason."""


def subjects_of(catalog: Catalog, references: Sequence[str]) -> list[Subject]:
    """The servers named, or all of them together with the runtimes. Raises `UserError`."""
    if references:
        return [_server(catalog.server(name)) for name in references]
    servers = catalog.servers()
    languages = dict.fromkeys(server.manifest.language for server in servers)
    runtimes = [one for language in languages for one in _runtimes(catalog, language)]
    return [*(_server(server) for server in servers), *runtimes]


def survey(subjects: Sequence[Subject], told: Callable[[str], None]) -> list[RegistryAnswer]:
    """Ask of every subject; `told` hears the name of each that has answered. In their order."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        asked = {pool.submit(ask_of, one): one for one in subjects}
        try:
            for done in as_completed(asked):
                told(asked[done].name)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return [future.result() for future in asked]


def ask_of(subject: Subject) -> RegistryAnswer:
    """Ask the clients of one subject, in a copy of its files."""
    packages, unanswered = [], []
    with tempfile.TemporaryDirectory(prefix="webdyno-outdated-") as name:
        folder = Path(name)
        copy_files(subject.files, subject.folder, folder)
        if subject.go:
            try:
                newest = newest_go(folder, subject.series)
                if newest and newer(newest, subject.go):
                    packages.append(Package("go", subject.go, newest, newest))
            except RegistryUnanswered as error:
                unanswered.append(str(error))
        for ecosystem in ecosystems_of(folder):
            try:
                packages += ecosystem.outdated_packages(folder, subject.series)
            except RegistryUnanswered as error:
                unanswered.append(str(error))
    return RegistryAnswer(subject.name, packages, unanswered)


def not_asked(subjects: Collection[Subject]) -> dict[str, list[str]]:
    """Those that belong to no ecosystem whose client is asked, by the reason: nothing else is said
    of them."""
    by_reason: dict[str, list[str]] = {}
    for one in subjects:
        if not one.go and not ecosystems_of(one.folder):
            there = (why for name, why in _UNASKED.items() if any(one.folder.glob(name)))
            by_reason.setdefault(next(there, _OF_THE_SYSTEM), []).append(one.name)
    return by_reason


def _server(server: Server) -> Subject:
    return Subject(server.id, server.folder, source_of(server))


def _runtimes(catalog: Catalog, language: str) -> Iterator[Subject]:
    folder = catalog.runtimes(language)
    for name, runtime in catalog.language(language).runtimes.items():
        series = match[0] if (match := re.search(r"\d+(\.\d+)*$", name)) else ""
        own = None if folder is None else folder / name
        if own is not None and own.is_dir():
            yield Subject(f"{language} runtime {name}", own, source_files(own), series)
        elif "go" in runtime.provides:
            yield Subject(f"{language} runtime {name}", Path(), (), series, runtime.provides["go"])
