"""The programs of a package of Cargo, and which of them is the service."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from webdyno.ab.recognise.recognised import SERVICES, table_of


def programs_of(folder: Path, cargo: dict[str, Any]) -> list[str]:
    """The names of the programs that Cargo builds of the package in `folder`."""
    package = table_of(cargo.get("package"))
    held = cargo.get("bin")
    tables = [table_of(one) for one in held] if isinstance(held, list) else []
    named = [str(one["name"]) for one in tables if one.get("name")]
    # In the first edition, which is that of a package that names none, tables end the search.
    is_first = package.get("edition", "2015") == "2015"
    if not package.get("autobins", not (tables and is_first)):
        return sorted(set(named))
    paths = {os.path.normpath(str(one.get("path", ""))) for one in tables}
    unnamed = (name for name, path in _in_usual_places(folder, package) if path not in paths)
    return sorted({*named, *unnamed})


def _in_usual_places(folder: Path, package: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The names that Cargo gives to programs without a table, and where these are."""
    if (folder / "src/main.rs").is_file():
        yield str(package.get("name", "")), "src/main.rs"
    for path in folder.glob("src/bin/*.rs"):
        yield path.stem, path.relative_to(folder).as_posix()
    for path in folder.glob("src/bin/*/main.rs"):
        yield path.parent.name, path.relative_to(folder).as_posix()


def service_of(programs: list[str], cargo: dict[str, Any]) -> str:
    """The program that `cargo run` would start, else the one that is called like the package or
    as services are; empty where it is not clear which."""
    package = table_of(cargo.get("package"))
    name = str(package.get("name", ""))
    if told := package.get("default-run"):
        return str(told)
    if name in programs:
        return name
    likely = programs if len(programs) == 1 else [one for one in programs if one in SERVICES]
    return likely[0] if len(likely) == 1 else ""
