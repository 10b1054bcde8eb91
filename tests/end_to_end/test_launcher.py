"""The launcher in a fresh copy of the repository: setup, second start, and what is missing.

The compiled dependencies of the engine are copied from this checkout's own state folder where it
has them, as a warm cache would have them; the engine itself is compiled anew.
"""

from __future__ import annotations

import contextlib
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from webdyno import __version__
from webdyno.runtime.home import Home

pytestmark = [pytest.mark.concurrent, pytest.mark.long]

ROOT = Path(__file__).resolve().parents[2]
NOT_COPIED = shutil.ignore_patterns(
    ".git", ".webdyno", "target", "node_modules", "__pycache__", ".venv", "*.so", ".*_cache"
)
SETUP_TIMEOUT_S = 600


@dataclass
class Clone:
    """A fresh copy of the repository, in a folder whose name has a space in it."""

    root: Path

    @property
    def launcher(self) -> Path:
        return self.root / "webdyno"

    def warm(self) -> None:
        """Give it the compiled dependencies of this checkout, where there are any.

        The engine's own files are left out: another test may be compiling them at this moment.
        """
        compiled = Home.default().root / "target" / "release"
        if compiled.is_dir():
            copy = self.root / ".webdyno" / "target" / "release"
            ours = shutil.ignore_patterns("*webdyno*")
            shutil.copytree(
                compiled,
                copy,
                symlinks=True,
                dirs_exist_ok=True,
                ignore=ours,
                copy_function=_copied_if_there,
            )

    def start(self, *arguments: str, **options: object) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [str(self.launcher), *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            **{"env": environment(), "cwd": self.root, **options},
        )

    def run(self, *arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
        process = self.start(*arguments, **options)
        out, err = process.communicate(timeout=SETUP_TIMEOUT_S)
        return subprocess.CompletedProcess(arguments, process.returncode, out, err)


def _copied_if_there(source: str, target: str) -> str:
    """A file that is gone by now was one of a compilation under way."""
    with contextlib.suppress(FileNotFoundError):
        shutil.copy2(source, target)
    return target


def environment(**changed: str) -> dict[str, str]:
    """This environment without what is Webdyno's own."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("WEBDYNO_", "VIRTUAL_ENV"))}
    kept.pop("PYTHONPATH", None)
    return {**kept, **changed}


@pytest.fixture(scope="module")
def unset(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Clone]:
    """A clone in which nothing has been set up."""
    root = tmp_path_factory.mktemp("a fresh") / "clone"
    shutil.copytree(ROOT, root, ignore=NOT_COPIED, symlinks=True)
    yield Clone(root)
    shutil.rmtree(root.parent)


@pytest.fixture(scope="module")
def first_starts(unset: Clone) -> tuple[list[subprocess.CompletedProcess[str]], str]:
    """A setup killed on its way, then two starts at once; gives these two and the former's log."""
    unset.warm()
    killed = unset.start("--version")
    venv = unset.root / ".webdyno" / "venv" / "pyvenv.cfg"
    end = time.monotonic() + 120
    while not venv.exists():
        assert killed.poll() is None, killed.communicate()
        assert time.monotonic() < end
        time.sleep(0.02)
    killed.kill()
    _, log = killed.communicate()
    assert killed.returncode == -signal.SIGKILL
    both = [unset.start("--version") for _ in range(2)]
    ended = []
    for process in both:
        out, err = process.communicate(timeout=SETUP_TIMEOUT_S)
        ended.append(subprocess.CompletedProcess([], process.returncode, out, err))
    return ended, log


@pytest.fixture(scope="module")
def ready(unset: Clone, first_starts: object) -> Clone:
    """The clone after its setup."""
    return unset


def test_two_starts_at_once_after_a_killed_one_set_up_once(
    first_starts: tuple[list[subprocess.CompletedProcess[str]], str],
) -> None:
    ended, log = first_starts
    assert [(done.returncode, done.stdout) for done in ended] == [
        (0, f"webdyno {__version__}\n")
    ] * 2, ended
    assert "Ready" not in log
    told = sorted(done.stderr for done in ended)
    assert sum("Ready" in text for text in told) == 1
    assert sum("waiting for it" in text for text in told) == 1


def test_the_setup_tells_its_steps_and_their_seconds(
    first_starts: tuple[list[subprocess.CompletedProcess[str]], str],
) -> None:
    told = next(done.stderr for done in first_starts[0] if "Ready" in done.stderr)
    for title in ("Virtual environment", "Python packages", "Load engine"):
        assert any(
            line.startswith(f"✓ {title} (") and line.endswith(" s)") for line in told.splitlines()
        ), told


def test_what_compiling_left_is_removed_where_nobody_develops(ready: Clone) -> None:
    assert not (ready.root / ".webdyno" / "target" / "release").exists()


def test_the_next_start_is_silent_and_quick(ready: Clone) -> None:
    seconds = []
    for _ in range(5):
        before = cpu_of_children()
        done = ready.run("--version")
        seconds.append(cpu_of_children() - before)
        assert (done.returncode, done.stderr) == (0, "")
    assert 0 < min(seconds) < 1.0


def cpu_of_children() -> float:
    """What the children that have ended used: what others on the machine do adds nothing to it."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def test_it_runs_from_another_folder_and_through_a_symbolic_link(
    ready: Clone, tmp_path: Path
) -> None:
    link = tmp_path / "bin" / "dyno"
    link.parent.mkdir()
    link.symlink_to(os.path.relpath(ready.launcher, link.parent))
    done = subprocess.run(
        [str(link), "list", "servers"],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "node/http" in done.stdout


def test_the_engine_and_the_package_can_be_imported_by_the_environments_python(
    ready: Clone, tmp_path: Path
) -> None:
    done = subprocess.run(
        [
            str(ready.root / ".webdyno" / "venv" / "bin" / "python"),
            "-c",
            "import webdyno, webdyno._engine; print(webdyno.__file__)",
        ],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == str(ready.root / "src" / "webdyno" / "__init__.py")


def test_bad_input_names_the_launcher_in_one_line(ready: Clone) -> None:
    done = ready.run("lst")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "lst: no such command; perhaps list" in done.stderr


def test_an_engine_that_cannot_be_compiled_is_told_and_the_old_one_does_not_run(
    ready: Clone,
) -> None:
    """Only the engine is made again: the packages have not changed. (The last use of `ready`.)"""
    ready.warm()
    source = ready.root / "engine" / "src" / "lib.rs"
    before = source.read_text()
    source.write_text(before + "\nthis is not Rust\n")
    try:
        broken = ready.run("--version")
    finally:
        source.write_text(before)
    assert broken.returncode == 1
    assert "Load engine failed" in broken.stderr
    assert "setup.log" in broken.stderr
    assert "this is not Rust" in broken.stderr
    assert "Python packages" not in broken.stderr


def programs(folder: Path, **scripts: str) -> str:
    """A PATH with the programs a shell needs, this Python, and `scripts`."""
    folder.mkdir()
    for name in ("sh", "dirname", "readlink", "uname"):
        (folder / name).symlink_to(shutil.which(name) or "")
    base = getattr(sys, "_base_executable", sys.executable)
    scripts.setdefault("python3", f'exec "{base}" "$@"')
    for name, text in scripts.items():
        (folder / name).write_text(f"#!/bin/sh\n{text}\n")
        (folder / name).chmod(0o755)
    return str(folder)


GOOD_CARGO = "echo 'cargo 1.999.0 (0123456 2030-01-01)'"


@pytest.mark.parametrize(
    ("scripts", "said"),
    [
        ({"python3": "echo no >&2; exit 1"}, ["Python 3.11 or newer is missing", "install"]),
        ({"cc": "exit 0"}, ["cargo is missing", "rustup"]),
        ({"cc": "exit 0", "cargo": "echo broken shim >&2; exit 1"}, ["broken shim", "rustup"]),
        ({"cc": "exit 0", "cargo": "echo 'cargo 1.50.0'"}, ["cargo 1.50.0 is too old", "rustup"]),
        ({"cargo": GOOD_CARGO}, ["a C compiler (cc)", "install"]),
    ],
)
def test_what_is_missing_is_told_in_one_line_before_anything_is_done(
    unset: Clone, tmp_path: Path, scripts: dict[str, str], said: list[str]
) -> None:
    path = programs(tmp_path / "bin", **scripts)
    home = tmp_path / "home"
    done = unset.run(
        "--version",
        env={"PATH": path, "HOME": str(tmp_path), "WEBDYNO_HOME": str(home), "LC_ALL": "C.UTF-8"},
    )
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith("webdyno: ")
    for words in said:
        assert words in line
    assert not (home / "venv").exists()


def test_several_missing_things_are_all_told(unset: Clone, tmp_path: Path) -> None:
    done = unset.run(
        "--version",
        env={
            "PATH": programs(tmp_path / "bin"),
            "HOME": str(tmp_path),
            "WEBDYNO_HOME": str(tmp_path / "home"),
        },
    )
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 2
