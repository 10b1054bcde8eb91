"""A prebuilt engine is taken where it was made from the same sources, for this machine."""

from __future__ import annotations

import platform
import zipfile
from pathlib import Path

import pytest

import prebuilt

DIGEST = "5ea1"


@pytest.fixture(autouse=True)
def unnamed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WEBDYNO_WHEEL", raising=False)


def write(folder: Path, made_from: str = DIGEST, machine: str = platform.machine()) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"webdyno-0.1.0-cp311-abi3-linux_{machine}.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("webdyno/_engine.abi3.so", b"engine")
        archive.writestr("webdyno/_engine.made_from", f"{made_from}\n")
    return path


def test_one_in_dist_is_found_and_its_engine_put_in_place(tmp_path: Path) -> None:
    path = write(tmp_path / "dist")
    assert prebuilt.find(tmp_path, DIGEST) == path
    (tmp_path / "_engine.abi3.so").write_bytes(b"of before")
    prebuilt.install_engine(path, tmp_path)
    assert (tmp_path / "_engine.abi3.so").read_bytes() == b"engine"
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["_engine.abi3.so", "dist"]


@pytest.mark.parametrize("named", ["file", "folder"])
def test_the_one_that_is_named_goes_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    write(tmp_path / "dist")
    path = write(tmp_path / "elsewhere")
    monkeypatch.setenv("WEBDYNO_WHEEL", str(path if named == "file" else path.parent))
    assert prebuilt.find(tmp_path, DIGEST) == path


@pytest.mark.parametrize("other", [{"made_from": "0ther"}, {"machine": "pdp11"}])
def test_one_of_other_sources_or_another_machine_is_not_taken(
    tmp_path: Path, other: dict[str, str]
) -> None:
    write(tmp_path / "dist", **other)
    assert prebuilt.find(tmp_path, DIGEST) is None


def test_what_is_no_wheel_or_does_not_say_its_sources_is_not_taken(tmp_path: Path) -> None:
    assert prebuilt.find(tmp_path, DIGEST) is None
    path = write(tmp_path / "dist")
    path.write_bytes(path.read_bytes()[:50])
    assert prebuilt.find(tmp_path, DIGEST) is None
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("webdyno/_engine.abi3.so", b"engine")
    assert prebuilt.find(tmp_path, DIGEST) is None
