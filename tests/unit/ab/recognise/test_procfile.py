"""The start command in a Procfile counts where no manifest has one for production."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.recognised import found_in

DEVELOPMENT = json.dumps({"scripts": {"start": "nodemon a.js"}})


@pytest.mark.parametrize(
    ("files", "web", "run"),
    [
        ({"package.json": DEVELOPMENT}, "NODE_ENV=production node src/a.js", "node src/a.js"),
        (
            {"package.json": DEVELOPMENT}, "next start -p $PORT",
            "npx --no-install next start -p ${PORT}",
        ),
        ({"package.json": DEVELOPMENT}, "./bin/start", "./bin/start"),
        ({"package.json": DEVELOPMENT}, "node a.js & node b.js", "npm start"),
        ({"package.json": DEVELOPMENT}, "npm start", "npm start"),
        ({"package.json": DEVELOPMENT}, "nodemon a.js", "npm start"),
        ({"package.json": '{"scripts": {"start": "node a.js"}}'}, "node b.js", "node a.js"),
        (
            {"requirements.txt": "gunicorn\n"}, "gunicorn shop:app -k gevent",
            ".venv/bin/gunicorn shop:app -k gevent --bind 127.0.0.1:${PORT}",
        ),
        (
            {"requirements.txt": "waitress\n"}, "waitress-serve --port=$PORT shop:app",
            ".venv/bin/waitress-serve --port=${PORT} shop:app",
        ),
        (
            {"requirements.txt": "gunicorn\n"}, "gunicorn --bind 0.0.0.0:${PORT:-8000} shop:app",
            ".venv/bin/gunicorn --bind 0.0.0.0:${PORT} shop:app",
        ),
        (
            {"requirements.txt": "gunicorn\n"}, "gunicorn -b 0.0.0.0:8000 shop:app",
            ".venv/bin/gunicorn -b 0.0.0.0:${PORT} shop:app",
        ),
        (
            {"requirements.txt": "gunicorn\n"}, "exec gunicorn shop:app # don't use two",
            ".venv/bin/gunicorn shop:app --bind 127.0.0.1:${PORT}",
        ),
        (
            {"requirements.txt": "gunicorn\n"}, "uv run gunicorn shop:app",
            "uv run gunicorn shop:app --bind 127.0.0.1:${PORT}",
        ),
        (
            {"package.json": DEVELOPMENT}, "NODE_ENV='production' A=\"b c\" next start",
            "npx --no-install next start",
        ),
        ({"package.json": DEVELOPMENT}, "A=$B node a.js", "npm start"),
        ({"package.json": DEVELOPMENT}, "NODE_ENV=staging node a.js", "npm start"),
        ({"package.json": DEVELOPMENT}, "PORT=3000 node a.js", "npm start"),
        ({"package.json": DEVELOPMENT}, "HOST=0.0.0.0 node a.js", "npm start"),
        ({"package.json": DEVELOPMENT}, "node 'a.js", "npm start"),
        ({"package.json": DEVELOPMENT}, "bash start.sh", "bash start.sh"),
        ({"package.json": DEVELOPMENT}, "node a.js --of '# a' # one", "node a.js --of '# a'"),
    ],
)  # fmt: skip
def test_a_procfile_says_how_it_is_started(
    tmp_path: Path, files: dict[str, str], web: str, run: str
) -> None:
    found = found_in(tmp_path, {**files, "Procfile": f"release: x\nweb: {web}\n"})
    assert found.run == run
    assert found.says_development is (run == "npm start")
    if run != "npm start" and found.language == "node":
        assert found.env["NODE_ENV"] == "production"
    assert found.env.get("A") == ("b c" if 'A="b c"' in web else None)
    said = [line for line in found.to_do if "development" in line or "start command" in line]
    assert bool(said) == (run == "npm start")


@pytest.mark.parametrize(
    "web", ["bash start.sh", "sh -c 'gunicorn a:b'", "bin/start-nginx gunicorn a:b", "./start"]
)
def test_a_program_that_is_not_pythons_is_not_sought_in_its_environment(
    tmp_path: Path, web: str
) -> None:
    alone = found_in(tmp_path, {"requirements.txt": "gunicorn\n"})
    assert found_in(tmp_path, {"Procfile": f"web: {web}\n"}) == alone


def test_a_program_of_another_language_is_that_languages(tmp_path: Path) -> None:
    gems = {"Gemfile": "gem 'puma'\n", "config.ru": "", "Procfile": "web: bundle exec puma -p 1\n"}
    found = found_in(tmp_path, {"package.json": "{}", **gems})
    assert (found.language, found.manifest) == ("ruby", "Gemfile")


def test_what_else_is_to_do_is_still_said(tmp_path: Path) -> None:
    files = {"pyproject.toml": "", "poetry.lock": "", "Procfile": "web: gunicorn shop:app\n"}
    found = found_in(tmp_path, files)
    assert found.run == ".venv/bin/gunicorn shop:app --bind 127.0.0.1:${PORT}"
    assert not any("start command" in line for line in found.to_do)
