"""What a user asks of `ab`, and the description it comes to: a file's, a manifest's, and flags."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from webdyno.ab.flags import Flags, with_flags
from webdyno.ab.recognise import Recognised, recognise
from webdyno.ab.versions.packages import from_packages
from webdyno.ab.versions.toolchain import with_known_programs
from webdyno.ab.versions.uv_run import syncs
from webdyno.ab.versions.version import (
    Version,
    from_commands,
    from_one_folder,
    from_places,
    from_runtimes,
)
from webdyno.catalog.catalog import Catalog
from webdyno.catalog.descriptions.description import FILE, Description, read_description
from webdyno.catalog.reading.manifest import parse_manifest
from webdyno.errors import UserError


@dataclass(frozen=True)
class PairRequest:
    """The two versions, in one of several ways: folders or references (`places`), commands,
    versions of a package, runtimes, or running services."""

    cwd: Path
    places: Sequence[str] = ()
    commands: Sequence[str] = ()
    packages: Sequence[str] = ()
    runtimes: Sequence[str] = ()
    urls: Sequence[str] = ()
    file: Path | None = None
    flags: Flags = field(default_factory=Flags)

    def check(self) -> None:
        """Raise `UserError` where it is not clear which two versions are meant."""
        ways = {
            "two folders or commits": bool(self.places),
            "two --command": len(self.commands) == 2,
            "two --with": bool(self.packages),
            "two --runtime": bool(self.runtimes),
            "two --url": bool(self.urls),
        }
        several = [way for way, given in ways.items() if given]
        if len(several) > 1:
            raise UserError(f"{several[0]} and {several[1]} cannot be combined; give one of them")
        for option, given in (
            ("--command", self.commands),
            ("--with", self.packages),
            ("--runtime", self.runtimes),
            ("--url", self.urls),
        ):
            if len(given) > 2 or (len(given) == 1 and option != "--command"):
                raise UserError(
                    f"{option}: {len(given)} given; give it twice, once for A and once for B"
                )
        if self.packages and self.flags.no_build:
            raise UserError(
                "--with installs into a build, and --no-build makes none; leave one of them out"
            )
        if self.urls and (option := self._of_started()):
            raise UserError(
                f"{option} is for versions that ab builds and starts; leave it out, or --url"
            )

    def _of_started(self) -> str:
        """An option that says how a version is built or started; empty where there is none."""
        flags = self.flags
        given = {
            "--command": self.commands,
            "--build": flags.build,
            "--no-build": flags.no_build,
            "--env": flags.env,
            "--service": flags.services,
            "--ready": flags.ready,
            "--port-variable": flags.port_variable,
            "--writes": flags.writes,
        }
        return next((option for option, value in given.items() if value), "")


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
        description = _description(request, _folders(request, versions))
        versions = _as_described(request, versions, description)
        _check_started(request, description, versions)
        own = not any(version.commit for version in versions)
        return ResolvedPair(_named(description, versions[1].folder if own else cwd), versions)
    description = _named(_description(request, [cwd]), cwd)
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
    path = _file(request, _folders(request, versions))
    told = [version.description or description for version in versions] or [description]
    if path is not None and any(one.run is None for one in told):
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
    file = _file(request, _folders(request, versions))
    says = f"as its own {FILE if file else 'manifest'} says"
    owns: list[Description | None] = []
    refused = ["", ""]
    for place, version in enumerate(versions):
        try:
            owns.append(_own_description(version, request, file is None))
        except UserError as error:
            owns.append(None)
            refused[place] = f"not built and started {says}: {error}"
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
    told = "" if same else f"built and started {says}"
    one, other = (
        replace(version, description=own, caution=version.caution or told)
        for version, own in zip(versions, (a, b), strict=True)
    )
    return one, other


def _own_description(
    version: Version, request: PairRequest, all_by_manifest: bool
) -> Description | None:
    """What a version's own file says, or its manifests where nothing has such a file; with the
    flags. None where it has none. Raises `UserError` for what cannot be followed."""
    path = version.folder / FILE
    if request.file is not None or not (path.is_file() or all_by_manifest):
        return None
    if all_by_manifest:
        held = _recognised(request, [version.folder])
    else:
        held = read_description(path).model_dump(exclude_unset=True)
    data = with_flags(held, request.flags, request.commands)
    return with_known_programs(parse_manifest(data, Description, str(path)), path) if held else None


def _build_and_start(description: Description) -> tuple[object, ...]:
    return description.toolchain, description.build, description.run, description.port_variable


def described_in(request: PairRequest, versions: Sequence[Version]) -> Path:
    """The folder of the description, which holds what it names."""
    path = _file(request, _folders(request, versions))
    return path.resolve().parent if path is not None else request.cwd


@dataclass(frozen=True)
class Assumption:
    """What was not said and may be wrong, in a sentence; empty where all was."""

    sentence: str = ""
    of_development: bool = False
    """Whether it says that the start command is one for development."""


def assumed(request: PairRequest, versions: Sequence[Version]) -> Assumption:
    """What had to be assumed of how the versions are built and started."""
    folders = _folders(request, versions)
    path = _file(request, folders)
    if path is not None:
        return Assumption(_elsewhere(path, request.cwd) if request.file is not None else "")
    told = request.commands or request.flags.build or request.flags.no_build
    recognised = None if told else _first_recognised(folders)
    if recognised is None or not recognised.to_do:
        return Assumption()
    said = "; ".join(recognised.to_do).removeprefix(f"{recognised.manifest} ")
    return Assumption(f"{recognised.manifest}: {said}", recognised.says_development)


def _elsewhere(path: Path, cwd: Path) -> str:
    """That a description is not taken for a service in its own folder; empty where it lies
    elsewhere."""
    own = path.resolve().parent
    if not own.is_relative_to(cwd.resolve()) or own == cwd.resolve() or not recognise(own):
        return ""
    below = own.relative_to(cwd.resolve())
    return f"{path} describes what is in this folder; for the service in {below}, run ab there"


def describe(request: PairRequest) -> Description:
    """The description alone, of services that run already. Raises `UserError`."""
    description = _named(_description(request, [request.cwd]), request.cwd)
    if description.load.kinds:
        return description
    # Nobody has to start and to warm up for it: there is time for all.
    load = description.load.model_copy(update={"kinds": ["full", "steady", "alone"]})
    return description.model_copy(update={"load": load})


def _named(description: Description, folder: Path) -> Description:
    if description.name:
        return description
    return parse_manifest(
        {**description.model_dump(exclude_unset=True), "name": folder.resolve().name or "service"},
        Description,
        FILE,
    )


def _description(request: PairRequest, folders: Sequence[Path]) -> Description:
    """That of the file named or found first; else what the first folder's manifests say."""
    path = _file(request, folders)
    if path is not None:
        base = read_description(path).model_dump(exclude_unset=True)
    else:
        # What is started by commands of one's own is taken as it lies there.
        base = {} if len(request.commands) == 2 else _recognised(request, folders)
    data = with_flags(base, request.flags, request.commands)
    # What a file says was found right above.
    return with_known_programs(parse_manifest(data, Description, "the options"), path)


def _folders(request: PairRequest, versions: Sequence[Version]) -> list[Path]:
    """Where a description is looked for, in this order."""
    return [request.cwd, *(version.folder for version in versions[::-1])]


def _file(request: PairRequest, folders: Sequence[Path]) -> Path | None:
    if request.file is not None:
        return request.file
    there = (folder / FILE for folder in folders)
    return next((one for one in there if one.is_file()), None)


def _recognised(request: PairRequest, folders: Sequence[Path]) -> dict[str, Any]:
    recognised = _first_recognised(folders)
    if recognised is None:
        return {}
    flags = request.flags
    told = bool(request.commands) and (bool(flags.build) or flags.no_build)
    if recognised.is_template and not told and not request.urls:
        raise UserError(
            f"{recognised.manifest}: {recognised.open} (in the webdyno.toml that `webdyno init` "
            "writes; or give --build and --command)"
        )
    started = {
        "command": recognised.run,
        "writes": recognised.writes,
        "env": dict(recognised.env),
    }
    run = {"run": started} if recognised.run else {}
    return {
        "language": recognised.language,
        "toolchain": list(recognised.toolchain),
        "build": {"commands": list(recognised.build), "env": dict(recognised.build_env)},
        **run,
    }


def _first_recognised(folders: Sequence[Path]) -> Recognised | None:
    # The folder that one stands in is often a version's, too.
    several: dict[Path, Path] = {}
    for folder in folders:
        several.setdefault(folder.resolve(), folder)
    services = (one for folder in several.values() if (one := recognise(folder)) is not None)
    return next(services, None)
