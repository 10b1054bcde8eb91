"""What counts as the newer release: never one that comes before what is locked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from webdyno.outdated import cargo, composer, npm, pip
from webdyno.outdated.ecosystem import Package
from webdyno.outdated.newer import newer, newest_of_series, of_python


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1.10.0", "1.9.9"),
        ("v2.0.0", "1.9.0"),
        ("6.0.0", "6.0.0-beta.1"),
        ("6.0.0-beta.11", "6.0.0-beta.2"),
        ("6.0.0-rc.1", "6.0.0-beta.2"),
        ("3.0.0-RC1", "3.0.0-beta2"),
        ("6.0.0-beta.1", "5.3.0"),
        ("1.0.0-p1", "1.0.0-RC1"),
        ("6.2.0.Final", "6.1.9.Final"),
        ("1.2.1", "1.2"),
    ],
)
def test_releases_are_ordered(one: str, other: str) -> None:
    assert newer(one, other)
    assert not newer(other, one)


def test_the_same_release_is_not_newer_and_what_is_none_differs() -> None:
    assert not newer("v1.2.0", "1.2.0")
    assert not newer("1.2", "1.2.0")
    assert not newer("6.2.0.Final", "6.2.0")
    assert not newer("1.0.0+build.2", "1.0.0+build.1")
    assert newer("1.2.0", "")
    assert newer("dev-main 22bb", "dev-main 11aa")


def test_series_are_compared_by_number_and_final_releases_count() -> None:
    assert newest_of_series(["1.9.0", "1.10.0", "1.10.0-rc1", "2.0.0"], "1") == "1.10.0"
    assert newest_of_series(["1.27rc1", "1.26.3"], "") == "1.26.3"
    assert newest_of_series(["2.0.0"], "1") == ""
    assert newest_of_series(["2.9.0.post0", "2.9.0", "2.10.0.dev1"], "", of_python) == "2.9.0.post0"


@pytest.mark.parametrize("pin", ["2.9.0.post0", "3.0.0rc1", "2.9.0+cpu"])
def test_pip_does_not_go_back(pin: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = "it (2.9.0.post0)\nAvailable versions: 2.9.0, 2.8.2\n"
    monkeypatch.setattr(pip, "ask", lambda *_given: (said, ""))
    (tmp_path / "requirements.in").write_text(f"it=={pin}\n")
    assert pip.ECOSYSTEM.outdated_packages(tmp_path, "") == []
    (tmp_path / "requirements.in").write_text("it==2.8.2\n")
    assert pip.ECOSYSTEM.outdated_packages(tmp_path, "") == [
        Package("it", "2.8.2", "2.8.2", "2.9.0")
    ]


def test_npm_does_not_go_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: dict[str, Any] = {
        "ahead": {"wanted": "6.0.0-beta.1", "latest": "5.3.0"},
        "goes-on": {"wanted": "6.1.0", "latest": "5.3.0"},
    }
    held = {"node_modules/ahead": {"version": "6.0.0-beta.1"}}
    held["node_modules/goes-on"] = {"version": "6.0.0"}
    (tmp_path / "package-lock.json").write_text(json.dumps({"packages": held}))
    monkeypatch.setattr(npm, "_json", lambda *_given: said)
    assert npm.ECOSYSTEM.outdated_packages(tmp_path, "") == [
        Package("goes-on", "6.0.0", "6.1.0", "6.1.0")
    ]


def test_composer_and_cargo_do_not_go_back() -> None:
    said = {"locked": [{"name": "a/b", "version": "v6.0.0-BETA1", "latest": "v5.3.0"}]}
    assert composer.parsed(json.dumps(said)) == []
    assert cargo.parsed(" Downgrading bytes v1.12.1 -> v1.12.0\n", {"bytes"}) == []
