"""Versions that are the same in all that is built and started."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from support.git_folder import git
from webdyno.ab.study.pairing import Pairing, pairing
from webdyno.ab.versions.identical import identical_versions
from webdyno.ab.versions.version import Version, from_places
from webdyno.catalog import Catalog
from webdyno.catalog.descriptions.description import Description
from webdyno.runtime.builds.build import Build, digest_of


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Two commits that differ beside the service's own folder alone, which is given."""
    top = tmp_path / "repository"
    service = top / "services/api"
    (service / "lib").mkdir(parents=True)
    for name in ("z.js", "lib/a.js", "a.js"):
        (service / name).write_text(name)
    git(top, "init", "--quiet")
    for text in ("1", "2"):
        (top / "shared.js").write_text(text)
        git(top, "add", ".")
        git(top, "commit", "--quiet", "-m", text)
    return service


def paired(versions: tuple[Version, Version], folder: Path) -> Pairing:
    description = Description.model_validate(
        {
            "name": "shop",
            "requests": ["GET /"],
            "build": {"commands": ["make"]},
            "run": {"command": "./shop"},
        }
    )
    return pairing(description, versions, Catalog(), folder)


def told(pair: Pairing) -> str:
    servers = list(pair.catalog.pair.values())
    builds = [Build(Path(), digest_of(one, {}), 0.0, False, 0) for one in servers]
    return identical_versions(pair.versions, servers, builds)


@pytest.mark.parametrize("places", [["HEAD~1", "HEAD"], ["HEAD~1"]])
def test_what_differs_outside_the_folder_is_not_compared(
    repository: Path, tmp_path: Path, places: list[str]
) -> None:
    pair = paired(from_places(places, repository, tmp_path / "into"), tmp_path)
    assert told(pair).startswith(
        "A and B are built from the same files and started in the same way, so any"
    )


def test_a_change_in_the_folder_or_in_the_command_is_one(repository: Path, tmp_path: Path) -> None:
    (repository / "lib/a.js").write_text("changed")
    versions = from_places(["HEAD~1"], repository, tmp_path / "into")
    assert told(paired(versions, tmp_path)) == ""
    (repository / "lib/a.js").write_text("lib/a.js")
    a, b = from_places(["HEAD~1"], repository, tmp_path / "again")
    assert told(paired((a, replace(b, command=("./other",))), tmp_path)) == ""


def test_what_was_meant_to_be_the_same_is_told_otherwise(repository: Path, tmp_path: Path) -> None:
    pair = paired(from_places(["HEAD", "HEAD"], repository, tmp_path / "into"), tmp_path)
    assert pair.versions[1].caution == "the same commit as A"
    assert told(pair) == ""
