"""Where things are, and which files each part of the environment is made from."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PYTHON, ENGINE, DEVELOPMENT = "python", "engine", "development"
"""The parts: packages to run, the compiled engine, packages to test."""


@dataclass(frozen=True)
class Layout:
    """The checkout (`root`) and the state folder (`home`)."""

    root: Path
    home: Path

    @classmethod
    def here(cls) -> Layout:
        """This checkout, and `.webdyno` in it or `$WEBDYNO_HOME`."""
        root = Path(__file__).resolve().parent.parent
        chosen = os.environ.get("WEBDYNO_HOME")
        # Without `..`, so that equal folders have equal names.
        return cls(root, Path(os.path.abspath(chosen)) if chosen else root / ".webdyno")

    @property
    def venv(self) -> Path:
        """The virtual environment."""
        return self.home / "venv"

    @property
    def python(self) -> Path:
        """The virtual environment's interpreter."""
        return self.venv / "bin" / "python"

    @property
    def package(self) -> Path:
        """The Python package, beside which the compiled engine is put."""
        return self.root / "src" / "webdyno"

    def engine_files(self) -> list[Path]:
        """The compiled engine: one file where it is there, none where not."""
        return sorted(self.package.glob("_engine*.so"))

    def inputs(self, part: str) -> list[Path]:
        """The files whose change makes `part` out of date."""
        if part == PYTHON:
            return [self.root / "requirements.lock"]
        if part == DEVELOPMENT:
            return [self.root / "requirements-dev.lock", self.root / "requirements-build.lock"]
        engine = self.root / "engine"
        crates = [engine, engine / "known-server", engine / "python", engine / "spec"]
        manifests = [
            self.root / "pyproject.toml",
            engine / "Cargo.lock",
            *(crate / "Cargo.toml" for crate in crates),
        ]
        return [*manifests, *(file for crate in crates for file in _rust_sources(crate / "src"))]

    def outputs(self, part: str) -> list[Path]:
        """The files that must be as `part` left them."""
        return self.engine_files() if part == ENGINE else [self.venv / "pyvenv.cfg"]


def python_version() -> str:
    """What the virtual environment depends on: `3.11` and the implementation."""
    return f"{sys.implementation.name} {sys.version_info.major}.{sys.version_info.minor}"


def _rust_sources(folder: Path) -> Iterator[Path]:
    for parent, folders, files in os.walk(folder):
        folders.sort()
        yield from (Path(parent, name) for name in sorted(files) if name.endswith(".rs"))
