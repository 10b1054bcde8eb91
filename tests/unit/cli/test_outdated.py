"""`webdyno outdated`: what is said where no client could be asked."""

from __future__ import annotations

import json

import pytest

from webdyno.cli.main import main
from webdyno.cli.outdated import _show
from webdyno.outdated.survey import RegistryAnswer

CURRENT = "everything is up to date"


def test_nothing_is_said_to_be_current_of_what_nobody_could_tell(
    capsys: pytest.CaptureFixture[str],
) -> None:
    missing = RegistryAnswer("php/laravel", unanswered=["composer is not installed"])
    _show([missing], ["cpp/pistache"])
    said = capsys.readouterr().out
    assert CURRENT not in said
    assert "php/laravel: unknown: composer is not installed" in said
    assert "not checked, because no client is known: cpp/pistache" in said
    _show([missing, RegistryAnswer("go/gin")], [])
    said = capsys.readouterr().out
    assert CURRENT not in said
    assert said.endswith("\neverything else is up to date\n")
    _show([RegistryAnswer("go/gin")], ["cpp/pistache"])
    assert capsys.readouterr().out.endswith("\neverything else is up to date\n")
    _show([RegistryAnswer("go/gin")], [])
    assert capsys.readouterr().out == f"{CURRENT}\n"


def test_whom_json_leaves_out_is_told_beside_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("webdyno.cli.outdated.supervised", lambda work, _folder: work())
    assert main(["outdated", "cpp/pistache", "--json"]) == 0
    told = capsys.readouterr()
    assert json.loads(told.out) == []
    assert told.err == "not checked, because no client is known: cpp/pistache\n"


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["go/gin", "go/ginn"], "go/ginn"),
        (["go/gin", "cpp/pistache"], "cpp/pistache: no client is known; update the files by hand"),
    ],
)
def test_nothing_is_updated_where_one_cannot_be(
    names: list[str],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(
        "webdyno.outdated.update.update", lambda server: pytest.fail(f"{server.id} was updated")
    )
    monkeypatch.setattr("webdyno.cli.outdated.supervised", lambda work, _folder: work())
    assert main(["outdated", "--update", *names]) == 2
    assert said in capsys.readouterr().err
