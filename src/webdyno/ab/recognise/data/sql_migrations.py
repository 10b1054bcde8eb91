"""Migrations of a service in Go or Rust: files of SQL, or a program that runs its own."""

from __future__ import annotations

import re
from pathlib import Path

from webdyno.ab.recognise.recognised import NAME, Migrations, Recognised, says
from webdyno.ab.recognise.settings.ports import sources_of


def of_plain_sql(folder: Path, found: Recognised) -> Migrations | None:
    """Files of SQL as golang-migrate, Diesel and sqlx have them."""
    places = [folder, folder / found.package] if found.package else [folder]
    if any(_runs_them(place, found) for place in places):
        return Migrations()
    for pattern in ("*.up.sql", "*/up.sql", "*.sql"):
        for below in ("migrations", "db/migrations", "db/migration", "migration", "sql/migrations"):
            files = [one for place in places for one in place.glob(f"{below}/{pattern}")]
            if any(says(one, _UNDOES) for one in files):
                return None  # Which undo in the same file what they did.
            if pattern == "*.sql" and any(_UNDOING.search(one.stem) for one in files):
                return None
            if files and (client := _CLIENTS.get("".join(found.services))):
                place = files[0].relative_to(folder).as_posix().split(f"{below}/")[0]
                return Migrations(f"cat {place}{below}/{pattern} | {client}")
    return None


_UNDOES = (
    r"(?i)^--\s*(?:\+\s*(?:goose|migrate)\b|(?:migrate:|rambler )(?:up|down)\b|-- create above)"
)
"""What parts a file of goose, sql-migrate, dbmate, tern or rambler."""

_UNDOING = re.compile(r"(?<![a-z])(?:down|undo|rollback|revert)(?![a-z])|^U\d[\d._]*__", re.I)
"""In the name of a file that takes back what another one did."""


def _runs_them(folder: Path, found: Recognised) -> bool:
    """Whether the program that is started runs its migrations itself."""
    package = next((one.split()[-1] for one in found.build if one.startswith("go build ")), "")
    started = {Path(package).name, Path(found.run.split()[0]).name}
    return any(
        says(path, _RUNS_THEM)
        for path in sources_of(folder)
        if NAME in started or not _is_of_another(path, folder, package, started)
    )


def _is_of_another(path: Path, folder: Path, package: str, started: set[str]) -> bool:
    """Whether a source is of another program of the project than the one that is started."""
    inside = path.relative_to(folder)
    program = re.match(r"(?:.*/)?(?:cmd|src/bin)/([^/]+?)(?:\.rs$|/)", inside.as_posix())
    if program is not None:
        return program[1] not in started
    is_main = path.suffix == ".go" and says(path, r"^package main\b")
    return is_main and bool(package) and inside.parent != Path(package)


_RUNS_THEM = (
    r"\bmigrate!\(|\bembed_migrations!|\bgolang-migrate/migrate/v\d+\"|\bpressly/goose/v\d+\""
    r"|\bsql-migrate\""
)
"""How a program in Rust or Go runs its migrations itself."""

_CLIENTS = {
    "postgresql": "psql --quiet --set ON_ERROR_STOP=1",
    "mariadb": (
        "mysql --host=${MYSQL_HOST} --port=${MYSQL_PORT} --user=${MYSQL_USER} ${MYSQL_DATABASE}"
    ),
}
"""What runs the SQL that it is sent, in the database that is told by its variables."""
