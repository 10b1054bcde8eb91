"""The wheel: everything `pip install webdyno` needs, the content included."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import prebuilt
import stamp
from layout import ENGINE, Layout
from webdyno import __version__
from webdyno.runtime.home import Home

pytestmark = [pytest.mark.concurrent, pytest.mark.long]

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    maturin = Path(sys.executable).parent / "maturin"
    if not maturin.exists() or shutil.which("cargo") is None:
        pytest.skip("needs maturin and cargo")
    folder = tmp_path_factory.mktemp("dist")
    target = str(Home.default().root / "target")
    done = subprocess.run(
        [str(ROOT / ".ci" / "wheel"), str(folder)],
        env={
            **os.environ,
            "CARGO_TARGET_DIR": target,
            "VIRTUAL_ENV": sys.prefix,
            "MATURIN": str(maturin),
        },
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    (path,) = folder.glob("*.whl")
    return path


def test_a_set_up_of_the_same_sources_takes_its_engine(wheel: Path, tmp_path: Path) -> None:
    layout = Layout(ROOT, tmp_path)
    found = prebuilt.find(tmp_path, stamp.digest(layout, ENGINE))
    assert found is None
    (tmp_path / "dist").symlink_to(wheel.parent)
    found = prebuilt.find(tmp_path, stamp.digest(layout, ENGINE))
    assert found is not None
    assert found.samefile(wheel)
    prebuilt.install_engine(found, tmp_path)
    loaded = subprocess.run(
        [sys.executable, "-c", "import _engine; print(_engine.Load)"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert loaded.returncode == 0, loaded.stderr


def test_it_holds_the_engine_the_package_and_the_content(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    wanted = {
        "webdyno/_engine.abi3.so",
        "webdyno/py.typed",
        "webdyno/cli/scaffold/server/rust/Cargo.lock",
        "webdyno/schemas/study.schema.json",
        "webdyno/content/servers/node/http/server.toml",
        "webdyno/content/scenarios/blog/verifier.py",
        "webdyno/content/servers/node/language.toml",
        "webdyno/content/studies/published/point-lookup.toml",
        "webdyno/content/studies/quick.toml",
        f"webdyno-{__version__}.dist-info/licenses/LICENSE",
    }
    assert wanted - names == set()
    built = [name for name in names if "/node_modules/" in name or name.endswith(".pyc")]
    assert built == []


def test_installed_it_finds_its_content(wheel: Path, tmp_path: Path) -> None:
    """The wheel unpacked into a folder of its own, beside this environment's packages."""
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "webdyno", "list", "servers"],
        cwd=elsewhere,
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(tmp_path),
            "PYTHONPATH": str(tmp_path / "site"),
            "COLUMNS": "120",
        },
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "node/http" in done.stdout
