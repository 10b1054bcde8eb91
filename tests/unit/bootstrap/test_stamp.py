"""The stamp: when is an environment current?"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import stamp
from layout import DEVELOPMENT, ENGINE, PYTHON, Layout


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    """A checkout with all input files and a home with all outputs."""
    root, home = tmp_path / "checkout", tmp_path / "home"
    files = {
        root / "pyproject.toml": "project",
        root / "requirements.lock": "run",
        root / "requirements-build.lock": "build",
        root / "requirements-dev.lock": "develop",
        root / "engine" / "Cargo.toml": "crate",
        root / "engine" / "Cargo.lock": "crates",
        root / "engine" / "src" / "lib.rs": "source",
        root / "engine" / "src" / "run" / "mod.rs": "deeper",
        root / "engine" / "known-server" / "Cargo.toml": "another crate",
        root / "engine" / "known-server" / "src" / "lib.rs": "another source",
        root / "engine" / "python" / "Cargo.toml": "the module's crate",
        root / "engine" / "python" / "src" / "lib.rs": "the module's source",
        root / "engine" / "spec" / "Cargo.toml": "one more crate",
        root / "engine" / "spec" / "src" / "lib.rs": "one more source",
        root / "src" / "webdyno" / "_engine.abi3.so": "engine",
        home / "venv" / "pyvenv.cfg": "venv",
    }
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return Layout(root, home)


def finish(layout: Layout, part: str) -> None:
    stamp.record(layout, part, stamp.digest(layout, part))


def test_nothing_is_current_at_first(layout: Layout) -> None:
    assert not any(stamp.is_current(layout, part) for part in (PYTHON, ENGINE, DEVELOPMENT))


@pytest.mark.parametrize("part", [PYTHON, ENGINE, DEVELOPMENT])
def test_a_finished_part_is_current_and_the_others_are_not(layout: Layout, part: str) -> None:
    finish(layout, part)
    assert [p for p in (PYTHON, ENGINE, DEVELOPMENT) if stamp.is_current(layout, p)] == [part]


@pytest.mark.parametrize(
    ("part", "name"),
    [
        (PYTHON, "requirements.lock"),
        (DEVELOPMENT, "requirements-build.lock"),
        (DEVELOPMENT, "requirements-dev.lock"),
        (ENGINE, "pyproject.toml"),
        (ENGINE, "engine/Cargo.lock"),
        (ENGINE, "engine/src/run/mod.rs"),
        (ENGINE, "engine/src/new.rs"),
        (ENGINE, "engine/known-server/src/lib.rs"),
        (ENGINE, "engine/python/Cargo.toml"),
        (ENGINE, "engine/python/src/lib.rs"),
        (ENGINE, "engine/spec/src/lib.rs"),
    ],
)
def test_a_changed_or_added_input_makes_its_part_out_of_date(
    layout: Layout, part: str, name: str
) -> None:
    for each in (PYTHON, ENGINE, DEVELOPMENT):
        finish(layout, each)
    (layout.root / name).write_text("changed")
    assert [p for p in (PYTHON, ENGINE, DEVELOPMENT) if not stamp.is_current(layout, p)] == [part]


def test_a_removed_input_makes_its_part_out_of_date(layout: Layout) -> None:
    finish(layout, ENGINE)
    (layout.root / "engine" / "src" / "run" / "mod.rs").unlink()
    assert not stamp.is_current(layout, ENGINE)


def test_a_touched_input_with_the_same_content_is_current(layout: Layout) -> None:
    finish(layout, ENGINE)
    os.utime(layout.root / "engine" / "Cargo.toml", ns=(1, 1))
    assert stamp.is_current(layout, ENGINE)
    # And its new time is remembered, so that the next start reads no file.
    seen = json.loads((layout.home / "setup.json").read_text())[ENGINE]["inputs"]
    assert seen[str(layout.root / "engine" / "Cargo.toml")][0] == 1


def test_content_that_changes_behind_an_unchanged_time_and_size_is_the_only_blind_spot(
    layout: Layout,
) -> None:
    finish(layout, ENGINE)
    path = layout.root / "engine" / "src" / "lib.rs"
    before = path.stat()
    path.write_text("SOURCE")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert stamp.is_current(layout, ENGINE)
    path.write_text("a longer source")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert not stamp.is_current(layout, ENGINE)


def test_a_missing_or_exchanged_engine_is_out_of_date(layout: Layout) -> None:
    finish(layout, ENGINE)
    (engine,) = layout.engine_files()
    engine.write_text("of another home")
    assert not stamp.is_current(layout, ENGINE)
    finish(layout, ENGINE)
    engine.unlink()
    assert not stamp.is_current(layout, ENGINE)


def test_a_removed_virtual_environment_is_out_of_date(layout: Layout) -> None:
    finish(layout, PYTHON)
    (layout.venv / "pyvenv.cfg").unlink()
    assert not stamp.is_current(layout, PYTHON)


def test_a_part_is_not_current_while_it_is_worked_on(layout: Layout) -> None:
    finish(layout, PYTHON)
    stamp.forget(layout, PYTHON)
    assert not stamp.is_current(layout, PYTHON)
    assert not stamp.is_known(layout, PYTHON)


def test_an_input_changed_during_the_work_is_noticed(layout: Layout) -> None:
    before = stamp.digest(layout, ENGINE)
    (layout.root / "engine" / "src" / "lib.rs").write_text("edited while it was compiled")
    stamp.record(layout, ENGINE, before)
    assert not stamp.is_current(layout, ENGINE)


def test_another_python_makes_everything_out_of_date(
    layout: Layout, monkeypatch: pytest.MonkeyPatch
) -> None:
    finish(layout, PYTHON)
    monkeypatch.setattr(stamp, "python_version", lambda: "cpython 3.99")
    assert not stamp.is_current(layout, PYTHON)
    assert not stamp.is_known(layout, PYTHON)


def test_a_moved_checkout_is_out_of_date(layout: Layout) -> None:
    finish(layout, PYTHON)
    moved = layout.root.rename(layout.root.with_name("moved"))
    assert not stamp.is_current(Layout(moved, layout.home), PYTHON)


def test_a_damaged_stamp_counts_as_none(layout: Layout) -> None:
    finish(layout, PYTHON)
    (layout.home / "setup.json").write_text('{"python": {')
    assert not stamp.is_current(layout, PYTHON)
    finish(layout, PYTHON)
    assert stamp.is_current(layout, PYTHON)
