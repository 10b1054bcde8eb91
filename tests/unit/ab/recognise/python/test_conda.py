"""A service whose dependencies only an environment of conda's names."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.recognised import FLASK, found_in
from webdyno.ab.recognise import recognise

ENVIRONMENT = (
    "name: shop\nchannels: [conda-forge]\ndependencies:\n  - python=3.11\n"
    "  - conda-forge::flask=3\n  - gunicorn  # serves it\n  - pip:\n      - psycopg[binary]\n"
)


@pytest.mark.parametrize(
    ("program", "build"),
    [
        ("conda", "conda env create --quiet --prefix .venv --file environment.yml"),
        ("mamba", "mamba env create --quiet --yes --prefix .venv --file environment.yml"),
        ("micromamba", "micromamba create --quiet --yes --prefix .venv --file environment.yml"),
        ("", "conda env create --quiet --prefix .venv --file environment.yml"),
    ],
)
def test_the_program_on_the_path_makes_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str, build: str
) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    if program:
        (programs / program).write_text("#!/bin/sh\n")
        (programs / program).chmod(0o755)
    monkeypatch.setenv("PATH", str(programs))
    found = found_in(tmp_path / "shop", {"environment.yml": ENVIRONMENT, "app.py": FLASK})
    assert found.build == (build,)
    assert found.run == ".venv/bin/gunicorn app:app --bind 127.0.0.1:${PORT}"
    # It has a Python of its own.
    assert (found.language, found.toolchain) == ("python", ())
    assert found.services == ("postgresql",)
    said = "none of conda, mamba and micromamba, one of which reads environment.yml, is on"
    assert found.open.startswith(said) == (not program)


def test_a_manifest_that_pip_reads_counts_before_it(tmp_path: Path) -> None:
    files = {"environment.yaml": ENVIRONMENT, "app.py": FLASK}
    assert found_in(tmp_path, files).manifest == "environment.yaml"
    # Settings of tools alone name no dependency.
    assert found_in(tmp_path, {"pyproject.toml": "[tool.ruff]\n"}).manifest == "environment.yaml"
    found = found_in(tmp_path, {"requirements.txt": "flask\ngunicorn\n"})
    assert found.manifest == "requirements.txt"


def test_a_file_of_that_name_may_be_another_programs(tmp_path: Path) -> None:
    (tmp_path / "environment.yml").write_text("stages: [test]\n")
    assert recognise(tmp_path) is None
