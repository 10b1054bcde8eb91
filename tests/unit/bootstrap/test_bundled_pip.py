"""pip comes from the wheel that Python brought along."""

from __future__ import annotations

import ensurepip
import importlib
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import bundled_pip


def test_a_distribution_s_folder_of_wheels_goes_before_python_s_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(bundled_pip.sysconfig, "get_config_var", lambda _: str(tmp_path))
    wheel = tmp_path / f"pip-{ensurepip.version()}-py3-none-any.whl"
    assert bundled_pip.wheel() != wheel
    (tmp_path / "pip-1.0-py3-none-any.whl").touch()
    assert bundled_pip.wheel() != wheel
    wheel.touch()
    assert bundled_pip.wheel() == wheel


def test_where_python_brings_none_there_is_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(bundled_pip.sysconfig, "get_config_var", lambda _: None)
    monkeypatch.setattr(ensurepip, "__file__", str(tmp_path / "__init__.py"))
    assert bundled_pip.wheel() is None


def test_a_python_without_ensurepip_brings_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ensurepip", None)
    # Also where it is looked at first: set-up has to come as far as to say what is missing.
    assert importlib.reload(bundled_pip).wheel() is None


def test_what_is_unpacked_can_be_imported(tmp_path: Path) -> None:
    wheel = tmp_path / "pip.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("pip/__init__.py", "__version__ = '1.2.3'")
    bundled_pip.unpack(wheel, tmp_path / "site")
    code = "import pip; print(pip.__version__)"
    env = {"PYTHONPATH": str(tmp_path / "site")}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)
    assert done.stdout == "1.2.3\n", done.stderr
