"""Two versions of one dependency (`--with`): how each is installed, and what is told or refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from unit.ab.conftest import FILE
from unit.ab.test_wanted import paired
from webdyno.ab.moved import moved_with
from webdyno.ab.versions import Version, from_packages
from webdyno.errors import UserError


def test_a_dependency_is_installed_by_what_installed_the_others() -> None:
    def added(build: list[str]) -> tuple[str, ...]:
        a, _ = from_packages(["x@1", "x@2"], Path(), "python", [build])
        return a.added[0]

    assert added([".venv/bin/pip", "install", "."])[0] == ".venv/bin/pip"
    by_uv = added(["uv", "sync"])
    assert (by_uv[0], by_uv[-1]) == ("uv", "x==1")
    by_pdm = added(["pdm", "sync"])
    # Its environments hold no pip.
    assert "ensurepip" in " ".join(by_pdm)
    assert by_pdm[-1] == "x==1"


def installed(folder: Path, *packages: str) -> Path:
    """A build whose environment holds them."""
    for package in packages:
        made = folder / ".venv/lib/python3.12/site-packages" / f"{package}.dist-info"
        made.mkdir(parents=True)
    return folder


def test_what_moved_with_a_dependency_is_told(tmp_path: Path) -> None:
    versions = from_packages(["Flask[async]@2.3.3", "flask@3.0.0"], Path(), "python")
    both = ("jinja2-3.1.4", "typing_extensions-4.12.2")
    a = installed(tmp_path / "a", "flask-2.3.3", "werkzeug-2.3.8", *both)
    b = installed(tmp_path / "b", "flask-3.0.0", "werkzeug-3.0.1", "blinker-1.8.2", *both)
    assert moved_with(versions, (a, b)) == (
        "A and B also differ in other packages: blinker (none, 1.8.2) and werkzeug "
        "(2.3.8, 3.0.1); to compare the dependency alone, pin the others in the build"
    )


def test_what_differs_otherwise_has_not_moved(tmp_path: Path) -> None:
    a = installed(tmp_path / "a", "flask-2.3.3", "werkzeug-2.3.8")
    b = installed(tmp_path / "b", "flask-3.0.0", "werkzeug-2.3.8")
    c = installed(tmp_path / "c", "flask-3.0.0", "werkzeug-3.0.1")
    of_flask = from_packages(["flask@2.3.3", "flask@3.0.0"], Path(), "python")
    assert moved_with(of_flask, (a, b)) == ""
    of_folders = Version("a", "here", a), Version("b", "there", c)
    assert moved_with(of_folders, (a, c)) == ""


@pytest.mark.parametrize(
    ("install", "command"),
    [
        ("npm install", ["npm", "install"]),
        ("npm i", ["npm", "install"]),
        ("yarn install", ["yarn", "add"]),
        ("yarn", ["yarn", "add"]),
        ("yarn --frozen-lockfile", ["yarn", "add"]),
        ("pnpm install", ["pnpm", "add"]),
        ("pnpm i", ["pnpm", "add"]),
    ],
)
def test_a_dependency_is_installed_before_what_bundles_it(
    here: Path, tmp_path: Path, install: str, command: list[str]
) -> None:
    path = here / "webdyno.toml"
    installer = install.split()[0]
    build = f'commands = ["{install}", "{installer} run build"]'
    path.write_text(FILE.replace('commands = ["npm ci"]', build))
    pair = paired(here, tmp_path / "into", packages=["express@4", "express@5"])
    for letter, version in (("a", "express@4"), ("b", "express@5")):
        first, added, last = pair.catalog.server(f"shop/{letter}").manifest.build.commands
        assert first == install.split()
        assert (added[:2], added[-1]) == (command, version)
        assert last == [installer, "run", "build"]


def test_a_dependency_that_no_manifest_names_is_told(here: Path, tmp_path: Path) -> None:
    (here / "package.json").write_text('{"dependencies": {"express": "4"}}')

    def told(*packages: str) -> list[str]:
        return [one.caution for one in paired(here, tmp_path / "into", packages=packages).versions]

    assert told("express@4", "express@5") == ["", ""]
    assert all(
        one.startswith("expres is not in package.json") for one in told("expres@4", "expres@5")
    )


def test_only_a_service_on_node_is_told_what_package_json_lacks(here: Path, tmp_path: Path) -> None:
    (here / "package.json").write_text('{"devDependencies": {"vite": "7"}}')
    text = FILE.replace('"node"', '"python"').replace("npm ci", ".venv/bin/pip install .")
    (here / "webdyno.toml").write_text(text)
    for packages in (["django@5.1", "django@5.2"], ["django==5.1", "django==5.2"]):
        pair = paired(here, tmp_path / "into", packages=packages)
        assert [one.caution for one in pair.versions] == ["", ""]


def test_a_dependency_of_another_language_is_refused(here: Path, tmp_path: Path) -> None:
    (here / "webdyno.toml").write_text(FILE.replace('"node"', '"go"'))
    with pytest.raises(UserError, match=r"for services in Node\.js and Python, not go; compare"):
        paired(here, tmp_path / "into", packages=["x@1", "x@2"])


def test_packages_are_installed_after_the_other_dependencies(here: Path, tmp_path: Path) -> None:
    pair = paired(here, tmp_path / "into", packages=["@x/y@1.0", "@x/y@2.0"])
    a, b = (pair.catalog.server(f"shop/{letter}") for letter in "ab")
    assert a.manifest.build.commands[0] == ["npm", "ci"]
    assert a.manifest.build.commands[1][-1] == "@x/y@1.0"
    assert a.build_id != b.build_id
