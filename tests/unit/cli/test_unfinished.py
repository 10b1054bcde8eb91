"""How a run that has stopped is gone on with: by what made it, not by what its study is called."""

from __future__ import annotations

import pytest

from support.small_run import a_run
from support.small_study import a_study
from webdyno.cli.unfinished import how_to_finish
from webdyno.command_name import command_of
from webdyno.store.hardware import StoredMachines
from webdyno.store.records import RunRecord

GO_ON = "finish it (`webdyno run --resume half`)"
BY_ITS_COMMAND = "repeat its command with --resume half to finish it"
REPEAT = "repeat its command, since a comparison cannot be continued"


def stopped(study: str, command: str, **changes: object) -> RunRecord:
    asked = a_study().model_copy(update={"name": study}).model_dump(mode="json")
    return a_run("half", [], study=asked, command=command, status="interrupted", **changes)


@pytest.mark.parametrize(
    ("study", "command", "order"),
    [
        ("ab-tests", "./webdyno run ab-tests", GO_ON),
        ("gate-keeper", "./webdyno --content mine run gate-keeper --budget 3m", GO_ON),
        ("check-in", "./webdyno --content gate run check-in", GO_ON),
        ("gate-keeper", 'webdyno.run_study("gate-keeper")', GO_ON),
        ("mine", "./webdyno run it's", GO_ON),
        ("board-json", "./webdyno run board", GO_ON),
        ("gate-mine", "./webdyno gate --baseline main.json", BY_ITS_COMMAND),
        ("mine", "./webdyno --content=run gate --baseline main.json --unpaired", BY_ITS_COMMAND),
        ("ab-shop", "./webdyno ab main HEAD -r 'GET /run'", REPEAT),
        ("check-go-gin", "./webdyno check --since main", REPEAT),
    ],
)
def test_a_run_goes_on_as_what_made_it_can(study: str, command: str, order: str) -> None:
    assert how_to_finish(stopped(study, command)) == order


def test_what_was_updated_is_compared_by_another_command() -> None:
    said = how_to_finish(stopped("json", "./webdyno outdated go/gin --update --measure json"))
    assert said.startswith("compare what was updated by `webdyno check --since COMMIT`")


def test_a_run_of_several_machines_goes_on_with_them() -> None:
    run = stopped(
        "mine", "./webdyno run mine --machines", machines=StoredMachines(server="10.0.0.1")
    )
    assert how_to_finish(run) == "finish it (`webdyno run --resume half --machines`)"


def test_no_command_is_none() -> None:
    assert command_of([]) == command_of(["--version"]) == command_of(["--content"]) == ""
