"""How frameworks that are neither told nor built like others are started."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.recognised import found_in

MANAGE = 'os.environ.setdefault("DJANGO_SETTINGS_MODULE", "{}")'
ASGI = {"config/asgi.py": ""}


@pytest.mark.parametrize(
    ("settings", "needs", "files", "run"),
    [
        ("shop.settings", "django\ngunicorn\n", {}, "gunicorn shop.wsgi --bind"),
        ("config.settings.local", "django\ngunicorn\n", {}, "gunicorn config.wsgi --bind"),
        ("config.settings.local", "uvicorn\ngunicorn\n", {**ASGI, "config/wsgi.py": ""},
         "gunicorn config.wsgi --bind"),
        ("config.settings", "uvicorn\ngunicorn\n", ASGI, "uvicorn config.asgi:application --port"),
        ("config.django.base", "django\ngunicorn\n", {"config/wsgi.py": ""},
         "gunicorn config.wsgi --bind"),
        ("config.settings", "uvicorn\n", ASGI, "uvicorn config.asgi:application --port"),
        ("config.settings", "hypercorn\n", ASGI, "hypercorn config.asgi:application --bind"),
        ("config.settings.dev", "daphne\n", ASGI, "daphne -b 127.0.0.1 -p ${PORT} config.asgi:"),
        ("config.settings", "uvicorn\n", {}, "python manage.py runserver --noreload"),
        ("settings", "gunicorn\n", {}, "python manage.py runserver --noreload"),
    ],
)  # fmt: skip
def test_django_is_served_by_what_its_manifests_name(
    tmp_path: Path, settings: str, needs: str, files: dict[str, str], run: str
) -> None:
    held = {"manage.py": MANAGE.format(settings), "requirements.txt": needs, **files}
    found = found_in(tmp_path, held)
    assert found.run.startswith(f".venv/bin/{run}")
    assert ("not for production" in found.open) == ("runserver" in run)


def test_daphne_serves_what_is_no_function(tmp_path: Path) -> None:
    held = {"requirements.txt": "starlette\ndaphne\n", "app.py": "app = Starlette()\n"}
    run = ".venv/bin/daphne -b 127.0.0.1 -p ${PORT} app:app"
    assert found_in(tmp_path, held).run == run
    held["app.py"] = "def create_app():\n    return Starlette()\n"
    assert found_in(tmp_path, held).run == ""


@pytest.mark.parametrize(
    ("files", "build", "run"),
    [
        (
            {"build.gradle": "plugins {\n    id 'java'\n    id 'io.quarkus'\n}"},
            "quarkusBuild",
            "java -Dquarkus.http.port=${PORT} -jar build/quarkus-app/quarkus-run.jar",
        ),
        (
            {
                "build.gradle.kts": "",
                "settings.gradle.kts": 'include(":api", ":lib")',
                "api/build.gradle.kts": 'plugins { id("io.quarkus") }',
            },
            "quarkusBuild",
            "java -Dquarkus.http.port=${PORT} -jar api/build/quarkus-app/quarkus-run.jar",
        ),
    ],
)
def test_gradle_builds_quarkus_by_a_task_of_its_own(
    tmp_path: Path, files: dict[str, str], build: str, run: str
) -> None:
    found = found_in(tmp_path, files)
    assert found.build[0].endswith(f" {build}")
    assert (found.run, found.open) == (run, "")


@pytest.mark.parametrize("plugin", ["io.micronaut.application", "io.micronaut.minimal.application"])
def test_a_module_of_micronaut_is_the_service_among_libraries(tmp_path: Path, plugin: str) -> None:
    files = {
        "settings.gradle.kts": 'include("api", "lib")',
        "api/build.gradle.kts": f'plugins {{ id("{plugin}") version "4.4.2" }}',
        "lib/build.gradle.kts": "plugins { `java-library` }",
    }
    found = found_in(tmp_path, files)
    assert (found.run, found.open) == ("api/build/install/api/bin/api", "")
    assert found.env == {"MICRONAUT_SERVER_PORT": "${PORT}"}


@pytest.mark.parametrize(
    "files",
    [
        {"build.gradle": "plugins { id('io.micronaut.application') version '4.4.2' }"},
        {"pom.xml": "<parent><groupId>io.micronaut.platform</groupId></parent>"},
    ],
)
def test_micronaut_is_told_its_port(tmp_path: Path, files: dict[str, str]) -> None:
    assert found_in(tmp_path, files).env == {"MICRONAUT_SERVER_PORT": "${PORT}"}


@pytest.mark.parametrize(
    ("files", "run"),
    [
        ({"config/octane.php": "'server' => env('OCTANE_SERVER', 'swoole'),"}, "swoole"),
        ({"config/octane.php": "'server' => env('OCTANE_SERVER', 'frankenphp'),"},
         "frankenphp --admin-port=$((PORT + 1))"),
        ({".env.example": "OCTANE_SERVER=roadrunner\n"}, "roadrunner --rpc-port=$((PORT + 1))"),
    ],
)  # fmt: skip
def test_laravel_is_served_by_octane_where_it_depends_on_that(
    tmp_path: Path, files: dict[str, str], run: str
) -> None:
    needs = '{"require": {"laravel/octane": "^2"}}'
    found = found_in(tmp_path, {"composer.json": needs, "artisan": "", **files})
    server, _, further = run.partition(" ")
    command = f"php artisan octane:start --server={server} --host=127.0.0.1 --port=${{PORT}}"
    assert found.run == f"{command}{f' {further}' if further else ''}"
    assert "not for production" not in found.open
    assert ("on your PATH" in found.open) == bool(further)


def test_laravel_has_a_key_of_the_length_that_it_takes(tmp_path: Path) -> None:
    files = {"composer.json": "{}", "artisan": "", ".env.example": "APP_KEY=\n"}
    found = found_in(tmp_path, files)
    assert len(found.env["APP_KEY"]) == 32
    assert not any("APP_KEY" in line for line in found.to_do)


def test_hanami_is_told_its_port_and_that_it_is_in_production(tmp_path: Path) -> None:
    files = {
        "Gemfile": "gem 'hanami', '~> 2.2'\ngem \"puma\"\ngem 'pg'\n",
        "config.ru": "",
        "config/db/migrate/1_a.rb": "",
    }
    found = found_in(tmp_path, files)
    assert found.run == "bundle exec puma --bind tcp://127.0.0.1:${PORT}"
    assert found.env == {"HANAMI_ENV": "production", "HANAMI_PORT": "${PORT}"}
    assert found.prepare == ("bundle exec hanami db migrate --no-dump",)
