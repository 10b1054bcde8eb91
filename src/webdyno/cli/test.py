"""`webdyno test`: a door to the quality gates of a checkout, which are no part of the package."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from webdyno.errors import UserError
from webdyno.runtime.home import Home


def test(
    arguments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="GATE",
            help="fast (format, lint, types and quick unit tests), format, lint, types, python, "
            "rust, rust-format, rust-lint, rust-build, rust-test, unit, cheats, concurrent, "
            "serial, integration, end_to_end, faults, browser, or all. If none is named, all "
            "but the cheats and the longest tests run. Arguments after -- go to pytest.",
        ),
    ] = None,  # noqa: PT028 (a command, not a test)
) -> None:
    """Run Webdyno's own quality gates; if one fails, the others still run."""
    root = Path(__file__).resolve().parents[3]
    if not (root / "tests" / "gates" / "command.py").is_file():
        raise UserError("`webdyno test` needs Webdyno's sources; run it in a clone")
    sys.path.insert(0, str(root / "tests"))
    from gates.command import run

    raise typer.Exit(0 if run(arguments or [], root, Home.default().root) else 1)
