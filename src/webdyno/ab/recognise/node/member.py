"""A service that is a member of a workspace on Node.js, built with the whole of it."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path

from webdyno.ab.recognise.recognised import RecognisedService, json_of, table_of
from webdyno.ab.recognise.workspace import members_of, needed_members

START = ("start:prod", "start")
"""Scripts that start the service; where there is one for production, `start` is for development."""


def started_members(folder: Path) -> list[str]:
    """The members of the workspace in `folder` that have a start script, as seen from there."""
    members = members_of(folder, "package.json")
    return [one for one in members if any(_starts(folder / one))]


def of_member(
    folder: Path, workspace: RecognisedService, service: RecognisedService, member: str, tool: str
) -> RecognisedService:
    """The `service` in the folder `member` of a `workspace` that starts nothing itself: what the
    top builds, else what the member and those that it depends on do."""
    needed = needed_members(folder, member)
    builds = f"{tool} run build"
    build = list(workspace.build)
    if builds not in build:
        build += [_in(one, builds) for one in needed if "build" in _scripts(folder / one)]
    else:
        service = replace(service, build=tuple(one for one in service.build if one != builds))
    build += [_in(member, one) for one in service.build]
    also = [one for one in (*service.to_do, *workspace.other_to_do) if one]
    first, *others = list(dict.fromkeys(also)) or [""]
    return replace(
        service, build=tuple(build), toolchain=workspace.toolchain,
        run=_in(member, f"exec {service.run}") if service.run else "",
        open=first, other_to_do=tuple(others), package=member, local_dependencies=tuple(needed),
    )  # fmt: skip


def _starts(folder: Path) -> list[str]:
    scripts = _scripts(folder)
    return [name for name in START if str(scripts.get(name, "")).strip()]


def _in(folder: str, command: str) -> str:
    return f"cd {shlex.quote(folder)} && {command}"


def _scripts(folder: Path) -> dict[str, object]:
    return table_of(json_of(folder / "package.json").get("scripts"))
