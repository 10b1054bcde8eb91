"""A service in a workspace of Nx, which builds each project into a folder of its own."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from webdyno.ab.recognise.node.start import of_package
from webdyno.ab.recognise.recognised import (
    MOST_NAMED,
    RecognisedService,
    json_of,
    likely_of,
    table_of,
    text_of,
    texts_of,
)
from webdyno.ab.recognise.services_below import folders_below
from webdyno.report.numbers import first_of

_LEVELS = 3
_SERVES = re.compile(r"@(?:nx|nrwl)/(?:js|node):(?:node|execute)")
"""What starts a program on Node.js; servers of pages have others."""
_BY_FILE = re.compile(r"@(?:nx|nrwl)/(?:js|node):(?:tsc|swc|package)")
"""What compiles each source into a file of its own."""
_CONFIGS = tuple(f"webpack.config.{ending}" for ending in ("js", "cjs", "mjs", "ts"))
_PATH = re.compile(
    r"\bpath\s*:\s*(?:\w+\.)?(?:join|resolve)\(\s*__dirname\s*,\s*[\"']([^\"']+)[\"']"
)


@dataclass(frozen=True)
class _NxProject:
    """A project that starts a program on Node.js, and where that is once it is built."""

    folder: str
    name: str
    program: str


def of_nx(folder: Path, whole: RecognisedService, tool: str) -> RecognisedService | None:
    """The only project that is a service, or of several the only one with a usual name, of the
    workspace in `folder`, of which package.json says `whole`; None where there is none."""
    if not (folder / "nx.json").is_file():
        return None
    places = [folder, *folders_below(folder, _LEVELS)]
    projects = [one for place in places if (one := _project(folder, place)) is not None]
    likely = likely_of([one.folder for one in projects])
    if not likely:
        return None
    project = next(one for one in projects if one.folder == likely[0])
    kept = [line for line in whole.build if not _builds_all(folder, line)]
    build = of_package(f"nx build {project.name}", tool)
    run = f"node {project.program}" if project.program else ""
    ask = "" if run else (
        f"set `command` to the program that `nx build {project.name}` makes, such as node "
        f"dist/{project.folder}/main.js"
    )  # fmt: skip
    if len(likely) > 1:
        names = [one.name for one in projects]
        return replace(
            whole,
            open=f"{len(names)} projects of this workspace are services: "
            f"{first_of(names, MOST_NAMED)}; set `command` to what starts one of them, such as "
            f"`{run}`, and add what builds it to `build`, such as `{build}`",
        )
    return replace(
        whole, build=(*kept, build), run=run, open=ask, env={"NODE_ENV": "production"},
        # Its server would stay behind, and hold the folder.
        build_env={**whole.build_env, "NX_DAEMON": "false"},
        package="" if project.folder == "." else project.folder, is_for_assets=False,
        says_development=False,
    )  # fmt: skip


def _builds_all(folder: Path, line: str) -> bool:
    """Whether a command is the script by which the workspace has all its projects built."""
    script = table_of(json_of(folder / "package.json").get("scripts")).get("build")
    return line.endswith(" run build") and re.match(r"(?:npx )?nx\b", str(script)) is not None


def _project(top: Path, place: Path) -> _NxProject | None:
    """The project in a folder, where its targets start a program on Node.js."""
    package = json_of(place / "package.json")
    held = json_of(place / "project.json") or table_of(package.get("nx"))
    inside = place.relative_to(top).as_posix()
    held = held or _in_workspace(top, inside)
    targets = table_of(held.get("targets")) or table_of(held.get("architect"))
    name = str(held.get("name") or package.get("name") or place.name)
    for one in ("start", "serve"):
        program = _by_command(table_of(targets.get(one)))
        if program and "build" in targets:
            return _NxProject(inside, name, program)
    if not _SERVES.fullmatch(_executor(targets.get("serve"))):
        return None
    return _NxProject(inside, name, _program(place, inside, table_of(targets.get("build")), name))


def _in_workspace(top: Path, inside: str) -> dict[str, Any]:
    """What the workspace's own file says of the project in a folder, as older versions have it."""
    for name in ("workspace.json", "angular.json"):
        for project, held in table_of(json_of(top / name).get("projects")).items():
            if table_of(held).get("root") == inside:
                return {"name": project, **held}
    return {}


def _executor(target: Any) -> str:
    held = table_of(target)
    return str(held.get("executor") or held.get("builder") or "")


_NODE = re.compile(r"node ((?:dist|build|out)/[\w@./-]+)")


def _by_command(target: Mapping[str, Any]) -> str:
    """The program that a target starts by a plain command of Node.js, where that is in a folder of
    what is built; empty where it does not."""
    options = table_of(target.get("options"))
    several = texts_of(options.get("commands"))
    command = target.get("command") or options.get("command") or "".join(several[:1])
    match = _NODE.fullmatch(str(command).strip()) if len(several) < 2 else None
    if match is None:
        return ""
    place = str(options.get("cwd") or "").replace("{workspaceRoot}", ".")
    path = posixpath.normpath(posixpath.join(place, match[1]))
    return "" if "{" in place or path.startswith(("/", "..")) else path


def _program(place: Path, inside: str, build: Mapping[str, Any], name: str) -> str:
    """What the target for the build makes; empty where it does not say where."""
    options = table_of(build.get("options"))
    path = str(options.get("outputPath", ""))
    main = str(options.get("main", "src/main.ts"))
    for word, value in (("workspaceRoot", "."), ("projectRoot", inside), ("projectName", name)):
        path, main = (text.replace(f"{{{word}}}", value) for text in (path, main))
    if not path:
        config = next((one for one in _CONFIGS if (place / one).is_file()), "")
        told = _PATH.search(text_of(place / config)) if config else None
        path = posixpath.join(inside, told[1]) if told else ""
    if not path or "{" in path + main:
        return ""
    executor = _executor(build)
    file = str(options.get("outputFileName", ""))
    if not file and _BY_FILE.fullmatch(executor):
        file = os.path.splitext(posixpath.relpath(main, inside))[0] + ".js"
    elif not file:
        # Webpack calls it so, whatever the source is called.
        stem = os.path.splitext(posixpath.basename(main))[0] if "esbuild" in executor else "main"
        file = f"{stem}{_ending(options)}"
    return posixpath.normpath(posixpath.join(path, file))


def _ending(options: Mapping[str, Any]) -> str:
    """What esbuild lets its files end with."""
    told = table_of(table_of(options.get("esbuildOptions")).get("outExtension")).get(".js")
    return str(told or (".cjs" if texts_of(options.get("format")) == ["cjs"] else ".js"))
