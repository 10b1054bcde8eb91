"""Migrations of a service in Node.js: a script of its own, or a tool that its files are for."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from webdyno.ab.recognise.data.prisma import (
    USUAL,
    config_of,
    has_config,
    migrations_in,
    path_in,
    schema_of,
)
from webdyno.ab.recognise.node.member import START
from webdyno.ab.recognise.node.start import is_several, migrates, of_package, of_script
from webdyno.ab.recognise.recognised import (
    Migrations,
    RecognisedService,
    json_of,
    table_of,
    text_of,
)

_SCRIPTS = (
    "db:migrate:deploy", "prisma:migrate:deploy", "migrate:deploy", "prisma:deploy",
    "migration:run:prod", "migration:run", "migrations:run", "db:migrate", "db:migrate:up",
    "migrate:latest", "migrate:up", "migrate",
)  # fmt: skip
"""Scripts that run migrations, as they are usually called."""

_SEEDS = ("db:seed", "seed", "db:load", "seed:run")

_NOT_SO = re.compile(
    r"migrate dev\b|--env-file|\bdotenv\b|\bdocker\b|\benv-cmd\b|:(?:make|create)\b"
)
"""What makes new migrations, or reads a file that the copy that is built lacks."""

_ALONE = re.compile(
    r"(?:(?:npx|bunx|yarn|pnpm(?: exec)?) )?"
    r"(?:node-pg-migrate|db-migrate|knex|sequelize(?:-cli)?|mikro-orm|drizzle-kit|prisma"
    r"|typeorm(?:-ts-node-\w+)?)(?: +-\S+(?: +(?!-)\S*[./]\S*)?)*"
)
"""A tool without what it is to do, to which a user adds that."""

_ENV_FILE = re.compile(r" --env-file(?:-if-exists)?(?:=| +)\S+")


def of_node(folder: Path, service: RecognisedService) -> Migrations | None:
    """By Prisma's schema, else a script, else the files of a tool: of the top, else of the member
    that is started, else of those that it depends on."""
    tool = next((one for one in ("pnpm", "yarn", "bun") if _installs(service, one)), "npm")
    for place in dict.fromkeys(("", service.package, *service.local_dependencies)):
        if made := _in_folder(folder / place, tool):
            before = f"cd {shlex.quote(place)} && " if place else ""
            rows = f"{before}{made.rows}" if made.rows else ""
            return Migrations(f"{before}{made.command}", rows)
    return None


def _in_folder(folder: Path, tool: str) -> Migrations | None:
    package = json_of(folder / "package.json")
    if schema_of(folder).exists():
        return _of_prisma(folder, package, tool)
    scripts = table_of(package.get("scripts"))
    seeds = next((one for one in _SEEDS if scripts.get(one)), "")
    rows = of_script(tool, seeds) if seeds else ""
    drizzle = _of_drizzle(folder)
    for name in _SCRIPTS:
        script = str(scripts.get(name, "")).strip()
        if not script or _ALONE.fullmatch(script):
            continue
        if drizzle and drizzle != _MIGRATES and _MIGRATES in script:
            continue
        plain = _ENV_FILE.sub("", script)
        if not _NOT_SO.search(script):
            return Migrations(of_script(tool, name), rows)
        if plain != script and not _NOT_SO.search(plain) and _is_one(plain):
            return Migrations(of_package(plain, tool), rows)
    command = _of_files(folder) or drizzle or _beside(scripts)
    return Migrations(of_package(command, tool), rows) if command else None


def _beside(scripts: Mapping[str, Any]) -> str:
    """The migrations among what the script for the build or the start runs; empty where there are
    none."""
    texts = [str(scripts.get(name) or "") for name in ("build", *START)]
    parts = (one.strip() for text in texts for one in text.split("&&"))
    return next(filter(migrates, parts), "")


def _installs(service: RecognisedService, tool: str) -> bool:
    return any(line.startswith(f"{tool} ") for line in service.build)


def _is_one(script: str) -> bool:
    """Whether a script is one command, which is found outside it, too."""
    return not is_several(script) and not re.match(r"\w+=", script)


def _of_prisma(folder: Path, package: dict[str, Any], tool: str) -> Migrations:
    settings = table_of(package.get("prisma"))
    told = Path(os.path.relpath(schema_of(folder), folder)).as_posix()
    knows = told == USUAL or "schema" in settings or has_config(folder)
    option = "" if knows else f" --schema {told}"
    # The option is unknown from Prisma 7 on.
    skips = " --skip-generate" if _is_before(package, "prisma", 7) else ""
    what = "migrate deploy" if migrations_in(folder) else f"db push{skips}"
    fills = "seed" in settings or re.search(r"\bseed\s*:", config_of(folder)) is not None
    rows = of_package("prisma db seed", tool) if fills else ""
    return Migrations(of_package(f"prisma {what}{option}", tool), rows)


def _is_before(package: dict[str, Any], name: str, major: int) -> bool:
    """Whether package.json asks for a version of `name` before `major`, or for none at all."""
    groups = (table_of(package.get(one)) for one in ("dependencies", "devDependencies"))
    asked = next((str(one[name]) for one in groups if name in one), "0")
    number = re.search(r"\d+", asked)
    return number is not None and int(number[0]) < major


def _of_files(folder: Path) -> str:
    """How Knex or Sequelize runs the migrations that are there; empty where there are none."""
    for names, key, command in _TOOLS:
        text = next((text_of(folder / one) for one in names if (folder / one).is_file()), None)
        if text is None:
            continue
        told = [path_in(one) for one in re.findall(rf"\b{key}['\"]?\s*:([^\n]*)", text)]
        places = [one for one in told if one and "seed" not in one] or ["migrations"]
        if any((folder / one).is_dir() for one in places):
            return command
    return ""


_TOOLS = (
    (
        ("knexfile.js", "knexfile.cjs", "knexfile.mjs", "knexfile.ts"), "directory",
        "knex migrate:latest",
    ),
    ((".sequelizerc",), "migrations-path", "sequelize-cli db:migrate"),
)  # fmt: skip
"""The files by which tools are told of migrations, the key for their folder, and how they run
them."""


_DRIZZLE = ("drizzle.config.ts", "drizzle.config.js", "drizzle.config.mjs")
_MIGRATES = "drizzle-kit migrate"


def _of_drizzle(folder: Path) -> str:
    """How Drizzle makes the tables: by its migrations, which its journal names, else by its schema;
    empty where it is not used."""
    text = next((text_of(folder / one) for one in _DRIZZLE if (folder / one).is_file()), None)
    if text is None:
        return ""
    told = re.search(r"\bout\s*:([^\n]*)", text)
    out = (path_in(told[1]) if told else "") or "drizzle"
    return _MIGRATES if (folder / out / "meta/_journal.json").is_file() else "drizzle-kit push"
