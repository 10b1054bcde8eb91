"""The one program of a build is found where it lies, and a port that sources name is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.recognised import FASTAPI, FLASK, found_in
from webdyno.ab.recognise import recognise

MAIN = "package main\n"
TOOL = "//go:build ignore\n\npackage main\n"
APPLICATION = "plugins {\n    application\n}\n"
BOOT = 'plugins { id("org.springframework.boot") }'


@pytest.mark.parametrize(
    ("files", "package", "said"),
    [
        ({"cmd/main.go": MAIN}, "./cmd", ""),
        ({"server/main.go": MAIN, "store/store.go": "package store"}, "./server", ""),
        ({"cmd/shop/main.go": MAIN, "cmd/shared/a.go": "package shared"}, "./cmd/shop", ""),
        ({"gen.go": TOOL, "cmd/api/main.go": MAIN}, "./cmd/api", ""),
        ({"gen.go": "// +build ignore\n\npackage main", "cmd/api/main.go": MAIN}, "./cmd/api", ""),
        ({"main.go": MAIN, "gen.go": TOOL}, ".", ""),
        ({"a/main.go": MAIN, "b/main.go": MAIN}, "./NAME", "2 folders have a package main"),
        ({"a/main.go": MAIN, "api/main.go": MAIN}, "./api", ""),
        ({"main_test.go": MAIN, "vendor/main.go": MAIN}, ".", "no package main found"),
    ],
)
def test_the_package_main_of_go_is_found(
    tmp_path: Path, files: dict[str, str], package: str, said: str
) -> None:
    found = found_in(tmp_path, {"go.mod": "module x", **files})
    assert found.build == (f"go build -o service {package}",)
    assert found.open.startswith(said)
    assert bool(found.open) == bool(said)
    assert found.is_template == bool(said)


def test_a_library_of_cargo_beside_its_server_is_not_started(tmp_path: Path) -> None:
    core = '[package]\nname = "core"\n[workspace]\nmembers = ["server"]'
    server = {"server/Cargo.toml": '[package]\nname = "shop"', "server/src/main.rs": ""}
    found = found_in(tmp_path, {"Cargo.toml": core, "src/lib.rs": "", **server})
    assert (found.build, found.run) == (("cargo build --release -p shop",), "target/release/shop")


def test_a_library_of_cargo_alone_has_no_program(tmp_path: Path) -> None:
    found = found_in(tmp_path, {"Cargo.toml": '[package]\nname = "core"', "src/lib.rs": ""})
    assert found.is_template
    assert found.open.startswith("the package has no program")


@pytest.mark.parametrize(
    ("files", "run"),
    [
        ({"settings.gradle.kts": 'include("app")'}, "app/build/install/app/bin/app"),
        (
            {
                "settings.gradle.kts": 'include("core", "web")', "web/build.gradle.kts": BOOT,
                "core/build.gradle.kts": "plugins { `java-library` }",
            },
            "java -jar web/build/libs/*.jar --server.port=${PORT}",
        ),
        (
            {
                "settings.gradle": "include 'lib', 'apps:api'",
                "apps/api/build.gradle": "plugins { id 'application' }",
            },
            "apps/api/build/install/api/bin/api",
        ),
        (
            {
                "settings.gradle.kts": 'include("app")\ninclude("list")',
                "app/build.gradle.kts": APPLICATION,
            },
            "app/build/install/app/bin/app",
        ),
        (
            {
                "settings.gradle.kts": 'include("a", "b")',
                "a/build.gradle.kts": APPLICATION, "b/build.gradle.kts": BOOT,
            },
            "java -jar NAME/build/libs/*.jar --server.port=${PORT}",
        ),
    ],
)  # fmt: skip
def test_the_module_of_gradle_that_is_started_is_found(
    tmp_path: Path, files: dict[str, str], run: str
) -> None:
    found = found_in(tmp_path, files)
    assert found.run == run
    assert found.is_template == ("NAME" in run)


@pytest.mark.parametrize(
    ("file", "source", "needs", "run"),
    [
        ("api.py", FASTAPI, "fastapi\nuvicorn\n", "uvicorn api:web --port ${PORT}"),
        ("app/api/main.py", FASTAPI, "fastapi\nuvicorn\n", "uvicorn app.api.main:web"),
        ("web.py", FLASK, "flask\ngunicorn\n", "gunicorn web:app --bind"),
        ("shop/service/http.py", FLASK, "flask\ngunicorn\n", "gunicorn shop.service.http:app"),
    ],
)
def test_an_application_in_python_is_found_in_any_module(
    tmp_path: Path, file: str, source: str, needs: str, run: str
) -> None:
    tests = {"tests/app.py": FLASK, "examples/x.py": FLASK, "scripts/a.py": FLASK}
    found = found_in(tmp_path, {"requirements.txt": needs, file: source, **tests})
    assert found.run.startswith(f".venv/bin/{run}")


def test_a_program_that_serves_is_taken_before_a_module_elsewhere(tmp_path: Path) -> None:
    main = "from shop.web.http import app\n\napp.run()\n"
    files = {"requirements.txt": "flask\n", "main.py": main, "shop/web/http.py": FLASK}
    assert found_in(tmp_path, files).run == ".venv/bin/python main.py"


def test_a_server_that_an_extra_brings_is_installed(tmp_path: Path) -> None:
    project = (
        '[build-system]\nrequires = []\n[project]\nname = "x"\ndependencies = ["fastapi"]\n'
        '[project.optional-dependencies]\nserve = ["uvicorn>=0.30"]\ndev = ["pytest"]\n'
    )
    found = found_in(tmp_path, {"pyproject.toml": project, "main.py": FASTAPI})
    assert found.build[-1] == ".venv/bin/pip install --quiet .[serve]"
    assert found.run.startswith(".venv/bin/uvicorn main:web")
    (tmp_path / "pyproject.toml").write_text(project.replace('["fastapi"]', '["uvicorn"]'))
    again = recognise(tmp_path)
    assert again is not None
    assert again.build[-1] == ".venv/bin/pip install --quiet ."


@pytest.mark.parametrize(
    ("extras", "named"),
    [
        ('serve = ["uvicorn"]\nmigrate = ["alembic"]\n', "serve,migrate"),
        ('all = ["alembic", "uvicorn"]\n', "all"),
    ],
)
def test_an_extra_that_brings_alembic_is_installed_with_it(
    tmp_path: Path, extras: str, named: str
) -> None:
    project = (
        '[build-system]\nrequires = []\n[project]\nname = "x"\ndependencies = ["fastapi"]\n'
        f"[project.optional-dependencies]\n{extras}"
    )
    files = {"pyproject.toml": project, "src/shop/main.py": FASTAPI}
    found = found_in(tmp_path, {**files, "alembic.ini": ""})
    assert found.build[-1] == f".venv/bin/pip install --quiet .[{named}]"
    # The package is installed, so its folder need not be named.
    assert found.run.startswith(".venv/bin/uvicorn shop.main:web --port ${PORT}")
    assert not found.env


@pytest.mark.parametrize(
    ("files", "port"),
    [
        ({"go.mod": "", "main.go": 'package main\nhttp.Server{Addr: ":8080"}'}, 8080),
        ({"requirements.txt": "aiohttp", "main.py": "web.run_app(app, port=8081)"}, 8081),
        (
            {
                "Cargo.toml": '[package]\nname = "x"',
                "src/main.rs": 'HttpServer::new(f).bind(("127.0.0.1", 8082))',
            },
            8082,
        ),
    ],
)
def test_a_port_that_sources_name_is_told(tmp_path: Path, files: dict[str, str], port: int) -> None:
    found = found_in(tmp_path, files)
    assert f"names port {port}" in " ".join(found.to_do)
