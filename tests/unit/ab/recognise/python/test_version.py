"""The Python that a service is built with: its manifests say which, this machine has some."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from support.recognised import write
from webdyno.ab.recognise import recognise

OWN = f"3.{sys.version_info.minor}"
OTHER = "3.19"

PROJECT = '[build-system]\n[project]\nrequires-python = "{}"\n'
POETRY = '[build-system]\n[tool.poetry.dependencies]\npython = "{}"\n'


def _made(folder: Path, files: dict[str, str]) -> tuple[str, str, tuple[str, ...]]:
    write(folder, {"main.py": "", **files})
    found = recognise(folder)
    assert found is not None
    return found.build[0].removesuffix(" -m venv .venv"), found.open, found.toolchain


def _have(folder: Path, *names: str, code: int = 0) -> None:
    for name in names:
        write(folder, {name: f"#!/bin/sh\nexit {code}\n"})
        (folder / name).chmod(0o755)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The one folder on PATH beside the system's, which holds no other Python of our tests."""
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "pyenv"))
    return tmp_path / "bin"


@pytest.mark.parametrize(
    "files",
    [
        {"pyproject.toml": PROJECT.format(">=3.8")},
        {"pyproject.toml": PROJECT.format(f"~={OWN}, <4")},
        {"pyproject.toml": PROJECT.format(f"=={OWN}.*")},
        {"pyproject.toml": PROJECT.format("!=3.2.*,>=3")},
        {"pyproject.toml": POETRY.format("^3.8")},
        {"pyproject.toml": POETRY.format(f"~{OWN}")},
        {"pyproject.toml": PROJECT.format("nonsense")},
        {"requirements.txt": "", ".python-version": f"{OWN}.99\n"},
        # Made for another, but any that it allows will do.
        {"pyproject.toml": PROJECT.format(">=3.8"), ".python-version": OTHER},
        {"requirements.txt": ""},
    ],
)
def test_our_own_is_taken_where_it_suits(path: Path, tmp_path: Path, files: dict[str, str]) -> None:
    assert _made(tmp_path / "shop", files) == ("${PYTHON}", "", ("python",))


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({"pyproject.toml": PROJECT.format(f">={OTHER}")}, f">={OTHER} (requires-python)"),
        ({"pyproject.toml": POETRY.format(f"^{OTHER}")}, f"^{OTHER} (python in pyproject.toml)"),
        (
            {"requirements.txt": "", ".python-version": f"# The one to use.\n{OTHER}\n"},
            f"{OTHER} (.python-version)",
        ),
    ],
)
def test_another_is_taken_where_there_is_one_else_told(
    path: Path, tmp_path: Path, files: dict[str, str], told: str
) -> None:
    command, said, _ = _made(tmp_path / "shop", files)
    assert command == "${PYTHON}"
    assert said == (
        f"it needs Python {told}, and this machine has {OWN}; install python{OTHER}, and write "
        f"python{OTHER} for ${{PYTHON}} in `build`"
    )
    # Of a version that is not chosen, pyenv has a name that does not start.
    _have(path, f"python{OTHER}", code=127)
    assert _made(tmp_path / "shop", files)[1]
    _have(path, f"python{OTHER}")
    assert _made(tmp_path / "shop", files) == (f"python{OTHER}", "", ())


def test_one_that_pyenv_has_is_taken(path: Path, tmp_path: Path) -> None:
    _have(path, f"python{OTHER}")
    (path / f"python{OTHER}").write_text(f'#!/bin/sh\n[ "$PYENV_VERSION" = {OTHER}.2 ]\n')
    _have(tmp_path / f"pyenv/versions/{OTHER}.2/bin", f"python{OTHER}")
    made = _made(tmp_path / "shop", {"pyproject.toml": PROJECT.format(f">={OTHER}")})
    assert made == (f"env PYENV_VERSION={OTHER}.2 python{OTHER}", "", ())
