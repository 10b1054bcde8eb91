"""The description that a request comes to: a file's, else what manifests say; with the flags."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from webdyno.ab.flags import with_flags
from webdyno.ab.recognise import RecognisedService, recognise
from webdyno.ab.request.pair_request import PairRequest
from webdyno.ab.versions.toolchain import with_known_programs
from webdyno.ab.versions.version import Version
from webdyno.catalog.descriptions.description import FILE, Description, read_description
from webdyno.catalog.reading.manifest import parse_manifest
from webdyno.errors import UserError


def describe(request: PairRequest) -> Description:
    """The description alone, of services that run already. Raises `UserError`."""
    description = with_name(description_for(request, [request.cwd]), request.cwd)
    if description.load.kinds:
        return description
    # Nobody has to start and to warm up for it: there is time for all.
    load = description.load.model_copy(update={"kinds": ["full", "steady", "alone"]})
    return description.model_copy(update={"load": load})


def described_in(request: PairRequest, versions: Sequence[Version]) -> Path:
    """The folder of the description, which holds what it names."""
    path = file_of(request, folders_of(request, versions))
    return path.resolve().parent if path is not None else request.cwd


def file_of(request: PairRequest, folders: Sequence[Path]) -> Path | None:
    """The file of the description: the one named, else the first that `folders` hold; None where
    there is none."""
    if request.file is not None:
        return request.file
    candidates = (folder / FILE for folder in folders)
    return next((one for one in candidates if one.is_file()), None)


def folders_of(request: PairRequest, versions: Sequence[Version]) -> list[Path]:
    """Where a description is looked for, in this order."""
    return [request.cwd, *(version.folder for version in versions[::-1])]


def description_for(request: PairRequest, folders: Sequence[Path]) -> Description:
    """That of the file named or found first; else what the first folder's manifests say. Raises
    `UserError` for what cannot be followed."""
    path = file_of(request, folders)
    if path is not None:
        base = read_description(path).model_dump(exclude_unset=True)
    else:
        # What is started by commands of one's own is taken as it lies there.
        base = {} if len(request.commands) == 2 else _recognised(request, folders)
    data = with_flags(base, request.flags, request.commands)
    # What a file says was found right above.
    return with_known_programs(parse_manifest(data, Description, "the options"), path)


def own_description(
    version: Version, request: PairRequest, all_by_manifest: bool
) -> Description | None:
    """What a version's own file says, or its manifests where nothing has such a file; with the
    flags. None where it has none. Raises `UserError` for what cannot be followed."""
    path = version.folder / FILE
    if request.file is not None or not (path.is_file() or all_by_manifest):
        return None
    if all_by_manifest:
        base = _recognised(request, [version.folder])
    else:
        base = read_description(path).model_dump(exclude_unset=True)
    data = with_flags(base, request.flags, request.commands)
    return with_known_programs(parse_manifest(data, Description, str(path)), path) if base else None


def with_name(description: Description, folder: Path) -> Description:
    """The description with the name of `folder`, where it has none. Raises `UserError` for a name
    that nothing may have."""
    if description.name:
        return description
    return parse_manifest(
        {**description.model_dump(exclude_unset=True), "name": folder.resolve().name or "service"},
        Description,
        FILE,
    )


@dataclass(frozen=True)
class Assumption:
    """What was not said and may be wrong, in a sentence; empty where all was."""

    sentence: str = ""
    of_development: bool = False
    """Whether it says that the start command is one for development."""


def assumed(request: PairRequest, versions: Sequence[Version]) -> Assumption:
    """What had to be assumed of how the versions are built and started."""
    folders = folders_of(request, versions)
    path = file_of(request, folders)
    if path is not None:
        return Assumption(_elsewhere(path, request.cwd) if request.file is not None else "")
    by_flags = request.commands or request.flags.build or request.flags.no_build
    recognised = None if by_flags else _first_recognised(folders)
    if recognised is None or not recognised.to_do:
        return Assumption()
    to_do = "; ".join(recognised.to_do).removeprefix(f"{recognised.manifest} ")
    return Assumption(f"{recognised.manifest}: {to_do}", recognised.says_development)


def _elsewhere(path: Path, cwd: Path) -> str:
    """That a description is not taken for a service in its own folder; empty where it lies
    elsewhere."""
    own = path.resolve().parent
    if not own.is_relative_to(cwd.resolve()) or own == cwd.resolve() or not recognise(own):
        return ""
    below = own.relative_to(cwd.resolve())
    return f"{path} describes what is in this folder; for the service in {below}, run ab there"


def _recognised(request: PairRequest, folders: Sequence[Path]) -> dict[str, Any]:
    recognised = _first_recognised(folders)
    if recognised is None:
        return {}
    flags = request.flags
    by_flags = bool(request.commands) and (bool(flags.build) or flags.no_build)
    if recognised.is_template and not by_flags and not request.urls:
        raise UserError(
            f"{recognised.manifest}: {recognised.open} (in the webdyno.toml that `webdyno init` "
            "writes; or give --build and --command)"
        )
    run_keys = {
        "command": recognised.run,
        "writes": recognised.writes,
        "env": dict(recognised.env),
    }
    run = {"run": run_keys} if recognised.run else {}
    return {
        "language": recognised.language,
        "toolchain": list(recognised.toolchain),
        "build": {"commands": list(recognised.build), "env": dict(recognised.build_env)},
        **run,
    }


def _first_recognised(folders: Sequence[Path]) -> RecognisedService | None:
    # The folder that one stands in is often a version's, too.
    distinct: dict[Path, Path] = {}
    for folder in folders:
        distinct.setdefault(folder.resolve(), folder)
    services = (one for folder in distinct.values() if (one := recognise(folder)) is not None)
    return next(services, None)
