"""Commits as work trees of their own, of which the repository knows nothing."""

import os
import re
from pathlib import Path

import pytest

from support.git_folder import git
from webdyno.ab.git.checkout import Commit, check_out, find_commit, tracked, uncommitted
from webdyno.ab.versions.version import from_places
from webdyno.check.changes import changes_since
from webdyno.errors import UserError
from webdyno.runtime import disk


def test_a_commit_is_checked_out_beside_a_changed_working_copy(
    repository: Path, tmp_path: Path
) -> None:
    before = sorted(str(path) for path in (repository / ".git").rglob("*"))
    commit = find_commit(repository / "api", "HEAD~1")
    assert commit is not None
    assert commit.subfolder == "api"
    folder = check_out(commit, tmp_path / "into" / "a")
    assert folder.name == "api"
    assert (folder / "main.js").read_text() == "1"
    assert (folder / "vendor" / "kept.js").read_text() == "v"
    # Nothing is registered, locked or staged in the repository.
    assert sorted(str(path) for path in (repository / ".git").rglob("*")) == before
    assert (repository / "api" / "main.js").read_text() == "3"
    assert "main.js" in git(repository, "status", "--short")


def test_a_folder_is_found_whose_name_begins_with_a_space(repository: Path, tmp_path: Path) -> None:
    folder = repository / " api"
    folder.mkdir()
    (folder / "main.js").write_text("1")
    git(repository, "add", ".")
    git(repository, "commit", "--quiet", "-m", "a space")
    commit = find_commit(folder, "HEAD")
    assert commit is not None
    assert commit.subfolder == " api"
    assert (check_out(commit, tmp_path / "into" / "a") / "main.js").read_text() == "1"
    (folder / "main.js").write_text("2")
    assert uncommitted(folder) == ("main.js",)


def test_what_is_no_commit_is_none(repository: Path, tmp_path: Path) -> None:
    assert find_commit(repository, "no-such-branch") is None
    assert find_commit(repository, "--all") is None
    assert find_commit(tmp_path, "HEAD") is None


def test_sources_are_what_git_does_not_ignore(repository: Path, tmp_path: Path) -> None:
    assert tracked(repository) == (
        ".gitignore", "api/main.js", "api/new.js", "api/vendor/kept.js",
    )  # fmt: skip
    assert tracked(repository / "api") == ("main.js", "new.js", "vendor/kept.js")
    assert tracked(tmp_path) is None


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to another user")
def test_a_repository_of_another_user_is_told_as_that(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    os.chown(repository, 65534, 65534)
    os.chown(repository / ".git", 65534, 65534)
    remedy = f"another user owns; allow it: git config --global --add safe.directory {repository}"
    # Allowing a folder of the repository would not do.
    for folder in (repository, repository / "api"):
        with pytest.raises(UserError, match=f"{re.escape(remedy)}$"):
            from_places(["main", "HEAD"], folder, tmp_path / "into")
    # What is told is what helps.
    config = tmp_path / "gitconfig"
    config.write_text(f"[safe]\n\tdirectory = {repository}\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    from_places(["main", "HEAD"], repository / "api", tmp_path / "into")


def test_a_full_disk_is_told_as_that(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    absent = Commit(repository / ".git", "0" * 40, "")
    with pytest.raises(UserError, match="run `git fsck`"):
        check_out(absent, tmp_path / "into" / "a")
    monkeypatch.setattr(disk, "_free_bytes", lambda _: 0.0)
    with pytest.raises(UserError, match=r"into/b: 0\.0 MB free, .*make room there"):
        check_out(absent, tmp_path / "into" / "b")


@pytest.mark.parametrize(
    ("place", "remedy"),
    [
        (
            "HEAD~1",
            "fetch more of its history (git fetch --deepen 1; in an action, fetch-depth: 2)",
        ),
        ("HEAD~2", "(git fetch --deepen 2; in an action, fetch-depth: 3)"),
        ("HEAD^1~1", "(git fetch --deepen 2; in an action, fetch-depth: 3)"),
        (
            "old",
            "(git fetch --depth 1 origin old:old; in an action, fetch-depth: 0, which fetches "
            "a branch as origin/old)",
        ),
        ("old~1", "fetch old as well (git fetch --depth 1 origin old:old;"),
        (
            "origin/old",
            "(git fetch --depth 1 origin old:refs/remotes/origin/old; in an action, fetch-depth: "
            "0)",
        ),
        ("v1", "(git fetch --depth 1 origin v1:v1;"),
        ("HASH", "(git fetch --depth 1 origin HASH;"),
    ],
)
def test_a_shallow_clone_says_what_fetches_what_it_lacks(
    place: str, remedy: str, repository: Path, tmp_path: Path
) -> None:
    git(repository, "commit", "-q", "--allow-empty", "-m", "newer")
    git(repository, "branch", "old", "HEAD~1")
    git(repository, "tag", "v1", "HEAD~1")
    git(repository, "config", "uploadpack.allowAnySHA1InWant", "true")
    hash_ = git(repository, "rev-parse", "old").strip()
    place, remedy = place.replace("HASH", hash_), remedy.replace("HASH", hash_)
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{repository}", str(clone))
    with pytest.raises(UserError, match="which is a shallow clone; fetch") as told:
        from_places([place, "HEAD"], clone, tmp_path / "into")
    assert remedy in str(told.value)
    found = re.search(r"\(git (fetch [^;]*);", str(told.value))
    assert found is not None
    git(clone, *found[1].split())
    if place != "old~1":
        assert find_commit(clone, place)


def test_a_folder_without_commits_is_told_as_such(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="nor a commit, as this folder is in no git repository"):
        from_places(["main", "HEAD"], tmp_path, tmp_path / "into")
    git(tmp_path, "init", "-q")
    with pytest.raises(UserError, match="this git repository has none yet; commit first"):
        from_places(["main", "HEAD"], tmp_path, tmp_path / "into")


def test_a_machine_without_git_is_told_so(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository / "old").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    with pytest.raises(UserError, match="nor a commit, as git is not installed; install it"):
        from_places(["main", "HEAD"], repository, tmp_path / "into")
    with pytest.raises(UserError, match="--since main: git is not installed; install it"):
        changes_since(repository, "main")
    # Two folders need none.
    a, b = from_places(["api", "old"], repository, tmp_path / "into")
    assert (a.folder, b.folder) == (repository / "api", repository / "old")


@pytest.mark.parametrize(
    "said",
    [
        "fatal: detected dubious ownership in repository at '/shop'",
        "fatal: unsafe repository ('/shop' is owned by someone else)",
    ],
)
def test_a_repository_that_git_refuses_is_told_with_the_remedy(
    said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "git").write_text(f'#!/bin/sh\necho "{said}" >&2\nexit 128\n')
    (programs / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    with pytest.raises(UserError, match="another user owns; allow it: git config --global"):
        find_commit(tmp_path, "HEAD")
