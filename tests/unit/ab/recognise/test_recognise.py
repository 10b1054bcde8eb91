"""What `init` finds out of the usual manifests, and that what it writes can be read."""

import json
import re
from pathlib import Path

import pytest

from support.recognised import FASTAPI, FLASK, NODE, SWIFT, write
from webdyno.ab.recognise import recognise
from webdyno.ab.recognise.template import description_text
from webdyno.ab.request.pair_request import PairRequest
from webdyno.ab.request.resolve import resolve
from webdyno.catalog import Catalog
from webdyno.catalog.descriptions.description import FILE, read_description

JARS_BESIDE = (
    "rm -f target/original-*.jar target/*-sources.jar target/*-javadoc.jar target/*-tests.jar"
)

CASES: dict[str, tuple[dict[str, str], str, list[str], str]] = {
    "npm": (
        {"package.json": NODE, "package-lock.json": "{}"},
        "node", ["npm ci --no-audit --no-fund", "npm run build"], "node src/server.js",
    ),
    "npm without a lock": (
        {"package.json": '{"dependencies": {"a": "1"}, "main": "x.js"}', "x.js": ""},
        "node", ["npm install --no-audit --no-fund"], "node x.js",
    ),
    "a start script of its own": (
        {"package.json": '{"scripts": {"start": "next start"}}', "pnpm-lock.yaml": ""},
        "node", ["pnpm install --frozen-lockfile"], "pnpm start",
    ),
    "yarn": (
        {"package.json": '{"main": "x.js"}', "x.js": "", "yarn.lock": "# yarn lockfile v1\n"},
        "node", ["yarn install --frozen-lockfile"], "node x.js",
    ),
    "a later yarn": (
        {"package.json": '{"main": "x.js"}', "x.js": "", "yarn.lock": "#\n__metadata:\n"},
        "node", ["yarn install --immutable"], "yarn node x.js",
    ),
    "a later yarn that makes node_modules": (
        {
            "package.json": '{"main": "x.js"}', "x.js": "", "yarn.lock": "#\n__metadata:\n",
            ".yarnrc.yml": "nodeLinker: node-modules\n",
        },
        "node", ["yarn install --immutable"], "node x.js",
    ),
    "a start script for development beside one for production": (
        {
            "package.json": '{"scripts": {"start": "nest start", "start:prod": "node dist/main"}}',
            "package-lock.json": "{}",
        },
        "node", ["npm ci --no-audit --no-fund"], "node dist/main",
    ),
    "a file of variables that is not committed": (
        {
            "package.json": '{"scripts": {"start": "node --env-file=.env src/index.js"}}',
            ".env.sample": "A=1",
        },
        "node", [], "node src/index.js",
    ),
    "fastapi": (
        {"requirements.txt": "fastapi\nuvicorn\n", "shop/main.py": FASTAPI},
        "python",
        ["${PYTHON} -m venv .venv", ".venv/bin/pip install --quiet -r requirements.txt"],
        ".venv/bin/uvicorn shop.main:web --port ${PORT} --log-level warning",
    ),
    "gunicorn": (
        {"pyproject.toml": '[project]\ndependencies = ["flask", "gunicorn"]', "app.py": FLASK},
        "python",
        ["${PYTHON} -m venv .venv", ".venv/bin/pip install --quiet ."],
        ".venv/bin/gunicorn app:app --bind 127.0.0.1:${PORT}",
    ),
    "a factory": (
        {
            "pyproject.toml": '[project]\ndependencies = ["flask"]',
            "shop/__init__.py": "def create_app(config=None):\n    app = Flask(__name__)\n",
        },
        "python",
        ["${PYTHON} -m venv .venv", ".venv/bin/pip install --quiet ."],
        ".venv/bin/flask --app 'shop:create_app()' run --port ${PORT}",
    ),
    "go": (
        {"go.mod": "module x", "cmd/shop/main.go": "package main"},
        "go", ["go build -o service ./cmd/shop"], "./service",
    ),
    "go at the top": (
        {"go.mod": "module x", "main.go": "package main", "cmd/tool/main.go": "package main"},
        "go", ["go build -o service ."], "./service",
    ),
    "cargo": (
        {"Cargo.toml": '[package]\nname = "shop"'},
        "rust", ["cargo build --release"], "target/release/shop",
    ),
    "a workspace of cargo": (
        {"Cargo.toml": '[workspace]\nmembers = ["a", "b"]'},
        "rust", ["cargo build --release -p NAME"], "target/release/NAME",
    ),
    "a program beside a library of cargo": (
        {"Cargo.toml": '[package]\nname = "shop"', "src/lib.rs": "", "src/bin/serve.rs": ""},
        "rust", ["cargo build --release"], "target/release/serve",
    ),
    "maven": (
        {"pom.xml": "<project/>", "mvnw": "", ".mvn/wrapper/maven-wrapper.properties": ""},
        "java", ["sh mvnw --batch-mode --quiet -DskipTests package", JARS_BESIDE],
        "java -jar target/*.jar",
    ),
    "spring": (
        {"pom.xml": "<parent><groupId>org.springframework.boot</groupId></parent>"},
        "java", ["mvn --batch-mode --quiet -DskipTests package", JARS_BESIDE],
        "java -jar target/*.jar --server.port=${PORT}",
    ),
    "gradle": (
        {"build.gradle": "plugins { id 'org.springframework.boot' }"},
        "java", ["gradle --no-daemon --quiet bootJar"],
        "java -jar build/libs/*.jar --server.port=${PORT}",
    ),
    "composer": (
        {"composer.json": "{}", "public/index.php": ""},
        "php",
        ["composer install --no-dev --no-interaction --no-progress --optimize-autoloader"],
        "php -d opcache.enable_cli=1 -d opcache.lockfile_path=${TMPDIR} -S 127.0.0.1:${PORT} "
        "-t public",
    ),
    "rack": (
        {"Gemfile": 'gem "puma"\n', "config.ru": ""},
        "ruby", ["bundle install --quiet"], "bundle exec puma --bind tcp://127.0.0.1:${PORT}",
    ),
    "sinatra": (
        {"Gemfile": 'gem "sinatra"\n', "app.rb": "require 'sinatra'\nget('/') { 'hi' }\n"},
        "ruby", ["bundle install --quiet"], "bundle exec ruby app.rb -o 127.0.0.1 -p ${PORT}",
    ),
    "swift": (
        {"Package.swift": SWIFT}, "swift", ["swift build -c release"], ".build/release/App",
    ),
    "elixir": (
        {"mix.exs": "    [\n      app: :shop,\n      version: \"1.0.0\",\n    ]"},
        "elixir",
        ["env MIX_ENV=prod mix deps.get --only prod", "env MIX_ENV=prod mix release"],
        "env PHX_SERVER=true RELEASE_DISTRIBUTION=none RELEASE_TMP=$TMPDIR "
        "_build/prod/rel/shop/bin/shop start",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_folder_says_how_it_is_built_and_started(tmp_path: Path, name: str) -> None:
    files, language, build, run = CASES[name]
    write(tmp_path, files)
    found = recognise(tmp_path)
    assert found is not None
    assert (found.language, list(found.build), found.run) == (language, build, run)
    # What is written says the same to whoever reads it.
    (tmp_path / FILE).write_text(description_text("shop", found))
    read = read_description(tmp_path / FILE)
    assert read.name == "shop"
    assert read.language == language
    assert len(read.build.commands) == len(build)
    assert read.run is not None
    assert read.templates()[0].path == "/"


def test_broken_manifests_are_recognised_all_the_same(tmp_path: Path) -> None:
    write(tmp_path, {"package.json": "{", "server.js": ""})
    found = recognise(tmp_path)
    assert found is not None
    assert found.run == "node server.js"


@pytest.mark.parametrize(
    ("manifest", "text"),
    [
        ("Cargo.toml", '[package]\nname = "x"\n[dependencies]\ny = { path = "../y" }'),
        ("package.json", '{"main": "a.js", "dependencies": {"y": "file:../y"}}'),
        ("go.mod", "module x\nreplace example.org/y => ../y\n"),
        ("pyproject.toml", '[tool.poetry.dependencies]\ny = { path = "../y", develop = true }'),
        ("pyproject.toml", "[tool.uv.sources]\ny = { path = '../y' }"),
        ("Pipfile", '[packages]\ny = {path = "../y", editable = true}'),
        ("requirements.txt", "flask\n-e ../y\n"),
        ("requirements.txt", "../y  # ours\n"),
        ("requirements.txt", "--requirement ../y\n"),
        ("requirements.txt", "--find-links=../y\n"),
        ("composer.json", '{"repositories": [{"type": "path", "url": "..\\/y"}]}'),
        ("Gemfile", "gem 'y', path: '../y'\n"),
        ("Gemfile", "gem 'y', :path => '../y'\n"),
        ("Package.swift", '.package(path: "../y"),\n'),
        ("mix.exs", '{:y, path: "../y"},\n'),
    ],
)
def test_what_it_needs_beside_its_folder_is_said(tmp_path: Path, manifest: str, text: str) -> None:
    (tmp_path / manifest).write_text(text)
    found = recognise(tmp_path)
    assert found is not None
    assert found.open.startswith("it needs ../y, but a build sees only this folder")
    assert found.open.endswith("describe the service in .., which contains both")
    assert "# To do: it needs ../y" in description_text("x", found)


@pytest.mark.parametrize(
    ("script", "run", "env", "said"),
    [
        ("PORT=3000 node a.js", "node a.js", {"NODE_ENV": "production"}, ""),
        ("NODE_ENV=production PORT=80 node a.js", "node a.js", {"NODE_ENV": "production"}, ""),
        ("cross-env NODE_ENV=production node a.js", "node a.js", {"NODE_ENV": "production"}, ""),
        (
            "PORT=3000 next start", "npm start", {"NODE_ENV": "production"},
            "its start script sets PORT to 3000",
        ),
        ("NODE_ENV=production next start", "npm start", {}, ""),
    ],
)  # fmt: skip
def test_variables_of_a_start_script(
    tmp_path: Path, script: str, run: str, env: dict[str, str], said: str
) -> None:
    write(tmp_path, {"package.json": json.dumps({"scripts": {"start": script}})})
    found = recognise(tmp_path)
    assert found is not None
    assert (found.run, found.env) == (run, env)
    assert found.open.startswith(said)
    assert bool(found.open) == bool(said)


def test_a_framework_that_reads_no_port_gets_its_own_variable(tmp_path: Path) -> None:
    (tmp_path / "Cargo.toml").write_text('[package]\nname = "x"\n[dependencies]\nrocket = "0.5"')
    found = recognise(tmp_path)
    assert found is not None
    (tmp_path / FILE).write_text(description_text("x", found))
    run = read_description(tmp_path / FILE).run
    assert run is not None
    assert run.env == {"ROCKET_PORT": "${PORT}"}
    # The same without a file.
    described, _ = resolve(PairRequest(cwd=tmp_path), Catalog(), tmp_path / "into")
    assert described.run is not None
    assert described.run.env == {"ROCKET_PORT": "${PORT}"}


@pytest.mark.parametrize(
    ("manifest", "text", "services"),
    [
        ("package.json", '{"dependencies": {"pg": "8", "page": "1"}}', ("postgresql",)),
        ("package.json", '{"dependencies": {"pgp": "8", "page": "1"}}', ()),
        ("requirements.txt", "PyMySQL==1\npsycopg[binary]==3\n", ("mariadb", "postgresql")),
        ("go.mod", "module x\nrequire github.com/jackc/pgx/v5 v5.7.0\n", ("postgresql",)),
        ("go.mod", "module x\nrequire github.com/lib/pq v1.10.9\n", ("postgresql",)),
        ("go.mod", "module x\nrequire (\n\tgithub.com/lib/pq v1.10.9 // indirect\n)", ()),
        ("Cargo.toml", '[package]\nname = "x"\n[dependencies]\nmysql_async = "0"', ("mariadb",)),
        ("pom.xml", "<artifactId>postgresql</artifactId>", ("postgresql",)),
    ],
)
def test_the_driver_of_a_database_is_seen(
    tmp_path: Path, manifest: str, text: str, services: tuple[str, ...]
) -> None:
    (tmp_path / manifest).write_text(text)
    found = recognise(tmp_path)
    assert found is not None
    assert found.services == services
    written = description_text("shop", found)
    assert re.findall(r"^# \[services\.(\w+)\]", written, re.MULTILINE) == list(services)
    # Without its comment signs, it is a description.
    shown = re.sub(r"^# (?=\[services|seed)", "", written, flags=re.MULTILINE)
    path = tmp_path / FILE
    path.write_text(shown)
    assert set(read_description(path).services) == set(services)
