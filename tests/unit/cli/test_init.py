"""What `webdyno init` writes, and what it says to do next."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.git_folder import git
from support.recognised import FLASK, NODE, write
from webdyno.catalog.descriptions.description import FILE, read_description
from webdyno.cli.main import main


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("WEBDYNO_PROGRAM", "webdyno")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "package.json").write_text('{"scripts": {"start": "node main.js"}}')
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "one")
    return tmp_path


def last_step(capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["init", "--force"]) == 0
    return capsys.readouterr().out.splitlines()[-1].lstrip(" 0123456789.")


def test_the_only_commit_is_compared_with_the_working_copy(
    service: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert last_step(capsys).startswith("webdyno ab HEAD    compares the last commit with your")


def test_without_a_commit_or_a_repository_no_commits_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, {"package.json": NODE})
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert last_step(capsys).startswith("webdyno ab . OTHER    compares this folder with another")
    git(tmp_path, "init", "-q", "-b", "main")
    assert last_step(capsys).startswith("commit, then: webdyno ab HEAD    compares the last commit")


def test_two_commits_are_named_where_there_are_two(
    service: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (service / "main.js").write_text("")
    git(service, "add", "-A")
    git(service, "commit", "-q", "-m", "two")
    assert last_step(capsys).startswith("webdyno ab HEAD~1 HEAD    compares two commits")
    # A branch of which nothing was committed yet is where the main branch is.
    git(service, "switch", "-q", "-c", "faster")
    assert last_step(capsys).startswith("webdyno ab HEAD    compares the last commit with your")
    git(service, "commit", "-q", "--allow-empty", "-m", "three")
    assert last_step(capsys).startswith("webdyno ab main HEAD    compares two commits")


def test_init_names_the_services_below(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(
        tmp_path,
        {
            "apps/package.json": "{}",
            "backend/requirements.txt": "flask\n",
            "backend/app.py": FLASK,
            "backend/node_modules/x/package.json": "{}",
            "docs/package.json": NODE,
            "src/shop/go.mod": "",
            "src/shop/main.go": "package main",
        },
    )
    monkeypatch.chdir(tmp_path)
    assert main(["init"]) == 2
    told = capsys.readouterr().err
    assert f"no manifest in {tmp_path}, but in backend, src/shop and apps; " in told
    assert "init backend`)" in told
    assert not (tmp_path / FILE).exists()
    assert main(["init", "backend"]) == 0
    assert "go to its folder: cd backend" in capsys.readouterr().out
    assert main(["init", "--force"]) == 0
    assert (tmp_path / FILE).exists()


def test_init_writes_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["init"]) == 0
    assert "set `language`, `build` and `run`" in capsys.readouterr().out
    assert read_description(tmp_path / FILE).run is None
    assert main(["init"]) == 2
    assert "--force replaces it" in capsys.readouterr().err
    assert main(["init", "--force"]) == 0
    assert main(["init", "no-such-folder"]) == 2
