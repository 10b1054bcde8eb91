"""The engine that is there stays until the new one is."""

from pathlib import Path

import pytest

from environment import _Setup
from layout import ENGINE, Layout
from progress import StepFailed


def set_up(folder: Path, monkeypatch: pytest.MonkeyPatch, cargo: str) -> list[str]:
    """The engines in the package after a set-up with this script in the place of cargo."""
    layout = Layout(folder, folder / "home")
    for place in (layout.package, layout.home, folder / "bin"):
        place.mkdir(parents=True)
    for name in ("_engine.abi3.so", "_engine.cpython-311.so"):
        (layout.package / name).write_text("old")
    program = folder / "bin" / "cargo"
    program.write_text(f"#!/bin/sh\n{cargo}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    # No environment is there, in which an engine could be loaded.
    with pytest.raises((StepFailed, OSError)):
        _Setup(layout, {ENGINE: "digest"}, None).run()
    return [f"{file.name}: {file.read_text()}" for file in layout.engine_files()]


def test_a_failed_compilation_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = set_up(tmp_path, monkeypatch, "exit 1")
    assert left == ["_engine.abi3.so: old", "_engine.cpython-311.so: old"]


def test_a_new_one_takes_the_place_of_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = "mkdir -p $CARGO_TARGET_DIR/release; printf new > $CARGO_TARGET_DIR/release/lib"
    left = set_up(tmp_path, monkeypatch, f"{made}webdyno_engine_python.so")
    assert left == ["_engine.abi3.so: new"]
