"""`webdyno outdated`: what is said where no client could be asked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from webdyno.catalog import Catalog
from webdyno.cli.main import main
from webdyno.cli.outdated import _not_checked, _show
from webdyno.outdated.survey import RegistryAnswer, Subject, not_asked, subjects_of

CURRENT = "everything is up to date"
SYSTEMS = {"of the system": ["cpp/pistache"]}


def test_nothing_is_said_to_be_current_of_what_nobody_could_tell(
    capsys: pytest.CaptureFixture[str],
) -> None:
    missing = RegistryAnswer("php/laravel", unanswered=["composer is not installed"])
    _show([missing], SYSTEMS)
    said = capsys.readouterr().out
    assert CURRENT not in said
    assert "php/laravel: unknown: composer is not installed" in said
    assert "not checked: cpp/pistache (of the system)" in said
    _show([missing, RegistryAnswer("go/gin")], {})
    said = capsys.readouterr().out
    assert CURRENT not in said
    assert said.endswith("\neverything else is up to date\n")
    _show([RegistryAnswer("go/gin")], SYSTEMS)
    assert capsys.readouterr().out.endswith("\neverything else is up to date\n")
    _show([RegistryAnswer("go/gin")], {})
    assert capsys.readouterr().out == f"{CURRENT}\n"


def test_whom_json_leaves_out_is_told_beside_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("webdyno.cli.outdated.supervised", lambda work, _folder: work())
    assert main(["outdated", "cpp/pistache", "--json"]) == 0
    told = capsys.readouterr()
    assert json.loads(told.out) == []
    assert told.err.startswith("not checked: cpp/pistache (no manifest of a client that is asked")
    assert len(told.err.splitlines()) == 1


def test_ecosystems_that_are_not_asked_are_told_with_the_reason_in_one_line(
    tmp_path: Path,
) -> None:
    (tmp_path / "Gemfile").touch()
    subjects = subjects_of(Catalog(), ["cpp/httplib", "go/gin", "ruby/rails", "swift/vapor"])
    subjects.append(Subject("ruby/own", tmp_path, ()))
    left_out = not_asked(subjects)
    assert [*left_out.values()] == [["cpp/httplib", "ruby/rails"], ["swift/vapor"], ["ruby/own"]]
    said = _not_checked(left_out)
    assert said.startswith("not checked: cpp/httplib, ruby/rails (no manifest of a client that is ")
    assert "which apt or the like updates" in said
    assert "; swift/vapor (SwiftPM takes packages from git repositories, and lists no newer" in said
    assert said.endswith("; ruby/own (Bundler is not asked; run `bundle outdated`)")
    assert "\n" not in said


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
