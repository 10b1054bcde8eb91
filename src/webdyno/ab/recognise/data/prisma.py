"""What Prisma's schema and configuration say: which database it is, and how that is found."""

from __future__ import annotations

import os
import re
from pathlib import Path

from webdyno.ab.recognise.recognised import json_of, table_of, text_of

_ENDINGS = ("ts", "js", "mjs", "cjs", "mts", "cts")
CONFIGS = (
    *(f"prisma.config.{one}" for one in _ENDINGS), *(f".config/prisma.{one}" for one in _ENDINGS),
)  # fmt: skip
"""Where its configuration lies, which Prisma 7 needs."""

USUAL = "prisma/schema.prisma"

_PROVIDER = re.compile(r"^\s*datasource\s+\w+\s*\{[^}]*?\bprovider\s*=\s*\"(\w+)\"", re.MULTILINE)
_IN_SCHEMA = re.compile(r"\b(?:url|directUrl)\s*=\s*env\(\"(\w+)\"\)")
_IN_CONFIG = re.compile(
    r"\burl\s*:\s*(?:env(?:<[^<>]*>)?\(\s*[\"'](\w+)|process\.env(?:\.|\[[\"'])(\w+))"
)
_NEEDED = re.compile(r"(?<![\w.])env(?:<[^<>]*>)?\(\s*[\"'](\w+)[\"']\s*\)")


def config_of(folder: Path) -> str:
    """The text of the configuration in a folder, without its comments; empty where there is
    none."""
    text = next((text_of(folder / one) for one in CONFIGS if (folder / one).is_file()), "")
    return re.sub(r"/\*.*?\*/|(?<!:)//[^\n]*", "", text, flags=re.DOTALL)


def has_config(folder: Path) -> bool:
    """Whether a folder has a configuration of Prisma's."""
    return any((folder / one).is_file() for one in CONFIGS)


def value_of(key: str, text: str) -> str:
    """The path that is the value of a key in a file of JavaScript; empty where there is none."""
    match = re.search(rf"\b{key}\s*:([^\n]*)", text)
    return path_in(match[1]) if match else ""


def path_in(value: str) -> str:
    """The path that a value of JavaScript begins with, joined or in one; empty where it is
    computed otherwise."""
    plain = re.sub(r"\$\{__dirname\}|(?:__dirname|import\.meta\.dirname)\s*[+,]", "", value).strip()
    joined = re.match(r"[\w.]+\(([^()]*)\)|([\"'`][^\"'`]*[\"'`])", plain)
    parts = re.findall(r"[\"'`]([^\"'`$]+)[\"'`]", joined[0]) if joined else []
    return "/".join(one.strip("/") for one in parts)


def schema_of(folder: Path) -> Path:
    """Where Prisma looks for its schema, a file or a folder of such, which need not be there."""
    told = value_of("schema", config_of(folder))
    told = told or str(table_of(json_of(folder / "package.json").get("prisma")).get("schema") or "")
    places = [os.path.normpath(told)] if told else [USUAL, "schema.prisma"]
    return next((folder / one for one in places if (folder / one).exists()), folder / places[0])


def providers_of(folder: Path) -> list[str]:
    """The databases that the schema names."""
    return _PROVIDER.findall(_schema_text(folder))


def variables_of(folder: Path) -> set[str]:
    """The variables by which the schema and the configuration are told where the database is."""
    names = set(_IN_SCHEMA.findall(_schema_text(folder)))
    names |= {name for name in needed_of(folder) if name.endswith("URL")}
    return names | {one for both in _IN_CONFIG.findall(config_of(folder)) for one in both if one}


def needed_of(folder: Path) -> set[str]:
    """The variables without which Prisma does not read its configuration, not even to generate a
    client."""
    return set(_NEEDED.findall(config_of(folder)))


def migrations_in(folder: Path) -> bool:
    """Whether there are migrations where Prisma looks for them."""
    migrations = re.search(r"\bmigrations\s*:\s*\{([^}]*)\}", config_of(folder))
    told = value_of("path", migrations[1]) if migrations else ""
    schema = schema_of(folder)
    places = [folder / told] if told else [schema.parent / "migrations", schema / "migrations"]
    return any(one.is_dir() for one in places)


def _schema_text(folder: Path) -> str:
    schema = schema_of(folder)
    files = sorted(schema.rglob("*.prisma")) if schema.is_dir() else [schema]
    return "\n".join(map(text_of, files))
