"""Versions agree, and lock files hold exact versions, hashes and no addresses."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

import webdyno

ROOT = Path(__file__).resolve().parents[3]
LOCKS = [
    "requirements.lock",
    "requirements-dev.lock",
    "requirements-docs.lock",
    "requirements-build.lock",
    "requirements-installer.lock",
    "requirements-cluster.lock",
    "requirements-postgresql.lock",
]


def toml(name: str) -> dict[str, Any]:
    return tomllib.loads((ROOT / name).read_text())


def pins(name: str) -> dict[str, str]:
    """Package to version; every requirement must be an exact one."""
    found = {}
    for line in (ROOT / name).read_text().splitlines():
        if line and not line.startswith((" ", "#")):
            match = re.fullmatch(r"([a-z0-9-]+)==(\S+)(?: ; .+)? \\", line)
            assert match, line
            found[match[1]] = match[2]
    return found


def test_package_project_and_engine_have_one_version() -> None:
    engine = toml("engine/Cargo.toml")["package"]["version"]
    assert webdyno.__version__ == toml("pyproject.toml")["project"]["version"] == engine


@pytest.mark.parametrize("name", LOCKS)
def test_every_package_has_hashes(name: str) -> None:
    text = (ROOT / name).read_text()
    blocks = re.split(r"(?m)^(?=[a-z])", text)[1:]
    assert len(blocks) == len(pins(name)) > 0
    assert [block for block in blocks if "--hash=sha256:" not in block] == []


@pytest.mark.parametrize("name", LOCKS)
def test_no_addresses(name: str) -> None:
    text = (ROOT / name).read_text()
    assert re.findall(r"://|--index-url|--find-links|--trusted-host| @ ", text) == []


def test_the_lock_for_development_holds_the_same_versions() -> None:
    run, develop = pins("requirements.lock"), pins("requirements-dev.lock")
    assert {name: develop.get(name) for name in run} == run


def test_locks_hold_what_the_project_asks_for() -> None:
    project = toml("pyproject.toml")["project"]
    asked = {re.match(r"[a-z0-9-]+", line)[0] for line in project["dependencies"]}
    assert asked <= set(pins("requirements.lock"))
    extra = {re.match(r"[a-z0-9-]+", line)[0] for line in project["optional-dependencies"]["dev"]}
    assert extra <= set(pins("requirements-dev.lock"))
    docs = {re.match(r"[a-z0-9-]+", line)[0] for line in project["optional-dependencies"]["docs"]}
    assert docs <= set(pins("requirements-docs.lock"))
    many = {
        re.match(r"[a-z0-9-]+", line)[0] for line in project["optional-dependencies"]["cluster"]
    }
    assert many <= set(pins("requirements-cluster.lock"))


def test_the_lock_for_many_machines_fits_beside_the_others() -> None:
    cluster, develop = pins("requirements-cluster.lock"), pins("requirements-dev.lock")
    shared = cluster.keys() & develop.keys()
    assert shared
    assert {name: cluster[name] for name in shared} == {name: develop[name] for name in shared}


def test_the_build_lock_is_the_build_systems_own_requirement() -> None:
    (requirement,) = toml("pyproject.toml")["build-system"]["requires"]
    assert pins("requirements-build.lock") == dict([requirement.split("==")])
