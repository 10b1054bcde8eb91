"""Files that Git LFS keeps elsewhere are told where a version has only pointers to them."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.git_folder import git
from webdyno.ab.versions.version import from_places
from webdyno.errors import UserError

POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 4\n"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    (folder / "api").mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    return folder


def test_files_that_git_lfs_did_not_fetch_are_told(repository: Path, tmp_path: Path) -> None:
    (repository / "api" / "model.bin").write_text(POINTER)
    git(repository, "add", "-A")
    git(repository, "commit", "-q", "-m", "three")
    a, b = from_places(["HEAD", "."], repository, tmp_path / "into")
    assert (a.caution, b.caution) == ("", "")  # It is a file like others.
    (repository / ".gitattributes").write_text("*.bin filter=lfs diff=lfs merge=lfs -text\n")
    git(repository, "add", "-A")
    git(repository, "commit", "-q", "-m", "four")
    told = "with Git LFS pointers in place of the files themselves (api/model.bin); fetch them"
    for place in (repository, repository / "api"):
        a, b = from_places(["HEAD", "."], place, tmp_path / f"of-{place.name}")
        assert a.caution.startswith(told)
        assert b.caution.startswith(told)
    (repository / "api" / "model.bin").write_text("real")
    _, b = from_places(["HEAD", "."], repository, tmp_path / "fetched")
    assert b.caution == ""


def test_files_that_git_lfs_cannot_fetch_are_not_told_as_a_broken_repository(
    repository: Path, tmp_path: Path
) -> None:
    (repository / ".gitattributes").write_text("*.bin filter=lfs\n")
    (repository / "model.bin").write_text(POINTER)
    git(repository, "add", "-A")
    git(repository, "commit", "-q", "-m", "three")
    git(repository, "config", "filter.lfs.smudge", "false")
    git(repository, "config", "filter.lfs.required", "true")
    with pytest.raises(UserError, match=r"fetch what it needs \(`git lfs fetch --all`\)"):
        from_places(["HEAD", "."], repository, tmp_path / "into")
    for number, said in enumerate(
        (
            "git-lfs smudge: 1: git-lfs: not found",
            "git: 'lfs' is not a git command. See 'git --help'.",
        )
    ):
        (repository / "says").write_text(f"{said}\n")
        git(repository, "config", "filter.lfs.smudge", f"cat '{repository}/says' >&2; false")
        with pytest.raises(UserError, match=r"uses Git LFS, which is not installed; install git-l"):
            from_places(["HEAD", "."], repository, tmp_path / f"without-{number}")
