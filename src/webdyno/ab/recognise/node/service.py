"""A service on Node.js."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from webdyno.ab.recognise.node.member import START, of_member, started_members
from webdyno.ab.recognise.node.next_standalone import with_standalone
from webdyno.ab.recognise.node.nx import of_nx
from webdyno.ab.recognise.node.pm2 import of_pm2
from webdyno.ab.recognise.node.start import (
    BUILDS,
    PLAIN,
    aliased_script,
    build_commands,
    develops,
    is_at_once,
    is_foreign,
    is_several,
    of_package,
    of_script,
    start_parts,
    with_port,
    without_watching,
)
from webdyno.ab.recognise.recognised import (
    MOST_NAMED,
    RecognisedService,
    in_copy,
    json_of,
    likely_of,
    says,
    table_of,
)
from webdyno.report.numbers import first_of


def node(folder: Path) -> RecognisedService | None:
    """By package.json; of a workspace, its only member that has a start script."""
    path = folder / "package.json"
    if not path.is_file():
        return None
    package = json_of(path)
    tool, install = _node_tool(folder, package)
    service = _of_package(folder, package, tool, install)
    scripts = table_of(package.get("scripts"))
    starts = str(next((scripts[one] for one in START if scripts.get(one)), ""))
    at_once = is_at_once(starts)
    is_unclear = not service.run or at_once or service.says_development or starts.startswith("nx ")
    if is_unclear and (made := of_nx(folder, service, tool)) is not None:
        return made
    started = likely_of(started_members(folder)) if at_once or not service.run else []
    # Of several that it starts at once, none is better than the others.
    if not started or (service.run and len(started) > 1):
        return service
    member = started[0]
    held = json_of(folder / member / "package.json")
    alone = _of_package(folder / member, held, tool, "", top=folder)
    made = of_member(folder, service, alone, member, tool)
    if len(started) == 1:
        return made
    asks = (
        f"no script `start` in package.json, but in its workspace's "
        f"{first_of(started, MOST_NAMED)}; set `command` to what starts the service, such as "
        f"`{made.run}`, and add what builds it to `build`"
    )
    return replace(service, open=asks)


def _of_package(
    folder: Path, package: dict[str, Any], tool: str, install: str, top: Path | None = None
) -> RecognisedService:
    """What the package.json in `folder` says, where `tool` is its package manager, whose lock file
    lies in `top`, or in `folder` itself."""
    scripts = table_of(package.get("scripts"))
    build = [*([install] if install else []), *build_commands(scripts, tool)]
    name = aliased_script(scripts, next((one for one in START if scripts.get(one)), "start"))
    script = str(scripts.get(name, "")).strip()
    whole, ask = _without_env_file(folder, script)
    parts = start_parts(scripts, name, whole, tool)
    build += parts.build
    start, env, fixed = _without_variables(parts.start)
    start, hidden = of_pm2(folder, start)
    alone = with_port(without_watching(start))
    run = ""
    if is_foreign(start):
        env = {}
        ask = f"its start script runs `{start}`; set `command` to what starts the service itself"
    elif PLAIN.fullmatch(alone):
        run = alone  # Without the package manager's own process beside it.
    elif start and (parts.is_less or alone != start) and not is_several(parts.start):
        run = of_package(alone, tool)  # The script as it is would compile, or name its port.
    elif start:
        env = {}  # The script sets them itself.
        compiles = "its start script compiles at each start; set `command` to what only starts it"
        ask = ask or (compiles if parts.is_less else fixed)
        run = of_script(tool, name)
    else:
        names = [str(package.get("main", "")), "server.js", "index.js", "app.js", "src/index.js"]
        main = next((name for name in names if name and (folder / name).is_file()), "")
        run = f"node {main}" if main else _of_development(scripts)
        ask = "" if main else _no_start(run)
    if "build" not in scripts and not parts.build and _is_built(folder, run):
        build += [f"{tool} run {one}" for one in BUILDS if scripts.get(one)][:1]
    if run and "NODE_ENV" not in script:
        # Without it frameworks are in their mode for development.
        env = {"NODE_ENV": "production", **env}
    if tool == "yarn" and run.startswith("node ") and _is_pnp(top or folder):
        run = f"yarn {run}"  # Without it, Node.js finds no package.
    is_for_assets = develops(alone)
    says_development = is_for_assets and not ask
    if says_development:
        ask = (
            "its start script starts a development server; set `command` to what serves in "
            "production"
        )
    elif is_at_once(start) and not is_for_assets:
        ask = ask or (
            "its start script may start several programs, of which only one can have the port; "
            "set `command` to what starts the service alone"
        )
    told = (ask, *parts.asks, hidden, _missing(top or folder, tool))
    first, *also = [line for line in told if line] or [""]
    language = "bun" if run.startswith("bun ") else "node"
    service = RecognisedService(
        "package.json", language, tuple(build), run, _NEEDED[tool],
        open=first, other_to_do=tuple(also), env=env, is_for_assets=is_for_assets,
        says_development=says_development,
    )  # fmt: skip
    return with_standalone(folder, service, scripts, parts.start, is_top=top is None)


def _is_built(folder: Path, run: str) -> bool:
    """Whether a command starts a program that a build makes, as it is not there yet."""
    program = _PROGRAM.fullmatch(run)
    endings = ("", ".js", "/index.js")
    return program is not None and not any(in_copy(folder, f"{program[1]}{one}") for one in endings)


_PROGRAM = re.compile(r"(?:node|bun)(?: -\S+)* ((?:\./)?(?:\.output|build|dist|lib|out)/\S+)")

_NEEDED = {"npm": ("node",), "pnpm": ("node", "pnpm"), "yarn": ("node", "yarn"), "bun": ()}
"""The programs that a build needs, by its package manager; Bun is none of Webdyno's toolchains."""


def _of_development(scripts: Mapping[str, Any]) -> str:
    """What the script for development starts, where that serves as it is once it watches no files,
    as with Bun; else empty."""
    watched = str(scripts.get("dev", "")).strip()
    plain = with_port(without_watching(watched))
    return plain if plain != watched and PLAIN.fullmatch(plain) else ""


def _no_start(run: str) -> str:
    """What its owner has to say where package.json has no start script, and `run` is what the one
    for development starts."""
    if run:
        return (
            f"no script `start` in package.json; check that `{run}`, as in its script `dev`, is "
            "what serves in production"
        )
    return "no script `start` in package.json; set the start command"


def _missing(folder: Path, tool: str) -> str:
    """That the package manager is not on this machine; empty where it is."""
    if tool == "npm" or shutil.which(tool):
        return ""
    # From npm comes Yarn 1, which refuses the lock file of its successors.
    later = tool == "yarn" and _is_later_yarn(folder)
    how = "npm install --global corepack && corepack enable" if later else (
        f"npm install --global {tool}"
    )  # fmt: skip
    return (
        f"{tool}, its package manager, is not on your PATH; install it ({how}), or name other "
        "commands in `build` and `run`"
    )


_VARIABLES = re.compile(r"(?:cross-env +)?((?:[A-Za-z_]\w*=[\w@%+=:,./-]* +)+)(.+)", re.DOTALL)


def _without_variables(start: str) -> tuple[str, dict[str, str], str]:
    """The start script without the variables that it sets for its program; these, less a port that
    would be the same for all; and what has to be said where the script has to run as it is."""
    match = _VARIABLES.fullmatch(start)
    if match is None:
        return start, {}, ""
    env = dict(pair.split("=", 1) for pair in match[1].split())
    if port := env.pop("PORT", ""):
        return match[2], env, f"its start script sets PORT to {port}; name a command that does not"
    return match[2], env, ""


_ENV_FILE = re.compile(r" --env-file(?:=| +)(\S+)")


def _without_env_file(folder: Path, start: str) -> tuple[str, str]:
    """The start script without a file of variables that the copy that is built lacks, as such
    files are not committed; and what then has to be said."""
    match = _ENV_FILE.search(start)
    if match is None or os.path.isabs(match[1]) or in_copy(folder, match[1]):
        return start, ""
    return _ENV_FILE.sub("", start), f"{_none_of(folder, match[1])}: set its variables in `env`"


def _none_of(folder: Path, name: str) -> str:
    there = (folder / name).is_file()
    return f"{name} is not in the copy that is built" if there else f"there is no {name}"


def _node_tool(folder: Path, package: dict[str, Any]) -> tuple[str, str]:
    """The package manager and how it installs; by the lock file, else as package.json says."""
    if in_copy(folder, "pnpm-lock.yaml"):
        return "pnpm", "pnpm install --frozen-lockfile"
    if in_copy(folder, "bun.lock") or in_copy(folder, "bun.lockb"):
        return "bun", "bun install --frozen-lockfile"
    if in_copy(folder, "yarn.lock"):
        # Yarn 1 knows nothing of the flag of its successors.
        flag = "immutable" if _is_later_yarn(folder) else "frozen-lockfile"
        return "yarn", f"yarn install --{flag}"
    if in_copy(folder, "package-lock.json") or in_copy(folder, "npm-shrinkwrap.json"):
        return "npm", "npm ci --no-audit --no-fund"
    # Members of a workspace are packages that an installation links.
    needs = any(package.get(one) for one in ("dependencies", "devDependencies", "workspaces"))
    named = str(package.get("packageManager", "")).partition("@")[0]
    if named in ("bun", "pnpm", "yarn"):
        return named, f"{named} install" if needs else ""
    return "npm", "npm install --no-audit --no-fund" if needs else ""


def _is_later_yarn(folder: Path) -> bool:
    """Whether it is a successor of Yarn 1, which writes another lock file."""
    return says(folder / "yarn.lock", r"^__metadata:")


def _is_pnp(folder: Path) -> bool:
    """Whether packages stay in archives (Plug'n'Play), as with later Yarns that are not told to
    make node_modules."""
    linked = says(folder / ".yarnrc.yml", r"^nodeLinker:\s*[\"']?(?:node-modules|pnpm)\b")
    return _is_later_yarn(folder) and not linked
