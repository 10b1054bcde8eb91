"""Commits as work trees of their own, of which the repository knows nothing."""

import os
import re
from pathlib import Path

import pytest

from support.git_folder import git
from webdyno.ab.git.checkout import Commit, check_out, find_commit, likely_base, tracked
from webdyno.ab.versions import version as versions
from webdyno.ab.versions.version import from_one_folder, from_places
from webdyno.check.changes import changes_since
from webdyno.errors import UserError
from webdyno.runtime import disk


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    (folder / "api" / "vendor").mkdir(parents=True)
    (folder / "api" / "main.js").write_text("1")
    (folder / "api" / "vendor" / "kept.js").write_text("v")
    (folder / ".gitignore").write_text("secret\n")
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "one")
    (folder / "api" / "main.js").write_text("2")
    git(folder, "commit", "-q", "-a", "-m", "two")
    (folder / "api" / "main.js").write_text("3")
    (folder / "api" / "new.js").write_text("n")
    (folder / "secret").write_text("s")
    return folder


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


def test_one_place_alone_is_compared_with_the_working_copy(
    repository: Path, tmp_path: Path
) -> None:
    a, b = from_places(["main"], repository, tmp_path / "into")
    assert a.name.startswith("main (")
    assert (a.folder / "api" / "main.js").read_text() == "2"
    assert (b.name, b.folder) == ("the working copy", repository)
    # A commit is all source, whatever its folders are called.
    assert "api/vendor/kept.js" in (a.files(built=True) or ())


def test_only_a_folder_in_a_repository_is_a_working_copy(repository: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    for folder, told in ((repository, "the working copy"), (outside, "this folder")):
        assert from_one_folder(folder)[0].name == told
        a, b = from_places([".", str(folder)], folder, tmp_path / "into")
        assert (a.name, b.name) == (told, str(folder))


def test_folders_without_a_build_are_taken_whole(repository: Path, tmp_path: Path) -> None:
    (repository / "node_modules" / "x").mkdir(parents=True)
    (repository / "node_modules" / "x" / "i.js").write_text("")
    (repository / "link").symlink_to("api")
    a, _ = from_places([".", "."], repository, tmp_path / "into")
    whole = a.files(built=False) or ()
    assert "node_modules/x/i.js" in whole
    assert "link" in whole
    assert not [name for name in whole if name.startswith(".git/")]


@pytest.mark.parametrize(
    ("places", "said"),
    [
        (["main", "nowhere"], "'nowhere' is neither a folder nor a commit"),
        (["main", "HEAD", "x"], "compares two versions"),
    ],
)
def test_places_that_are_none_are_told(
    repository: Path, tmp_path: Path, places: list[str], said: str
) -> None:
    with pytest.raises(UserError, match=said):
        from_places(places, repository, tmp_path / "into")


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


def test_the_same_commit_twice_is_told(repository: Path, tmp_path: Path) -> None:
    git(repository, "checkout", "-q", "api/main.js")
    a, b = from_places(["main", "HEAD"], repository, tmp_path / "into")
    assert (a.caution, b.caution) == ("", "the same commit as A")


@pytest.mark.parametrize(
    ("places", "told"),
    [
        (
            ["HEAD~1", "HEAD"],
            ("", "without the uncommitted changes of your working copy (main.js)"),
        ),
        (
            ["main", "HEAD~1"],
            ("without the uncommitted changes of your working copy (main.js)", ""),
        ),
        # Here the changes are what is compared.
        (["HEAD"], ("", "")),
        (["HEAD", "."], ("", "")),
    ],
)
def test_changes_that_no_version_has_are_told(
    places: list[str], told: tuple[str, str], repository: Path, tmp_path: Path
) -> None:
    for folder, said in ((repository / "api", told), (repository / "api" / "vendor", ("", ""))):
        (folder / "webdyno.toml").write_text("")
        git(folder, "add", "webdyno.toml")
        versions = from_places(places, folder, tmp_path / f"of-{folder.name}")
        assert tuple(one.caution.partition("; ")[0] for one in versions) == said


def test_a_name_that_is_both_is_asked_about(repository: Path, tmp_path: Path) -> None:
    (repository / "main").mkdir()
    with pytest.raises(UserError, match=r"write \./main or refs/heads/main"):
        from_places(["main"], repository, tmp_path / "into")
    a, _ = from_places(["./main"], repository, tmp_path / "into")
    assert a.folder == repository / "main"


def test_a_tag_that_is_also_a_folder_is_asked_about_by_its_own_name(
    repository: Path, tmp_path: Path
) -> None:
    git(repository, "tag", "v1")
    (repository / "v1").mkdir()
    with pytest.raises(UserError, match=r"write \./v1 or refs/tags/v1"):
        from_places(["v1"], repository, tmp_path / "into")


def test_a_name_of_a_tag_and_of_a_branch_is_told(repository: Path, tmp_path: Path) -> None:
    git(repository, "checkout", "-q", "api/main.js")
    git(repository, "branch", "v1", "HEAD~1")
    git(repository, "tag", "v1", "HEAD")
    a, b = from_places(["v1", "heads/v1"], repository, tmp_path / "into")
    told = "v1 is taken for refs/tags/v1, as git does; write refs/heads/v1 if that is meant"
    assert (a.caution, b.caution) == (told, "")
    assert a.commit == git(repository, "rev-parse", "HEAD").strip()
    # With the same commit it does not matter which.
    git(repository, "branch", "-f", "v1", "HEAD")
    a, _ = from_places(["v1~1", "HEAD"], repository, tmp_path / "again")
    assert a.caution == ""


@pytest.mark.parametrize("places", [["", "HEAD"], ["HEAD", " "], [""]])
def test_a_version_that_a_variable_left_empty_is_refused(
    places: list[str], repository: Path, tmp_path: Path
) -> None:
    with pytest.raises(UserError, match="a version is empty; name a commit, a branch or a folder"):
        from_places(places, repository, tmp_path / "into")


def test_only_what_was_built_in_a_folder_makes_it_too_large(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(versions, "MOST_BYTES", 1)
    a, b = from_places(["HEAD", "."], repository, tmp_path / "into")
    # No build makes a commit smaller.
    assert "api/main.js" in (a.files(built=False) or ())
    with pytest.raises(UserError, match="name the commands that build it"):
        b.files(built=False)


def test_a_change_is_compared_with_the_main_branch(repository: Path, tmp_path: Path) -> None:
    # On the main branch itself, with the commit before.
    git(repository, "branch", "-m", "main", "trunk")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", str(repository), str(clone))
    assert likely_base(clone) == "HEAD~1"
    git(clone, "switch", "-q", "-c", "quicker")
    assert likely_base(clone) == "trunk"
    assert likely_base(tmp_path) == "main"


@pytest.mark.parametrize("name", ["master", "trunk"])
def test_the_base_that_is_named_is_there(repository: Path, tmp_path: Path, name: str) -> None:
    git(repository, "branch", "-m", "main", name)
    assert likely_base(repository) == "HEAD~1"
    git(repository, "switch", "-q", "-c", "quicker")
    assert likely_base(repository) == ("master" if name == "master" else "HEAD~1")
    git(repository, "switch", "-q", "--detach")
    assert find_commit(repository, likely_base(repository))


def test_a_clone_without_branches_of_its_own_names_that_of_its_origin(
    repository: Path, tmp_path: Path
) -> None:
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", str(repository), str(clone))
    git(clone, "switch", "-q", "--detach", "HEAD~1")
    git(clone, "branch", "-q", "-D", "main")
    assert likely_base(clone) == "origin/main"
    with pytest.raises(UserError, match="nor a commit of this git repository; write origin/main,"):
        from_places(["main", "HEAD"], clone, tmp_path / "into")


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
