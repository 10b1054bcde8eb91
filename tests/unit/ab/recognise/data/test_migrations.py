"""What makes a service's tables, where that is not what its files look like at first."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.recognised import found_in

GO = {
    "go.mod": "module x\nrequire github.com/lib/pq v1.10.9\n",
    "main.go": "package main",
}
RUNS = 'package %s\nimport "github.com/golang-migrate/migrate/v4"\n'
UP = {"migrations/1_a.up.sql": ""}
CAT = "cat migrations/%s | psql --quiet --set ON_ERROR_STOP=1"


def prepared(folder: Path, files: dict[str, str]) -> str:
    found = found_in(folder, files)
    assert len(found.prepare) <= 1
    return "".join(found.prepare)


def node(folder: Path, scripts: dict[str, str], files: dict[str, str], **more: object) -> str:
    package = {"main": "a.js", "dependencies": {"pg": "8"}, "scripts": scripts, **more}
    command = prepared(folder, {"a.js": "", "package.json": json.dumps(package), **files})
    return command.removeprefix("npx --no-install ")


@pytest.mark.parametrize(
    "files",
    [
        {"migrations/1_a.sql": "-- +goose Up\n", "migrations/2.go": "goose.AddMigrationContext("},
        {"migrations/1_a.sql": "-- +goose Up\n", "migrations/2_b.sql": "-- migrate:up\n"},
        {"migrations/1_a.sql": "", "migrations/1_a_down.sql": ""},
        {"migrations/V1__a.sql": "", "migrations/U1__a.sql": ""},
        {"migrations/1_a.sql": "", "migrations/1_a.undo.sql": ""},
    ],
)
def test_files_of_which_it_is_not_known_how_they_are_run_are_not(
    tmp_path: Path, files: dict[str, str]
) -> None:
    found = found_in(tmp_path, {**GO, **files})
    assert (found.prepare, found.uses_database) == ((), False)


def test_a_name_with_another_word_undoes_nothing(tmp_path: Path) -> None:
    files = {"migrations/1_downloads.sql": "-- create what is below\n"}
    assert prepared(tmp_path, {**GO, **files}) == CAT % "*.sql"


@pytest.mark.parametrize(
    ("files", "is_run_by_itself"),
    [
        ({"main.go": RUNS % "main"}, True),
        ({"internal/db/db.go": RUNS % "db"}, True),
        ({"cmd/migrate/main.go": RUNS % "main"}, False),
        ({"cmd/migrate/run/run.go": RUNS % "run"}, False),
        ({"migrator/main.go": RUNS % "main"}, False),
        ({"cmd/root.go": RUNS % "cmd"}, True),
    ],
)
def test_only_the_program_that_is_started_runs_its_migrations(
    tmp_path: Path, files: dict[str, str], is_run_by_itself: bool
) -> None:
    found = found_in(tmp_path, {**GO, **UP, **files})
    assert found.prepare == (() if is_run_by_itself else (CAT % "*.up.sql",))
    assert found.uses_database


def test_so_it_is_with_several_programs_in_cmd(tmp_path: Path) -> None:
    files = {"go.mod": GO["go.mod"], **UP, "cmd/migrate/main.go": RUNS % "main"}
    assert prepared(tmp_path, {**files, "cmd/server/main.go": "package main"}) == CAT % "*.up.sql"
    assert prepared(tmp_path, {"cmd/server/main.go": RUNS % "main"}) == ""


def test_so_it_is_in_rust(tmp_path: Path) -> None:
    files = {
        "Cargo.toml": '[package]\nname = "x"\n[dependencies]\nsqlx = { features = ["postgres"] }',
        "src/main.rs": "",
        "src/bin/migrate.rs": "sqlx::migrate!()",
        "migrations/1_a.sql": "",
        "Cargo.lock": "",
    }
    files["Cargo.toml"] = files["Cargo.toml"].replace('name = "x"', 'name = "x"\ndefault-run = "x"')
    assert prepared(tmp_path, files) == CAT % "*.sql"
    assert prepared(tmp_path, {"src/main.rs": "sqlx::migrate!()"}) == ""


@pytest.mark.parametrize(
    ("script", "command"),
    [
        ("node-pg-migrate", ""),
        ("npx knex --knexfile ./db/knexfile.js", ""),
        ("typeorm-ts-node-commonjs -d src/data.ts", ""),
        ("sequelize-cli", ""),
        ("db-migrate", ""),
        ("db-migrate up", "npm run migrate"),
        ("knex migrate:latest", "npm run migrate"),
        ("tsx --env-file=.env m.ts", "tsx m.ts"),
        ("NODE_ENV=dev node --env-file=.env a.js", ""),
        ("node --env-file=.env a.js && node b.js", ""),
        ("node a.js && node b.js", "npm run migrate"),
    ],
)
def test_a_script_is_run_where_it_says_all(tmp_path: Path, script: str, command: str) -> None:
    assert node(tmp_path, {"migrate": script}, {}) == command


@pytest.mark.parametrize(
    ("files", "command"),
    [
        ({"drizzle.config.ts": ""}, "drizzle-kit push"),
        ({"drizzle.config.ts": "", "drizzle/meta/_journal.json": ""}, "drizzle-kit migrate"),
        (
            {"drizzle.config.ts": 'out: "./db/sql",\n', "db/sql/meta/_journal.json": ""},
            "drizzle-kit migrate",
        ),
        ({"drizzle.config.ts": 'out: "./db/sql",\n'}, "drizzle-kit push"),
        ({"knexfile.js": ""}, ""),
        ({"knexfile.js": "", "migrations/1.js": ""}, "knex migrate:latest"),
        (
            {"knexfile.js": "a: { directory: './db/m', extension: 'ts' }", "db/m/1.js": ""},
            "knex migrate:latest",
        ),
        (
            {"knexfile.js": "directory: path.join(__dirname, 'db', 'm'),", "db/m/1.js": ""},
            "knex migrate:latest",
        ),
        ({"knexfile.js": "directory: `${__dirname}/db/m`", "migrations/1.js": ""}, ""),
        ({"knexfile.js": "directory: './seeds'", "seeds/1.js": ""}, ""),
        ({".sequelizerc": ""}, ""),
        (
            {".sequelizerc": "'migrations-path': path.resolve('db', 'm')", "db/m/1.js": ""},
            "sequelize-cli db:migrate",
        ),
    ],
)
def test_a_tool_runs_the_migrations_that_are_there(
    tmp_path: Path, files: dict[str, str], command: str
) -> None:
    assert node(tmp_path, {}, files) == command


def test_a_script_for_migrations_of_drizzles_that_are_not_there_is_not_run(tmp_path: Path) -> None:
    script = {"db:migrate": "drizzle-kit migrate"}
    assert node(tmp_path, script, {"drizzle.config.ts": ""}) == "drizzle-kit push"
    journal = {"drizzle/meta/_journal.json": ""}
    assert node(tmp_path, script, journal) == "npm run db:migrate"


SCHEMA = 'datasource db {\n  provider = "postgresql"\n  url = env("DATABASE_URL")\n}\n'


@pytest.mark.parametrize(
    ("version", "command"),
    [
        ("^6.1.0", "prisma db push --skip-generate"),
        ("^7.0.0", "prisma db push"),
        ("10.1.0", "prisma db push"),
        ("latest", "prisma db push"),
    ],
)
def test_prisma_gets_options_that_its_version_has(
    tmp_path: Path, version: str, command: str
) -> None:
    files = {"prisma/schema.prisma": SCHEMA}
    assert node(tmp_path, {}, files, devDependencies={"prisma": version}) == command


def test_a_schema_outside_the_folder_is_no_error(tmp_path: Path) -> None:
    schema = tmp_path / "elsewhere.prisma"
    schema.write_text(SCHEMA)
    (tmp_path / "shop").mkdir()
    command = node(tmp_path / "shop", {}, {}, prisma={"schema": str(schema)})
    assert command == "prisma db push --skip-generate"


@pytest.mark.parametrize(
    ("files", "calls"),
    [
        (
            {"lib/shop/release.ex": "defmodule Shop.Release do\n  def migrate do\n  end\nend\n"},
            "Shop.Release.migrate()",
        ),
        ({}, "Application.load(:shop); for repo <- Application.fetch_env!(:shop, :ecto_repos), "),
    ],
)
def test_ectos_are_run_by_the_release(tmp_path: Path, files: dict[str, str], calls: str) -> None:
    mix = {"mix.exs": "  app: :shop,\n  {:postgrex, '>= 0.0.0'}\n"}
    command = prepared(tmp_path, {**mix, **files, "priv/repo/migrations/1_a.exs": ""})
    before, _, told = command.partition(" eval '")
    assert before == (
        "env RELEASE_DISTRIBUTION=none RELEASE_TMP=$TMPDIR _build/prod/rel/shop/bin/shop"
    )
    assert told.startswith(calls)


@pytest.mark.parametrize(
    ("needs", "command"),
    [
        ("flask\nflask-migrate\n", ".venv/bin/flask db upgrade"),
        ("aiohttp\nalembic\n", ".venv/bin/alembic --config migrations/alembic.ini upgrade head"),
    ],
)
def test_a_configuration_of_alembic_beside_the_migrations_need_not_be_flasks(
    tmp_path: Path, needs: str, command: str
) -> None:
    files = {"requirements.txt": f"{needs}psycopg2\n", "main.py": "", "migrations/alembic.ini": ""}
    assert prepared(tmp_path, files) == command


def test_litestar_runs_those_of_advanced_alchemy(tmp_path: Path) -> None:
    files = {
        "requirements.txt": "litestar[standard]\nadvanced-alchemy\nasyncpg\n",
        "shop/asgi.py": "def create_app() -> Litestar:\n    return Litestar()\n",
    }
    assert prepared(tmp_path, files) == ""
    command = ".venv/bin/litestar --app shop.asgi:create_app database upgrade --no-prompt"
    assert prepared(tmp_path, {"shop/db/migrations/env.py": ""}) == command


def test_alembic_is_run_in_the_folder_of_its_configuration(tmp_path: Path) -> None:
    files = {
        "requirements.txt": "fastapi\nuvicorn\nalembic\npsycopg2\n",
        "src/app/main.py": "app = FastAPI()\n",
        "src/alembic.ini": "",
    }
    assert prepared(tmp_path, files) == "cd src && ../.venv/bin/alembic upgrade head"
