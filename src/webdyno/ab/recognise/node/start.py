"""What a start script of package.json does besides starting: compiling, and naming a port."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

PLAIN = re.compile(r"(?:node|bun)(?: (?:[\w@%+=:,./-]|\$\{PORT\})+)+")
"""A command that needs neither the package manager nor a shell."""

_COMPILES = re.compile(
    r"\b(?:babel|build|bundle|compile|esbuild|generate|ncc|parcel|rollup|swc|tsc|tsup|vite|webpack)"
    r"\b"
)
_BUILD = re.compile(r"(?:npm|pnpm|yarn|bun)(?: run)? build")
"""What is among the build commands anyway."""

BUILDS = ("build:prod", "build:production", "build:server", "compile")
"""What the script that builds is called where none is called `build`."""

_DEVELOPS = re.compile(
    r"(?:(?<=\.bin/)|(?<![\w./-]))"
    r"(?:vite(?! preview| build)|webpack(?:-dev-server| serve)|react-scripts start|ng serve|"
    r"vue-cli-service serve|parcel(?! build)|(?:astro|next|nuxi|nuxt|remix) dev|nx serve|"
    r"turbo (?:run )?dev|nodemon|ts-node-dev|tsnd|tsx watch)(?![\w./-])"
)

_AT_ONCE = re.compile(
    r"(?<![\w./-])(?:concurrently|run-p|lerna|foreman|honcho|overmind|nf|nx run-many|"
    r"turbo(?! .*--filter))(?![\w./-])|\bnpm-run-all\b.* (?:-p|--parallel)\b"
    r"|\b(?:npm|pnpm)\b.* (?:-r|-ws|--recursive|--workspaces|--parallel)(?![\w-])"
    r"|\byarn workspaces (?:run|foreach)\b"
)
"""What starts several programs at once, of a project or of a workspace."""

_FOLLOWED = re.compile(r"(?:(?:npm|pnpm|yarn|bun) run|pnpm|yarn) ([\w:.-]+)")
_MOST_FOLLOWED = 5

_WATCHES = re.compile(
    r"^((?:node|bun(?: run)?)(?: -r \S+| -\S+)*?) --(?:hot|watch)(?= )|^(tsx) watch(?= [^-])"
)
"""What makes a program that serves in production, too, watch its files."""

_SHELL = re.compile(r"[;|&<>\"'`()]")
"""What only a shell reads as more than a word."""

_SEVERAL = re.compile(r"[;|`]|(?<!>)&|\$\(")
"""What separates commands on a line; `>&` redirects."""

_PORT = re.compile(r"( (?:--port|--listen|-p|-l)[ =])([\w.:/]*:)?(?:\d{4,5}|80|443)(?= |$)")

_WITH_PACKAGES = {
    "npm": "npx --no-install", "pnpm": "pnpm exec", "yarn": "yarn run", "bun": "bun run",
}  # fmt: skip
"""How package managers start a program of a package."""


@dataclass(frozen=True)
class StartParts:
    """A start script taken apart: what belongs into the build, what starts, and what its owner has
    to say of the rest."""

    build: tuple[str, ...]
    start: str
    asks: tuple[str, ...] = ()
    is_less: bool = False
    """Whether the script as it is, with the one before it, would also compile."""


_MIGRATES = re.compile(
    r"\bprisma (?:migrate deploy|db push)\b|\bdrizzle-kit (?:migrate|push)\b"
    r"|\bknex\b.* migrate:latest\b|\bsequelize(?:-cli)? db:migrate(?!:)|\bmikro-orm migration:up\b"
    r"|\btypeorm\b.* migrations?:run\b|\b(?:node-pg|db)-migrate up\b"
    r"|^(?:npm|pnpm|yarn|bun)(?: run)? [\w:-]*\bmigrat(?:e|ions?)\b"
    r"(?:[:-](?:deploy|latest|prod|run|up))*$"
)
"""Tools that run migrations, and scripts of the package's own for that."""
_SETS = re.compile(r"\s*(?:cross-env |\w+=)")
_LASTS = re.compile(r"(?:cd|export|set|source)\b")
"""What a shell does for the commands that follow in the same line."""
_OF_SYSTEM = re.compile(
    rf"{_LASTS.pattern}|(?:bash|cat|chmod|cp|echo|ln|mkdir|mv|rm|sed|sh|test|touch|true)\b"
)
"""What no package brings."""


def migrates(command: str) -> bool:
    """Whether a command runs migrations and no more, for which a build has no database."""
    is_plain = not _SETS.match(command) and not _SHELL.search(command)
    return is_plain and _MIGRATES.search(command) is not None


def build_commands(scripts: Mapping[str, Any], tool: str) -> list[str]:
    """What builds by the script `build`: the script, or its parts without the migrations among
    them; none where there is no script."""
    script = str(scripts.get("build", ""))
    parts = [one.strip() for one in script.split("&&")]
    kept = [one for one in parts if not migrates(one)]
    is_plain = not any(_SHELL.search(one) or _SETS.match(one) for one in kept)
    if len(kept) < len(parts) and is_plain and not scripts.get("prebuild"):
        lines = [one if _OF_SYSTEM.match(one) else of_package(one, tool) for one in kept]
        if any(_LASTS.match(one) for one in kept):
            lines = [" && ".join(lines)]
        return [*lines, f"{tool} run postbuild"] if scripts.get("postbuild") else lines
    return [f"{tool} run build"] if "build" in scripts else []


def start_parts(scripts: Mapping[str, Any], name: str, start: str, tool: str) -> StartParts:
    """The script `name`, which says `start`, and the one that its package manager runs before it.

    Compiling at each start would write to a folder that is read only.
    """
    build: list[str] = []
    asks: list[str] = []
    is_less = False
    *first, last = [one.strip() for one in start.split("&&")]
    if first and all(migrates(one) or _compiles(one) for one in first):
        made = (one for one in first if not migrates(one) and not _BUILD.fullmatch(one))
        build += [of_package(one, tool) for one in made]
        start, is_less = last, True
    elif first:
        asks.append(
            f"its start script does more than start it; run what comes before `{last}` in `build`, "
            "or as `prepare` in [run], and set `command` to the rest"
        )
    before = str(scripts.get(f"pre{name}", "")).strip()
    if before and all(map(_compiles, before.split("&&"))):
        is_less = True
        if not _BUILD.fullmatch(before):
            build.append(f"{tool} run pre{name}")
    elif before:
        asks.append(
            f"its script pre{name} runs `{before}`; add that to `build`, or as `prepare` to [run], "
            "if it is needed"
        )
    return StartParts(tuple(build), start, tuple(asks), is_less)


def aliased_script(scripts: Mapping[str, Any], name: str) -> str:
    """The script that `name` is another name for, as `npm run serve` is for `serve`."""
    for _ in range(_MOST_FOLLOWED):
        match = _FOLLOWED.fullmatch(str(scripts.get(name, "")).strip())
        if match is None or not scripts.get(match[1]) or scripts.get(f"pre{name}"):
            break
        name = match[1]
    return name


def without_watching(start: str) -> str:
    """The script without what makes its program watch its files and start anew."""
    return start if _SHELL.search(start) else _WATCHES.sub(r"\1\2", start)


_FOREIGN = re.compile(
    r"(?:exec )?(?:bundle|cargo|composer|docker(?:-compose)?|dotnet|flask|go|gradle|gunicorn|hanami"
    r"|hypercorn|java|make|mix|mvn|php|pipenv|podman|poetry|puma|python3?|rackup|rails|rake|ruby"
    r"|symfony|uv|uvicorn|\./(?:gradlew|mvnw)|bin/rails|venv/bin/\w+|\.venv/bin/\w+)(?=\s|$)"
)


def is_foreign(start: str) -> bool:
    """Whether it starts a program in another language, or a container."""
    return _FOREIGN.match(start) is not None


def is_at_once(start: str) -> bool:
    """Whether it starts several programs, each of which may take the port."""
    return _AT_ONCE.search(start) is not None


def develops(start: str) -> bool:
    """Whether it is a server for development, which compiles while it answers."""
    return _DEVELOPS.search(start) is not None


def _compiles(command: str) -> bool:
    sets = _SETS.match(command)
    # What is built often lies in a folder `build`, and is no compiler for that.
    without_folders = re.sub(r"[^\s/]*/", "", command)
    return not sets and _COMPILES.search(without_folders) is not None


def is_several(start: str) -> bool:
    """Whether a line has several commands, each of which may be a program of a package, which only
    the script finds."""
    return _SEVERAL.search(start) is not None


def of_package(command: str, tool: str) -> str:
    """A command as it finds the programs of packages outside a script."""
    known = re.match(r"(?:node|bun|bunx|npm|npx|pnpm|yarn)\b", command)
    return command if known else f"{_WITH_PACKAGES[tool]} {command}"


def of_script(tool: str, name: str) -> str:
    """How a package manager runs a script."""
    return f"{tool} start" if name == "start" and tool != "bun" else f"{tool} run {name}"


def with_port(start: str) -> str:
    """The script with the port that it is told in the place of the one that it names; as it is
    where it names none."""
    if _SHELL.search(start):
        return start
    return _PORT.sub(lambda match: f"{match[1]}{match[2] or ''}${{PORT}}", start)
