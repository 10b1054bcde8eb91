"""The two versions that a request names, and the description that they are built and asked by."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from webdyno.ab.request.description import (
    description_for,
    file_of,
    folders_of,
    own_description,
    with_name,
)
from webdyno.ab.request.pair_request import PairRequest
from webdyno.ab.versions.packages import from_packages
from webdyno.ab.versions.uv_run import syncs
from webdyno.ab.versions.version import (
    Version,
    from_commands,
    from_one_folder,
    from_places,
    from_runtimes,
)
from webdyno.catalog.catalog import Catalog
from webdyno.catalog.descriptions.description import FILE, Description
from webdyno.errors import UserError


class ResolvedPair(NamedTuple):
    """The two versions, and the description that both are built and asked by."""

    description: Description
    versions: tuple[Version, Version]


def resolve(request: PairRequest, catalog: Catalog, into: Path) -> ResolvedPair:
    """The versions and their description; commits are checked out below `into`.

    Raises `UserError`.
    """
    request.check()
    cwd = request.cwd
    if request.places:
        versions = from_places(request.places, cwd, into)
        with _commits_named(versions):
            description = description_for(request, folders_of(request, versions))
            versions = _as_described(request, versions, description)
            _check_started(request, description, versions)
        own = not any(version.commit for version in versions)
        return ResolvedPair(with_name(description, versions[1].folder if own else cwd), versions)
    description = with_name(description_for(request, [cwd]), cwd)
    if len(request.commands) == 2:
        return ResolvedPair(description, from_commands(request.commands, cwd))
    _check_started(request, description, [])
    if request.packages and _puts_back(description, cwd):
        raise UserError(
            "--with: `uv run` puts the locked version back at each start; start the service with "
            "`uv run --no-sync`"
        )
    if request.packages:
        versions = from_packages(
            request.packages, cwd, description.language, description.build.commands
        )
        return ResolvedPair(description, versions)
    if request.runtimes and not description.language:
        raise UserError(f"--runtime needs to know the service's language; set `language` in {FILE}")
    if request.runtimes:
        return ResolvedPair(
            description, from_runtimes(request.runtimes, cwd, description.language, catalog)
        )
    return ResolvedPair(description, from_one_folder(cwd))


@contextmanager
def _commits_named(versions: Sequence[Version]) -> Iterator[None]:
    """A file of a commit is named with the commit: where that is checked out, nobody can look."""
    try:
        yield
    except UserError as error:
        for version in versions:
            if version.commit and (told := _without_folder(error, version)) != str(error):
                raise UserError(
                    f"{version.letter.upper()} ({version.name}): {told}; commit it mended, or name "
                    "another file with -f"
                ) from None
        raise


def _without_folder(error: UserError, version: Version) -> str:
    return str(error).replace(f"{version.folder}/", "")


def _puts_back(description: Description, folder: Path) -> bool:
    """Whether a start has uv install what is locked, or what comes right before it does."""
    run = description.run
    return run is not None and any(
        syncs(command, run.env, folder) for command in (*run.prepare, run.command)
    )


def _check_started(
    request: PairRequest, description: Description, versions: Sequence[Version]
) -> None:
    """Raise `UserError` where a file says how a version is built, but not how it is started."""
    path = file_of(request, folders_of(request, versions))
    descriptions = [version.description or description for version in versions] or [description]
    if path is not None and any(one.run is None for one in descriptions):
        where = path if description.run is None else FILE
        raise UserError(f"{where}: no start command; set `command` under [run], or give --command")


def _as_described(
    request: PairRequest, versions: tuple[Version, Version], description: Description
) -> tuple[Version, Version]:
    """The versions; where their own descriptions say different things of how they are built and
    started, each as its own says.

    Without a description their manifests take its place, also where both say the same, but not
    what `description` says, which is then of the folder that one stands in.
    """
    file = file_of(request, folders_of(request, versions))
    says = f"as its own {FILE if file else 'manifest'} says"
    owns: list[Description | None] = []
    refused = ["", ""]
    for place, version in enumerate(versions):
        try:
            owns.append(own_description(version, request, file is None))
        except UserError as error:
            owns.append(None)
            refused[place] = f"not built and started {says}: {_without_folder(error, version)}"
    a, b = owns
    if a is None or b is None:
        one, other = (
            replace(version, caution=version.caution or why)
            for version, why in zip(versions, refused, strict=True)
        )
        return one, other
    same = _build_and_start(a) == _build_and_start(b)
    if same and (file is not None or _build_and_start(a) == _build_and_start(description)):
        return versions
    caution = "" if same else f"built and started {says}"
    one, other = (
        replace(version, description=own, caution=version.caution or caution)
        for version, own in zip(versions, (a, b), strict=True)
    )
    return one, other


def _build_and_start(description: Description) -> tuple[object, ...]:
    return description.toolchain, description.build, description.run, description.port_variable
