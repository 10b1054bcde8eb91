"""The wheel that `action.yml` installs: from the cache, or built and kept for later jobs."""

import os
import re
import subprocess
from pathlib import Path

import pytest
import yaml

from support.action_steps import ACTION, program, step


def test_another_system_than_linux_is_refused(tmp_path: Path) -> None:
    program(tmp_path / "uname", "echo Darwin\n")
    path = f"{tmp_path}:{os.environ['PATH']}"
    done = step("Key", tmp_path, PATH=path, GITHUB_ACTION_PATH=str(tmp_path))
    said = "::error::Webdyno runs on Linux only; let the job run on ubuntu-latest\n"
    assert (done.returncode, done.stdout) == (2, said)


SOURCES = (
    "engine/src/lib.rs", "src/webdyno/a.py", "scenarios/a/scenario.toml", "servers/a/server.toml",
    "studies/a.toml", "pyproject.toml", "README.md", "LICENSE",
)  # fmt: skip


def keyed(folder: Path, sources: Path, **inputs: str) -> dict[str, str]:
    (folder / "output").unlink(missing_ok=True)
    usual = {"GITHUB_ACTION_PATH": str(sources), "PYTHON_VERSION": "3.12.4"}
    done = step("Key", folder, **usual | inputs)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return dict(line.split("=", 1) for line in (folder / "output").read_text().splitlines())


def test_a_wheel_is_kept_by_what_it_is_made_of_and_for_its_system(tmp_path: Path) -> None:
    sources = tmp_path / "webdyno-1"
    for name in (*SOURCES, "docs/a.md", "requirements.lock"):
        (sources / name).parent.mkdir(parents=True, exist_ok=True)
        (sources / name).write_text("")
    first = keyed(tmp_path, sources)
    assert first["folder"] == f"{tmp_path}/webdyno-wheel-{first['key'][-32:]}"
    machine = os.uname().machine
    assert re.fullmatch(rf"webdyno-[\w.-]+-{machine}-[\w.-]+-[0-9a-f]{{32}}", first["key"])
    (sources / "docs/a.md").write_text("A page is not in it.")
    (tmp_path / "elsewhere").mkdir()
    assert keyed(tmp_path, sources.rename(tmp_path / "elsewhere/a")) == first
    sources = tmp_path / "elsewhere/a"
    program(tmp_path / "getconf", "echo glibc 2.17\n")
    old = keyed(tmp_path, sources, PATH=f"{tmp_path}:{os.environ['PATH']}")
    assert "-glibc-2.17-" in old["key"]
    keys = {first["key"], old["key"]}
    for name in SOURCES:
        (sources / name).write_text("other")
        keys.add(keyed(tmp_path, sources)["key"])
    assert len(keys) == 2 + len(SOURCES)


def test_packages_are_kept_by_their_lock_file_and_for_a_python(tmp_path: Path) -> None:
    sources = tmp_path / "webdyno-1"
    for name in (*SOURCES, "requirements.lock"):
        (sources / name).parent.mkdir(parents=True, exist_ok=True)
        (sources / name).write_text("")
    first = keyed(tmp_path, sources)
    digest = first["packages-key"][-32:]
    assert first["packages-key"].endswith(f"-python-3.12.4-{digest}")
    assert first["packages-folder"] == f"{tmp_path}/webdyno-packages-{digest}"
    (sources / "src/webdyno/a.py").write_text("other")
    assert keyed(tmp_path, sources)["packages-key"] == first["packages-key"]
    newer = keyed(tmp_path, sources, PYTHON_VERSION="3.13.0")["packages-key"]
    (sources / "requirements.lock").write_text("other")
    locked = keyed(tmp_path, sources)
    assert len({first["packages-key"], newer, locked["packages-key"]}) == 3
    # Of the wheel, whose sources it is not, it changes nothing.
    assert locked["packages-folder"] != first["packages-folder"]


def test_what_is_restored_is_what_was_saved_before_anything_else_ran() -> None:
    steps = yaml.safe_load(ACTION)["runs"]["steps"]
    *restored, install, wheel, packages, compare = steps[2:8]
    assert (install["name"], compare["name"]) == ("Install", "Compare")
    for restore, save, variable, output in zip(
        restored, (wheel, packages), ("WHEEL", "PACKAGES"), ("folder", "packages-folder"),
        strict=True,
    ):  # fmt: skip
        assert (restore["uses"], save["uses"]) == (
            "actions/cache/restore@v4", "actions/cache/save@v4",
        )  # fmt: skip
        assert restore["with"] == save["with"]
        kept = f"${{{{ steps.wheel.outputs.{output} }}}}"
        assert install["env"][variable] == save["with"]["path"] == kept
        assert save["if"] == f"steps.{restore['id']}.outputs.cache-hit != 'true'"


PIP = """case "$*" in *%s*) exit 1 ;; esac
[ -d "$PACKAGES" ] || exit 1
echo "$*$RUSTFLAGS" >> "$RUNNER_TEMP/asked"
case "$*" in wheel*) mkdir -p "$WHEEL" && touch "$WHEEL/webdyno-1.whl" ;; esac
"""


def installed(folder: Path, fails_at: str = "nothing") -> subprocess.CompletedProcess[str]:
    program(folder / "pip", PIP % fails_at)
    program(folder / "py", f"mkdir -p $3/bin && cp {folder}/pip $3/bin/pip\n")
    inputs = {
        "PYTHON": str(folder / "py"), "GITHUB_ACTION_PATH": "/a", "WHEEL": str(folder / "kept"),
        "PACKAGES": str(folder / "packages"), "RUSTFLAGS": " -Ctarget-cpu=native",
    }  # fmt: skip
    return step("Install", folder, **inputs)


@pytest.mark.parametrize("fails_at", ["--require-hashes", "wheel*/a", "install*.whl", ""])
def test_what_an_installation_needs_is_told(tmp_path: Path, fails_at: str) -> None:
    done = installed(tmp_path, fails_at or "nothing")
    said = "::error::Webdyno could not be installed" if fails_at else ""
    assert done.stdout.startswith(said), done.stderr
    assert (done.returncode, bool(done.stdout)) == ((2, True) if said else (0, False))


def test_a_wheel_that_was_kept_is_not_built_again(tmp_path: Path) -> None:
    for builds in (True, False):
        (tmp_path / "asked").unlink(missing_ok=True)
        assert installed(tmp_path).returncode == 0
        asked = (tmp_path / "asked").read_text().splitlines()
        assert any(line.startswith("wheel --no-deps") for line in asked) == builds
        assert asked[-1].startswith(f"install --no-deps {tmp_path}/kept/webdyno-1.whl ")
        assert not any("native" in line for line in asked)
        locked = "--require-hashes -r /a/requirements.lock"
        assert asked[0].startswith(f"install --cache-dir {tmp_path}/packages {locked}")
