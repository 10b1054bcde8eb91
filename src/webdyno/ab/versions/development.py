"""Start commands that are for development: what they do besides serving is measured as well."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from webdyno.ab.recognise.node.start import aliased_script, develops
from webdyno.ab.recognise.recognised import json_of, table_of
from webdyno.ab.versions.command_lines import last_of, line_of
from webdyno.redaction import without_secrets
from webdyno.verifier.base import shorten

_WATCHES = re.compile(
    r"\b(?:tsx watch|watchexec|cargo[ -]watch|dotnet watch|fastapi dev)\b"
    r"|(?<=\s)--(?:hot|reload|watch)(?![\w-])|\bquarkus:?[dD]ev\b|^air(?=\s|$)"
    r"|\bflask\b.* --debug\b|\bmanage\.py runserver\b(?!.* --noreload\b)"
)
_COMPILES = re.compile(
    r"\b(?:go|cargo|swift) run\b|\bdotnet run\b(?!.* --no-build\b)|\bspring-boot:run\b|\bbootRun\b"
    r"|\bnest start\b"
)
_UNOPTIMISED = re.compile(r"(?:^|[\s/])(?:(?:target|\.build)/debug|bin/Debug)/")
_MODES = (
    (
        re.compile(r"\brails s(?:erver)?\b(?!.* (?:-e|--environment)[ =]production)"),
        "RAILS_ENV",
        "production",
    ),
    (re.compile(r"\bmix phx\.server\b"), "MIX_ENV", "prod"),
)
"""Programs that are in their mode for development unless a variable says otherwise."""

_OF_PRODUCTION = ("prod", "production")


def of_development(command: Sequence[str], env: Mapping[str, str], folder: Path) -> str:
    """That a service in `folder` which is started by `command`, with `env` set, runs as in
    development, in a sentence; empty where nothing shows it."""
    line = _script(command, folder) or line_of(command)
    command_text = f"`{shorten(without_secrets(line), 60)}`"
    if _WATCHES.search(line) or develops(line):
        return (
            f"{command_text} starts a development server, whose other work, such as watching "
            "files, is measured as well; give the command that serves in production"
        )
    if _COMPILES.search(line):
        return (
            f"{command_text} compiles at each start, and perhaps without optimisations; "
            "compile in the build, and start the program that results"
        )
    if _UNOPTIMISED.search(line):
        return (
            f"{command_text} starts a program that was compiled without optimisations; compile it "
            "for release (cargo build --release, dotnet publish -c Release, swift build -c release)"
        )
    for program, variable, right in _MODES:
        is_told = any(f"{variable}={mode}" in line for mode in _OF_PRODUCTION)
        if program.search(line) and not is_told and env.get(variable) not in _OF_PRODUCTION:
            return (
                f"{command_text} runs in development mode; set {variable} in `env` (--env "
                f"{variable}={right})"
            )
    return ""


def _script(command: Sequence[str], folder: Path) -> str:
    """What the script of package.json says that a package manager is told to run; else empty."""
    last = last_of(command)
    words = [word for word in last.arguments if not word.startswith("-")]
    words = words[1:] if words[:1] == ["run"] else words
    if last.name not in ("npm", "pnpm", "yarn", "bun") or not words:
        return ""
    package = json_of(folder / last.below / last.folder / "package.json")
    scripts = table_of(package.get("scripts"))
    return str(scripts.get(aliased_script(scripts, words[0]), ""))
