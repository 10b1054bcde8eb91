"""Databases that a service uses: which one, what makes its tables, and how it is told of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.recognised import FLASK, found_in, package
from webdyno.ab.recognise.template import description_text
from webdyno.catalog.descriptions.description import FILE, read_description

PRISMA = 'datasource db {\n  provider = "%s"\n  url = env("DATABASE_URL")\n}\n'


CASES: dict[str, tuple[dict[str, str], str, str, dict[str, str]]] = {
    "Prisma with PostgreSQL": (
        {
            "package.json": package(),
            "prisma/schema.prisma": PRISMA % "postgresql",
            "prisma/migrations/1/migration.sql": "",
        },
        "postgresql", "npx --no-install prisma migrate deploy", {},
    ),
    "Prisma with MySQL, elsewhere, and without migrations": (
        {
            "package.json": package(prisma={"schema": "src/schema.prisma"}),
            "src/schema.prisma": PRISMA % "mysql",
        },
        "mariadb", "npx --no-install prisma db push --skip-generate",
        {"DATABASE_URL": "${MYSQL_URL}"},
    ),
    "a script of its own": (
        {
            "package.json": package(
                dependencies={"pg": "8"}, scripts={"db:migrate": "node-pg-migrate up"}
            ),
            ".env.example": "DB_HOST=a\nDB_PORT=5432\nDB_USER=me\nDB_PASS=x\nDB_NAME=shop\n",
        },
        "postgresql", "npm run db:migrate",
        {
            "DB_HOST": "${PGHOST}", "DB_PORT": "${PGPORT}", "DB_USER": "${PGUSER}",
            "DB_PASS": "unused", "DB_NAME": "${PGDATABASE}",
        },
    ),
    "a script that reads a file which is not committed": (
        {
            "package.json": package(
                dependencies={"mysql2": "3"}, scripts={"migrate": "tsx --env-file=.env m.ts"}
            ),
        },
        "mariadb", "npx --no-install tsx m.ts", {},
    ),
    "Knex": (
        {
            "package.json": package(dependencies={"knex": "3", "pg": "8"}),
            "knexfile.js": "",
            "migrations/1_a.js": "",
            "a.js": "connect(process.env.POSTGRES_URL)",
        },
        "postgresql", "npx --no-install knex migrate:latest", {"POSTGRES_URL": "${DATABASE_URL}"},
    ),
    "Alembic, with a driver in the address": (
        {
            "requirements.txt": "fastapi\nuvicorn\nasyncpg\nalembic\n",
            "main.py": "app = FastAPI()",
            "alembic.ini": "",
            ".env.example": "DATABASE_URL='postgresql+asyncpg://me:x@localhost/shop?ssl=disable'\n",
        },
        "postgresql", ".venv/bin/alembic upgrade head",
        {"DATABASE_URL": (
            "postgresql+asyncpg://${PGUSER}@${PGHOST}:${PGPORT}/${PGDATABASE}?ssl=disable"
        )},
    ),
    "Flask-Migrate": (
        {
            "requirements.txt": "flask\ngunicorn\npymysql\n", "app.py": FLASK,
            "migrations/alembic.ini": "",
        },
        "mariadb", ".venv/bin/flask --app app:app db upgrade", {},
    ),
    "Rails with MySQL": (
        {
            "Gemfile": "gem 'rails'\ngem 'mysql2'\n# gem 'pg'\n", "config/application.rb": "",
            "config/database.yml": "", "db/migrate/1_a.rb": "",
        },
        "mariadb", "bundle exec rake db:migrate",
        {"DATABASE_URL": (
            "mysql2://${MYSQL_USER}@${MYSQL_HOST}:${MYSQL_PORT}/${MYSQL_DATABASE}"
        )},
    ),
    "Laravel": (
        {
            "composer.json": "{}", "artisan": "", "database/migrations/1_a.php": "",
            ".env.example": "DB_CONNECTION=pgsql\nDB_HOST=127.0.0.1\n",
        },
        "postgresql", "php artisan migrate --force",
        {"DB_CONNECTION": "pgsql", "DB_HOST": "${PGHOST}", "DB_PASSWORD": ""},
    ),
    "golang-migrate's files": (
        {
            "go.mod": "module x\nrequire github.com/lib/pq v1.10.9\n", "main.go": "package main",
            "migrations/1_a.up.sql": "", "migrations/1_a.down.sql": "",
        },
        "postgresql", "cat migrations/*.up.sql | psql --quiet --set ON_ERROR_STOP=1", {},
    ),
    "Diesel's files": (
        {
            "Cargo.toml": (
                '[package]\nname = "x"\n[dependencies]\ndiesel = { features = ["mysql"] }'
            ),
            "src/main.rs": "", "migrations/1_a/up.sql": "", "migrations/1_a/down.sql": "",
        },
        "mariadb",
        "cat migrations/*/up.sql | mysql --host=${MYSQL_HOST} --port=${MYSQL_PORT} "
        "--user=${MYSQL_USER} ${MYSQL_DATABASE}",
        {},
    ),
    "a program that runs its migrations itself": (
        {
            "Cargo.toml": (
                '[package]\nname = "x"\n[dependencies]\nsqlx = { features = ["postgres"] }'
            ),
            "src/main.rs": "sqlx::migrate!().run(&db)", "migrations/1_a.sql": "",
        },
        "postgresql", "", {},
    ),
    "Spring Boot with Flyway": (
        {
            "pom.xml": (
                "<groupId>org.springframework.boot</groupId>\n"
                "<artifactId>spring-boot-maven-plugin</artifactId>\n"
                "<artifactId>flyway-core</artifactId><artifactId>postgresql</artifactId>"
            ),
        },
        "postgresql", "",
        {"SPRING_DATASOURCE_URL": "jdbc:postgresql://${PGHOST}:${PGPORT}/${PGDATABASE}"},
    ),
    "Quarkus with Flyway": (
        {"build.gradle": "plugins { id 'io.quarkus' }\nquarkus-flyway quarkus-jdbc-postgresql"},
        "postgresql", "",
        {
            "QUARKUS_DATASOURCE_JDBC_URL": "jdbc:postgresql://${PGHOST}:${PGPORT}/${PGDATABASE}",
            "QUARKUS_DATASOURCE_USERNAME": "${PGUSER}", "QUARKUS_DATASOURCE_PASSWORD": "",
            "QUARKUS_FLYWAY_MIGRATE_AT_START": "true",
        },
    ),
    "Quarkus with a reactive client": (
        {
            "build.gradle": (
                "plugins { id 'io.quarkus' }\n"
                "quarkus-reactive-pg-client quarkus-flyway quarkus-jdbc-postgresql"
            ),
        },
        "postgresql", "",
        {
            "QUARKUS_DATASOURCE_JDBC_URL": "jdbc:postgresql://${PGHOST}:${PGPORT}/${PGDATABASE}",
            "QUARKUS_DATASOURCE_REACTIVE_URL": "postgresql://${PGHOST}:${PGPORT}/${PGDATABASE}",
            "QUARKUS_DATASOURCE_USERNAME": "${PGUSER}", "QUARKUS_DATASOURCE_PASSWORD": "",
        },
    ),
    "Micronaut with Liquibase": (
        {
            "pom.xml": (
                "<groupId>io.micronaut</groupId><mainClass>a.B</mainClass>\n"
                "<artifactId>micronaut-liquibase</artifactId>"
                "<artifactId>mariadb-java-client</artifactId>"
            ),
        },
        "mariadb", "",
        {
            "DATASOURCES_DEFAULT_URL": (
                "jdbc:mariadb://${MYSQL_HOST}:${MYSQL_PORT}/${MYSQL_DATABASE}"
            ),
            "DATASOURCES_DEFAULT_USERNAME": "${MYSQL_USER}", "DATASOURCES_DEFAULT_PASSWORD": "",
        },
    ),
    "Vapor with Fluent": (
        {
            "Package.swift": (
                '.package(url: "https://github.com/vapor/vapor.git"), "fluent-postgres-driver",\n'
                '.executableTarget(name: "App")'
            ),
            "Sources/App/configure.swift": (
                'Environment.get("DATABASE_HOST")\napp.migrations.add(CreateTodo())\n'
            ),
        },
        "postgresql", ".build/release/App migrate --yes --env production",
        {"DATABASE_HOST": "${PGHOST}"},
    ),
    "a build that runs them": (
        {
            "package.json": package(
                dependencies={"pg": "8"}, scripts={"build": "knex migrate:latest && tsc"}
            ),
        },
        "postgresql", "npx --no-install knex migrate:latest", {},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_service_with_migrations_gets_its_database(tmp_path: Path, name: str) -> None:
    files, service, prepare, env = CASES[name]
    found = found_in(tmp_path, {"a.js": "", **files})
    assert found.services == (service,)
    assert found.prepare == ((prepare,) if prepare else ())
    assert {key: found.env.get(key) for key in env} == env
    # What is written is a description that `ab` takes as it is.
    (tmp_path / FILE).write_text(description_text("shop", found))
    read = read_description(tmp_path / FILE)
    assert list(read.services) == [service]
    assert read.run is not None
    assert len(read.run.prepare) == len(found.prepare)
    assert read.run.env == found.env


@pytest.mark.parametrize(
    "files",
    [
        {"package.json": package(dependencies={"pg": "8"})},
        # It is not said which of the two has the tables.
        {
            "package.json": package(dependencies={"pg": "8", "mysql2": "3"}), "knexfile.js": "",
            "migrations/1_a.js": "",
        },
        {
            "package.json": package(
                dependencies={"pg": "8"}, scripts={"migrate": "prisma migrate dev"}
            ),
        },
        # Their files undo what they did.
        {
            "go.mod": "module x\nrequire github.com/lib/pq v1.10.9\n", "main.go": "package main",
            "migrations/1_a.sql": "", "migrations/1_a_rollback.sql": "",
        },
        {"requirements.txt": "django\n", "manage.py": "'a.settings'", "a/settings.py": ""},
    ],
)  # fmt: skip
def test_nothing_is_run_where_it_is_not_clear_what(tmp_path: Path, files: dict[str, str]) -> None:
    found = found_in(tmp_path, {"a.js": "", **files})
    assert (found.prepare, found.uses_database) == ((), False)


def test_the_database_of_an_old_gorm_is_found_in_the_sources(tmp_path: Path) -> None:
    files = {
        "go.mod": "module x\nrequire github.com/jinzhu/gorm v1\n",
        "main.go": 'package main\nimport _ "github.com/jinzhu/gorm/dialects/mysql"\n',
    }
    assert found_in(tmp_path, files).services == ("mariadb",)
    assert not found_in(tmp_path).writes
    files["main.go"] = files["main.go"].replace("mysql", "sqlite")
    found = found_in(tmp_path, files)
    assert (found.services, found.writes) == ((), True)


def test_migrations_of_one_of_several_databases_are_said(tmp_path: Path) -> None:
    needs = {"pg": "8", "mysql2": "3"}
    start = package(dependencies=needs, scripts={"start": "prisma migrate deploy && node a.js"})
    found = found_in(tmp_path, {"package.json": start, "a.js": ""})
    assert found.run == "node a.js"
    assert found.to_do == (
        "`npx --no-install prisma migrate deploy` creates the tables of one of its databases: set "
        "`prepare`",
    )


def test_the_fixtures_of_a_project_of_django_are_its_rows(tmp_path: Path) -> None:
    files = {
        "requirements.txt": "django\npsycopg\n", "manage.py": "'a.settings'",
        "a/settings.py": "DATABASES = {}",
    }  # fmt: skip
    assert found_in(tmp_path, files).rows == ""
    # Of `big.orders` Django would take `orders` for the format.
    fixtures = {"b/fixtures/users.json": "[]", "c/fixtures/big.orders.json": "[]"}
    found = found_in(tmp_path, files | fixtures)
    assert found.rows == ".venv/bin/python manage.py loaddata big.orders.json users"
    assert f"such as `{found.rows}`" in description_text("shop", found)
