"""The page about the command line says what its help says today."""

from __future__ import annotations

from typing import Any

import pytest

from support.docs_script import DOCS, docs_script
from webdyno.cli.commands import COMMANDS, load
from webdyno.cli.exit_codes import OF_COMMANDS
from webdyno.run.comparison.outcome import EXIT_CODES

TOLD = (DOCS / "commands.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def script() -> dict[str, Any]:
    return docs_script("commands_page")


def section(command: str) -> str:
    return TOLD.partition(f"\n## {command}\n")[2].partition("\n## ")[0]


def test_the_page_is_that_of_the_help(script: dict[str, Any]) -> None:
    assert script["page"]() == TOLD, "run `.webdyno/venv/bin/python docs/commands_page.py`"
    assert [line for line in TOLD.splitlines() if len(line) > 118] == []


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_of_a_command_is_in_its_section(command: str) -> None:
    told = section(command)
    assert f"\nwebdyno {command} " in told
    options = [name for one in load(command).params for name in (*one.opts, *one.secondary_opts)]
    for option in options:
        assert not option.startswith("-") or f"`{option}" in told, option


def test_exit_codes_are_those_of_the_code() -> None:
    unsettled = EXIT_CODES["not settled"]
    for command in ("ab", "check", "gate"):
        assert set(EXIT_CODES.values()) <= set(OF_COMMANDS[command])
        assert f"\n- `{unsettled}`: " in section(command)
    assert set(OF_COMMANDS) <= set(COMMANDS)


@pytest.mark.parametrize(
    ("names", "told", "line"),
    [
        (
            "-c, --count N",
            "Many.  [from 1 to 1,000]",
            "- `-c`, `--count N`: Many. From 1 to 1,000.",
        ),
        ("--count N", "How many.  [at least 1]", "- `--count N`: How many. At least 1."),
        (
            "--seconds SECONDS",
            "How long.  [default: 6.0; from 1 to 120]",
            "- `--seconds SECONDS`: How long. Default: `6.0`. From 1 to 120.",
        ),
        (
            "--noise / --no-noise",
            "Measure it.  [default: noise]",
            "- `--noise`, `--no-noise`: Measure it. Default: `--noise`.",
        ),
        (
            "name",
            "Its name[@variant], or 'latest'.  [required]",
            "- `name`: Its name[@variant], or `latest`. Required.",
        ),
        (
            "--with TEXT",
            "With --rate: a server's 'a < b', or < 1.",
            "- `--with TEXT`: With `--rate`: a server's `a < b`, or &lt; 1.",
        ),
    ],
)
def test_what_the_help_has_in_brackets_is_a_sentence(
    script: dict[str, Any], names: str, told: str, line: str
) -> None:
    assert script["_item"](names, told) == line
