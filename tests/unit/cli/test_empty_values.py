"""An option with an empty value is not one that was left out."""

from __future__ import annotations

import pytest

from webdyno.cli.commands import COMMANDS, load
from webdyno.cli.main import main
from webdyno.cli.run import RunOptions, _run
from webdyno.errors import UserError

TEXTS = [
    (name, max(option.opts, key=len))
    for name in COMMANDS
    for option in load(name).params
    if option.param_type_name == "option"
    and not option.is_flag
    and not option.type_descriptor.is_choice
    and option.name not in ("body", "message")
]


@pytest.mark.parametrize(("command", "option"), TEXTS)
def test_an_empty_value_is_refused(
    command: str, option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [command, *[one.name for one in load(command).params if one.required]]
    assert main([*arguments, option, ""]) == 2
    said = capsys.readouterr().err
    assert said == f"webdyno: {option} is empty; give a value, or leave it out\n"


def test_an_empty_folder_is_not_the_working_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--content", "", "list", "studies"]) == 2
    said = capsys.readouterr()
    assert said.err == "webdyno: --content is empty; give a value, or leave it out\n"
    assert said.out == ""


def test_those_that_start_runs_are_among_them() -> None:
    assert {("run", "--resume"), ("gate", "--resume"), ("hit", "--method")} | {
        ("report", "--jtl")
    } <= set(TEXTS)


def test_an_empty_study_is_not_the_default_one() -> None:
    with pytest.raises(UserError, match="no study or scenario ''"):
        _run("", RunOptions(plain=True))
