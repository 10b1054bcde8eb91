"""Members of a workspace, which are not built by themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.git_folder import git
from support.recognised import write
from webdyno.ab.recognise import recognise
from webdyno.ab.recognise.workspace import members_of
from webdyno.ab.request.pair_request import PairRequest
from webdyno.ab.request.resolve import resolve
from webdyno.catalog import Catalog
from webdyno.errors import UserError

NEEDS = '{"main": "a.js", "dependencies": {"lib": "*"}}'
CRATE = '[package]\nname = "api"\n[dependencies]\nlib.workspace = true\n'


@pytest.mark.parametrize(
    ("root", "text", "manifest", "needs"),
    [
        ("package.json", '{"workspaces": ["packages/*"]}', "package.json", NEEDS),
        (
            "package.json",
            '{"workspaces": {"packages": ["./packages/api/"]}}',
            "package.json",
            NEEDS,
        ),
        ("pnpm-workspace.yaml", 'packages:\n  - "packages/*"\n', "package.json", NEEDS),
        ("pnpm-workspace.yaml", "packages: ['apps/*', 'packages/*']\n", "package.json", NEEDS),
        (
            "pnpm-workspace.yaml",
            "packages: [\n  apps/*,\n  packages/api\n]\n",
            "package.json",
            NEEDS,
        ),
        ("pnpm-workspace.yaml", "packages:\n- packages/* # all\n", "package.json", NEEDS),
        ("Cargo.toml", '[workspace]\nmembers = ["packages/*"]\n', "Cargo.toml", CRATE),
        (
            "pyproject.toml",
            '[tool.uv.workspace]\nmembers = ["packages/*"]\n',
            "pyproject.toml",
            '[project]\nname = "api"\ndependencies = ["lib"]\n',
        ),
    ],
)
def test_a_member_of_a_workspace_is_described_at_its_root(
    tmp_path: Path, root: str, text: str, manifest: str, needs: str
) -> None:
    here = tmp_path / "packages/api"
    write(tmp_path, {root: text, f"packages/api/{manifest}": needs})
    found = recognise(here)
    assert found is not None
    assert found.open.startswith("it belongs to the workspace in ../.., whose packages and lock")
    # The full stop that follows is none of the path's.
    assert found.open.endswith("describe the service in ../.. instead")
    if manifest != "Cargo.toml":
        # Its registry may hold a stranger that has the neighbour's name.
        with pytest.raises(UserError, match=r"describe the service in \.\./\.\. "):
            resolve(PairRequest(cwd=here), Catalog(), tmp_path / "into")
    # One with a lock file of its own is built by itself, and so is one that is no member.
    write(here, {"package-lock.json": "{}"})
    write(tmp_path, {f"tools/api/{manifest}": needs})
    for alone in (here, tmp_path / "tools/api"):
        found = recognise(alone)
        assert found is not None
        assert "workspace" not in found.open


@pytest.mark.parametrize(
    ("root", "text", "manifest", "needs", "members"),
    [
        (
            "pnpm-workspace.yaml",
            "packages:\n  - 'packages/*'\n  - '!packages/api'\n",
            "package.json", NEEDS, {"packages/web": True, "packages/api": False},
        ),
        (
            "package.json", '{"workspaces": ["packages/*", "apps/**"]}',
            "package.json", NEEDS,
            {"packages/web": True, "packages/web/examples/a": False, "apps/a/b": True},
        ),
        (
            "Cargo.toml", '[workspace]\nmembers = ["*"]\nexclude = ["api", "old/"]\n',
            "Cargo.toml", CRATE, {"web": True, "api": False, "old": False},
        ),
    ],
)  # fmt: skip
def test_members_of_a_workspace_are_those_that_it_names(
    tmp_path: Path, root: str, text: str, manifest: str, needs: str, members: dict[str, bool]
) -> None:
    write(tmp_path, {root: text, **{f"{one}/{manifest}": needs for one in members}})
    for folder, is_member in members.items():
        found = recognise(tmp_path / folder)
        assert found is not None
        assert found.open.startswith("it belongs to the workspace") == is_member, folder


def test_other_lists_of_pnpm_name_no_members(tmp_path: Path) -> None:
    lists = "onlyBuiltDependencies:\n  - web\n\npackages:\n  # Ours.\n  - 'api'\nother:\n  - old\n"
    write(tmp_path, {"pnpm-workspace.yaml": lists})
    for member in ("web", "api", "old"):
        write(tmp_path, {f"{member}/package.json": NEEDS})
        found = recognise(tmp_path / member)
        assert found is not None
        assert ("belongs to the workspace" in found.open) == (member == "api")


PARENT = "<parent><artifactId>p</artifactId>{path}</parent><artifactId>api</artifactId>"
SPRING = "plugins { id 'org.springframework.boot' }"


@pytest.mark.parametrize(
    ("root", "text", "manifest", "module", "is_member"),
    [
        ("pom.xml", "<module>api</module>", "pom.xml", PARENT.format(path=""), True),
        # Its parent is fetched, as that of Spring Boot is.
        (
            "pom.xml",
            "<module>api</module>",
            "pom.xml",
            PARENT.format(path="<relativePath/>"),
            False,
        ),
        ("pom.xml", "<module>web</module>", "pom.xml", PARENT.format(path=""), False),
        ("settings.gradle", "include 'web', 'api'", "build.gradle", SPRING, True),
        ("settings.gradle.kts", 'include(":api")', "build.gradle.kts", "application", True),
        ("settings.gradle", "include 'web'", "build.gradle", SPRING, False),
    ],
)
def test_a_module_of_a_larger_build_is_described_where_that_is(
    root: str, text: str, manifest: str, module: str, is_member: bool, tmp_path: Path
) -> None:
    write(tmp_path, {root: text, f"api/{manifest}": module})
    found = recognise(tmp_path / "api")
    assert found is not None
    told = (
        "it belongs to the build in .., whose modules and settings a build of this folder alone "
        "does not see; describe the service in .. instead"
    )
    assert (found.open == told) == is_member
    # It fails by itself, so that nothing wrong is built.
    assert not found.is_template
    # A module without a parent, or a build with settings of its own, is built by itself.
    alone = {"api/pom.xml": module.replace("parent", "p")}
    write(tmp_path, alone if manifest == "pom.xml" else {"api/settings.gradle": ""})
    found = recognise(tmp_path / "api")
    assert found is not None
    assert found.open != told


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("package.json", '{"workspaces": ["packages/*", "apps/**", "!packages/old"]}'),
        ("pnpm-workspace.yaml", "packages:\n  - packages/*\n  - apps/**\n  - '!packages/old'\n"),
    ],
)
def test_a_workspace_without_a_start_script_names_the_members_that_have_one(
    name: str, text: str, tmp_path: Path
) -> None:
    write(tmp_path, {"package.json": "{}", name: text, "packages/lib/package.json": "{}"})
    found = recognise(tmp_path)
    assert found is not None
    assert found.open == "no script `start` in package.json; set the start command"
    starts = '{"scripts": {"start": "node a.js"}}'
    members = ("packages/api", "packages/old", "apps/a/web", "apps/a/web/node_modules/x")
    write(tmp_path, {f"{one}/package.json": starts for one in members})
    found = recognise(tmp_path)
    assert found is not None
    assert "but in its workspace's apps/a/web and packages/api; set `command`" in found.open


IN_MEMBER = "cd services/api && exec ../../.venv/bin/gunicorn app:app "


@pytest.mark.parametrize(
    ("project", "build", "server"),
    [
        # Where there is no project, uv installs all anyway.
        ("", "uv sync --quiet --locked --no-dev", IN_MEMBER),
        (
            '[project]\nname = "x"\n',
            "uv sync --quiet --locked --no-dev --all-packages",
            IN_MEMBER,
        ),
        # What a project depends on is installed, members among it.
        (
            '[project]\ndependencies = ["x"]\n',
            "uv sync --quiet --locked --no-dev",
            ".venv/bin/flask",
        ),
    ],
)
def test_all_members_of_uv_are_installed_where_the_root_needs_nothing_itself(
    project: str, build: str, server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    files = {
        "bin/uv": "#!/bin/sh\n", "uv.lock": "",
        "pyproject.toml": f'{project}[tool.uv.workspace]\nmembers = ["services/*"]\n',
        "services/api/pyproject.toml": '[project]\ndependencies = ["flask", "gunicorn"]\n',
        "services/api/app.py": "from flask import Flask\napp = Flask(__name__)\n",
    }  # fmt: skip
    write(tmp_path, files)
    (tmp_path / "bin/uv").chmod(0o755)
    found = recognise(tmp_path)
    assert found is not None
    assert found.build == (build,)
    assert found.run.startswith(server)


def test_a_lock_file_that_git_ignores_makes_no_folder_of_its_own(tmp_path: Path) -> None:
    here = tmp_path / "packages/api"
    write(tmp_path, {"package.json": '{"workspaces": ["packages/*"]}'})
    write(here, {"package.json": NEEDS, "package-lock.json": "{}"})
    write(here, {".gitignore": "package-lock.json\n"})
    git(tmp_path, "init", "-q")
    found = recognise(here)
    assert found is not None
    assert found.open.startswith("it belongs to the workspace in ../..")


@pytest.mark.parametrize(("pattern", "members"), [("./", ["."]), ("", []), (".", ["."])])
def test_a_workspace_may_name_its_own_folder_or_nothing(
    pattern: str, members: list[str], tmp_path: Path
) -> None:
    (tmp_path / "package.json").write_text(f'{{"workspaces": ["{pattern}"]}}')
    assert members_of(tmp_path, "package.json") == members
