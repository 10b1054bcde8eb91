"""A service in Python: what installs its dependencies."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from support.git_folder import git
from support.recognised import found_in, write
from webdyno.ab.recognise import recognise
from webdyno.catalog.descriptions.description import FILE
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
        (
            "poetry.lock",
            "poetry",
            "env POETRY_VIRTUALENVS_CREATE=true POETRY_VIRTUALENVS_IN_PROJECT=true "
            "poetry install --no-interaction --only main",
        ),
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


def test_a_lock_file_that_git_ignores_is_not_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {"main.py": "", "pyproject.toml": "[build-system]\n", "uv.lock": ""})
    git(tmp_path, "init", "-q")
    write(tmp_path, {"bin/uv": "#!/bin/sh\n"})
    (tmp_path / "bin/uv").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=os.pathsep)
    found = recognise(tmp_path)
    assert found is not None
    assert found.build == ("uv sync --quiet --locked --no-dev",)
    (tmp_path / ".gitignore").write_text("uv.lock\n")
    found = recognise(tmp_path)
    assert found is not None
    assert found.build[-1] == ".venv/bin/pip install --quiet ."
    assert found.open == ""


FLASK = '[project]\ndependencies = ["flask"]\n'
OF_POETRY = '[tool.poetry.dependencies]\nflask = "3"\n'


def write_locked(folder: Path, project: str, lock: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A service in Flask, locked by a program that is found here, such as Poetry."""
    program = lock.partition(".")[0]
    app = "from flask import Flask\napp = Flask(__name__)\n"
    write(folder, {"app.py": app, "pyproject.toml": project, lock: ""})
    write(folder / "bin", {program: "#!/bin/sh\n"})
    (folder / "bin" / program).chmod(0o755)
    monkeypatch.setenv("PATH", str(folder / "bin"))


@pytest.mark.parametrize(
    ("lock", "project", "ends"),
    [
        ("uv.lock", f'{FLASK}[dependency-groups]\nprod = ["gunicorn"]\n', "--no-dev --group prod"),
        ("uv.lock", f'{FLASK}[dependency-groups]\ndev = ["gunicorn"]\n', "--locked --group dev"),
        ("uv.lock", f'{FLASK}[tool.uv]\ndev-dependencies = ["gunicorn"]\n', "--group dev"),
        ("uv.lock", '[project]\ndependencies = ["gunicorn"]\n', "--locked --no-dev"),
        (
            "poetry.lock",
            f'{FLASK}[project.optional-dependencies]\nweb = ["gunicorn"]\n',
            "--only main --extras web",
        ),
        (
            "poetry.lock",
            f'{OF_POETRY}gunicorn = {{ version = "23", optional = true }}\n'
            '[tool.poetry.extras]\nweb = ["gunicorn"]\n',
            "--only main --extras web",
        ),
        (
            "poetry.lock",
            f'{OF_POETRY}[tool.poetry.group.prod.dependencies]\ngunicorn = "23"\n',
            "--only main,prod",
        ),
        (
            "poetry.lock",
            f'{OF_POETRY}[tool.poetry.dev-dependencies]\ngunicorn = "23"\n',
            "--only main,dev",
        ),
        ("poetry.lock", f'{OF_POETRY}gunicorn = "23"\n', "--only main"),
        (
            "pdm.lock",
            f'{FLASK}[project.optional-dependencies]\nweb = ["gunicorn"]\n',
            "sync --quiet --prod --group web",
        ),
        ("pdm.lock", f'{FLASK}[dependency-groups]\nweb = ["gunicorn"]\n', "pdm sync --quiet"),
    ],
)
def test_what_serves_a_project_is_installed_with_it(
    lock: str, project: str, ends: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_locked(tmp_path, project, lock, monkeypatch)
    found = recognise(tmp_path)
    assert found is not None
    (line,) = found.build
    assert line.endswith(ends)
    assert found.run == ".venv/bin/gunicorn app:app --bind 127.0.0.1:${PORT}"


BOTH = '[tool.poetry.dependencies]\nflask = "3"\ngunicorn = "23"\n'


@pytest.mark.parametrize(
    ("lock", "project", "ends", "without"),
    [
        (
            "poetry.lock",
            f'{BOTH}[tool.poetry.group.migrations.dependencies]\nalembic = "1"\n',
            "--only main,migrations",
            "--only main",
        ),
        (
            "poetry.lock",
            f'{OF_POETRY}[tool.poetry.group.web.dependencies]\ngunicorn = "23"\n'
            '[tool.poetry.group.dev.dependencies]\nFlask-Migrate = "4"\n',
            "--only main,dev,web",
            "--only main,web",
        ),
        (
            "poetry.lock",
            f'{FLASK}[project.optional-dependencies]\nweb = ["gunicorn"]\n'
            '[tool.poetry.group.dev.dependencies]\nalembic = "1"\n',
            "--only main,dev --extras web",
            "--only main --extras web",
        ),
        (
            "poetry.lock",
            f'{BOTH}alembic = "1"\n[tool.poetry.group.dev.dependencies]\npytest-alembic = "0"\n',
            "--only main",
            "--only main",
        ),
        (
            "uv.lock",
            '[project]\ndependencies = ["flask", "gunicorn"]\n'
            '[dependency-groups]\nmigrations = ["alembic"]\n',
            "--no-dev --group migrations",
            "--locked --no-dev",
        ),
        (
            "uv.lock",
            f'{FLASK}[dependency-groups]\ndev = ["alembic", "gunicorn"]\n',
            "--locked --group dev",
            "--locked --group dev",
        ),
    ],
)
@pytest.mark.parametrize("settings", ["alembic.ini", "migrations/alembic.ini", ""])
def test_what_runs_migrations_is_installed_where_there_are_some(
    lock: str,
    project: str,
    ends: str,
    without: str,
    settings: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write_locked(tmp_path, project, lock, monkeypatch)
    if settings:
        write(tmp_path, {settings: ""})
    found = recognise(tmp_path)
    assert found is not None
    (line,) = found.build
    assert line.endswith(ends if settings else without)


def test_the_only_service_of_a_workspace_of_uv_is_started_in_its_folder(tmp_path: Path) -> None:
    member = '[project]\nname = "api"\ndependencies = ["fastapi", "uvicorn", "psycopg2"]\n'
    files = {
        "pyproject.toml": '[tool.uv.workspace]\nmembers = ["services/*"]\n',
        "services/api/pyproject.toml": member,
        "services/api/alembic.ini": "",
        "services/api/app/main.py": "from fastapi import FastAPI\napp = FastAPI()\n",
        "services/jobs/pyproject.toml": '[project]\nname = "jobs"\n',
    }
    write(tmp_path, files)
    found = recognise(tmp_path)
    assert found is not None
    into = "cd services/api && "
    assert found.run.startswith(f"{into}exec ../../.venv/bin/uvicorn app.main:app --port ")
    assert found.prepare == (f"{into}../../.venv/bin/alembic upgrade head",)
    assert (found.package, found.services) == ("services/api", ("postgresql",))


def test_a_pattern_in_place_of_a_folder_is_no_folder(tmp_path: Path) -> None:
    manifest = (
        '[project]\nname = "shop"\ndependencies = ["flask"]\n'
        '[tool.setuptools.packages.find]\nwhere = ["**x", "a[", "\\u0000"]\n'
    )
    found = found_in(tmp_path, {"pyproject.toml": manifest, "app.py": "app = Flask(__name__)\n"})
    assert found.manifest == "pyproject.toml"


def test_an_application_is_served_rather_than_a_program_that_names_its_port(tmp_path: Path) -> None:
    files = {
        "requirements.txt": "fastapi\nuvicorn\n",
        "app/__init__.py": "",
        "app/api/__init__.py": "",
        "app/api/server.py": "app = FastAPI()\n",
        "app/main.py": (
            'if __name__ == "__main__":\n'
            '    uvicorn.run("app.api.server:app", port=8000, reload=True)\n'
        ),
    }
    assert "uvicorn app.api.server:app" in found_in(tmp_path, files).run


def test_a_bot_is_no_service(tmp_path: Path) -> None:
    files = {
        "requirements.txt": "pyrogram\n",
        "bot/__init__.py": "",
        "bot/main.py": 'app = Client("bot")\nif __name__ == "__main__":\n    app.run()\n',
    }
    assert "-m bot.main" not in found_in(tmp_path, files).run
