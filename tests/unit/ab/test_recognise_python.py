"""A service in Python: what installs its dependencies."""

from __future__ import annotations

from pathlib import Path

import pytest

from unit.ab.test_recognise import write
from webdyno.ab.recognise import recognise
from webdyno.catalog.description import FILE
from webdyno.cli.main import main


@pytest.mark.parametrize(
    ("files", "unread", "refused"),
    [
        (("Pipfile",), "Pipfile", True),
        (("Pipfile", "Pipfile.lock"), "Pipfile.lock", True),
        (("pyproject.toml", "uv.lock"), "uv.lock", False),
        (("pyproject.toml", "poetry.lock"), "poetry.lock", False),
        (("requirements.txt", "uv.lock"), "", False),
        (("pyproject.toml",), "", False),
    ],
)
def test_what_pip_does_not_read_is_said(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    files: tuple[str, ...],
    unread: str,
    refused: bool,
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    write(tmp_path, {"main.py": "", **dict.fromkeys(files, "")})
    if "pyproject.toml" in files:
        (tmp_path / "pyproject.toml").write_text("[build-system]\nrequires = []\n")
    found = recognise(tmp_path)
    assert found is not None
    assert found.open.startswith(f"pip does not read {unread}; " if unread else "")
    assert bool(found.open) == bool(unread)
    # It cannot install a Pipfile at all.
    assert found.is_template == refused
    assert any("pip install" in line for line in found.build) != refused


@pytest.mark.parametrize(
    ("lock", "program", "command"),
    [
        ("uv.lock", "uv", "uv sync --quiet --locked --no-dev"),
        ("poetry.lock", "poetry", "poetry install --quiet --only main"),
        ("pdm.lock", "pdm", "pdm sync --quiet --prod"),
        ("Pipfile.lock", "pipenv", "pipenv sync"),
    ],
)
def test_a_lock_file_of_python_is_installed_by_its_own_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lock: str, program: str, command: str
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    manifest = "Pipfile" if program == "pipenv" else "pyproject.toml"
    write(tmp_path, {"main.py": "", manifest: "", lock: ""})
    found = recognise(tmp_path)
    assert found is not None
    if program != "pipenv":
        assert found.open.startswith(f"pip does not read {lock}; install {program}, or name")
    write(tmp_path / "bin", {program: "#!/bin/sh\n"})
    (tmp_path / "bin" / program).chmod(0o755)
    found = recognise(tmp_path)
    assert found is not None
    assert (found.open, found.is_template) == ("", False)
    (line,) = found.build
    assert line.endswith(command)


def test_a_pyproject_that_pip_may_not_install_is_told(tmp_path: Path) -> None:
    write(tmp_path, {"main.py": "", "pyproject.toml": '[project]\nname = "x"\n'})
    found = recognise(tmp_path)
    assert found is not None
    assert found.open.startswith("pyproject.toml has no [build-system]")


def test_a_missing_command_is_told_beside_a_lock_file_that_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    write(tmp_path, {"pyproject.toml": "", "uv.lock": ""})
    assert main(["init", str(tmp_path)]) == 0
    told = capsys.readouterr().out
    assert "1. pip does not read uv.lock; " in told
    assert "2. no application found; set the start command" in told
    written = (tmp_path / FILE).read_text()
    assert "# To do: pip does not read uv.lock; " in written
    assert "# To do: no application found; set the start command" in written


MADE = "def make() -> FastAPI:\n    app = FastAPI()\n    return app\n"
GUNICORN = ".venv/bin/gunicorn {} --bind 127.0.0.1:${{PORT}}"
UVICORN = ".venv/bin/uvicorn {} --port ${{PORT}} --log-level warning"


@pytest.mark.parametrize(
    ("needs", "files", "run"),
    [
        ("fastapi[standard]>=0.1", {"app/main.py": "app = FastAPI()\n"}, "app.main:app"),
        ("fastapi[all]", {"src/app/main.py": "app: FastAPI = FastAPI()\n"}, "app.main:app"),
        ("uvicorn", {"app/main.py": f"{MADE}\n\nweb = make()\n"}, "app.main:web"),
        (
            "uvicorn",
            {
                "app/main.py": "def make(\n    debug: bool,\n) -> fastapi.FastAPI:\n    pass\n"
                "\n\nweb = make(True)\n"
            },
            "app.main:web",
        ),
        (
            "uvicorn",
            {
                "main.py": "from shop.web import (\n    make,\n)\n\napp = make()\n",
                "shop/web.py": MADE,
            },
            "main:app",
        ),
        (
            "uvicorn",
            {"app/main.py": "from .web import make\n\napp = make()\n", "app/web/__init__.py": MADE},
            "app.main:app",
        ),
        (
            "uvicorn",
            {"app/main.py": MADE.replace("make", "create_app")},
            "--factory app.main:create_app",
        ),
        (
            "uvicorn",
            {"main.py": "def tool():\n    pass\n", "server.py": "app = FastAPI()\n"},
            "server:app",
        ),
        (
            "flask gunicorn",
            {
                "wsgi.py": "from shop import create_app\n\napp = create_app()\n",
                "shop/__init__.py": "def create_app(name='x'):\n    return Flask(name)\n",
            },
            "wsgi:app",
        ),
        (
            "flask gunicorn",
            {"shop/__init__.py": "def create_app(name='x'):\n    app = Flask(name)\n"},
            "'shop:create_app()'",
        ),
        (
            "flask gunicorn",
            {
                "app.py": "def create_app(name):\n    return Flask(name)\n",
                "wsgi.py": "from app import create_app\n\nweb = create_app('x')\n",
            },
            "wsgi:web",
        ),
    ],
)
def test_an_application_is_found_where_frameworks_put_it(
    tmp_path: Path, needs: str, files: dict[str, str], run: str
) -> None:
    write(tmp_path, {"requirements.txt": needs.replace(" ", "\n"), **files})
    found = recognise(tmp_path)
    assert found is not None
    server = GUNICORN if "gunicorn" in needs else UVICORN
    assert (found.run, found.open) == (server.format(run), "")
