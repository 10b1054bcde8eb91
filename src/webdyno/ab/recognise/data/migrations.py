"""What makes a service's tables: the migrations in its folder, and the command that runs them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path

from webdyno.ab.recognise.data.dropwizard_database import of_dropwizard
from webdyno.ab.recognise.data.node_migrations import of_node
from webdyno.ab.recognise.data.sql_migrations import of_plain_sql
from webdyno.ab.recognise.jvm.dropwizard import starts_dropwizard
from webdyno.ab.recognise.python.django import manage_of
from webdyno.ab.recognise.python.needs import needs_of
from webdyno.ab.recognise.python.roots import roots_of
from webdyno.ab.recognise.recognised import Migrations, RecognisedService, says, text_of


def migrations_of(folder: Path, service: RecognisedService) -> Migrations | None:
    """The migrations of a `service` in `folder`; None where none are known."""
    ask = _BY_MANIFEST.get(service.manifest) or _BY_LANGUAGE.get(service.language)
    return ask(folder, service) if ask else None


def _of_python(folder: Path, service: RecognisedService) -> Migrations | None:
    """Of the member of a workspace that is started, in its folder."""
    made = _in_folder(folder / service.package, service)
    if made is None or not service.package:
        return made
    up = "/".join([".."] * len(Path(service.package).parts))
    lines = (
        f"cd {shlex.quote(service.package)} && " + re.sub(r"^(?=\.venv/)", f"{up}/", line)
        if line
        else ""
        for line in (made.command, made.rows)
    )
    return Migrations(*lines)


def _in_folder(folder: Path, service: RecognisedService) -> Migrations | None:
    if (manage := manage_of(folder)) is not None:
        top = manage.parent
        settings = any(
            says(path, r"^[ \t]*DATABASES\b|\bDATABASES\s*=") for path in top.glob("*/settings*.py")
        ) or any(top.glob("*/settings/*.py"))
        name = shlex.quote(manage.relative_to(folder).as_posix())
        command = _as_started(service, f".venv/bin/python {name} migrate --noinput")
        # Of a name with a dot, Django takes what follows that for the format.
        fixtures = sorted(
            {path.name if "." in path.stem else path.stem for path in top.glob("*/fixtures/*.json")}
        )
        rows = _as_started(service, f".venv/bin/python {name} loaddata {shlex.join(fixtures)}")
        return Migrations(command, rows if fixtures else "") if settings else None
    of_alembic = "migrations/alembic.ini"
    of_flask = says(folder / "migrations/env.py", r"\bcurrent_app\b")
    if (folder / of_alembic).is_file() and not of_flask and "flask" not in needs_of(folder):
        return Migrations(
            _as_started(service, f".venv/bin/alembic --config {of_alembic} upgrade head")
        )
    if (folder / of_alembic).is_file():
        served = re.search(r"(?<=[\s'\"])([\w.]+:[\w.]+)", service.run)
        app = f" --app {served[1]}" if served else ""
        return Migrations(_as_started(service, f".venv/bin/flask{app} db upgrade"))
    if (folder / "alembic.ini").is_file():
        return Migrations(_as_started(service, ".venv/bin/alembic upgrade head"))
    below = [
        one.parent for one in sorted(folder.glob("*/alembic.ini")) if one.parent.name[0] != "."
    ]
    if len(below) == 1:
        # It names its folder as seen from there.
        place = below[0].relative_to(folder).as_posix()
        command = _as_started(service, ".venv/bin/alembic upgrade head")
        up = re.sub(r"^(?=\.venv/)", "../", command)
        return Migrations(f"cd {shlex.quote(place)} && {up}")
    return _of_litestar(folder, service)


def _of_litestar(folder: Path, service: RecognisedService) -> Migrations | None:
    """Those of Advanced Alchemy, which Litestar's own program runs."""
    app = re.search(r"(?<=[\s'\"])([\w.]+:[\w.]+)", service.run)
    needs = needs_of(folder)
    if app is None or not ("litestar" in needs and _ADVANCED.search(needs)):
        return None
    tops = ["", *(f"{root}/" for root in roots_of(folder))]
    places = (f"{top}{below}/migrations/env.py" for top in tops for below in ("*", "*/*"))
    if not any(one for place in places for one in folder.glob(place)):
        return None
    return Migrations(f".venv/bin/litestar --app {app[1]} database upgrade --no-prompt")


_ADVANCED = re.compile(r"\badvanced[-_]alchemy\b|\blitestar\[[^]]*\b(?:full|sqlalchemy)\b")


def _as_started(service: RecognisedService, command: str) -> str:
    """A command of Python's, by the program that also starts the service."""
    before = re.match(r"(?:uv|poetry|pdm|pipenv) run ", service.run)
    return command.replace(".venv/bin/", before[0]) if before else command


def _of_ruby(folder: Path, _service: RecognisedService) -> Migrations | None:
    if any(folder.glob("config/db/migrate/*.rb")):
        return Migrations("bundle exec hanami db migrate --no-dump")
    there = (folder / "db/schema.rb", folder / "db/structure.sql")
    if not any(folder.glob("db/migrate/*.rb")) and not any(one.is_file() for one in there):
        return None
    # Rails before its fifth knows them by this program alone.
    rows = "bundle exec rake db:seed" if (folder / "db/seeds.rb").is_file() else ""
    return Migrations("bundle exec rake db:migrate", rows)


def _of_php(folder: Path, _service: RecognisedService) -> Migrations | None:
    if (folder / "artisan").is_file() and any(folder.glob("database/migrations/*.php")):
        return Migrations("php artisan migrate --force", "php artisan db:seed --force")
    doctrine = says(folder / "composer.json", r"\bdoctrine/doctrine-migrations-bundle\b")
    if doctrine and any(folder.glob("migrations/*.php")):
        return Migrations("php bin/console doctrine:migrations:migrate --no-interaction")
    return None


def _of_jvm(folder: Path, service: RecognisedService) -> Migrations | None:
    """Flyway and Liquibase run with the application, but for Dropwizard's command."""
    places = {folder, folder / service.package}
    names = ("pom.xml", "build.gradle", "build.gradle.kts")
    text = "".join(text_of(one / name) for one in places for name in names)
    if starts_dropwizard(service.run) and (made := of_dropwizard(folder, service, text)):
        return made
    return Migrations() if re.search(r"\b(?:flyway|liquibase)\b", text) else None


def _of_elixir(folder: Path, service: RecognisedService) -> Migrations | None:
    """Ecto's, by the release that is started: by its own function, else as its guide has it."""
    if not any(folder.glob("priv/*/migrations/*.exs")) or not service.run.endswith(" start"):
        return None
    own = (
        re.search(r"^defmodule ([\w.]+) do\b.*?^\s*def migrate\b", text_of(path), re.M | re.S)
        for path in sorted(folder.glob("lib/**/*release*.ex"))
    )
    calls = next((f"{one[1]}.migrate()" for one in own if one), "")
    if not calls:
        app = service.run.split("/")[3]
        calls = (
            f"Application.load(:{app}); for repo <- Application.fetch_env!(:{app}, :ecto_repos), "
            "do: {:ok, _, _} = Ecto.Migrator.with_repo(repo, &Ecto.Migrator.run(&1, :up, all: "
            "true))"
        )
    start = service.run.removesuffix(" start").replace("PHX_SERVER=true ", "")
    return Migrations(f"{start} eval '{calls}'")


def _of_swift(folder: Path, service: RecognisedService) -> Migrations | None:
    """Fluent's, which Vapor runs by a command of the program."""
    sources = "\n".join(map(text_of, sorted((folder / "Sources").rglob("*.swift"))))
    if ".migrations.add(" not in sources or " serve " not in service.run:
        return None
    if re.search(r"\bautoMigrate\(\)", sources):
        return Migrations()
    return Migrations(f"{service.run.split()[0]} migrate --yes --env production")


def _of_dotnet(folder: Path, service: RecognisedService) -> Migrations | None:
    """Those of Entity Framework, where the program runs them itself when it starts."""
    runs = r"\.(?:Migrate|EnsureCreated)(?:Async)?\("
    sources = (folder / service.package).rglob("*.cs")
    return Migrations() if any(says(one, runs) for one in sources) else None


_BY_MANIFEST: dict[str, Callable[[Path, RecognisedService], Migrations | None]] = {
    "package.json": of_node, "Gemfile": _of_ruby, "composer.json": _of_php,
}  # fmt: skip
_BY_LANGUAGE: dict[str, Callable[[Path, RecognisedService], Migrations | None]] = {
    "python": _of_python, "java": _of_jvm, "kotlin": _of_jvm, "go": of_plain_sql,
    "rust": of_plain_sql, "elixir": _of_elixir, "csharp": _of_dotnet,
    "swift": _of_swift,
}  # fmt: skip
