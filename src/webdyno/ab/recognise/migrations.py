"""What makes a service's tables: the migrations in its folder, and the command that runs them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from webdyno.ab.recognise.databases import prisma_schema
from webdyno.ab.recognise.node_start import of_package, of_script
from webdyno.ab.recognise.ports import sources_of
from webdyno.ab.recognise.recognised import Recognised, json_of, says, table_of, text_of


@dataclass(frozen=True)
class Migrations:
    """That a service has migrations, and the command that runs them; none where it does so itself
    when it starts."""

    command: str = ""
    rows: str = ""
    """The command that fills the tables with the project's own samples, if it has such."""


def migrations_of(folder: Path, found: Recognised) -> Migrations | None:
    """The migrations of the service `found` in `folder`; None where none are known."""
    ask = _BY_MANIFEST.get(found.manifest) or _BY_LANGUAGE.get(found.language)
    return ask(folder, found) if ask else None


_SCRIPTS = (
    "db:migrate:deploy", "prisma:migrate:deploy", "migrate:deploy", "prisma:deploy",
    "migration:run:prod", "migration:run", "migrations:run", "db:migrate", "db:migrate:up",
    "migrate:latest", "migrate:up", "migrate",
)  # fmt: skip
"""Scripts that run migrations, as they are usually called."""

_SEEDS = ("db:seed", "seed", "db:load", "seed:run")

_NOT_SO = re.compile(
    r"migrate dev\b|--env-file|\bdotenv\b|\bdocker\b|\benv-cmd\b|:(?:make|create)\b"
)
"""What makes new migrations, or reads a file that the copy that is built lacks."""

_ENV_FILE = re.compile(r" --env-file(?:-if-exists)?(?:=| +)\S+")


def _of_node(folder: Path, found: Recognised) -> Migrations | None:
    package = json_of(folder / "package.json")
    scripts = table_of(package.get("scripts"))
    tool = next((one for one in ("pnpm", "yarn", "bun") if _installs(found, one)), "npm")
    schema = prisma_schema(folder)
    if schema.is_file():
        told = schema.relative_to(folder).as_posix()
        named = told == "prisma/schema.prisma" or bool(table_of(package.get("prisma")))
        option = "" if named else f" --schema {told}"
        has_some = (schema.parent / "migrations").is_dir()
        what = "migrate deploy" if has_some else "db push --skip-generate"
        has_rows = "seed" in table_of(package.get("prisma"))
        rows = of_package("prisma db seed", tool) if has_rows else ""
        return Migrations(of_package(f"prisma {what}{option}", tool), rows)
    seeds = next((one for one in _SEEDS if scripts.get(one)), "")
    rows = of_script(tool, seeds) if seeds else ""
    for name in _SCRIPTS:
        script = str(scripts.get(name, "")).strip()
        if not script:
            continue
        plain = _ENV_FILE.sub("", script)
        if not _NOT_SO.search(script):
            return Migrations(of_script(tool, name), rows)
        if plain != script and not _NOT_SO.search(plain):
            return Migrations(of_package(plain, tool), rows)
    for needed, command in _TOOLS:
        if any((folder / one).is_file() for one in needed):
            return Migrations(of_package(command, tool), rows)
    return None


_TOOLS = (
    (("knexfile.js", "knexfile.cjs", "knexfile.mjs", "knexfile.ts"), "knex migrate:latest"),
    ((".sequelizerc",), "sequelize-cli db:migrate"),
    (("drizzle.config.ts", "drizzle.config.js", "drizzle.config.mjs"), "drizzle-kit migrate"),
)
"""The files by which tools are told of migrations, and how they run them."""


def _installs(found: Recognised, tool: str) -> bool:
    return any(line.startswith(f"{tool} ") for line in found.build)


def _of_python(folder: Path, found: Recognised) -> Migrations | None:
    if (folder / "manage.py").is_file():
        settings = any(
            says(path, r"^[ \t]*DATABASES\b|\bDATABASES\s*=")
            for path in folder.glob("*/settings*.py")
        ) or any(folder.glob("*/settings/*.py"))
        command = ".venv/bin/python manage.py migrate --noinput"
        return Migrations(_as_started(found, command)) if settings else None
    if (folder / "migrations/alembic.ini").is_file():
        served = re.search(r"(?<=[\s'\"])([\w.]+:[\w.]+)", found.run)
        app = f" --app {served[1]}" if served else ""
        return Migrations(_as_started(found, f".venv/bin/flask{app} db upgrade"))
    if (folder / "alembic.ini").is_file():
        return Migrations(_as_started(found, ".venv/bin/alembic upgrade head"))
    return None


def _as_started(found: Recognised, command: str) -> str:
    """A command of Python's, by the program that also starts the service."""
    before = re.match(r"(?:uv|poetry|pdm|pipenv) run ", found.run)
    return command.replace(".venv/bin/", before[0]) if before else command


def _of_ruby(folder: Path, _found: Recognised) -> Migrations | None:
    there = (folder / "db/schema.rb", folder / "db/structure.sql")
    if not any(folder.glob("db/migrate/*.rb")) and not any(one.is_file() for one in there):
        return None
    # Rails before its fifth knows them by this program alone.
    rows = "bundle exec rake db:seed" if (folder / "db/seeds.rb").is_file() else ""
    return Migrations("bundle exec rake db:migrate", rows)


def _of_php(folder: Path, _found: Recognised) -> Migrations | None:
    if (folder / "artisan").is_file() and any(folder.glob("database/migrations/*.php")):
        return Migrations("php artisan migrate --force", "php artisan db:seed --force")
    doctrine = says(folder / "composer.json", r"\bdoctrine/doctrine-migrations-bundle\b")
    if doctrine and any(folder.glob("migrations/*.php")):
        return Migrations("php bin/console doctrine:migrations:migrate --no-interaction")
    return None


def _of_jvm(folder: Path, found: Recognised) -> Migrations | None:
    """Flyway and Liquibase run with the application, and so do Spring's own scripts."""
    places = {folder, folder / found.package}
    names = ("pom.xml", "build.gradle", "build.gradle.kts")
    text = "".join(text_of(one / name) for one in places for name in names)
    return Migrations() if re.search(r"\b(?:flyway|liquibase)\b", text) else None


def _of_plain_sql(folder: Path, found: Recognised) -> Migrations | None:
    """Files of SQL as golang-migrate, Diesel and sqlx have them."""
    places = [folder, folder / found.package] if found.package else [folder]
    if any(says(path, _RUNS_THEM) for place in places for path in sources_of(place)):
        return Migrations()
    for pattern in ("*.up.sql", "*/up.sql", "*.sql"):
        for below in ("migrations", "db/migrations", "db/migration", "migration", "sql/migrations"):
            files = [one for place in places for one in place.glob(f"{below}/{pattern}")]
            if any(says(one, r"^-- \+(?:goose|migrate) ") for one in files):
                return None  # Which undo in the same file what they did.
            if files and (client := _CLIENTS.get("".join(found.services))):
                place = files[0].relative_to(folder).as_posix().split(f"{below}/")[0]
                return Migrations(f"cat {place}{below}/{pattern} | {client}")
    return None


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

_BY_MANIFEST: dict[str, Callable[[Path, Recognised], Migrations | None]] = {
    "package.json": _of_node, "Gemfile": _of_ruby, "composer.json": _of_php,
}  # fmt: skip
_BY_LANGUAGE: dict[str, Callable[[Path, Recognised], Migrations | None]] = {
    "python": _of_python, "java": _of_jvm, "kotlin": _of_jvm, "go": _of_plain_sql,
    "rust": _of_plain_sql,
}  # fmt: skip
