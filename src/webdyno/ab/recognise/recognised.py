"""What is found of a service, and reading the files that tell it."""

from __future__ import annotations

import contextlib
import json
import os
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from webdyno.ab.git.checkout import tracked

NAME = "NAME"
"""Stands for a package that its owner has to name."""

KEY = "only-for-measuring" * 4
"""Stands for the key with which frameworks sign cookies, long enough for all of them."""

MICRONAUT_PORT = {"MICRONAUT_SERVER_PORT": "${PORT}"}
"""What tells Micronaut its port, which reads no PORT."""

MOST_NAMED = 8
"""Of the packages with a program, those that are named."""

SERVICES = frozenset({"api", "app", "http", "httpd", "server", "service", "web"})
"""What the program of a service is usually called, beside those of its tools."""


class FoundCommand(NamedTuple):
    """A command that was found, empty where none was, and what its owner has to say or know of it,
    in a sentence; empty where there is nothing."""

    line: str
    remark: str = ""


@dataclass(frozen=True)
class RecognisedService:
    """A service as its manifest describes it; commands as lines for `webdyno.toml`."""

    manifest: str
    language: str
    build: tuple[str, ...] = ()
    run: str = ""
    toolchain: tuple[str, ...] = ()
    writes: bool = False
    open: str = ""
    """What its owner has to say, in one line; empty where all was found."""
    other_to_do: tuple[str, ...] = ()
    """What else its owner has to say or to do, a line each."""
    services: tuple[str, ...] = ()
    """Whose drivers it depends on."""
    prepare: tuple[str, ...] = ()
    """What makes its tables, before each start."""
    rows: str = ""
    """What fills its tables with the project's own samples."""
    uses_database: bool = False
    """Whether it surely uses the only one of its `services`: it has migrations."""
    env: Mapping[str, str] = field(default_factory=dict)
    """What its start script sets, and what tells it its port, where that is not PORT."""
    build_env: Mapping[str, str] = field(default_factory=dict)
    """What its build has to find set, though it is not used there."""
    package: str = ""
    """The folder of the service in the workspace that is built; empty where that is the same."""
    local_dependencies: tuple[str, ...] = ()
    """The folders of the members of its workspace that it depends on."""
    is_template: bool = False
    """Whether nothing may be built before its owner has done what `open` says: replaced a word in
    `build` and `run`, or described the service in another folder."""

    is_for_assets: bool = False
    """Whether it starts a server for development, as a service in another language has one for its
    pages' scripts."""
    says_development: bool = False
    """Whether `open` says that its start script is for development."""

    @property
    def to_do(self) -> tuple[str, ...]:
        """All that is left to its owner, a line each."""
        return tuple(line for line in (self.open, *self.other_to_do) if line)


@dataclass(frozen=True)
class Migrations:
    """That a service has migrations, and the command that runs them; none where it does so itself
    when it starts."""

    command: str = ""
    rows: str = ""
    """The command that fills the tables with the project's own samples, if it has such."""


def likely_of(names: Sequence[str]) -> list[str]:
    """Of several programs or folders of such, the one that is called as services are, where only
    one is; else all."""
    named = [one for one in names if one.rpartition("/")[2] in SERVICES]
    return named if len(named) == 1 else list(names)


def in_copy(folder: Path, name: str) -> bool:
    """Whether the copy of `folder` that is built has a file: one that is there, and that git is not
    told to ignore."""
    inside = os.path.normpath(name)
    if not (folder / name).is_file() or inside.startswith(".."):
        return False
    files = tracked(folder)
    return files is None or inside in files


def wrapper_of(folder: Path, name: str, *needs: str) -> str:
    """How the script by which a project brings its build tool is started; empty where the copy that
    is built lacks it, or one of the files that it needs."""
    if not all(in_copy(folder, one) for one in (name, *needs)):
        return ""
    # Committed where files have no such mode, it is no program.
    return f"./{name}" if os.access(folder / name, os.X_OK) else f"sh {name}"


OWN_HOST = r"(?:|\*|\+|localhost|0\.0\.0\.0|127\.\d+\.\d+\.\d+|\[[\d:]*\])"
"""A host at which a program itself listens, not that of another; as a regular expression."""

_COMMENT = re.compile(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_LAST_COMMA = re.compile(r'("(?:\\.|[^"\\])*")|,(?=\s*[}\]])')


def json_of(path: Path) -> dict[str, Any]:
    """The table in a JSON file, which may have comments and trailing commas, as .NET's settings and
    Deno's have; empty where there is none."""
    text = text_of(path)
    steps: tuple[Callable[[str], str], ...] = (str, _uncommented, _without_last_commas)
    for step in steps:
        text = step(text)
        with contextlib.suppress(ValueError, RecursionError):
            return table_of(json.loads(text))
    return {}


def _uncommented(text: str) -> str:
    return _COMMENT.sub(lambda match: match[1] or " ", text)


def _without_last_commas(text: str) -> str:
    return _LAST_COMMA.sub(lambda match: match[1] or "", text)


def toml_of(path: Path) -> dict[str, Any]:
    """The table in a TOML file; empty where there is none."""
    try:
        return tomllib.loads(text_of(path))
    except (ValueError, RecursionError):
        return {}


def table_of(value: Any) -> dict[str, Any]:
    """`value` where it is a table, else an empty one."""
    return value if isinstance(value, dict) else {}


def texts_of(value: Any) -> list[str]:
    """The texts in `value` where it is a list, else none."""
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def text_of(path: Path) -> str:
    """What is in a file; empty where it cannot be read."""
    try:
        return path.read_text(encoding="utf-8-sig", errors="replace")
    except OSError:
        return ""


def says(path: Path, pattern: str) -> bool:
    """Whether `pattern` is in a file; `^` and `$` are those of a line."""
    return re.search(pattern, text_of(path), re.MULTILINE) is not None
