"""Making the environment: hash-checked packages in a venv, the engine in release mode."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import bundled_pip
import needs
import prebuilt
import stamp
from layout import DEVELOPMENT, ENGINE, PYTHON, Layout
from progress import Step, StepFailed, run_together, say


def set_up(layout: Layout, wanted: list[str]) -> int:
    """Make those of the parts `wanted` that are not current; gives an exit code.

    One setup at a time: a second one waits for the first, and then finds nothing left to do.
    """
    try:
        layout.home.mkdir(parents=True, exist_ok=True)
        with _setup_lock(layout.home / "setup.lock"):
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
    digests = {part: stamp.digest(layout, part) for part in parts}
    wheel = prebuilt.find(layout.root, digests[ENGINE]) if ENGINE in parts else None
    missing = needs.missing(layout, [part for part in parts if part != ENGINE or not wheel])
    if missing:
        for line in missing:
            print(f"webdyno: {line}", file=sys.stderr)
        return 2
    say(f"Setting up {layout.home}: {', '.join(parts)} (at first use, and after changes)")
    started = time.monotonic()
    log = layout.home / "setup.log"
    try:
        with _joined_logs(layout.home, log):
            _Setup(layout, digests, wheel).run()
    except StepFailed as failure:
        for line in failure.tail:
            print(f"  | {line:.160}", file=sys.stderr)
        say(f"{failure}; all of its output: {log}", mark="✗")
        if remedy := _remedy(str(failure), failure.tail):
            say(remedy, mark="→")
        return 1
    say(f"Ready ({time.monotonic() - started:.1f} s)", mark="✓")
    return 0


class _Setup:
    """The steps, those beside each other that do not need each other."""

    def __init__(self, layout: Layout, digests: dict[str, str], wheel: Path | None) -> None:
        """`digests`: of the parts to make. `wheel`: one with their engine, if any."""
        self.layout = layout
        self.digests = digests
        self.wheel = wheel
        self.env = _environment(layout)

    def run(self) -> None:
        """Run them. Raises `StepFailed`."""
        known = stamp.is_known(self.layout, PYTHON) and self.layout.python.exists()
        for part in self.digests:
            stamp.forget(self.layout, part)
        # Packages come over the network, the engine from the processor: both at the same time.
        steps = []
        if ENGINE in self.digests:
            if self.wheel is None:
                steps.append(self._engine())
            else:
                prebuilt.install_engine(self.wheel, self.layout.package)
                self._drop_other_engines()
                say(f"Load engine taken from {self.wheel}", mark="✓")
        if PYTHON in self.digests and not known:
            # What an interrupted setup or another Python left is cleared away. Packages of a
            # finished environment are updated in place.
            steps.append(self._virtual_environment())
        elif self._packages_wanted():
            steps.append(self._packages())
        run_together(steps)
        if ENGINE in self.digests:
            # Only now, because the package may import others.
            load = [str(self.layout.python), "-c", "import webdyno._engine"]
            title = "Engine loads" if self.wheel is None else "Prebuilt engine loads"
            run_together([self._step(title, load, lambda: self._finish(ENGINE))])
            self._tidy()

    def _virtual_environment(self) -> Step:
        stamp.forget(self.layout, DEVELOPMENT)
        base = getattr(sys, "_base_executable", sys.executable)
        create = [base, "-m", "venv", "--clear"]
        # pip comes with the packages, unless this Python has it where nobody finds it.
        create += ["--without-pip"] if bundled_pip.wheel() else []
        create.append(str(self.layout.venv))
        return self._step("Virtual environment", create, then=self._packages)

    def _packages_wanted(self) -> list[str]:
        return [part for part in self.digests if part != ENGINE]

    def _packages(self) -> Step:
        for site in (self.layout.venv / "lib").glob("python*/site-packages"):
            (site / "webdyno.pth").write_text(f"{self.layout.root / 'src'}\n", encoding="utf-8")
        parts = self._packages_wanted()
        development = DEVELOPMENT in parts
        title = "Packages for development" if development else "Python packages"
        # The build tool makes wheels, which a test does; the engine is compiled without it.
        to_develop = ["requirements-dev.lock", "requirements-build.lock"]
        locks = to_develop if development else ["requirements.lock"]
        program = Path(__file__).with_name("packages.py")
        files = [self.layout.python, program, *(self.layout.root / lock for lock in locks)]
        command = [str(file) for file in files]
        return self._step(title, command, lambda: self._finish(*parts))

    def _drop_other_engines(self) -> None:
        """Remove engines of other names, which Python may import instead of the new one.

        To be called once that is there: until then, what runs in this checkout, for another state
        folder too, imports an old one.
        """
        for file in self.layout.engine_files():
            if file.name != prebuilt.ENGINE_FILE:
                file.unlink()

    def _engine(self) -> Step:
        manifest = str(self.layout.root / "engine" / "python" / "Cargo.toml")
        cargo = ["cargo", "build", "--release", "--locked", "--manifest-path", manifest]
        return self._step("Load engine", cargo, self._take_compiled)

    def _take_compiled(self) -> None:
        compiled = self.layout.home / "target" / "release" / "libwebdyno_engine_python.so"
        prebuilt.write_engine(compiled.read_bytes(), self.layout.package)
        self._drop_other_engines()

    def _tidy(self) -> None:
        """Remove what compiling left, hundreds of megabytes, unless somebody develops here."""
        if DEVELOPMENT not in self.digests and not stamp.is_known(self.layout, DEVELOPMENT):
            shutil.rmtree(self.layout.home / "target" / "release", ignore_errors=True)

    def _finish(self, *parts: str) -> None:
        for part in parts:
            stamp.record(self.layout, part, self.digests[part])

    def _step(
        self,
        title: str,
        command: Sequence[str],
        done: Callable[[], None] = lambda: None,
        then: Callable[[], Step] | None = None,
    ) -> Step:
        name = "".join(letter if letter.isalnum() else "-" for letter in title.lower())
        log = self.layout.home / f"setup-{name}.log"
        return Step(title, [command], self.layout.root, self.env, log, done, then)


def _environment(layout: Layout) -> dict[str, str]:
    """The user's environment (pip's and cargo's settings in it), bound to our folders."""
    env = {
        k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONHOME", "CONDA_PREFIX")
    }
    path = f"{layout.venv / 'bin'}{os.pathsep}{env.get('PATH', '')}"
    own = {
        "VIRTUAL_ENV": str(layout.venv),
        "CARGO_TARGET_DIR": str(layout.home / "target"),
        # The engine keeps to Python's stable interface, so none has to be asked for its own.
        "PYO3_NO_PYTHON": "1",
        "PYO3_BUILD_EXTENSION_MODULE": "1",
    }
    # `--user` and a virtual environment exclude each other.
    return {**env, **own, "PATH": path, "PIP_USER": "0", "PWD": str(layout.root)}


@contextlib.contextmanager
def _setup_lock(path: Path) -> Iterator[None]:
    with path.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("another start is setting Webdyno up; waiting for it")
            fcntl.flock(file, fcntl.LOCK_EX)
        # Released when the file is closed, even where this process is killed.
        yield


@contextlib.contextmanager
def _joined_logs(folder: Path, log: Path) -> Iterator[None]:
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


_OFFLINE = ("connection", "could not resolve", "timed out", "network", "name resolution")


def _remedy(failure: str, tail: list[str]) -> str:
    text = "\n".join(tail).lower()
    if failure.startswith("Prebuilt engine"):
        return "Remove that wheel (dist/, WEBDYNO_WHEEL) to have the engine compiled."
    if "no space left" in text:
        return "The disk is full; Webdyno needs about 1 GB for its environment."
    if "hashes" in text and "do not match" in text:
        return "A package does not match its locked hash; check the package index in use."
    # pip says so when it could not ask, too: then it has said before that it could not connect.
    if "no matching distribution" in text and not any(sign in text for sign in _OFFLINE):
        return (
            "The package index has no such package for this Python, processor and C library; use "
            "a Python that it supports, or another index (PIP_INDEX_URL)."
        )
    if any(sign in text for sign in _OFFLINE):
        return (
            "The package index could not be reached; check the network, or PIP_INDEX_URL and "
            "cargo's source settings, and start again."
        )
    return ""
