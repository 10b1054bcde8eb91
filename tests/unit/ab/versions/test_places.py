"""Two places as versions: folders, commits, or one of each."""

from pathlib import Path

import pytest

from support.git_folder import git
from webdyno.ab.versions import version as versions
from webdyno.ab.versions.version import from_one_folder, from_places
from webdyno.errors import UserError


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
    told = "v1 is taken as refs/tags/v1, as git does; write refs/heads/v1 if you mean that"
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
