"""What a service in Python depends on, by its manifests."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from webdyno.ab.recognise.python.conda import ENVIRONMENTS, environment_text, is_environment
from webdyno.ab.recognise.recognised import table_of, text_of, toml_of

MANIFESTS = ("requirements.txt", "pyproject.toml", "setup.py", "Pipfile")
_OTHERS = ("setup.cfg",)
_SPLIT = tuple(
    f"requirements{sign}{name}.txt"
    for sign in "/-"
    for name in ("production", "prod", "base", "main", "common")
)
"""Where requirements are that differ by the place of use."""

_OF_TOOLS = re.compile(
    r"^\[\[?(?:tool\.(?!(?:flit|hatch|pdm|pixi|poetry|rye|setuptools|uv)\b)|flake8|mypy)[^\n]*\n"
    r"(?:(?!\[)[^\n]*\n?)*",
    re.MULTILINE,
)
"""What manifests say for other tools, which may name packages that are not installed."""

_INCLUDED = re.compile(r"^[ \t]*(?:-r|--requirement)[ \t=]*([^\s#]+)", re.MULTILINE)
_COMMENT = re.compile(r"(?:^|(?<=\s))#[^\n]*")


def manifest_of(folder: Path) -> str:
    """The manifest that says what a service in `folder` depends on; empty where there is none."""
    there = [name for name in (*MANIFESTS, *_SPLIT) if (folder / name).is_file()]
    there += [name for name in ENVIRONMENTS if is_environment(folder / name)]
    if there[:1] == ["pyproject.toml"]:
        # It may hold the settings of tools alone.
        held = toml_of(folder / "pyproject.toml")
        tools = table_of(held.get("tool"))
        if not ("project" in held or {"poetry", "pdm", "flit"} & set(tools)):
            there = [*(one for one in there if one in (*_SPLIT, *ENVIRONMENTS)), *there]
    return next(iter(there), "")


def needs_of(folder: Path) -> str:
    """What the manifests in `folder` say, in small letters, and with extras as pip writes them."""
    texts = [_OF_TOOLS.sub("", text_of(folder / name)) for name in (*MANIFESTS[1:], *_OTHERS)]
    texts += [environment_text(folder / name) for name in ENVIRONMENTS]
    for name in (MANIFESTS[0], *_SPLIT):
        texts += _required(folder / name, set())
    texts += (
        one for name in ("pyproject.toml", "Pipfile") for one in _extras(toml_of(folder / name))
    )
    return "\n".join(texts).lower()


def _required(path: Path, seen: set[Path]) -> Iterator[str]:
    """A file of requirements without its comments, and those that it includes."""
    if not path.is_file():
        return
    place = path.resolve()
    if place in seen:
        return
    seen.add(place)
    text = _COMMENT.sub("", text_of(path))
    yield text
    for name in _INCLUDED.findall(text):
        yield from _required(path.parent / name, seen)


def _extras(held: Any) -> Iterator[str]:
    """`name[extra]` of each table that says `extras` of the package it is called like, as those of
    Poetry and of a Pipfile do."""
    for name, below in table_of(held).items():
        extras = table_of(below).get("extras")
        if isinstance(extras, list):
            yield f"{name}[{','.join(map(str, extras))}]"
        else:
            yield from _extras(below)


_SERVERS = re.compile(
    r"\b(?:uvicorn|gunicorn|hypercorn|granian|fastapi-cli)\b|\[(?:standard|all|full)\b"
)
_MIGRATORS = re.compile(
    r"\b(?:alembic|advanced[-_.]alchemy|flask[-_.]migrate)\b", re.IGNORECASE
)  # fmt: skip
"""What brings Alembic."""


@dataclass(frozen=True)
class DependencySet:
    """The set of dependencies that alone brings something which a service needs: an extra, which a
    project's users ask for, or a group, which its developers do. Both empty where that is installed
    anyway."""

    extra: str = ""
    group: str = ""


def serving_dependencies(folder: Path) -> DependencySet:
    """Where what serves the project in `folder` stands apart from its other dependencies."""
    return _apart(folder, _SERVERS)


def migrating_dependencies(folder: Path) -> DependencySet:
    """The same of what runs its migrations; empty where it has none of Alembic's."""
    has_migrations = any(any(folder.glob(one)) for one in ("alembic.ini", "*/alembic.ini"))
    return _apart(folder, _MIGRATORS) if has_migrations else DependencySet()


def _apart(folder: Path, programs: re.Pattern[str]) -> DependencySet:
    """The set that alone brings one of these `programs`."""
    held = toml_of(folder / "pyproject.toml")
    project, tools = table_of(held.get("project")), table_of(held.get("tool"))
    poetry = table_of(tools.get("poetry"))
    of_poetry = table_of(poetry.get("dependencies"))
    always = {name: one for name, one in of_poetry.items() if not table_of(one).get("optional")}
    if programs.search(f"{project.get('dependencies', '')} {_poetrys(always)}"):
        return DependencySet()
    extras = {**table_of(poetry.get("extras")), **table_of(project.get("optional-dependencies"))}
    if extra := _first(extras, programs):
        return DependencySet(extra=extra)
    groups = {"dev": table_of(tools.get("uv")).get("dev-dependencies")}
    groups |= table_of(table_of(tools.get("pdm")).get("dev-dependencies"))
    groups |= table_of(held.get("dependency-groups"))
    of_developers = {"dev": {"dependencies": poetry.get("dev-dependencies")}}
    for name, group in {**of_developers, **table_of(poetry.get("group"))}.items():
        if depends := _poetrys(table_of(table_of(group).get("dependencies"))):
            groups[name] = depends
    return DependencySet(group=_first(groups, programs))


def _first(sets: Mapping[str, Any], programs: re.Pattern[str]) -> str:
    """The first of several sets of dependencies that brings one of the `programs`."""
    return next((name for name, held in sets.items() if programs.search(str(held))), "")


def _poetrys(dependencies: Mapping[str, Any]) -> str:
    """Poetry's dependencies as pip writes them."""
    return " ".join([*dependencies, *_extras(dependencies)])


def is_installed(folder: Path, build: tuple[str, ...]) -> bool:
    """Whether the commands install the service itself as a package, not only its dependencies."""
    commands = "\n".join(build)
    held = toml_of(folder / "pyproject.toml")
    tools = table_of(held.get("tool"))
    if re.search(r"pip install --quiet \.(?:\[[\w.,-]+\])?$", commands, re.MULTILINE):
        return True
    if "uv sync" in commands:
        return bool(table_of(tools.get("uv")).get("package", "build-system" in held))
    if "poetry install" in commands:
        return table_of(tools.get("poetry")).get("package-mode") is not False
    if "pdm sync" in commands:
        return table_of(tools.get("pdm")).get("distribution") is not False
    itself = r"^\s*(?:-e|--editable)?[ \t=]*\.(?:\[[^]]*\])?\s*$|\bpath\s*=\s*[\"']\./?[\"']"
    return re.search(itself, needs_of(folder), re.MULTILINE) is not None
