"""How a service is told where its database is: by the names and the form that it has for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from webdyno.ab.recognise.data.databases import address_of, databases_of
from webdyno.ab.recognise.settings.variables import values_in

SPRING = "<groupId>org.springframework.boot</groupId>\n<artifactId>%s</artifactId>\n"


def filled(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


@pytest.mark.parametrize(
    ("drivers", "kind"),
    [
        ("mariadb-java-client", "mariadb"),
        ("mysql-connector-j", "mysql"),
        ("mysql-connector-java</artifactId><artifactId>mariadb-java-client", "mysql"),
    ],
)
def test_spring_boot_gets_an_address_that_its_driver_takes(
    tmp_path: Path, drivers: str, kind: str
) -> None:
    told = address_of("mariadb", filled(tmp_path, {"pom.xml": SPRING % drivers}))
    assert told["SPRING_DATASOURCE_URL"].startswith(f"jdbc:{kind}://")


@pytest.mark.parametrize(
    ("gems", "scheme"),
    [
        ("gem 'trilogy'\n", "trilogy"),
        ('gem("trilogy", "~> 2.7")\n', "trilogy"),
        ("gem 'mysql2'\n", "mysql2"),
        ("gem 'mysql2'\n# gem 'trilogy'\n", "mysql2"),
    ],
)
def test_rails_gets_an_address_that_its_driver_takes(
    tmp_path: Path, gems: str, scheme: str
) -> None:
    filled(tmp_path, {"Gemfile": gems, "config/database.yml": ""})
    assert databases_of([tmp_path]) == ("mariadb",)
    assert address_of("mariadb", tmp_path)["DATABASE_URL"].startswith(f"{scheme}://")


@pytest.mark.parametrize(
    ("service", "sample", "options"),
    [
        ("postgresql", "postgres://u:p@a.example/d?sslmode=require", "?sslmode=disable"),
        ("postgresql", "postgres://u:p@a.example/d?sslmode=disable", "?sslmode=disable"),
        ("postgresql", "postgres://u@a.example/d?ssl=true&schema=shop", "?schema=shop"),
        (
            "postgresql",
            "postgres://u@a.example/d?pgbouncer=true&channel_binding=require&connection_limit=5",
            "?connection_limit=5",
        ),
        ("postgresql", "postgres:///d?host=/var/run/postgresql&sslrootcert=a.pem", ""),
        ("mariadb", "mysql://u:p@a.example/d?sslaccept=strict", ""),
        ("mariadb", "mysql://u:p@a.example/d?tls=true&hosted=1", "?hosted=1"),
        ("mariadb", "mysql://u:p@a.example/d?useSSL=false", "?useSSL=false"),
    ],
)
def test_options_of_a_hosted_database_are_left_out(
    tmp_path: Path, service: str, sample: str, options: str
) -> None:
    filled(tmp_path, {".env.example": f"DB_URL={sample}\n"})
    address = "${DATABASE_URL}" if service == "postgresql" else "${MYSQL_URL}"
    assert address_of(service, tmp_path) == {"DB_URL": address + options}


@pytest.mark.parametrize(
    ("name", "is_told"),
    [
        ("DB_HOST", True),
        ("SHOP_DB_HOST", True),
        ("CACHES_DB_HOST", True),
        ("MONGO_DB_HOST", False),
        ("REDIS_DB_HOST", False),
        ("SHOP_REDIS_DB_HOST", False),
        ("INFLUX_DB_HOST", False),
        ("CH_DB_HOST", False),
    ],
)
def test_parts_of_another_database_are_left_alone(tmp_path: Path, name: str, is_told: bool) -> None:
    filled(tmp_path, {".env.example": f"{name}=localhost\n"})
    assert address_of("postgresql", tmp_path) == ({name: "${PGHOST}"} if is_told else {})


def test_a_comment_is_not_the_value_of_a_variable(tmp_path: Path) -> None:
    lines = ("A= # your url", "B=x # why", "C = 'y # z' # why", "D=a#b", "E=", 'F="q"  ', "G= r")
    filled(tmp_path, {".env.example": "\n".join(lines)})
    values = {"A": "", "B": "x", "C": "y # z", "D": "a#b", "E": "", "F": "q", "G": "r"}
    assert values_in(tmp_path) == values


GO_DRIVER = {"go.mod": "module x\nrequire github.com/go-sql-driver/mysql v1.9.0\n"}
DSN = "${MYSQL_USER}@tcp(${MYSQL_HOST}:${MYSQL_PORT})/${MYSQL_DATABASE}"
LIBPQ = "host=${PGHOST} port=${PGPORT} user=${PGUSER} dbname=${PGDATABASE}"


@pytest.mark.parametrize(
    ("service", "sample", "address"),
    [
        ("mariadb", "u:p@tcp(localhost:3306)/shop?parseTime=true", f"{DSN}?parseTime=true"),
        ("mariadb", '"root@tcp(db)/shop?tls=true"', DSN),
        ("mariadb", "mysql://u:p@tcp(db:3306)/shop", f"mysql://{DSN}"),
        # Its driver knows no addresses in the form of a URL.
        ("mariadb", "", f"{DSN}?parseTime=true"),
        ("mariadb", "mysql://u:p@db/shop", "${MYSQL_URL}"),
        ("postgresql", "host=db user=u password='a b' dbname=d sslmode=require TimeZone=UTC",
         f"{LIBPQ} sslmode=disable TimeZone=UTC"),
        ("postgresql", '"host=db dbname=d"', LIBPQ),
    ],
)  # fmt: skip
def test_an_address_that_is_no_url_keeps_its_form(
    tmp_path: Path, service: str, sample: str, address: str
) -> None:
    filled(tmp_path, {**GO_DRIVER, ".env.example": f"DB_DSN={sample}\n"})
    assert address_of(service, tmp_path) == {"DB_DSN": address}


@pytest.mark.parametrize(
    ("needs", "scheme"),
    [
        ("sqlalchemy\nasyncpg\n", "postgresql+asyncpg"),
        ("sqlmodel\npsycopg[binary]\n", "postgresql+psycopg"),
        ("sqlalchemy\npsycopg2-binary\nasyncpg\n", ""),
        ("asyncpg\n", ""),
    ],
)
def test_sqlalchemy_is_told_its_driver(tmp_path: Path, needs: str, scheme: str) -> None:
    settings = "class Settings(BaseSettings):\n    database_url: str\n    shop_db_url: str\n"
    filled(tmp_path, {"requirements.txt": needs, "app/settings.py": settings})
    told = address_of("postgresql", tmp_path)
    address = f"{scheme}://${{PGUSER}}@${{PGHOST}}:${{PGPORT}}/${{PGDATABASE}}"
    assert told == ({"DATABASE_URL": address} if scheme else {})
