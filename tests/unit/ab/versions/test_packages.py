"""Two versions of one dependency (`--with`): how each is installed, and what is told or refused."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from unit.ab.conftest import FILE, paired
from webdyno.ab.flags import Flags
from webdyno.ab.versions.installers import with_added
from webdyno.ab.versions.package_differences import other_package_differences, unchanged_dependency
from webdyno.ab.versions.packages import from_packages
from webdyno.ab.versions.version import Version
from webdyno.catalog.terms.command import argv_of
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


def test_bun_installs_what_npm_has() -> None:
    for build, added in (("bun", ("bun", "add", "x@1")), ("npm", ("npm", "install"))):
        a, _ = from_packages(["x@1", "x@2"], Path(), "bun", [[build, "install"]])
        assert a.added[0][: len(added)] == added


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
    assert other_package_differences(versions, (a, b)) == (
        "A and B also differ in other packages: blinker (none, 1.8.2) and werkzeug "
        "(2.3.8, 3.0.1); to compare the dependency alone, pin the others in the build"
    )


def held(folder: Path, **packages: str) -> Path:
    """A build that holds `express` in the folders of packages named, each in a version."""
    for place, version in packages.items():
        path = folder / place.replace("__", "/") / "node_modules/express/package.json"
        path.parent.mkdir(parents=True)
        path.write_text(f'{{"version": "{version}"}}')
    return folder


def test_a_dependency_that_both_builds_hold_alike_is_told(tmp_path: Path) -> None:
    versions = from_packages(["express@4", "express@5"], Path(), "node")
    # As where a member of a workspace pins its own.
    a = held(tmp_path / "a", **{"": "4.21.2", "packages__api": "4.18.2", "node_modules__x": "3.0"})
    b = held(tmp_path / "b", **{"": "5.1.0", "packages__api": "4.18.2", "node_modules__x": "3.0"})
    told = unchanged_dependency(versions, (a, b))
    assert "the same express installed (4.18.2 in packages/api), so they do not differ" in told
    # npm gives a member a copy of its own only where it cannot have that at the top.
    alone = held(tmp_path / "alone", **{"": "4.18.2", "node_modules__x": "3.0"})
    assert unchanged_dependency(versions, (alone, b)) == told
    c = held(tmp_path / "c", **{"": "5.1.0"})
    assert unchanged_dependency(versions, (a, c)) == ""
    # As where `uv run` puts back what is locked.
    of_python = from_packages(["Flask@2.3.3", "Flask@3.0.0"], Path(), "python")
    one, other = (installed(tmp_path / name, "flask-3.1.0") for name in "de")
    assert "the same Flask installed (3.1.0), so they do not" in unchanged_dependency(
        of_python, (one, other)
    )
    twice = from_packages(["express@5", "express@5"], Path(), "node")
    assert unchanged_dependency(twice, (c, c)) == ""


def test_what_an_environment_below_holds_is_told(tmp_path: Path) -> None:
    versions = from_packages(["flask@2.3.3", "flask@3.0.0"], Path(), "python")
    a, b = tmp_path / "a", tmp_path / "b"
    installed(a / "api", "flask-2.3.3", "werkzeug-2.3.8")
    installed(b / "api", "flask-2.3.3", "werkzeug-3.0.1")
    assert "the same flask installed (2.3.3 in api), so they do not differ" in unchanged_dependency(
        versions, (a, b)
    )
    assert "other packages: werkzeug (2.3.8, 3.0.1)" in other_package_differences(versions, (a, b))


def test_what_differs_otherwise_has_not_moved(tmp_path: Path) -> None:
    a = installed(tmp_path / "a", "flask-2.3.3", "werkzeug-2.3.8")
    b = installed(tmp_path / "b", "flask-3.0.0", "werkzeug-2.3.8")
    c = installed(tmp_path / "c", "flask-3.0.0", "werkzeug-3.0.1")
    of_flask = from_packages(["flask@2.3.3", "flask@3.0.0"], Path(), "python")
    assert other_package_differences(of_flask, (a, b)) == ""
    of_folders = Version("a", "here", a), Version("b", "there", c)
    assert other_package_differences(of_folders, (a, c)) == ""


@pytest.mark.parametrize(
    ("install", "command"),
    [
        ("npm install", ["npm", "install"]),
        ("npm i", ["npm", "install"]),
        ("pnpm install", ["pnpm", "add"]),
        ("pnpm i", ["pnpm", "add"]),
        ("bun install", ["bun", "add"]),
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


@pytest.mark.parametrize("install", ["yarn install", "yarn", "yarn --frozen-lockfile"])
@pytest.mark.parametrize(
    ("release", "said"), [("1.22.22", "add -W express@4"), ("4.9.1", "add express@4")]
)
def test_yarn_adds_at_the_top_of_a_workspace_as_its_release_wants_it(
    install: str, release: str, said: str, here: Path, tmp_path: Path
) -> None:
    text = FILE.replace('commands = ["npm ci"]', f'commands = ["{install}", "yarn run build"]')
    (here / "webdyno.toml").write_text(text)
    pair = paired(here, tmp_path / "into", packages=["express@4", "express@5"])
    _, added, _ = pair.catalog.server("shop/a").manifest.build.commands
    yarn = tmp_path / "bin/yarn"
    yarn.parent.mkdir()
    yarn.write_text(f'#!/bin/sh\n[ "$1" = --version ] && echo {release} || echo "$@"\n')
    yarn.chmod(0o755)
    env = {"PATH": f"{yarn.parent}:{os.environ['PATH']}"}
    done = subprocess.run(added, env=env, capture_output=True, text=True, check=True)
    assert done.stdout == f"{said}\n"


@pytest.mark.parametrize(
    ("build", "made"),
    [
        (["npm ci && npm run build"], "npm ci && ADD && npm run build"),
        (["cd web && npm ci", "npm run build"], "cd web && npm ci && ADD"),
        (["npm ci --cache $PWD/c && make 'a; npm i'"], "npm ci --cache $PWD/c && ADD && make"),
    ],
)
def test_a_dependency_is_installed_within_a_line_that_a_shell_reads(
    build: list[str], made: str
) -> None:
    commands = [argv_of(line) for line in build]
    first, *_ = with_added(commands, [["npm", "install", "x@1"]])
    assert first[:2] == ["sh", "-c"]
    assert first[2].startswith(made.replace("ADD", "npm install x@1"))
    assert with_added(commands, []) == commands


@pytest.mark.parametrize(
    "line",
    [
        "npm ci; npm run build",
        "npm ci || true; make",
        "npm ci 2>&1 | tee log && make",
        "(cd web; npm ci) && make",
        "npm ci --cache $(echo $(pwd)) && make",
        "npm ci # all\nnpm run build",
        "npm ci && npm run build # install",
        "if [ -f package-lock.json ]; then npm ci; else npm install; fi; npm run build",
    ],
)
def test_a_line_that_may_go_on_without_the_dependency_is_refused(line: str) -> None:
    with pytest.raises(UserError, match="join its commands with && only"):
        with_added([argv_of(line)], [["npm", "install", "x@1"]])


def test_what_installs_something_else_is_not_waited_for() -> None:
    build = [["npm", "ci"], ["npm", "run", "build"], ["npx", "playwright", "install"]]
    assert with_added(build, [["add"]]) == [build[0], ["add"], *build[1:]]
    alone = [["sh", "-c", "exec npm ci >log"], ["make"]]
    assert with_added(alone, [["add"]]) == [alone[0], ["add"], alone[1]]


@pytest.mark.parametrize(
    ("install", "words"),
    [
        (["corepack", "pnpm", "install"], ["corepack", "pnpm"]),
        (["npx", "-y", "pnpm@9", "install"], ["npx", "-y", "pnpm@9"]),
        (["env", "CI=1", "pnpm", "install"], ["env", "CI=1", "pnpm"]),
        (["sh", "-c", "CI=1 pnpm install && make"], ["env", "CI=1", "pnpm"]),
        (["sh", "-c", "exec pnpm install >log"], ["pnpm"]),
        (["/opt/bin/pnpm", "i"], ["/opt/bin/pnpm"]),
    ],
)
def test_a_dependency_is_installed_by_the_program_as_the_build_starts_it(
    install: list[str], words: list[str]
) -> None:
    a, _ = from_packages(["x@1", "x@2"], Path(), "node", [install, ["make"]])
    assert a.added == ((*words, "add", "--ignore-workspace-root-check", "x@1"),)


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


@pytest.mark.parametrize(
    ("requirements", "package", "told"),
    [
        ("typing-extensions>=4\n", "typing_extensions", False),
        ("uvicorn[standard]==0.30\n", "Uvicorn[standard]", False),
        ("django-filter\n", "django", True),
        ("flask\n", "flaks", True),
    ],
)
def test_a_dependency_that_no_manifest_of_python_names_is_told(
    requirements: str, package: str, told: bool, tmp_path: Path
) -> None:
    (tmp_path / "requirements.txt").write_text(requirements)
    a, _ = from_packages([f"{package}@1", f"{package}@2"], tmp_path, "python")
    said = f"{package} is not named by its manifests: both versions are the same if nothing else"
    assert a.caution.startswith(said) == told


def test_what_is_built_nowhere_gets_no_dependency(here: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="--with installs into a build, and --no-build makes none"):
        paired(here, tmp_path, packages=["x@1", "x@2"], flags=Flags(no_build=True))


def test_a_dependency_of_another_language_is_refused(here: Path, tmp_path: Path) -> None:
    (here / "webdyno.toml").write_text(FILE.replace('"node"', '"go"'))
    with pytest.raises(
        UserError, match=r"for services in Node\.js, Bun and Python, not go; compare"
    ):
        paired(here, tmp_path / "into", packages=["x@1", "x@2"])


def test_packages_are_installed_after_the_other_dependencies(here: Path, tmp_path: Path) -> None:
    pair = paired(here, tmp_path / "into", packages=["@x/y@1.0", "@x/y@2.0"])
    a, b = (pair.catalog.server(f"shop/{letter}") for letter in "ab")
    assert a.manifest.build.commands[0] == ["npm", "ci"]
    assert a.manifest.build.commands[1][-1] == "@x/y@1.0"
    assert a.build_id != b.build_id
