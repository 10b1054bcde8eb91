"""A service on Node.js: what its start script hides, and what this machine lacks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.git_folder import git
from support.recognised import write
from webdyno.ab.recognise import recognise
from webdyno.ab.recognise.template import description_text


@pytest.mark.parametrize(
    ("script", "files", "run", "said"),
    [
        ("pm2 start src/index.js --no-daemon", {}, "node src/index.js", "check that node src/ind"),
        ("pm2-runtime dist/a.mjs", {}, "node dist/a.mjs", "check that node dist/a.mjs"),
        (
            "NODE_ENV=production pm2 start --no-daemon ecosystem.config.json",
            {"ecosystem.config.json": '{"apps": [{"name": "x", "script": "./src/index.js"}]}'},
            "node src/index.js",
            "check that node src/index.js",
        ),
        (
            "pm2 start ecosystem.config.js",
            {"ecosystem.config.js": "module.exports = { apps: [{ script: 'a.js' }] }"},
            "node a.js",
            "check that node a.js",
        ),
        ("pm2 start npm -- run serve", {}, "npm start", "set `command` to start that itself"),
    ],
)
def test_what_pm2_hides_is_named(
    tmp_path: Path, script: str, files: dict[str, str], run: str, said: str
) -> None:
    write(tmp_path, {"package.json": json.dumps({"scripts": {"start": script}}), **files})
    found = recognise(tmp_path)
    assert found is not None
    assert found.run == run
    assert found.open.startswith("its start script runs pm2, which hides the program; ")
    assert said in found.open
    assert found.env == {"NODE_ENV": "production"}


@pytest.mark.parametrize(("lock", "tool"), [("yarn.lock", "yarn"), ("pnpm-lock.yaml", "pnpm")])
def test_a_package_manager_that_is_not_here_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lock: str, tool: str
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    write(tmp_path, {"package.json": '{"main": "a.js"}', "a.js": "", lock: ""})
    found = recognise(tmp_path)
    assert found is not None
    assert found.open.startswith(f"{tool}, its package manager, is not on your PATH; install")
    write(tmp_path, {f"bin/{tool}": "#!/bin/sh\n"})
    (tmp_path / "bin" / tool).chmod(0o755)
    found = recognise(tmp_path)
    assert found is not None
    assert found.open == ""


@pytest.mark.parametrize("name", [".env.example", ".env.sample"])
def test_variables_without_a_value_are_named(tmp_path: Path, name: str) -> None:
    sample = '# All of them:\nPORT=\nURL=http://x\nKEY=\nexport SECRET=""  # yours\n#OFF=\n'
    write(tmp_path, {"package.json": '{"main": "a.js"}', "a.js": "", name: sample})
    found = recognise(tmp_path)
    assert found is not None
    said = f"KEY and SECRET are without a value in {name}: set them in `env`"
    assert found.to_do == (said,)
    assert f"# To do: {said}.\n" in description_text("x", found)
    (tmp_path / name).write_text("KEY=\n")
    found = recognise(tmp_path)
    assert found is not None
    assert found.to_do == (f"KEY is without a value in {name}: set it in `env`",)


def test_what_git_ignores_is_not_there(tmp_path: Path) -> None:
    start = {"scripts": {"start": "node --env-file=./.env a.js"}, "dependencies": {"b": "1"}}
    held = {"package.json": json.dumps(start), ".env": "A=1", "package-lock.json": "{}"}
    write(tmp_path, {**held, ".gitignore": "x"})
    git(tmp_path, "init", "-q")
    found = recognise(tmp_path)
    assert found is not None
    assert (found.run, found.open) == ("node --env-file=./.env a.js", "")
    assert found.build == ("npm ci --no-audit --no-fund",)
    (tmp_path / ".gitignore").write_text(".env\n*-lock.json\n")
    found = recognise(tmp_path)
    assert found is not None
    assert found.run == "node a.js"
    assert found.open == "./.env is not in the copy that is built: set its variables in `env`"
    assert found.build == ("npm install --no-audit --no-fund",)


@pytest.mark.parametrize(
    ("file", "is_kept"), [("../.env", False), ("{above}/.env", True), ("no.env", False)]
)
def test_a_file_of_variables_outside_is_not_copied(
    tmp_path: Path, file: str, is_kept: bool
) -> None:
    file = file.format(above=tmp_path)
    package = {"scripts": {"start": f"node --env-file {file} a.js"}}
    write(tmp_path, {".env": "", "here/package.json": json.dumps(package)})
    found = recognise(tmp_path / "here")
    assert found is not None
    assert found.run == (f"node --env-file {file} a.js" if is_kept else "node a.js")
    assert bool(found.open) != is_kept


@pytest.mark.parametrize(
    ("scripts", "files", "build", "run", "said"),
    [
        (
            {"prestart": "tsc", "start": "node dist/index.js"}, {},
            ["npm run prestart"], "node dist/index.js", "",
        ),
        (
            {"build": "tsc", "prestart": "npm run build", "start": "node dist/index.js"}, {},
            ["npm run build"], "node dist/index.js", "",
        ),
        (
            {"prestart": "tsc", "start": "next start"}, {"pnpm-lock.yaml": ""},
            ["pnpm install --frozen-lockfile", "pnpm run prestart"], "pnpm exec next start", "pnpm",
        ),
        (
            {"prestart": "node migrate.js", "start": "node a.js"}, {},
            [], "node a.js", "its script prestart runs `node migrate.js`; add that to `build`",
        ),
        (
            {"start": "tsc -p . && node dist/index.js"}, {},
            ["npx --no-install tsc -p ."], "node dist/index.js", "",
        ),
        (
            {"build": "next build", "start": "npm run build && next start"}, {},
            ["npm run build"], "npx --no-install next start", "",
        ),
        (
            {"start": "node migrate.js && node a.js"}, {},
            [], "npm start", "its start script does more than start it; run what comes before",
        ),
        (
            {"build": "next build", "prestart": "npm run build", "start": "next start"}, {},
            ["npm run build"], "npx --no-install next start", "",
        ),
        (
            {"build": "tsc", "start": "node build/migrate.js && node build/server.js"}, {},
            ["npm run build"], "npm start", "its start script does more than start it; run what",
        ),
        (
            {"build": "tsc", "prestart": "node ./build/seed.js", "start": "node build/a.js"}, {},
            ["npm run build"], "node build/a.js", "its script prestart runs `node ./build/seed.js`",
        ),
        (
            {"start": "node scripts/build.js && node build/a.js"}, {},
            ["node scripts/build.js"], "node build/a.js", "",
        ),
        (
            {"start": "tsc && node dist/x.js | pino-pretty"}, {},
            ["npx --no-install tsc"], "npm start", "its start script compiles at each start; set",
        ),
        (
            {"start": "tsc && next start -p $PORT > out.log 2>&1"}, {},
            ["npx --no-install tsc"], "npx --no-install next start -p $PORT > out.log 2>&1", "",
        ),
        (
            {"start": "cd dist && serve -p 3000"}, {},
            [], "npm start", "its start script does more than start it; run what comes before",
        ),
        (
            {"prestart": "tsc", "start": "cd dist && serve -p 3000"}, {},
            ["npm run prestart"], "npm start", "its start script compiles at each start; set",
        ),
        ({"start": "node index.js --port 3000"}, {}, [], "node index.js --port ${PORT}", ""),
        ({"start": "next start -p 3000"}, {}, [], "npx --no-install next start -p ${PORT}", ""),
        (
            {"start": "serve -l tcp://0.0.0.0:5000 dist"}, {},
            [], "npx --no-install serve -l tcp://0.0.0.0:${PORT} dist", "",
        ),
        ({"start": "node index.js --port=8080x"}, {}, [], "node index.js --port=8080x", ""),
        ({"start": "node cluster.js -p 16"}, {}, [], "node cluster.js -p 16", ""),
    ],
)  # fmt: skip
def test_a_start_script_is_parted(
    tmp_path: Path,
    scripts: dict[str, str],
    files: dict[str, str],
    build: list[str],
    run: str,
    said: str,
) -> None:
    write(tmp_path, {"package.json": json.dumps({"scripts": scripts}), **files})
    found = recognise(tmp_path)
    assert found is not None
    assert (list(found.build), found.run) == (build, run)
    assert "; ".join(found.to_do).startswith(said)
    assert said or not found.to_do


def test_a_lock_file_of_bun_is_installed_by_bun(tmp_path: Path) -> None:
    start = {"scripts": {"start": "bun run src/index.ts"}, "dependencies": {"elysia": "1"}}
    write(tmp_path, {"package.json": json.dumps(start), "bun.lock": "{}"})
    found = recognise(tmp_path)
    assert found is not None
    assert found.build == ("bun install --frozen-lockfile",)
    assert (found.run, found.language) == ("bun run src/index.ts", "bun")


@pytest.mark.parametrize(
    ("script", "env"),
    [
        ("node a.js", {"NODE_ENV": "production"}),
        ("nest start", {"NODE_ENV": "production"}),
        ("NODE_ENV=test node a.js", {"NODE_ENV": "test"}),
        ("NODE_ENV=test nest start", {}),
    ],
)
def test_a_service_is_in_production_unless_its_script_says_otherwise(
    tmp_path: Path, script: str, env: dict[str, str]
) -> None:
    write(tmp_path, {"package.json": json.dumps({"scripts": {"start": script}})})
    found = recognise(tmp_path)
    assert found is not None
    assert found.env == env
