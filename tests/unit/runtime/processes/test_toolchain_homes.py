"""Builds and servers find the toolchains that the user's shell finds, and nothing else of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from webdyno.runtime.builds.commands import LOG, run_commands
from webdyno.runtime.builds.environment import declared_environment
from webdyno.runtime.processes.process import ManagedProcess, plain_environment
from webdyno.runtime.processes.toolchain_homes import HOMES

LOCATES = (
    "ASDF_DATA_DIR", "ASDF_NODEJS_VERSION", "BUN_INSTALL", "CARGO_HOME", "DOTNET_ROOT",
    "DOTNET_ROOT_X64", "FNM_MULTISHELL_PATH", "GEM_HOME", "GEM_PATH", "GOENV_VERSION", "GOROOT",
    "JAVA_HOME", "JENV_ROOT", "LD_LIBRARY_PATH", "MISE_DATA_DIR", "MISE_NODE_VERSION",
    "NODENV_ROOT", "NVM_BIN", "PHPENV_ROOT", "PYENV_ROOT", "PYENV_VERSION", "RBENV_ROOT",
    "RBENV_VERSION", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN", "SDKMAN_DIR", "VOLTA_HOME",
)  # fmt: skip
OF_BUILDS = ("GOCACHE", "NUGET_PACKAGES", "DENO_DIR", "PNPM_HOME", "PIP_INDEX_URL", "RUSTFLAGS")
KEPT_BACK = ("DATABASE_URL", "AWS_SECRET_ACCESS_KEY", "MISE_GITHUB_TOKEN", "RUBYOPT", "VIRTUAL_ENV")


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home in which nothing is installed, and an environment without toolchains but the PATH."""
    for name in (*LOCATES, *HOMES, *OF_BUILDS, *KEPT_BACK):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("name", LOCATES)
def test_what_locates_a_toolchain_reaches_builds_and_servers(
    bare: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(name, "/somewhere")
    assert declared_environment()[name] == plain_environment()[name] == "/somewhere"


@pytest.mark.parametrize("name", OF_BUILDS)
def test_caches_registries_and_what_compilers_heed_are_for_builds_alone(
    bare: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(name, "/somewhere")
    assert declared_environment()[name] == "/somewhere"
    assert name not in plain_environment()


@pytest.mark.parametrize("name", KEPT_BACK)
def test_nothing_else_reaches_either(
    bare: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(name, "x")
    assert name not in declared_environment()
    assert name not in plain_environment()


@pytest.mark.parametrize("name", sorted(HOMES))
def test_a_manager_in_its_usual_place_is_named_to_servers(
    bare: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    assert name not in plain_environment()
    usual = bare / HOMES[name]
    usual.mkdir(parents=True)
    assert plain_environment()[name] == str(usual)
    # What the user says goes before it.
    monkeypatch.setenv(name, "/elsewhere")
    assert plain_environment()[name] == "/elsewhere"


def test_the_folder_that_dotnet_makes_in_every_home_is_not_taken_for_its_runtime(
    bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (bare / ".dotnet" / "tools").mkdir(parents=True)
    assert "DOTNET_ROOT" not in plain_environment()
    monkeypatch.setenv("DOTNET_ROOT", str(bare / ".dotnet"))
    assert plain_environment()["DOTNET_ROOT"] == str(bare / ".dotnet")


SHIM = '#!/bin/sh\nexec "${RBENV_ROOT:-$HOME/.rbenv}/versions/$RBENV_VERSION/bin/tool" "$@"\n'


def test_a_managers_shim_starts_the_version_in_a_build_and_in_a_server(
    bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in (
        ("shims/tool", SHIM), ("versions/3.4.1/bin/tool", "#!/bin/sh\necho 3.4.1\n")
    ):  # fmt: skip
        program = bare / ".rbenv" / name
        program.parent.mkdir(parents=True)
        program.write_text(text)
        program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{bare}/.rbenv/shims:{os.environ['PATH']}")
    monkeypatch.setenv("RBENV_VERSION", "3.4.1")
    run_commands("it", [["tool"]], bare, {})
    assert "\n3.4.1\n" in (bare / LOG).read_text()
    # Whose home is another one.
    env = {**plain_environment(), "HOME": str(bare / "own")}
    server = ManagedProcess.start(["tool"], name="it", cwd=bare, env=env, log=bare / "log")
    try:
        assert server.wait(10) == 0
    finally:
        server.stop()
    assert (bare / "log").read_text() == "3.4.1\n"
