"""Databases that are a file in the service's folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.recognised import found_in, package

PRISMA = 'datasource db {\n  provider = "%s"\n  url = env("DATABASE_URL")\n}\n'


@pytest.mark.parametrize(
    ("files", "prepare"),
    [
        (
            {
                "requirements.txt": "django\n", "manage.py": "'a.settings'",
                "a/settings.py": "DATABASES = {}",
            },
            ".venv/bin/python manage.py migrate --noinput",
        ),
        (
            {"Gemfile": "gem 'sqlite3'\n", "config/application.rb": "", "db/schema.rb": ""},
            "bundle exec rake db:migrate",
        ),
        (
            {"package.json": package(), "a.js": "", "prisma/schema.prisma": PRISMA % "sqlite"},
            "npx --no-install prisma db push --skip-generate",
        ),
    ],
)  # fmt: skip
def test_a_database_in_a_file_is_made_in_a_copy_of_the_folder(
    tmp_path: Path, files: dict[str, str], prepare: str
) -> None:
    found = found_in(tmp_path, files)
    assert (found.services, found.prepare, found.writes) == ((), (prepare,), True)
    assert not found.uses_database


@pytest.mark.parametrize(
    ("files", "writes"),
    [
        ({"package.json": package(dependencies={"better-sqlite3": "9"})}, True),
        ({"package.json": package(devDependencies={"sqlite3": "5"})}, False),
        ({"go.mod": "module x\nrequire modernc.org/sqlite v1\n", "main.go": "package main"}, True),
    ],
)
def test_a_service_with_sqlite_may_write_to_its_folder(
    tmp_path: Path, files: dict[str, str], writes: bool
) -> None:
    assert found_in(tmp_path, {"a.js": "", **files}).writes is writes
