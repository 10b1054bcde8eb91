"""Start commands that are for development."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from webdyno.ab.versions.development import of_development
from webdyno.catalog.terms.command import argv_of


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("nodemon app.js", "starts a development server"),
        ("node --watch app.js", "starts a development server"),
        ("cd api && npx vite --port ${PORT}", "starts a development server"),
        (".venv/bin/uvicorn main:app --reload --port ${PORT}", "starts a development server"),
        ("python manage.py runserver ${PORT}", "starts a development server"),
        ("./mvnw quarkus:dev", "starts a development server"),
        ("air -c .air.toml", "starts a development server"),
        ("go run ./cmd/shop", "compiles at each start"),
        ("./mvnw spring-boot:run", "compiles at each start"),
        ("dotnet run --urls http://127.0.0.1:${PORT}", "compiles at each start"),
        ("target/debug/shop", "compiled without optimisations"),
        ("dotnet Shop/bin/Debug/net8.0/Shop.dll", "compiled without optimisations"),
        ("bundle exec rails s -p ${PORT}", "set RAILS_ENV in `env` (--env RAILS_ENV=production)"),
        ("mix phx.server", "set MIX_ENV in `env` (--env MIX_ENV=prod)"),
    ],
)
def test_what_is_for_development_is_told(line: str, said: str) -> None:
    assert said in of_development(argv_of(line), {}, Path())


@pytest.mark.parametrize(
    "line",
    [
        "target/release/debug",
        "node dist/vite/server.js",
        "npx --no-install next start",
        "vite preview --port ${PORT}",
        "node server.js --watched ${PORT}",
        "./air/server",
        "dotnet run --no-build -c Release",
        ".venv/bin/python manage.py runserver --noreload ${PORT}",
        ".venv/bin/uvicorn main:app --reload-dir x",
        "rails server -e production",
        "MIX_ENV=prod mix phx.server",
    ],
)
def test_what_is_for_production_is_not(line: str) -> None:
    assert of_development(argv_of(line), {}, Path()) == ""


def test_a_variable_of_the_service_counts() -> None:
    command = argv_of("bundle exec rails server")
    assert of_development(command, {"RAILS_ENV": "production"}, Path()) == ""
    assert of_development(command, {"RAILS_ENV": "development"}, Path()) != ""


@pytest.mark.parametrize(
    ("line", "is_told"),
    [
        ("npm start", True),
        ("yarn run serve", True),
        ("cd web && pnpm prod", False),
        ("npm run none", False),
        ("npm", False),
    ],
)
def test_a_script_is_what_it_runs(tmp_path: Path, line: str, is_told: bool) -> None:
    (tmp_path / "web").mkdir()
    scripts = {"start": "npm run serve", "serve": "nodemon app.js", "prod": "nodemon app.js"}
    (tmp_path / "package.json").write_text(json.dumps({"scripts": scripts}))
    (tmp_path / "web/package.json").write_text(json.dumps({"scripts": {"prod": "node app.js"}}))
    told = of_development(argv_of(line), {}, tmp_path)
    assert told.startswith("`nodemon app.js` starts a development server") == is_told
    assert bool(told) == is_told
