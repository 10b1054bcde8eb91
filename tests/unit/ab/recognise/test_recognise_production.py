"""What is recognised is started as in production, on a port of its own, several at once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.recognised import SWIFT, found_in
from webdyno.ab.recognise.template import description_text
from webdyno.catalog.descriptions.description import FILE, read_description

RAILS = {"Gemfile": 'gem "rails"\n', "config/application.rb": "", "config.ru": ""}
MIX = "    [\n      app: :shop,\n    ]"


@pytest.mark.parametrize(
    ("files", "env"),
    [
        (RAILS, {"RAILS_ENV": "production"}),
        ({"Gemfile": 'gem "puma"\n', "config.ru": ""}, {"RACK_ENV": "production"}),
        ({"Gemfile": "", "config.ru": ""}, {"RACK_ENV": "production"}),
        (
            {"composer.json": json.dumps({"require": {"symfony/framework-bundle": "7.*"}})},
            {"APP_ENV": "prod", "APP_DEBUG": "0"},
        ),
        (
            {"go.mod": "module x\nrequire github.com/gin-gonic/gin v1.10.0\n",
             "main.go": 'package main\nos.Getenv("PORT")'},
            {"GIN_MODE": "release"},
        ),
    ],
)  # fmt: skip
def test_frameworks_are_told_that_they_are_in_production(
    tmp_path: Path, files: dict[str, str], env: dict[str, str]
) -> None:
    found = found_in(tmp_path, files)
    assert found.env.items() >= env.items()
    (tmp_path / FILE).write_text(description_text("shop", found))
    run = read_description(tmp_path / FILE).run
    assert run is not None
    assert run.env == dict(found.env)


def test_rails_has_a_key_and_its_owner_is_told_what_production_asks_for(tmp_path: Path) -> None:
    found = found_in(tmp_path, {**RAILS, "config/environments/production.rb": "force_ssl = true"})
    assert len(found.env["SECRET_KEY_BASE"]) >= 64
    assert "X-Forwarded-Proto: https" in " ".join(found.to_do)


def test_symfony_is_installed_without_what_development_needs(tmp_path: Path) -> None:
    held = {"require": {"symfony/framework-bundle": "7.*"}}
    found = found_in(tmp_path, {"composer.json": json.dumps(held)})
    assert found.build[0].startswith("env APP_ENV=prod composer install --no-dev")


def test_releases_of_elixir_run_beside_each_other(tmp_path: Path) -> None:
    runtime = 'System.get_env("SECRET_KEY_BASE") || raise "missing"'
    found = found_in(tmp_path, {"mix.exs": MIX, "config/runtime.exs": runtime})
    assert " RELEASE_DISTRIBUTION=none RELEASE_TMP=$TMPDIR " in found.run
    assert found.run.endswith("_build/prod/rel/shop/bin/shop start")
    assert len(found.env["SECRET_KEY_BASE"]) >= 64
    (tmp_path / FILE).write_text(description_text("shop", found))
    run = read_description(tmp_path / FILE).run
    assert run is not None
    assert run.command[:2] == ["sh", "-c"]


CONFIGURED = (
    "ConfigReader(providers: [EnvironmentVariablesProvider()])\n"
    "configuration: ApplicationConfiguration(reader: reader{}),\n"
)


@pytest.mark.parametrize(
    ("scope", "names"),
    [('.scoped(to: "http")', ("HTTP_HOST", "HTTP_PORT")), ("", ("HOST", "PORT"))],
)
def test_settings_that_hummingbird_reads_tell_its_port(
    tmp_path: Path, scope: str, names: tuple[str, str]
) -> None:
    files = _swift("hummingbird-project/hummingbird", CONFIGURED.format(scope))
    host, port = names
    assert found_in(tmp_path, files).env == {host: "127.0.0.1", port: "${PORT}"}


def test_settings_that_a_release_in_elixir_is_built_with_are_said(tmp_path: Path) -> None:
    reads = 'System.get_env("SECRET_KEY_BASE")\n'
    files = {"mix.exs": "app: :shop,\n", "config/releases.exs": reads}
    found = found_in(tmp_path / "a", files)
    assert (set(found.env), found.to_do) == ({"SECRET_KEY_BASE"}, ())
    found = found_in(tmp_path / "b", {**files, "config/prod.secret.exs": reads})
    assert found.to_do[0].startswith("config/prod.secret.exs is read when the release is built")


def _swift(dependency: str, source: str = "") -> dict[str, str]:
    package = f'.package(url: "https://github.com/{dependency}.git", from: "4.0.0")\n{SWIFT}'
    return {"Package.swift": package, "Sources/App/main.swift": source}


@pytest.mark.parametrize(
    ("files", "run", "said"),
    [
        (
            _swift("vapor/vapor"),
            ".build/release/App serve --env production --hostname 127.0.0.1 --port ${PORT}", "",
        ),
        (
            _swift("hummingbird-project/hummingbird", "@Option var port: Int = 8080"),
            ".build/release/App --hostname 127.0.0.1 --port ${PORT}", "",
        ),
        (
            _swift(
                "hummingbird-project/hummingbird",
                "@Option(name: .shortAndLong)\n    var port: Int = 8080",
            ),
            ".build/release/App --hostname 127.0.0.1 --port ${PORT}", "",
        ),
        (
            _swift("hummingbird-project/hummingbird", CONFIGURED.format('.scoped(to: "http")')),
            ".build/release/App", "",
        ),
        (
            _swift("hummingbird-project/hummingbird", 'Environment().get("PORT")'),
            ".build/release/App", "",
        ),
        (
            _swift("hummingbird-project/hummingbird"), ".build/release/App",
            "Hummingbird listens on port 8080 unless it is given another",
        ),
        (
            _swift("x/y", '.hostname("0.0.0.0", port: 9090)'), ".build/release/App",
            "Sources/App/main.swift names port 9090",
        ),
    ],
)  # fmt: skip
def test_services_in_swift_are_told_their_port(
    tmp_path: Path, files: dict[str, str], run: str, said: str
) -> None:
    found = found_in(tmp_path, files)
    assert found.run == run
    assert "; ".join(found.to_do).startswith(said)
    assert bool(found.to_do) == bool(said)
