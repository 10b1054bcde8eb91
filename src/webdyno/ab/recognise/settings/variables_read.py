"""The variables that a service asks its environment for, by its sources."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from webdyno.ab.recognise.recognised import text_of
from webdyno.ab.recognise.settings.hanami_settings import hanami_settings

_ASKED = (
    # Readers of Python's: django-environ, decouple, Starlette.
    r"\b(?:env|config)(?:\.(?:bool|db|db_url|int|list|str|url))?\([\"'](?=[A-Z])"
    r"|\bDeno\.env\.get\([\"']|\benv\.|\benv\[[\"']"
    r"|[Gg]etenv\([\"']|\benviron\.get\([\"']|\benviron\[[\"']"
    r"|\benv::var\([\"']|\b[Ee]nvironment(?:\(\))?(?:\.get\(|\[)[\"']"
    # Elixir, Go's LookupEnv, and .NET.
    r"|\b(?:get|fetch)_env!?\([\"']|\bLookupEnv\([\"']|\bGetEnvironmentVariable\([\"']"
    # Tags of Go's structs, and clap's attributes in Rust.
    r"|`[^`\n]*\b(?:env|envconfig):\"|#\[[^\]]*\benv\s*=\s*[\"']"
)
_WORD = re.compile(rf"(?:{_ASKED})(\w+)")
_IN_TEMPLATE = re.compile(r"\$\{(\w+)")
_OUTSIDE_TEMPLATE = re.compile(r"\\\$\{(\w+)")
_TEMPLATES = (".js", ".mjs", ".cjs", ".ts", ".kt")
"""Of languages in whose strings `${PORT}` is a variable of the program's own; Kotlin's frameworks
are given `\\${PORT}` for one of the environment."""

_TAKEN_APART = re.compile(r"\{([^{}]*)\}\s*=\s*(?:process|import\.meta)\.env\b")
_TAKEN = re.compile(r"(?:^|,)\s*([A-Z]\w*)")
_CHECKED = re.compile(
    # Zod and Joi; envalid; a service of NestJS's for its settings.
    r"\b([A-Z][A-Z0-9_]*)\s*:\s*(?:(?:z|[Jj]oi)\.\w|(?:bool|host|num|port|str|url)\()"
    r"|\b\w*(?:[cC]onfig|[eE]nv)\w*\.get(?:OrThrow)?(?:<[^<>]*>)?\(\s*[\"']([A-Z][A-Z0-9_]*)[\"']"
)
"""How schemas of settings, and what reads them, name a variable in JavaScript."""

RUST_FIELD = r"\s*(?:pub(?:\([^)]*\))?\s+)?(\w+)\s*:"
"""The name of a field in Rust, after its attributes; as a regular expression."""

_OF_CLAP = re.compile(rf"#\[(?:arg|clap)\([^\]]*\benv\b(?!\s*=)[^\]]*\)\]{RUST_FIELD}")
"""A field that clap fills from the variable that is called like it."""
_REQUIRED_OF_CLAP = re.compile(
    r"#\[(?:arg|clap)\((?![^\]]*\bdefault_value)[^\]]*\benv\b(?!\s*=)[^\]]*\)\]"
    rf"{RUST_FIELD}(?!\s*(?:Option|bool)\b)"
)

_SETTINGS = re.compile(
    r"^class \w+\([^)]*\b\w*Settings\b[^)]*\):\n((?:[ \t]+[^\n]*(?:\n|\Z)|\n)+)", re.MULTILINE
)
_FIELD = re.compile(r"^(?: {4}|\t)([A-Za-z_]\w*)\s*:", re.MULTILINE)
_DOCSTRING = re.compile(r"(\"{3}|'{3}).*?\1", re.DOTALL)
_IN_BRACKETS = re.compile(r"\[(?:[^\[\]]|\[(?:[^\[\]]|\[[^\[\]]*\])*\])*\]")
_PREFIX = re.compile(r"\benv_prefix\s*=\s*[\"'](\w*)[\"']")
"""Pydantic's settings: a class, a field of it, and what all its variables begin with."""

_ENDINGS = (
    ".js", ".mjs", ".cjs", ".ts", ".go", ".py", ".rs", ".java", ".kt", ".properties",
    ".swift", ".ex", ".exs", ".cs",
    "www",  # As Express's generator calls its program.
)  # fmt: skip
_LEFT_OUT = frozenset(
    {"build", "dist", "docs", "examples", "node_modules", "target", "test", "tests", "vendor"}
)
_MOST_FILES = 300


def variables_in(path: Path) -> set[str]:
    """The variables that a source asks its environment for."""
    text = text_of(path)
    names = set(_WORD.findall(text))
    read = _OUTSIDE_TEMPLATE if path.suffix in _TEMPLATES else _IN_TEMPLATE
    names |= set(read.findall(text))
    if path.suffix in _TEMPLATES:
        names |= {one for held in _TAKEN_APART.findall(text) for one in _TAKEN.findall(held)}
        names |= {one for both in _CHECKED.findall(text) for one in both if one}
    if path.suffix == ".rs":
        names |= {name.upper() for name in _OF_CLAP.findall(text)}
    if path.suffix == ".py":
        names |= set(_of_settings(text))
    return names


def _on_a_line(match: re.Match[str]) -> str:
    return re.sub(r"\s*\n\s*", " ", match[0])


def _of_settings(text: str, field: re.Pattern[str] = _FIELD) -> Iterator[str]:
    for whole in _SETTINGS.findall(text):
        # An annotation of several lines ends, as others do, before its default.
        body = _IN_BRACKETS.sub(_on_a_line, _DOCSTRING.sub("", whole))
        prefix = _PREFIX.search(body)
        for name in field.findall(body):
            if name != "model_config":
                yield f"{prefix[1] if prefix else ''}{name}".upper()


_REQUIRED = re.compile(
    # Not what has a default or may lack, nor settings within, which have variables of their own.
    r"^(?: {4}|\t)([A-Za-z_]\w*)\s*:(?![^\n]*[=|])"
    r"(?!\s*(?:(?:typing\.)?(?:ClassVar|Optional)|\w*(?:Config|Settings))\b)[^\n]+$",
    re.MULTILINE,
)
_READS_ALL = re.compile(
    r"\b(?:(?:safe)?[pP]arse(?:Async)?|validate(?:Sync)?)\(\s*(?:\{\s*\.{3})?"
    r"(?:process|import\.meta)\.env\b|\b(?:cleanEnv|createEnv)\("
)
"""How a schema is applied to all variables: others in the file are those of requests."""
_CALLS = r"(?:\s*\.\w+\((?:[^()]|\([^()]*\))*\))"
_CHECKED_FULLY = re.compile(
    rf"\b([A-Z][A-Z0-9_]*)\s*:\s*(?:(?:z|[Jj]oi)({_CALLS}+)|(?:host|num|port|str|url)\(\s*\))"
)
_MAY_LACK = re.compile(r"\.(?:catch|default|nullish|optional)\(")
_OF_TAG = re.compile(
    r"`[^`\n]*\b(?:env|envconfig):\"(\w+)(?:,[^\"]*\brequired\b[^\"]*\"|\"[^`\n]*\brequired:\"true\")"
)
"""What tags of Go's structs say of a variable without which the service ends."""


_OF_CLASS = re.compile(
    r"((?:^[ \t]*@\w+\((?:[^()]|\([^()]*\))*\)\s*?\n)+)"
    r"[ \t]*(?:public |readonly )*([A-Z][A-Z0-9_]*)!?[ \t]*:[^=\n]*;?[ \t]*$",
    re.MULTILINE,
)
"""A variable in a class that class-validator checks, as NestJS has it: its decorators and its name;
none with a default."""
_OF_SETTINGS = re.compile(r"\bprocess\.env\b|\bplainTo(?:Class|Instance)\(|[eE]nvironment")
"""What classes of variables are read with, and classes of requests are not."""
_MAY_LACK_IN_CLASS = re.compile(r"@(?:IsOptional|ValidateIf)\(")

_OF_FASTIFY = re.compile(r"[\"'](?:@fastify/env|fastify-env|env-schema)[\"']")
_LISTED = re.compile(r"\brequired\s*:\s*\[([^\]]*)\]")


def _of_json_schema(text: str) -> list[str]:
    """What the schema that Fastify's plugin is given requires and has no default for."""
    names = [one for held in _LISTED.findall(text) for one in re.findall(r"[\"'](\w+)", held)]
    default = r"[\"']?\s*:\s*\{[^{}]*\bdefault\b"
    return [one for one in names if not re.search(rf"\b{one}{default}", text)]


def required_in(folder: Path) -> list[str]:
    """The variables without which a service does not start, as far as its schema of settings says
    it: Pydantic's, Zod's, Joi's, envalid's, class-validator's, Fastify's or Hanami's, tags of Go's,
    or clap's attributes."""
    names = [name for name, needed in hanami_settings(folder).items() if needed]
    for path in sources_of(folder):
        text = text_of(path)
        if path.suffix == ".py":
            names += _of_settings(text, _REQUIRED)
        elif path.suffix in _TEMPLATES and _OF_FASTIFY.search(text):
            names += _of_json_schema(text)
        elif path.suffix == ".ts" and "class-validator" in text and _OF_SETTINGS.search(text):
            names += [
                name
                for checks, name in _OF_CLASS.findall(text)
                if not _MAY_LACK_IN_CLASS.search(checks)
            ]
        elif path.suffix in _TEMPLATES and _READS_ALL.search(text):
            of_joi = re.search(r"\b[Jj]oi\b", text) is not None
            names += [
                name
                for name, rules in _CHECKED_FULLY.findall(text)
                # In Joi's, a variable may lack unless it is said otherwise.
                if not _MAY_LACK.search(rules) and (not of_joi or ".required(" in rules)
            ]
        elif path.suffix == ".go":
            names += _OF_TAG.findall(text)
        elif path.suffix == ".rs":
            names += [name.upper() for name in _REQUIRED_OF_CLAP.findall(text)]
    return list(dict.fromkeys(names))


def variables_read_in(folder: Path) -> set[str]:
    """The variables that the sources in a folder ask their environment for."""
    names = {name for path in sources_of(folder) for name in variables_in(path)}
    return names | hanami_settings(folder).keys()


def sources_of(folder: Path) -> Iterator[Path]:
    """The sources below a folder, less those of tests and of others, as far as it is looked."""
    count = 0
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(
            name for name in folders if name not in _LEFT_OUT and not name.startswith(".")
        )
        for name in sorted(files):
            if name.endswith(_ENDINGS) and not re.search(r"[._](?:test|spec)\.\w+$", name):
                count += 1
                if count > _MOST_FILES:
                    return
                yield Path(root, name)
