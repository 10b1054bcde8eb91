"""Which start has uv put the locked version of a dependency back, so that `--with` is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from unit.ab.conftest import FILE, paired
from webdyno.ab.flags import Flags
from webdyno.errors import UserError

REFUSED = (
    "--with: `uv run` puts the locked version back at each start; start the service with "
    "`uv run --no-sync`"
)
PROJECT = '[project]\nname = "shop"\nversion = "1"\n'


def is_refused(
    here: Path,
    into: Path,
    command: str,
    project: str = PROJECT,
    more: str = "",
    flags: Flags | None = None,
) -> bool:
    (here / "pyproject.toml").write_text(project)
    text = FILE.replace('"node"', '"python"').replace("npm ci", "uv sync")
    (here / "webdyno.toml").write_text(text.replace("node a.js", command) + more)
    try:
        paired(here, into, packages=["django@5.1", "django@5.2"], flags=flags or Flags())
    except UserError as error:
        if str(error) != REFUSED:
            raise
        return True
    return False


@pytest.mark.parametrize(
    ("command", "refused"),
    [
        ("uv run uvicorn app:app", True),
        ("uv run --locked uvicorn app:app", True),
        # It leaves the lock file alone, but not the environment.
        ("uv run --frozen uvicorn app:app", True),
        ("uv run --extra web --python 3.13 uvicorn app:app", True),
        ("uv --quiet run uvicorn app:app", True),
        ("uv --directory . run uvicorn app:app", True),
        ("PYTHONPATH=src uv run python main.py", True),
        ("cd src && uv run python main.py", True),
        ("UV_NO_SYNC=0 uv run python main.py", True),
        ("nice -n 5 uv run python main.py", True),
        ("nice -n 5 uv run --no-sync python main.py", False),
        # Of the program, not of uv.
        ("uv run app --no-sync", True),
        ("uv run -- app --no-sync", True),
        ("uv run --no-sync uvicorn app:app", False),
        ("uv run --extra web --no-sync uvicorn app:app", False),
        ("uv run --no-project uvicorn app:app", False),
        ("UV_NO_SYNC=1 uv run uvicorn app:app", False),
        ("export UV_NO_SYNC=true && uv run uvicorn app:app", False),
        ("env UV_NO_SYNC=1 uv run uvicorn app:app", False),
        ("uv tool run uvicorn app:app", False),
        (".venv/bin/uvicorn app:app", False),
    ],
)
def test_a_start_that_puts_the_locked_version_back_is_refused(
    command: str, refused: bool, here: Path, tmp_path: Path
) -> None:
    assert is_refused(here, tmp_path / "into", command) == refused


def test_what_runs_before_a_start_may_not_put_it_back_either(here: Path, tmp_path: Path) -> None:
    def refused(line: str) -> bool:
        more = f'prepare = ["{line}"]\n'
        return is_refused(here, tmp_path / "into", ".venv/bin/uvicorn app:app", more=more)

    assert refused("uv run manage.py migrate")
    assert not refused("uv run --no-sync manage.py migrate")


def test_the_environment_may_say_that_nothing_is_put_back(here: Path, tmp_path: Path) -> None:
    def refused(value: str) -> bool:
        flags = Flags(env=[f"UV_NO_SYNC={value}"])
        return is_refused(here, tmp_path / "into", "uv run app", flags=flags)

    assert not refused("1")
    assert refused("false")


@pytest.mark.parametrize(
    ("project", "refused"),
    [
        ("", False),
        ("[tool.ruff]\n", False),
        (f"{PROJECT}[tool.uv]\nmanaged = false\n", False),
        ('[tool.uv.workspace]\nmembers = ["api"]\n', True),
    ],
)
def test_uv_puts_back_what_a_project_locks(
    project: str, refused: bool, here: Path, tmp_path: Path
) -> None:
    assert is_refused(here, tmp_path / "into", "uv run uvicorn app:app", project) == refused
