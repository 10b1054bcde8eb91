"""The start command in a Dockerfile counts where its program is known to be there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.recognised import found_in

DEVELOPMENT = {
    "package.json": json.dumps({"scripts": {"start": "nodemon src/a.js", "build": "tsc"}})
}
NO_SCRIPT = {"package.json": '{"scripts": {"build": "tsc"}}'}
# Whose sources alone do not tell what is served.
MADE = {
    "requirements.txt": "gunicorn\nuvicorn\nfastapi[standard]\n",
    "shop/__init__.py": "",
    "shop/web.py": "app = made_elsewhere()\n",
    "jobs.py": "",
}


def image(*lines: str) -> dict[str, str]:
    return {"Dockerfile": "\n".join(("FROM x", "WORKDIR /app", *lines, ""))}


@pytest.mark.parametrize(
    ("files", "lines", "run"),
    [
        ({**DEVELOPMENT, "src/a.js": ""}, ['CMD ["node", "src/a.js"]'], "node src/a.js"),
        ({**DEVELOPMENT, "src/a.js": ""}, ["CMD exec node /app/src/a.js"], "node src/a.js"),
        (NO_SCRIPT, ['CMD ["node", "--enable-source-maps", "dist/main"]'],
         "node --enable-source-maps dist/main"),
        ({**NO_SCRIPT, "a.mjs": ""}, ['ENTRYPOINT ["node"]', 'CMD ["a.mjs", "--port", "3000"]'],
         "node a.mjs --port ${PORT}"),
        ({**NO_SCRIPT, "a.mjs": ""},
         ['ENTRYPOINT ["/sbin/tini", "-g", "--"]', 'CMD ["node", "a.mjs"]'],
         "node a.mjs"),
        ({**NO_SCRIPT, "a.mjs": ""}, ['CMD ["node", "a.mjs"]', 'ENTRYPOINT ["dumb-init"]'],
         "node a.mjs"),
        (MADE, ['CMD ["gunicorn", "-b", "0.0.0.0:8000", "shop.web:app"]'],
         ".venv/bin/gunicorn -b 0.0.0.0:${PORT} shop.web:app"),
        (MADE, ["CMD gunicorn --workers 2 \\", "  # so many as", "  shop.web:app"],
         ".venv/bin/gunicorn --workers 2 shop.web:app --bind 127.0.0.1:${PORT}"),
        (MADE, ['CMD ["sh", "-c", "uvicorn shop.web:app --port ${PORT:-80}"]'],
         ".venv/bin/uvicorn shop.web:app --port ${PORT}"),
        (MADE, ['CMD ["uvicorn", "shop.web:app", "--host", "0.0.0.0"]'],
         ".venv/bin/uvicorn shop.web:app --host 0.0.0.0 --port ${PORT}"),
        (MADE, ['CMD ["fastapi", "run", "shop/web.py", "--port", "80"]'],
         ".venv/bin/fastapi run shop/web.py --port ${PORT}"),
        (MADE, ['CMD ["python", "-m", "shop.web"]'], ".venv/bin/python -m shop.web"),
        # The last one of the last stage.
        (MADE, ['CMD ["gunicorn", "jobs:app"]', "FROM y AS b", 'CMD ["python", "jobs.py"]',
                'CMD ["python", "-m", "shop.web"]'], ".venv/bin/python -m shop.web"),
        (MADE, ["FROM y AS b", 'CMD ["python", "-m", "shop.web"]', "FROM b"],
         ".venv/bin/python -m shop.web"),
        # Another stage has a folder of its own, and the same one is no other.
        ({**NO_SCRIPT, "a.mjs": ""}, ["FROM y", "WORKDIR /srv", "WORKDIR /srv/", "CMD node a.mjs"],
         "node a.mjs"),
    ],
)  # fmt: skip
def test_it_counts_where_its_program_is_there(
    tmp_path: Path, files: dict[str, str], lines: list[str], run: str
) -> None:
    found = found_in(tmp_path, {**files, **image(*lines)})
    assert found.run == run
    assert "Dockerfile" not in found.open
    assert "start command" not in found.open
    assert (found.env.get("NODE_ENV") == "production") == (found.language == "node")


@pytest.mark.parametrize(
    ("files", "line", "told"),
    [
        (MADE, 'CMD ["./entrypoint.sh"]', "./entrypoint.sh"),
        (MADE, 'CMD ["gunicorn", "other.web:app"]', "gunicorn other.web:app"),
        (MADE, 'CMD ["hypercorn", "shop.web:app"]', "hypercorn shop.web:app"),
        (MADE, 'CMD ["uvicorn", "shop.web:app", "--reload"]', "uvicorn shop.web:app --reload"),
        (MADE, "CMD gunicorn shop.web:app --bind unix:/run/a",
         "gunicorn shop.web:app --bind unix:/run/a"),
        (MADE, "CMD alembic upgrade head && gunicorn shop.web:app",
         "alembic upgrade head && gunicorn shop.web:app"),
        (MADE, 'CMD ["python", "/srv/jobs.py"]', "python /srv/jobs.py"),
        (MADE, 'CMD ["celery", "-A", "shop.web", "worker"]', "celery -A shop.web worker"),
        (NO_SCRIPT, 'CMD ["node", "src/b.js"]', "node src/b.js"),
        ({**NO_SCRIPT, "a.mjs": ""}, "CMD PORT=3000 node a.mjs", "PORT=3000 node a.mjs"),
        ({**NO_SCRIPT, "a.mjs": ""}, "CMD NODE_ENV=development node a.mjs",
         "NODE_ENV=development node a.mjs"),
        *(({**NO_SCRIPT, "a.mjs": ""}, f'CMD ["node", "{option}", "a.mjs"]', f"node {option} a.mjs")
          for option in ("--inspect=0.0.0.0:9229", "--inspect-brk", "--inspect-wait")),
        *((MADE, f"CMD uv run {name} shop.web:app --port $PORT",
           f"uv run {name} shop.web:app --port $PORT") for name in ("++app", "u.icorn")),
        ({"Gemfile": ""}, 'CMD ["ruby", "shop.rb"]', "ruby shop.rb"),
        (MADE, "CMD SECRET=hunter2 ./run.sh", "SECRET=… ./run.sh"),
        (MADE, "CMD A='b c'd E=\"f g\" ./run.sh --of=x", "A=… E=… ./run.sh --of=x"),
        (MADE, 'CMD ["env", "KEY=a b", "./run.sh"]', "env KEY=… ./run.sh"),
        (MADE, "CMD ./run.sh postgres://me:hunter2@db/x", "./run.sh postgres://…@db/x"),
        (MADE, 'CMD ["./run.sh", "\\u001b[31ma\\u0007\\u009b1mb"]', "./run.sh 'ab'"),
    ],
)  # fmt: skip
def test_what_is_not_known_to_start_it_is_told(
    tmp_path: Path, files: dict[str, str], line: str, told: str
) -> None:
    found = found_in(tmp_path, {**files, **image(line)})
    assert found.run == ""
    assert found.open.endswith(f"; its Dockerfile runs `{told}`")


@pytest.mark.parametrize(
    "lines",
    [
        ["WORKDIR web", "CMD node a.mjs"],
        ["WORKDIR /srv", "CMD node a.mjs"],
        ["WORKDIR /", "WORKDIR /app", "CMD node a.mjs"],
        ["FROM y AS b", "WORKDIR /app", "FROM b", "WORKDIR /app/web", "CMD node a.mjs"],
        ["FROM y", "WORKDIR /", "WORKDIR /web", "CMD node a.mjs"],
    ],
)
def test_a_command_in_a_second_folder_is_told(tmp_path: Path, lines: list[str]) -> None:
    found = found_in(tmp_path, {**NO_SCRIPT, "a.mjs": "", **image(*lines)})
    assert found.run == ""
    assert found.open.endswith("; its Dockerfile runs `node a.mjs`")


@pytest.mark.parametrize(
    "lines",
    [
        [],
        ['ENTRYPOINT ["node"]', "CMD src/a.js"],
        # An entry point forgets the command of the stage before it.
        ["FROM y AS b", 'CMD ["node", "src/a.js"]', "FROM b", "ENTRYPOINT []"],
        ['CMD ["npm", "start"]'],
    ],
)
def test_what_only_the_image_knows_is_not(tmp_path: Path, lines: list[str]) -> None:
    found = found_in(tmp_path, {**DEVELOPMENT, "src/a.js": "", **image(*lines)})
    assert found.run == "npm start"
    assert "Dockerfile" not in found.open


def test_what_a_manifest_or_a_procfile_says_counts_first(tmp_path: Path) -> None:
    files = {**image('CMD ["node", "b.js"]'), "b.js": ""}
    started = found_in(tmp_path, {"package.json": '{"scripts": {"start": "node a.js"}}', **files})
    assert started.run == "node a.js"
    procfile = found_in(tmp_path, {**DEVELOPMENT, "Procfile": "web: node c.js\n"})
    assert procfile.run == "node c.js"
