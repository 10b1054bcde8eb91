"""Which command of a build installs the dependencies, and in which folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from unit.ab.conftest import FILE, paired
from webdyno.errors import UserError


def built(here: Path, into: Path, *lines: str, language: str = "node", name: str = "x") -> str:
    """The build of A, a command a line, as `--with` changes it."""
    text = FILE.replace('"node"', json.dumps(language))
    text = text.replace('["npm ci"]', json.dumps(list(lines)))
    (here / "webdyno.toml").write_text(text)
    pair = paired(here, into, packages=[f"{name}@1", f"{name}@2"])
    return "\n".join(map(" ".join, pair.catalog.server("shop/a").manifest.build.commands))


NPM = "npm install --no-save --no-audit --no-fund x@1"
PNPM = "pnpm add --ignore-workspace-root-check x@1"
QUIET = "install --quiet x==1"
PIP = f".venv/bin/pip {QUIET}"
UV = "uv pip install --quiet --python .venv x==1"
WITHIN_WEB = 'sh -c cd "$0" && exec "$@" web '


@pytest.mark.parametrize(
    ("line", "added"),
    [
        ("npm --prefix web ci", NPM),
        ("npm ci --prefix=./web", NPM),
        ("npm -C web install", NPM),
        ("pnpm -C web install", PNPM),
        ("pnpm install --dir web --frozen-lockfile", PNPM),
        ("bun install --cwd web", "bun add x@1"),
        ("env --chdir web pnpm install", f"env {PNPM}"),
        ("env -C . pnpm --dir=web install", f"env {PNPM}"),
    ],
)
def test_a_dependency_is_installed_in_the_folder_of_the_others(
    line: str, added: str, here: Path, tmp_path: Path
) -> None:
    build = built(here, tmp_path / "into", line, "make")
    assert build == f"{line}\n{WITHIN_WEB}{added}\nmake"


@pytest.mark.parametrize("line", ["yarn --cwd web", "yarn --cwd web install", "yarn --cwd=web"])
def test_yarn_installs_in_the_folder_that_it_is_told(line: str, here: Path, tmp_path: Path) -> None:
    build = built(here, tmp_path / "into", line, "make")
    assert build.startswith(f'{line}\n{WITHIN_WEB}sh -c case $("$@" --version)')
    assert build.endswith("x@1 yarn\nmake")


@pytest.mark.parametrize(
    ("line", "added"),
    [
        ("uv --directory web sync", f"{WITHIN_WEB}{UV}"),
        ("uv sync --project web --locked", f"{WITHIN_WEB}{UV}"),
        ("bin/uv --directory web sync", f"{WITHIN_WEB}../bin/{UV}"),
        ("poetry -C web install", f"{WITHIN_WEB}{PIP}"),
        ("poetry --directory=web install --only main", f"{WITHIN_WEB}{PIP}"),
        (".venv/bin/pip install .", PIP),
        ("web/.venv/bin/pip3 install -r web/needs.txt", f"web/.venv/bin/pip3 {QUIET}"),
        ("web/.venv/bin/python -m pip install web", f"web/.venv/bin/python -m pip {QUIET}"),
        # The machine's own may not be changed.
        ("pip install .", PIP),
        ("/usr/bin/python3 -m pip install .", PIP),
        ("${PYTHON} -m pip --cache-dir c install .", PIP),
    ],
)
def test_a_dependency_in_python_is_installed_where_and_by_what_the_build_does(
    line: str, added: str, here: Path, tmp_path: Path
) -> None:
    build = built(here, tmp_path / "into", line, "make", language="python")
    assert build == f"{line}\n{added}\nmake"


@pytest.mark.parametrize(
    "line",
    [
        "npm --version",
        "npm ci --help",
        "npm install --global pnpm@9",
        "npm install -g serve",
        "npm --location global install serve",
        "npm install --package-lock-only",
        "npm run install",
        "npm --prefix ci run build",
        "npm exec playwright install",
        "pnpm exec playwright install",
        "pnpm install --lockfile-only",
        "pnpm add --global serve",
        "yarn --version",
        "yarn -v",
        "yarn --cwd web build",
        "yarn global add serve",
        "yarn install --mode update-lockfile",
        "yarn run install",
        "bun x playwright install",
        "corepack enable pnpm",
    ],
)
def test_what_installs_no_dependencies_is_not_waited_for(
    line: str, here: Path, tmp_path: Path
) -> None:
    assert built(here, tmp_path / "into", "npm ci", "make", line) == f"npm ci\n{NPM}\nmake\n{line}"


@pytest.mark.parametrize(
    "line",
    [
        "uv --version",
        "uv tool install ruff",
        "uv python install 3.13",
        "uv sync --dry-run",
        "uv run playwright install",
        "poetry run playwright install",
        "poetry self add poetry-plugin-export",
        "pdm run sync",
        "pip --version",
        "pip download --dry-run x",
        "python3 -m playwright install",
    ],
)
def test_what_installs_no_dependencies_of_python_is_not_waited_for(
    line: str, here: Path, tmp_path: Path
) -> None:
    build = built(here, tmp_path / "into", "uv sync", "make", line, language="python")
    assert build == f"uv sync\n{UV}\nmake\n{line}"


@pytest.mark.parametrize(
    ("line", "added"),
    [
        ("npm --loglevel error ci", NPM),
        ("npm --cache c --no-audit clean-install", NPM),
        ("npm i", NPM),
        ("sudo -u ci npm ci", f"sudo -u ci {NPM}"),
        ("env -u CI npm ci", f"env -u CI {NPM}"),
        ("time npm ci", NPM),
        ("/opt/node/bin/npm ci", f"/opt/node/bin/{NPM}"),
        ("npx -p pnpm@9 pnpm install", f"npx -p pnpm@9 {PNPM}"),
        ("pnpm --filter api install", PNPM),
        ("pnpm recursive install", PNPM),
        ("pnpm i >log", PNPM),
        ("bun --config c.toml ci", "bun add x@1"),
    ],
)
def test_what_stands_before_an_installation_is_understood(
    line: str, added: str, here: Path, tmp_path: Path
) -> None:
    build = built(here, tmp_path / "into", line, "make").splitlines()
    assert build[1:] == [added, "make"]


@pytest.mark.parametrize("shell", ["bash -c", "/bin/sh -ec", "bash -lc"])
def test_a_line_is_read_by_any_shell(shell: str, here: Path, tmp_path: Path) -> None:
    build = built(here, tmp_path / "into", f"{shell} 'cd web && npm ci && make'")
    assert build == f"{shell} cd web && npm ci && {NPM} && make"


CLIENT = ("npm ci", "make", "npm --prefix client ci", "npm --prefix client run build")


def test_of_several_folders_that_counts_whose_manifest_names_the_dependency(
    here: Path, tmp_path: Path
) -> None:
    client = here / "client"
    client.mkdir()
    (here / "package.json").write_text('{"dependencies": {"express": "4"}}')
    (client / "package.json").write_text('{"dependencies": {"react": "19"}}')

    def place(name: str) -> int:
        lines = built(here, tmp_path / "into", *CLIENT, name=name).splitlines()
        (at,) = [number for number, line in enumerate(lines) if f"{name}@1" in line]
        assert (" client npm install" in lines[at]) == (name == "react")
        return at

    # Before what may bundle it.
    assert place("express") == 1
    assert place("react") == 3
    # Of one that no manifest names, nobody knows more than that.
    assert place("koa") == 1


def test_a_member_of_a_workspace_names_a_dependency_as_well(here: Path, tmp_path: Path) -> None:
    member = here / "packages" / "api"
    member.mkdir(parents=True)
    (here / "package.json").write_text('{"workspaces": ["packages/*"]}')
    (member / "package.json").write_text('{"dependencies": {"express": "4"}}')
    for name, told in (("express", ""), ("koa", "koa is not in package.json")):
        versions = paired(here, tmp_path / "into", packages=[f"{name}@4", f"{name}@5"]).versions
        assert all(one.caution.startswith(told) and bool(one.caution) == bool(told)
                   for one in versions)  # fmt: skip


def test_a_folder_that_only_a_shell_knows_is_refused(here: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"npm installs dependencies: '\$WEB' is known only to a"):
        built(here, tmp_path / "into", "npm --prefix $WEB ci")


@pytest.mark.parametrize(
    ("package", "name"),
    [
        ("express@npm:@acme/express@5.1", "express"),
        ("@acme/x@git+ssh://git@example.org/x", "@acme/x"),
        ("express@5", "express"),
    ],
)
def test_a_version_may_hold_what_parts_it_from_the_name(
    package: str, name: str, here: Path, tmp_path: Path
) -> None:
    (here / "package.json").write_text(json.dumps({"dependencies": {name: "1"}}))
    pair = paired(here, tmp_path / "into", packages=[package, f"{name}@1"])
    assert [one.package for one in pair.versions] == [name, name]
    assert [one.caution for one in pair.versions] == ["", ""]
    _, added = pair.catalog.server("shop/a").manifest.build.commands
    assert added[-1] == package
