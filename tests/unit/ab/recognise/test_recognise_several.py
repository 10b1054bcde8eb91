"""A folder with manifests of several languages: the service is in one, the rest are its tools."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.recognised import FLASK, write
from webdyno.ab.recognise import recognise

ASSETS = json.dumps({"scripts": {"build": "vite build"}, "devDependencies": {"vite": "7"}})
RAILS = {"Gemfile": 'gem "rails"\ngem "puma"\n', "config/application.rb": "", "config.ru": ""}


@pytest.mark.parametrize(
    ("files", "language"),
    [
        ({"composer.json": "{}", "artisan": "", "public/index.php": ""}, "php"),
        (RAILS, "ruby"),
        ({"requirements.txt": "flask\n", "app.py": FLASK}, "python"),
        ({"go.mod": "module x", "main.go": "package main"}, "go"),
        ({"pom.xml": "<parent>org.springframework.boot</parent>"}, "java"),
    ],
)
@pytest.mark.parametrize(
    "package",
    [
        ASSETS,
        '{"devDependencies": {"prettier": "3"}}',
        '{"scripts": {"start": "vite"}}',
        '{"scripts": {"start": "webpack serve --mode development"}}',
        '{"scripts": {"start": "react-scripts start"}}',
    ],
)
def test_tools_for_assets_do_not_hide_the_service(
    tmp_path: Path, files: dict[str, str], language: str, package: str
) -> None:
    write(tmp_path, {"package.json": package, **files})
    found = recognise(tmp_path)
    assert found is not None
    assert found.language == language
    assert found.run


@pytest.mark.parametrize(
    ("start", "run"), [("node server.js", "node server.js"), ("vite preview", "npm start")]
)
def test_a_service_on_node_is_one_beside_tools_in_other_languages(
    tmp_path: Path, start: str, run: str
) -> None:
    write(tmp_path, {"package.json": json.dumps({"scripts": {"start": start}}), "go.mod": ""})
    found = recognise(tmp_path)
    assert found is not None
    assert found.run == run


@pytest.mark.parametrize(
    "tools",
    [
        {"go.mod": "module tools", "tools.go": "package tools"},
        {"go.mod": "module x", "a/main.go": "package main", "b/main.go": "package main"},
        {"Cargo.toml": '[package]\nname = "extension"', "src/lib.rs": ""},
    ],
)
@pytest.mark.parametrize(
    ("files", "language"),
    [
        ({"composer.json": "{}", "artisan": "", "public/index.php": ""}, "php"),
        (RAILS, "ruby"),
        ({"mix.exs": "app: :shop"}, "elixir"),
    ],
)
def test_what_is_no_service_yet_does_not_hide_one_that_is_known(
    tmp_path: Path, tools: dict[str, str], files: dict[str, str], language: str
) -> None:
    write(tmp_path, {**tools, **files})
    found = recognise(tmp_path)
    assert found is not None
    assert (found.language, found.is_template) == (language, False)


def test_a_folder_without_a_start_command_is_still_recognised(tmp_path: Path) -> None:
    write(tmp_path, {"package.json": ASSETS, "requirements.txt": "black\n"})
    found = recognise(tmp_path)
    assert found is not None
    assert found.manifest == "package.json"
    assert "no script `start`" in found.open


def test_a_server_for_development_is_told(tmp_path: Path) -> None:
    write(tmp_path, {"package.json": '{"scripts": {"start": "vite --host"}}'})
    found = recognise(tmp_path)
    assert found is not None
    assert found.run == "npm start"
    assert "its start script starts a development server" in found.open
