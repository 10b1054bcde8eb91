"""A service in Rust: a package, or one of a workspace's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from webdyno.ab.recognise.compiled.rust_programs import programs_of, service_of
from webdyno.ab.recognise.recognised import (
    MOST_NAMED,
    NAME,
    SERVICES,
    RecognisedService,
    in_copy,
    table_of,
    texts_of,
    toml_of,
)
from webdyno.ab.recognise.settings.port_options import port_option
from webdyno.ab.recognise.settings.variables_read import sources_of
from webdyno.report.numbers import first_of

BUILD = "cargo build --release"
LOCK = "Cargo.lock"


def rust(folder: Path) -> RecognisedService | None:
    """By Cargo.toml."""
    path = folder / "Cargo.toml"
    if not path.is_file():
        return None
    cargo = toml_of(path)
    package = table_of(cargo.get("package"))
    name = str(package.get("name", ""))
    if not name:
        return _of_workspace(folder, table_of(cargo.get("workspace")))
    programs = programs_of(folder, cargo)
    if not programs and (folder / "src/lib.rs").is_file():
        if workspace := table_of(cargo.get("workspace")):
            return _of_workspace(folder, workspace)
        ask = "the package has no program; describe the service in the folder of the one that has"
        return replace(_recognised(BUILD, NAME, {}), open=ask, is_template=True)
    program = service_of(programs, cargo) if programs else name
    made = _recognised(
        BUILD, f"{program}{_arguments(folder)}" if program else NAME, _env(folder, cargo)
    )
    return made if program else replace(made, open=_which(programs), is_template=True)


@dataclass(frozen=True)
class _CargoMember:
    """A member of a workspace that has a program."""

    folder: Path
    name: str
    programs: list[str]
    program: str
    """Of the programs, the service; empty where it is not clear which."""
    env: dict[str, str]
    serves: bool
    """Whether it depends on a framework for the web itself."""


def _of_workspace(folder: Path, workspace: dict[str, Any]) -> RecognisedService:
    packages = _packages(_matched(folder, workspace, "members"))
    # Where there are several, those that Cargo builds if it is not told which.
    usual = _packages(_matched(folder, workspace, "default-members"))
    members = usual if len(usual) == 1 else packages
    likely = [one for one in members if one.name in SERVICES]
    likely = likely or [one for one in members if one.serves]
    members = likely if len(likely) == 1 else members
    build = f"{BUILD} --locked" if in_copy(folder, LOCK) else BUILD
    if len(members) == 1:
        one = members[0]
        told = f"{one.program}{_arguments(one.folder)}" if one.program else NAME
        made = _recognised(f"{build} -p {one.name}", told, one.env)
        made = replace(made, package=str(one.folder.relative_to(folder)))
        return made if one.program else replace(made, open=_which(one.programs), is_template=True)
    if members:
        ask = (
            f"{len(members)} packages of this workspace have a program; replace NAME, in `build` "
            f"and `run`, with the one that is the service: {_names_of(members)}"
        )
    else:
        ask = "no package with a program was found; replace NAME with the one that is the service"
    return replace(_recognised(f"{build} -p {NAME}", NAME, {}), open=ask, is_template=True)


def _names_of(packages: list[_CargoMember]) -> str:
    return first_of([f"{one.name}{_called(one)}" for one in packages], MOST_NAMED)


def _called(package: _CargoMember) -> str:
    if package.program == package.name:
        return ""
    if package.program:
        return f" (its program is {package.program})"
    return f" (its programs are {first_of(package.programs, MOST_NAMED)})"


def _which(programs: list[str]) -> str:
    return (
        f"the package has {len(programs)} programs; replace NAME, in `run`, with the one that is "
        f"the service: {first_of(programs, MOST_NAMED)}"
    )


def _recognised(build: str, program: str, env: Mapping[str, str]) -> RecognisedService:
    run = f"target/release/{program}"
    return RecognisedService("Cargo.toml", "rust", (build,), run, ("cargo",), env=env)


def _matched(folder: Path, workspace: dict[str, Any], key: str) -> list[Path]:
    """The folders that a list of the workspace names, less those that it excludes."""
    left_out = {folder / name for name in texts_of(workspace.get("exclude"))}
    folders = {
        path
        for pattern in texts_of(workspace.get(key))
        for path in _below(folder, pattern)
        if (path / "Cargo.toml").is_file() and not left_out & {path, *path.parents}
    }
    return sorted(folders)


def _below(folder: Path, pattern: str) -> Iterable[Path]:
    """The folders of a pattern; none of one that leads elsewhere or that cannot be read."""
    clean = Path(pattern.strip("/"))
    if not clean.parts or ".." in clean.parts:
        return []
    try:
        return list(folder.glob(str(clean)))
    except ValueError:
        return []


def _packages(folders: Iterable[Path]) -> list[_CargoMember]:
    """The packages in those folders that have a program."""
    packages = []
    for folder in folders:
        cargo = toml_of(folder / "Cargo.toml")
        name = str(table_of(cargo.get("package")).get("name", ""))
        if name and name != _TASKS and (programs := programs_of(folder, cargo)):
            service, serves = service_of(programs, cargo), bool(_FRAMEWORKS & _needs(cargo))
            packages.append(
                _CargoMember(folder, name, programs, service, _env(folder, cargo), serves)
            )
    return packages


_TASKS = "xtask"
"""What the package is called, by convention, that has a workspace's own tools."""

_FRAMEWORKS = frozenset(
    {"actix-web", "axum", "dropshot", "gotham", "loco-rs", "ntex", "poem", "rocket", "salvo",
     "tide", "viz", "warp"}
)  # fmt: skip


def _needs(cargo: dict[str, Any]) -> set[str]:
    """The packages on which one depends, by their own names."""
    needed = table_of(cargo.get("dependencies"))
    return {str(table_of(held).get("package") or name) for name, held in needed.items()}


def _arguments(folder: Path) -> str:
    """What a package's program has to be given: Loco's command, and the option for its port."""
    if "loco-rs" in _needs(toml_of(folder / "Cargo.toml")):
        return " start --binding 127.0.0.1 --port ${PORT}"
    return port_option(one for one in sources_of(folder / "src") if one.suffix == ".rs")


def _env(folder: Path, cargo: dict[str, Any]) -> dict[str, str]:
    """Rocket reads no PORT, and Loco is in its mode for development unless it is told; it starts in
    none for which it has no settings."""
    needed = _needs(cargo)
    if "loco-rs" in needed:
        there = (folder / "config/production.yaml").is_file()
        return {"LOCO_ENV": "production"} if there else {}
    return {"ROCKET_PORT": "${PORT}"} if "rocket" in needed else {}
