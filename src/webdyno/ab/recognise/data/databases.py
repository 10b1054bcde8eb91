"""The databases that a service uses, and the variables that tell it where they are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from webdyno.ab.recognise.compiled.dotnet import PROJECTS
from webdyno.ab.recognise.data.connection_strings import connection_strings
from webdyno.ab.recognise.data.dropwizard_database import jdbc_of
from webdyno.ab.recognise.data.prisma import providers_of, variables_of
from webdyno.ab.recognise.python.needs import needs_of
from webdyno.ab.recognise.recognised import says, text_of
from webdyno.ab.recognise.settings.variables import values_in
from webdyno.ab.recognise.settings.variables_read import sources_of, variables_read_in
from webdyno.runtime.services.registry import SERVICES

_MANIFESTS = (
    "package.json", "go.mod", "Cargo.toml", "pom.xml", "build.gradle", "build.gradle.kts",
    "composer.json", "Gemfile", "Package.swift", "mix.exs", "deno.json", "deno.jsonc",
)  # fmt: skip
"""Less those of Python, which include others."""


def databases_of(folders: Sequence[Path]) -> tuple[str, ...]:
    """The databases whose drivers the manifests there name, or that a schema or a sample of
    variables does."""
    needs = needs_in(folders)
    drivers = ((name, SERVICES[name].drivers) for name in sorted(SERVICES))
    databases = {name for name, pattern in drivers if pattern and re.search(pattern, needs)}
    for folder in folders:
        databases |= {_BY_NAME[one] for one in named_in_files(folder) if one in _BY_NAME}
    return tuple(sorted(databases))


def needs_in(folders: Sequence[Path], *less: str) -> str:
    """What the manifests in `folders` say of dependencies, in small letters, less those named."""
    names = [name for name in _MANIFESTS if name not in less]
    needs = "\n".join(text_of(one / name).lower() for one in folders for name in names)
    needs += "\n".join(map(needs_of, folders))
    needs += "".join(text_of(one).lower() for place in folders for one in place.glob(PROJECTS))
    # Of Go's modules, those that another module names: an ORM names the drivers of all databases.
    return re.sub(r"^.*// indirect$|^[ \t]*#.*$", "", needs, flags=re.MULTILINE)


_BY_NAME = {
    "postgresql": "postgresql", "postgres": "postgresql", "pgsql": "postgresql",
    "cockroachdb": "postgresql", "mysql": "mariadb", "mariadb": "mariadb",
}  # fmt: skip

_GORM = re.compile(r"\"[\w./]+/gorm/dialects/(mysql|postgres|sqlite)\"")


def named_in_files(folder: Path) -> Iterator[str]:
    """The databases that other files than manifests of packages name."""
    yield from providers_of(folder)
    if (folder / "artisan").is_file():
        default = re.search(
            r"env\('DB_CONNECTION', *'(\w+)'\)", text_of(folder / "config/database.php")
        )
        yield values_in(folder).get("DB_CONNECTION") or (default[1] if default else "")
    if _names_gem(folder, "trilogy"):
        yield "mysql"
    if (folder / "go.mod").is_file() and "jinzhu/gorm" in text_of(folder / "go.mod"):
        for path in sources_of(folder):
            yield from _GORM.findall(text_of(path))


def _names_gem(folder: Path, name: str) -> bool:
    return says(folder / "Gemfile", rf"^\s*gem[ (]+[\"']{name}[\"']")


_PREFIX = r"(?:DB|DATABASE|MARIADB|MYSQL|PG|POSTGRES|POSTGRESQL|SQL|TYPEORM)"
_URL = re.compile(rf"{_PREFIX}_(?:CONNECTION_(?:STRING|URI|URL)|DSN|URI|URL)|DSN")
_OF_OTHERS = r"(?:CASSANDRA|CH|CLICKHOUSE|ELASTIC(?:SEARCH)?|ES|INFLUX(?:DB)?|MONGO(?:DB)?|REDIS)"
"""What variables of databases that `ab` does not start are called."""
_PART = re.compile(
    rf"(?!(?:\w+_)?{_OF_OTHERS}_)(?:\w+_)?{_PREFIX}_(?:(?P<host>HOST|HOSTNAME|SERVER)|(?P<port>PORT)"
    r"|(?P<user>USER|USERNAME)|(?P<password>PASS|PASSWORD)|(?P<name>DATABASE|DB|DB_?NAME|NAME))"
)
"""What variables are called that say where a database is."""


_JVM = ("pom.xml", "build.gradle", "build.gradle.kts")
_SOURCES = (
    (r"\borg\.springframework\.boot\b", ("SPRING_DATASOURCE", "URL")),
    (r"\bio\.quarkus\b", ("QUARKUS_DATASOURCE", "JDBC_URL")),
    (r"\bio\.micronaut\b", ("DATASOURCES_DEFAULT", "URL")),
)
"""How frameworks call the variables of a database, by what a build file says of them."""


def _of_laravel(given: Mapping[str, str], driver: str) -> dict[str, str]:
    """Laravel's own names, whatever its sample says."""
    return {
        "DB_CONNECTION": driver,
        "DB_HOST": f"${{{given['host']}}}",
        "DB_PORT": f"${{{given['port']}}}",
        "DB_DATABASE": f"${{{given['name']}}}",
        "DB_USERNAME": f"${{{given['user']}}}",
        "DB_PASSWORD": "",
    }


def _of_jvm(given: Mapping[str, str], needs: str, is_postgresql: bool) -> dict[str, str]:
    """The framework's own names, which count before what its configuration says."""
    before, url = next((told for pattern, told in _SOURCES if re.search(pattern, needs)), ("", ""))
    if not before:
        return {}
    # MariaDB's driver refuses the addresses of MySQL's from its third version on.
    of_mariadb = re.search(r"mariadb-java-client|jdbc-mariadb", needs)
    is_mariadbs = of_mariadb and not re.search(r"mysql-connector|jdbc-mysql", needs)
    kind = "postgresql" if is_postgresql else "mariadb" if is_mariadbs else "mysql"
    host, port, name = (f"${{{given[one]}}}" for one in ("host", "port", "name"))
    variables = {
        f"{before}_{url}": f"jdbc:{kind}://{host}:{port}/{name}",
        f"{before}_USERNAME": f"${{{given['user']}}}",
        f"{before}_PASSWORD": "",
    }
    if before.startswith("QUARKUS"):
        if re.search(r"reactive-(?:pg|mysql)-client", needs):
            # These two are of one protocol.
            address = f"{'postgresql' if is_postgresql else 'mysql'}://{host}:{port}/{name}"
            variables["QUARKUS_DATASOURCE_REACTIVE_URL"] = address
        # It runs none of its migrations unless it is told to.
        tools = (one for one in ("flyway", "liquibase") if one in needs)
        variables |= {f"QUARKUS_{one.upper()}_MIGRATE_AT_START": "true" for one in tools}
    return variables


def properties_of(service: str, folder: Path, module: str) -> dict[str, str]:
    """What tells a module of Dropwizard's where the database is that its settings name: Java's
    own variable, since it reads none of its own."""
    if (named := jdbc_of(service, folder, module)) is None:
        return {}
    section, address = named
    user = f"${{{SERVICES[service].variables['user']}}}"
    told = (("url", _url(service, address)), ("user", user), ("password", ""))
    options = " ".join(f"-Ddw.{section}.{key}={value}" for key, value in told)
    return {"JAVA_TOOL_OPTIONS": options}


def address_of(service: str, folder: Path) -> dict[str, str]:
    """What to set in `env` so that a service which has its own names for it finds the database
    that `ab` starts: by its sample of variables, and by what its sources ask for."""
    given = SERVICES[service].variables
    if (folder / "artisan").is_file():
        return _of_laravel(given, "pgsql" if service == "postgresql" else "mysql")
    if (folder / "config/database.yml").is_file() and service == "mariadb":
        user, host, port, name = (given[one] for one in ("user", "host", "port", "name"))
        of_trilogy = _names_gem(folder, "trilogy") and not _names_gem(folder, "mysql2")
        scheme = "trilogy" if of_trilogy else "mysql2"
        return {"DATABASE_URL": f"{scheme}://${{{user}}}@${{{host}}}:${{{port}}}/${{{name}}}"}
    needs = "".join(text_of(folder / one) for one in _JVM)
    if told := _of_jvm(given, needs, service == "postgresql"):
        return told
    if any(folder.glob(PROJECTS)):
        return connection_strings(folder, given)
    samples = values_in(folder)
    schema = variables_of(folder)
    env: dict[str, str] = {}
    for name in [*samples, *sorted((variables_read_in(folder) | schema) - set(samples))]:
        if _URL.fullmatch(name) or name in schema:
            sample = samples.get(name, "")
            if not sample and (scheme := _of_sqlalchemy(service, folder)):
                sample = f"{scheme}://user@host/name"
            value = _dsn(service, sample, folder) or _url(service, sample)
            if value and value != f"${{{name}}}":
                env[name] = value
        elif (part := _PART.fullmatch(name)) and name not in given.values() and part.lastgroup:
            # PostgreSQL asks for no password here, and some services refuse an empty one.
            variable = given.get(part.lastgroup)
            env[name] = f"${{{variable}}}" if variable else "unused"
    return env


_DIALECTS = (
    ("postgresql", r"\bpsycopg2\b", ""),
    ("postgresql", r"\bpsycopg\b", "postgresql+psycopg"),
    ("postgresql", r"\basyncpg\b", "postgresql+asyncpg"),
    ("mariadb", r"\bmysqlclient\b", ""),
    ("mariadb", r"\basyncmy\b", "mysql+asyncmy"),
    ("mariadb", r"\baiomysql\b", "mysql+aiomysql"),
    ("mariadb", r"\bpymysql\b", "mysql+pymysql"),
)
"""The drivers that SQLAlchemy takes where none is named, before those that have to be named."""


def _of_sqlalchemy(service: str, folder: Path) -> str:
    """The scheme of an address that names SQLAlchemy's driver; empty where its own default is one
    of those that the service in `folder` depends on, or where it has no SQLAlchemy."""
    needs = needs_of(folder)
    if not re.search(r"\bsql(?:alchemy|model)\b", needs):
        return ""
    fits = (told for of, name, told in _DIALECTS if of == service and re.search(name, needs))
    return next(fits, "")


_OF_GO = re.compile(r"(\w+://)?(?:[^@/]*@)?tcp\([^)]*\)/[^?]*(?:\?(.*))?")
"""The address of a database as Go's driver of MySQL has it."""

_PAIR = re.compile(r"(\w+)=('(?:\\.|[^'\\])*'|\S*)")


def _dsn(service: str, sample: str, folder: Path) -> str:
    """The address in a form that is no URL, where the sample has it in such a form or the driver
    knows no other; else empty."""
    given = {name: f"${{{one}}}" for name, one in SERVICES[service].variables.items()}
    text = sample.strip("\"'")
    if service == "mariadb":
        of_go = _OF_GO.fullmatch(text)
        needs = text_of(folder / "go.mod")
        knows_one = "go-sql-driver/mysql" in needs and "dburl" not in needs
        if of_go is None and not (knows_one and not text):
            return ""
        pairs = (of_go[2] or "").split("&") if of_go else ["parseTime=true"]
        kept = "&".join(one for pair in pairs if (one := _option(service, pair)))
        address = f"{given['user']}@tcp({given['host']}:{given['port']})/{given['name']}"
        scheme = (of_go[1] or "") if of_go else ""
        return f"{scheme}{address}{f'?{kept}' if kept else ''}"
    # As libpq has it, with spaces between.
    told: list[tuple[str, str]] = _PAIR.findall(text)
    if not {"host", "dbname"} & {name for name, _ in told} or "://" in text:
        return ""
    own = {"host": given["host"], "port": given["port"], "user": given["user"],
           "dbname": given["name"]}  # fmt: skip
    others = (
        one
        for name, value in told
        if name not in (*own, "password") and (one := _option(service, f"{name}={value}"))
    )
    return " ".join([*(f"{name}={value}" for name, value in own.items()), *others])


def _url(service: str, sample: str) -> str:
    """The address in the form of a sample, with its scheme and its options; empty where the sample
    is of another database."""
    given = SERVICES[service].variables
    plain = f"${{{given['url']}}}"
    text = sample.strip("\"'")
    scheme = text.partition("://")[0] if "://" in text else ""
    if not scheme:
        return plain if not text or text.startswith(("$", "<")) else ""
    last = scheme.removeprefix("jdbc:").partition("+")[0]
    if _BY_NAME.get(last) != service:
        return ""
    try:
        query = urlsplit(text).query
    except ValueError:
        query = ""
    kept = "&".join(one for pair in query.split("&") if (one := _option(service, pair)))
    options = f"?{kept}" if kept else ""
    host = "{}:{}/{}".format(*(f"${{{given[one]}}}" for one in ("host", "port", "name")))
    if scheme.startswith("jdbc:"):
        return f"{scheme}://{host}{options}"
    if scheme in _PLAIN[service]:
        return plain + options
    return f"{scheme}://${{{given['user']}}}@{host}{options}"


_OF_HOST = re.compile(
    r"(?:ssl|tls|useSSL|requireSSL|verifyServerCertificate|serverSslCert|channel_binding"
    r"|(?:host|pgbouncer)$)",
    re.IGNORECASE,
)
_OFF = frozenset({"0", "disable", "disabled", "false", "no", "none", "off"})


def _option(service: str, pair: str) -> str:
    """An option of an address, for a database that has no TLS and no pool before it; empty where it
    does not fit one."""
    key, _, value = pair.partition("=")
    if not _OF_HOST.match(key) or value.lower() in _OFF:
        return pair
    # Some drivers ask for TLS unless they are told not to.
    return f"{key}=disable" if service == "postgresql" and key == "sslmode" else ""


_PLAIN = {"postgresql": ("postgres", "postgresql"), "mariadb": ("mysql",)}
"""The schemes of the addresses that `ab` tells, and what means the same."""
