"""Making the environment: hash-checked packages in a venv, the engine in release mode."""

from __future__ import annotations

import contextlib
import fcntl
import os
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import needs
import stamp
from layout import DEVELOPMENT, ENGINE, PYTHON, Layout
from progress import Step, StepFailed, run_together, say


def set_up(layout: Layout, wanted: list[str]) -> int:
    """Make those of the parts `wanted` that are not current; gives an exit code.

    One setup at a time: a second one waits for the first, and then finds nothing left to do.
    """
    try:
        layout.home.mkdir(parents=True, exist_ok=True)
        with _alone(layout.home / "setup.lock"):
            parts = [part for part in wanted if not stamp.is_current(layout, part)]
            return _make(layout, parts) if parts else 0
    except KeyboardInterrupt:
        say("setup interrupted; the next start begins it again", mark="✗")
        return 130
    except OSError as error:
        say(f"setup failed: {error.filename or layout.home}: {error.strerror}", mark="✗")
        return 1


def _make(layout: Layout, parts: list[str]) -> int:
    needs.use_rustup()
    lacking = needs.missing(layout, parts)
    if lacking:
        for line in lacking:
            print(f"webdyno: {line}", file=sys.stderr)
        return 2
    say(f"Setting up {layout.home}: {', '.join(parts)} (at first use, and after changes)")
    started = time.monotonic()
    log = layout.home / "setup.log"
    try:
        with _collected(layout.home, log):
            _Setup(layout, parts).run()
    except StepFailed as failure:
        for line in failure.tail:
            print(f"  | {line:.160}", file=sys.stderr)
        say(f"{failure}; all of its output: {log}", mark="✗")
        if remedy := _remedy(failure.tail):
            say(remedy, mark="→")
        return 1
    say(f"Ready ({time.monotonic() - started:.1f} s)", mark="✓")
    return 0


class _Setup:
    """The steps, in the order in which they need each other."""

    def __init__(self, layout: Layout, parts: list[str]) -> None:
        self.layout = layout
        self.parts = parts
        self.digests = {part: stamp.digest(layout, part) for part in parts}
        self.env = _environment(layout)

    def run(self) -> None:
        """Run them. Raises `StepFailed`."""
        if PYTHON in self.parts:
            self._virtual_environment()
        for part in self.parts:
            stamp.forget(self.layout, part)
        # Packages come over the network, the engine from the processor: both at the same time.
        steps = [self._engine()] if ENGINE in self.parts else []
        packages = [part for part in self.parts if part != ENGINE]
        if packages:
            steps.append(self._packages(packages))
        run_together(steps)
        if ENGINE in self.parts:
            # Only now, because the package may import others.
            load = [str(self.layout.python), "-c", "import webdyno._engine"]
            run_together([self._step("Engine loads", load, finishes=[ENGINE])])

    def _virtual_environment(self) -> None:
        layout = self.layout
        # Packages of a finished environment are updated in place. What an interrupted setup or
        # another Python left is cleared away.
        known = stamp.is_known(layout, PYTHON) and layout.python.exists()
        stamp.forget(layout, PYTHON)
        if not known:
            stamp.forget(layout, DEVELOPMENT)
            base = getattr(sys, "_base_executable", sys.executable)
            create = [base, "-m", "venv", "--clear", str(layout.venv)]
            run_together([self._step("Virtual environment", create)])
        run_together([self._step("Build tool", self._pip("requirements-build.lock"))])
        for site in (layout.venv / "lib").glob("python*/site-packages"):
            (site / "webdyno.pth").write_text(f"{layout.root / 'src'}\n", encoding="utf-8")

    def _packages(self, parts: list[str]) -> Step:
        development = DEVELOPMENT in parts
        lock = "requirements-dev.lock" if development else "requirements.lock"
        title = "Packages for development" if development else "Python packages"
        return self._step(title, self._pip(lock), finishes=parts)

    def _engine(self) -> Step:
        for file in self.layout.engine_files():
            # Not overwritten: a Webdyno that runs now keeps the file it has open.
            file.unlink()
        maturin = [str(self.layout.venv / "bin" / "maturin"), "develop", "--release", "--locked"]
        return self._step("Load engine", [*maturin, "--skip-install"])

    def _pip(self, lock: str) -> list[str]:
        # Compiling every module takes longer than installing it; Python does so when it is used.
        pip = [str(self.layout.python), "-m", "pip", "install", "--require-hashes", "--no-compile"]
        return [
            *pip,
            "--no-input",
            "--disable-pip-version-check",
            "-r",
            str(self.layout.root / lock),
        ]

    def _step(self, title: str, command: list[str], finishes: Sequence[str] = ()) -> Step:
        """A step; when it has succeeded, the parts it `finishes` are recorded as such."""

        def record() -> None:
            for part in finishes:
                stamp.record(self.layout, part, self.digests[part])

        name = "".join(letter if letter.isalnum() else "-" for letter in title.lower())
        log = self.layout.home / f"setup-{name}.log"
        return Step(title, [command], self.layout.root, self.env, log, record)


def _environment(layout: Layout) -> dict[str, str]:
    """The user's environment (pip's and cargo's settings in it), bound to our folders."""
    env = {
        k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONHOME", "CONDA_PREFIX")
    }
    path = f"{layout.venv / 'bin'}{os.pathsep}{env.get('PATH', '')}"
    own = {"VIRTUAL_ENV": str(layout.venv), "CARGO_TARGET_DIR": str(layout.home / "target")}
    # `--user` and a virtual environment exclude each other.
    return {**env, **own, "PATH": path, "PIP_USER": "0", "PWD": str(layout.root)}


@contextlib.contextmanager
def _alone(path: Path) -> Iterator[None]:
    with path.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("another start is setting Webdyno up; waiting for it")
            fcntl.flock(file, fcntl.LOCK_EX)
        # Released when the file is closed, even where this process is killed.
        yield


@contextlib.contextmanager
def _collected(folder: Path, log: Path) -> Iterator[None]:
    """Join the steps' own logs, in the order of their time, into one."""
    for old in folder.glob("setup-*.log"):
        old.unlink()
    try:
        yield
    finally:
        parts = sorted(folder.glob("setup-*.log"), key=lambda part: part.stat().st_mtime)
        log.write_bytes(b"\n".join(part.read_bytes() for part in parts))
        for part in parts:
            part.unlink()


def _remedy(tail: list[str]) -> str:
    text = "\n".join(tail).lower()
    if "no space left" in text:
        return "The disk is full; Webdyno needs about 1.5 GB for its environment."
    if "hashes" in text and "do not match" in text:
        return "A package differs from the one that was locked; check the package index in use."
    offline = (
        "connection",
        "could not resolve",
        "timed out",
        "no matching distribution",
        "network",
    )
    if any(sign in text for sign in offline):
        return (
            "The package index could not be reached; check the network, or PIP_INDEX_URL and "
            "cargo's source settings, and start again."
        )
    return ""
