"""Start scripts of Node.js that go by another name, watch files, or start several programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.recognised import found_in


@pytest.mark.parametrize(
    ("scripts", "run"),
    [
        ({"start": "npm run serve", "serve": "node a.js"}, "node a.js"),
        ({"start": "yarn serve", "serve": "npm run prod", "prod": "node a.js"}, "node a.js"),
        (
            {"start": "npm run serve", "serve": "next start -p 80"},
            "npx --no-install next start -p ${PORT}",
        ),
        ({"start": "npm run serve", "serve": "node a.js --b '1'"}, "npm run serve"),
        # What its package manager runs before it would be left out.
        ({"start": "npm run serve", "prestart": "x", "serve": "node a.js"}, "npm start"),
        ({"start": "npm run none"}, "npm start"),
        ({"start": "npm run serve -- --b", "serve": "node a.js"}, "npm start"),
        ({"start": "npm run start"}, "npm start"),
    ],
)
def test_a_script_of_another_name_is_followed(
    tmp_path: Path, scripts: dict[str, str], run: str
) -> None:
    assert found_in(tmp_path, {"package.json": json.dumps({"scripts": scripts})}).run == run


@pytest.mark.parametrize(
    ("script", "run"),
    [
        ("node --watch a.js", "node a.js"),
        ("node -r dotenv/config --watch a.js", "node -r dotenv/config a.js"),
        ("bun --hot run a.ts", "bun run a.ts"),
        ("bun run --watch a.ts", "bun run a.ts"),
        ("tsx watch src/a.ts", "npx --no-install tsx src/a.ts"),
        ("node a.js --watch files", "node a.js --watch files"),
    ],
)
def test_files_are_not_watched(tmp_path: Path, script: str, run: str) -> None:
    found = found_in(tmp_path, {"package.json": json.dumps({"scripts": {"start": script}})})
    assert (found.run, found.open) == (run, "")


@pytest.mark.parametrize(
    ("scripts", "run"),
    [
        ({"dev": "bun run --hot src/index.ts"}, "bun run src/index.ts"),
        ({"dev": "node --watch a.js"}, "node a.js"),
        ({"dev": "tsx watch a.ts"}, ""),
        ({"dev": "next dev"}, ""),
        ({"dev": "node make.js"}, ""),
    ],
)
def test_what_only_development_starts_is_taken_where_it_serves_as_it_is(
    tmp_path: Path, scripts: dict[str, str], run: str
) -> None:
    found = found_in(tmp_path, {"package.json": json.dumps({"scripts": scripts})})
    assert found.run == run
    assert found.open.startswith("no script `start` in package.json; ")
    assert (f"check that `{run}`" in found.open) == bool(run)


INSTALL = "npm ci --no-audit --no-fund"


@pytest.mark.parametrize(
    ("scripts", "build"),
    [
        ({"build": "prisma generate && prisma migrate deploy && tsc"},
         ["npx --no-install prisma generate", "npx --no-install tsc"]),
        ({"build": "npm run db:migrate && npm run compile"}, ["npm run compile"]),
        ({"build": "yarn migrate:deploy"}, []),
        ({"build": "rm -rf dist && prisma migrate deploy && tsc"},
         ["rm -rf dist", "npx --no-install tsc"]),
        ({"build": "prisma migrate deploy && cd client && npm run build && vite build"},
         ["cd client && npm run build && npx --no-install vite build"]),
        ({"build": "prisma migrate deploy && tsc", "postbuild": "cp -r views dist"},
         ["npx --no-install tsc", "npm run postbuild"]),
        ({"build": "npm run migrate:make && tsc"}, ["npm run build"]),
        ({"build": "knex migrate:latest && A=1 tsc"}, ["npm run build"]),
        ({"build": "prisma db push && tsc", "prebuild": "rm -r dist"}, ["npm run build"]),
        ({"build": "tsc", "start": "typeorm migration:run -d dist/db.js && node a.js"},
         ["npm run build"]),
    ],
)  # fmt: skip
def test_a_build_has_no_database_for_migrations(
    tmp_path: Path, scripts: dict[str, str], build: list[str]
) -> None:
    held = {"scripts": {"start": "node a.js", **scripts}}
    found = found_in(tmp_path, {"package.json": json.dumps(held), "package-lock.json": "{}"})
    assert list(found.build) == [INSTALL, *build]
    assert (found.run, found.open) == ("node a.js", "")


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("concurrently 'npm:server' 'npm:web'", "may start several programs"),
        ("npm-run-all --parallel api web", "may start several programs"),
        ("turbo run start", "may start several programs"),
        ("pnpm -r start", "may start several programs"),
        ("tsx watch --include .env a.ts", "starts a development server"),
        ("nx serve api", "starts a development server"),
        ("node_modules/.bin/nodemon a.js", "starts a development server"),
        ("turbo run start --filter=api", ""),
        ("node dist/vite/server.js", ""),
        ("pnpm --filter api start", ""),
    ],
)
def test_what_starts_more_than_the_service_is_told(tmp_path: Path, script: str, said: str) -> None:
    found = found_in(tmp_path, {"package.json": json.dumps({"scripts": {"start": script}})})
    assert said in found.open
    assert bool(said) == bool(found.open)


@pytest.mark.parametrize(
    "script", ["bundle exec puma", "python app.py", "docker-compose up", "php artisan serve"]
)
def test_a_script_that_starts_another_languages_program_is_none_of_node(
    tmp_path: Path, script: str
) -> None:
    files = {"package.json": json.dumps({"scripts": {"start": script}})}
    found = found_in(tmp_path, files)
    assert found.run == ""
    assert found.open.startswith(f"its start script runs `{script}`; set `command`")
    beside = {"requirements.txt": "uvicorn\n", "main.py": "app = FastAPI()\n"}
    assert found_in(tmp_path, beside).language == "python"


def test_what_builds_the_program_may_have_another_name(tmp_path: Path) -> None:
    scripts = {"start:prod": "node dist/main.js", "build:prod": "nest build", "build:docs": "x"}
    files = {"package.json": json.dumps({"scripts": scripts})}
    assert found_in(tmp_path, files).build == ("npm run build:prod",)
    # One that is committed need not be built.
    assert found_in(tmp_path, {"dist/main.js": ""}).build == ()
