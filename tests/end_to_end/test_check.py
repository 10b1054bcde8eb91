"""The check of a pull request: a clone with a slowed, a broken, a new and an untouched server."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from support.command_line import webdyno
from support.git_folder import git
from support.output_schemas import validated

ROOT = Path(__file__).resolve().parents[2]
BOUND = ROOT / "tests" / "servers" / "python" / "bound"
VARIANTS = "[variants."


def add(folder: Path, name: str) -> Path:
    """A copy of the server, without its variants; gives its program."""
    server = folder / "servers" / "python" / name
    server.mkdir(parents=True)
    manifest = (BOUND / "server.toml").read_text()
    own = manifest[: manifest.index(VARIANTS)].replace('name = "bound"', f'name = "{name}"')
    # A program that gets warm within a trial, so that the test is short.
    own += '\n[warmup]\nmin = "300ms"\nmax = "5s"\nanswers = 100\ncpu = "200ms"\n'
    (server / "server.toml").write_text(own)
    program = server / "main.py"
    shutil.copy(BOUND / "main.py", program)
    return program


def replace(program: Path, old: str, new: str) -> None:
    text = program.read_text()
    assert old in text
    program.write_text(text.replace(old, new))


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    folder = tmp_path / "content"
    for name in ("slowed", "broken", "untouched"):
        add(folder, name)
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "one")
    return folder


def check(clone: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    env = {
        **os.environ,
        "WEBDYNO_HOME": str(clone.parent / "home"),
        "PYTHONPATH": str(ROOT / "src"),
    }
    return webdyno("--content", str(clone), "check", *arguments, env=env)


@pytest.mark.long
def test_only_what_was_touched_is_built_proven_and_measured(clone: Path, tmp_path: Path) -> None:
    programs = clone / "servers" / "python"
    replace(programs / "slowed" / "main.py", "def burns(work: int = 2)", "def burns(work: int = 8)")
    git(clone, "commit", "-q", "-a", "-m", "two")
    replace(programs / "broken" / "main.py", "Hello World", "Hello world")
    add(clone, "fresh")
    markdown, data = tmp_path / "check.md", tmp_path / "check.json"
    done = check(
        clone, "--since", "HEAD~1", "--plain", "--budget", "60s", "--margin", "0.2",
        "--markdown", str(markdown), "--json", str(data),
    )  # fmt: skip
    assert done.returncode == 1, done.stdout + done.stderr
    found = validated("check", data.read_text())
    rows: dict[str, dict[str, Any]] = {row["server"]: row for row in found["rows"]}
    assert sorted(rows) == ["python/broken", "python/fresh", "python/slowed"]
    assert rows["python/broken"]["proof"] == "failed"
    assert rows["python/broken"]["cpu"] is None
    assert (rows["python/fresh"]["proof"], rows["python/fresh"]["beside"]) == ("proven", "new")
    # Four times the work for each answer.
    cpu = rows["python/slowed"]["cpu"]
    assert cpu["outcome"] == "worse", cpu
    assert cpu["change"] > 0.5
    assert cpu["low"] < cpu["change"] < cpu["high"]
    assert (found["outcome"], found["exit_code"], len(found["runs"])) == ("worse", 1, 1)
    text = markdown.read_text()
    assert text.startswith("### ❌ Webdyno: 3 servers to check since HEAD~1")
    assert "| **python/slowed** | **yes** | **hello** |" in text
    assert "untouched" not in text


@pytest.mark.concurrent
def test_nothing_touched_is_told_and_passes(clone: Path) -> None:
    (clone / "README.md").write_text("more")
    done = check(clone, "--since", "main")
    assert done.returncode == 0, done.stderr
    assert "no server or scenario has changed since main" in done.stdout


@pytest.mark.concurrent
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "check needs --since"),
        (["--since", "nowhere"], "no such commit in the repository of"),
        (["--since", "main", "--margin", "2"], "--margin: '2' is not a share"),
    ],
)
def test_bad_input_is_two(clone: Path, arguments: list[str], said: str) -> None:
    done = check(clone, *arguments)
    assert done.returncode == 2, done.stdout + done.stderr
    assert said in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
