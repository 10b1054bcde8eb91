"""Submodules are built with the version that has them, or named."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from support.git_folder import git
from webdyno.ab.git.checkout import tracked
from webdyno.ab.versions.version import from_one_folder, from_places

NAMED = "without the files of its git submodules (vendor/lib), which this clone does not have"


def made(folder: Path, text: str) -> Path:
    folder.mkdir()
    (folder / "file.js").write_text(text)
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", text)
    return folder


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with a submodule, which has one itself; of two commits of its own. Nobody
    changes it."""
    tmp_path = tmp_path_factory.mktemp("repositories")
    added = ("-c", "protocol.file.allow=always", "submodule", "--quiet", "add")
    inner, lib = made(tmp_path / "inner", "i"), made(tmp_path / "lib", "1")
    git(lib, *added, str(inner), "inner")
    git(lib, "commit", "-q", "-m", "with inner")
    shop = made(tmp_path / "shop", "s")
    git(shop, *added, str(lib), "vendor/lib")
    update = ("submodule", "--quiet", "update", "--init", "--recursive")
    git(shop, "-c", "protocol.file.allow=always", *update)
    git(shop, "commit", "-q", "-m", "one")
    (shop / "vendor/lib/file.js").write_text("2")
    git(shop / "vendor/lib", "commit", "-q", "-a", "-m", "two")
    git(shop, "commit", "-q", "-a", "-m", "two")
    return shop


def test_each_commit_has_its_submodules_and_the_working_copy_too(
    shop: Path, tmp_path: Path
) -> None:
    a, b = from_places(["HEAD~1"], shop, tmp_path / "into")
    assert (a.caution, b.caution) == ("", "")
    assert [(one.folder / "vendor/lib/file.js").read_text() for one in (a, b)] == ["1", "2"]
    files = {"file.js", "vendor/lib/file.js", "vendor/lib/inner/file.js"}
    assert files <= set(a.files(built=True) or ())
    assert files <= set(b.files(built=True) or ())
    assert not [name for name in a.files(built=True) or () if "index" in name]
    # Only what is below the folder that is built.
    assert tracked(shop / "vendor") == (
        "lib/.gitmodules", "lib/file.js", "lib/inner/file.js",
    )  # fmt: skip
    assert git(shop, "status", "--short") == ""


def test_those_that_were_never_fetched_are_named(shop: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", str(shop), "clone")
    clone = tmp_path / "clone"
    for one in (*from_places(["HEAD~1"], clone, tmp_path / "into"), from_one_folder(clone)[0]):
        assert one.caution.startswith(NAMED)
        assert one.caution.endswith("fetch them with `git submodule update --init --recursive`")
    # Not in the folder that is compared.
    (clone / "api").mkdir()
    assert from_one_folder(clone / "api")[0].caution == ""


def test_no_setting_has_git_write_to_the_repository(shop: Path, tmp_path: Path) -> None:
    own = Path(shutil.copytree(shop, tmp_path / "shop", symlinks=True))
    git(own, "config", "submodule.recurse", "true")
    git(own, "config", "core.splitIndex", "true")

    def held() -> dict[Path, bytes]:
        return {one: one.read_bytes() for one in (own / ".git").rglob("*") if one.is_file()}

    before = held()
    a, b = from_places(["HEAD~1", "HEAD"], own, tmp_path / "into")
    assert [(one.folder / "vendor/lib/file.js").read_text() for one in (a, b)] == ["1", "2"]
    assert held() == before
