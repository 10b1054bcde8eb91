"""The commit that a change is compared with."""

from pathlib import Path

import pytest

from support.git_folder import git
from webdyno.ab.git.checkout import find_commit, likely_base
from webdyno.ab.versions.version import from_places
from webdyno.errors import UserError


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
