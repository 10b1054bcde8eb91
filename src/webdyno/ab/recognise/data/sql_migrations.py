"""Migrations of a service in Go or Rust: files of SQL, or a program that runs its own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from webdyno.ab.recognise.recognised import NAME, Migrations, RecognisedService, says, text_of
from webdyno.ab.recognise.settings.variables_read import sources_of


def of_plain_sql(folder: Path, service: RecognisedService) -> Migrations | None:
    """Files of SQL as golang-migrate, Diesel and sqlx have them, and the first part of each as
    goose, sql-migrate, dbmate, tern and rambler do."""
    places = [folder, folder / service.package] if service.package else [folder]
    if any(_runs_them(place, service) for place in places):
        return Migrations()
    client = _CLIENTS.get("".join(service.services))
    for pattern in ("*.up.sql", "*/up.sql", "*.sql"):
        for below in _FOLDERS:
            files = [one for place in places for one in sorted(place.glob(f"{below}/{pattern}"))]
            if not files or client is None:
                continue
            if pattern == "*.sql" and any(_UNDOING.search(one.stem) for one in files):
                return None
            place = files[0].relative_to(folder).as_posix().split(f"{below}/")[0]
            read = _reader(files, service.services[0])
            if not read:
                return None
            names = _listed(files, f"{place}{below}/{pattern}")
            return Migrations(f"{read} {names} | {client}")
    return None


_FOLDERS = (
    "migrations", "db/migrations", "db/migration", "migration", "sql/migrations", "sql/schema",
    "internal/db/migrations", "internal/database/migrations", "database/migrations",
    "cmd/migrate/migrations",
)  # fmt: skip


def _reader(files: Sequence[Path], service: str) -> str:
    """What prints the part of the files that makes the tables; empty where that is not known."""
    texts = [text_of(one) for one in files]
    if not any(re.search(_PARTED, one, re.MULTILINE) for one in texts):
        return "cat"
    # Some of goose's may be programs in Go, and MariaDB's client would end a procedure at its
    # first semicolon.
    if _has_programs(files[0].parent):
        return ""
    if service == "mariadb" and any("StatementBegin" in one for one in texts):
        return ""
    ends = [end for starts, end in _PARTS if any(re.search(starts, one, re.M) for one in texts)]
    return f"awk 'FNR == 1 {{ up = 1 }} /{ends[0]}/ {{ up = 0 }} up'" if len(ends) == 1 else ""


def _has_programs(folder: Path) -> bool:
    return any(says(one, r"\bgoose\.AddMigration|\bgoose\.AddNamed") for one in folder.glob("*.go"))


_PARTS = (
    (r"^-- *\+ *goose +[Uu]p\b", r"^-- *[+] *goose +[Dd]own"),
    (r"^-- *\+ *migrate +[Uu]p\b", r"^-- *[+] *migrate +[Dd]own"),
    (r"^-- *migrate:up\b", "^-- *migrate:down"),
    (r"^-- *rambler +up\b", "^-- *rambler +down"),
    ("^---- create above", "^---- create above"),
)
"""What the first part of a file begins with, and the second, which takes it back; as awk has it."""

_PARTED = (
    r"(?i)^--\s*(?:\+\s*(?:goose|migrate)\b|(?:migrate:|rambler )(?:up|down)\b|-- create above)"
)
"""What parts a file of goose, sql-migrate, dbmate, tern or rambler."""


def _listed(files: Sequence[Path], pattern: str) -> str:
    """The files of a pattern, in the order of the numbers that they begin with."""
    numbers = [re.match(r"\d+", _numbered(one, pattern)) for one in files]
    known = [int(one[0]) for one in numbers if one is not None]
    if len(known) < len(files) or known == sorted(known):
        return pattern
    key = pattern.count("/") + (0 if pattern.endswith("/up.sql") else 1)
    return f"$(ls {pattern} | sort -t / -n -k {key})"


def _numbered(path: Path, pattern: str) -> str:
    return path.parent.name if pattern.endswith("/up.sql") else path.name


_UNDOING = re.compile(r"(?<![a-z])(?:down|undo|rollback|revert)(?![a-z])|^U\d[\d._]*__", re.I)
"""In the name of a file that takes back what another one did."""


def _runs_them(folder: Path, service: RecognisedService) -> bool:
    """Whether the program that is started runs its migrations itself."""
    package = next((one.split()[-1] for one in service.build if one.startswith("go build ")), "")
    started = {Path(package).name, Path(service.run.split()[0]).name}
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
    r"|\bsql-migrate\"|\bjackc/tern/v\d+/migrate\"|\bamacneil/dbmate|\buptrace/bun/migrate\""
    # What makes the tables of its own types: GORM, ent and SeaORM.
    r"|\.AutoMigrate\(|\.Schema\.Create\(|\bMigrator::(?:up|fresh|refresh)\("
)
"""How a program in Rust or Go runs its migrations itself."""

_CLIENTS = {
    "postgresql": "psql --quiet --set ON_ERROR_STOP=1",
    "mariadb": (
        "mysql --host=${MYSQL_HOST} --port=${MYSQL_PORT} --user=${MYSQL_USER} ${MYSQL_DATABASE}"
    ),
}
"""What runs the SQL that it is sent, in the database that is told by its variables."""
