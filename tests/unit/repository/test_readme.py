"""The README and the documentation are current."""

from __future__ import annotations

import re
import runpy
import tomllib
from pathlib import Path

import pytest

from webdyno.catalog import Catalog
from webdyno.cli.commands import COMMANDS

ROOT = Path(__file__).resolve().parents[3]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


WIDEST = 118
"""Columns of a line, tables and HTML apart."""


@pytest.mark.parametrize("page", [*PAGES, *ROOT.glob("engine/**/README.md")], ids=lambda p: p.name)
def test_lines_are_no_wider_than_an_editor(page: Path) -> None:
    lines = page.read_text(encoding="utf-8").splitlines()
    prose = [line for line in lines if not line.startswith(("|", "#", "<"))]
    assert [line for line in prose if len(line) > WIDEST] == []


def test_the_tables_of_servers_and_scenarios_are_current() -> None:
    script = runpy.run_path(str(ROOT / "docs" / "readme_tables.py"))
    readme = (ROOT / "README.md").read_text()
    made = script["tables"](Catalog([ROOT]))
    assert "| `node/http` |" in made
    assert script["replaced"](readme, made) == readme, (
        "run `.webdyno/venv/bin/python docs/readme_tables.py`"
    )


def test_the_two_commands_come_first() -> None:
    readme = (ROOT / "README.md").read_text()
    first_block = readme.split("```")[1]
    assert [line.split("#")[0].strip() for line in first_block.strip().splitlines()] == [
        "./webdyno run",
        "./webdyno test",
    ]


def test_the_pages_name_the_rust_that_the_engine_needs() -> None:
    cargo = tomllib.loads((ROOT / "engine" / "Cargo.toml").read_text())
    needed = f"Rust {cargo['package']['rust-version']}"
    for page in ("README.md", "docs/start.md"):
        assert needed in (ROOT / page).read_text(), page


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text())
    local = [link for link in links if "://" not in link]
    assert [link for link in local if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_that_pages_show_exist(page: Path) -> None:
    shown = set(re.findall(r"\./webdyno ([a-z]+)", page.read_text()))
    assert shown <= set(COMMANDS)
