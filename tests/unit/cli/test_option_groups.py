"""The options of commands that have many stand under headings."""

from __future__ import annotations

import pytest
import typer

from webdyno.cli.commands import COMMANDS, load
from webdyno.cli.main import main
from webdyno.cli.option_groups import ARGUMENTS, OF_COMMANDS, grouped

MOST_UNGROUPED = 12


@pytest.mark.parametrize("name", OF_COMMANDS)
def test_every_option_has_one_heading(name: str) -> None:
    command = load(name)
    known = [name for names in OF_COMMANDS[name].values() for name in names]
    options = [one.name for one in command.params if one.param_type_name == "option"]
    assert sorted(known) == sorted(options)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_of_many_options_groups_them(name: str) -> None:
    options = [one for one in load(name).params if one.param_type_name == "option"]
    assert name in OF_COMMANDS or len(options) <= MOST_UNGROUPED


def test_the_help_lists_the_headings_in_order_and_each_option_below_its_own(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["hit", "--help"]) == 0
    lines = capsys.readouterr().out.splitlines()
    headings = [f"{title}:" for title in (ARGUMENTS, *OF_COMMANDS["hit"], "Other", "Exit codes")]
    places = [lines.index(heading) for heading in headings]
    assert places == sorted(places)
    output = lines[places[headings.index("Output:")] : places[headings.index("Other:")]]
    assert [line.split()[0] for line in output[1:] if line.startswith("  -")] == [
        "--json",
        "--record",
    ]


def test_all_groups_share_one_column(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--help"]) == 0
    options = [line for line in capsys.readouterr().out.splitlines() if line.startswith("  --")]
    texts = {
        len(line) - len(line[2:].split("  ", 1)[1].lstrip()) for line in options if "   " in line
    }
    assert len(texts) == 1


def test_arguments_come_first_and_what_has_no_heading_last() -> None:
    command = load("hit")
    titles = [title for title, _ in grouped(command, typer.Context(command))]
    assert titles[0] == ARGUMENTS
    assert titles[-1] == "Other"
