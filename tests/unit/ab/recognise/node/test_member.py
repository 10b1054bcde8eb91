"""A workspace with one service is described at its top: built as a whole, started in its folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.recognised import found_in

SCHEMA = 'datasource db {\n  provider = "postgresql"\n  url = env("DATABASE_URL")\n}\n'


def package(name: str = "", needs: tuple[str, ...] = (), **scripts: str) -> str:
    held = {"name": name, "scripts": scripts, "dependencies": dict.fromkeys(needs, "workspace:*")}
    return json.dumps(held)


def monorepo(**top: str) -> dict[str, str]:
    whole = {"workspaces": ["apps/*", "packages/*"], "scripts": top}
    return {
        "package.json": json.dumps(whole),
        "package-lock.json": "{}",
        "apps/api/package.json": package(
            "api", ("@m/db", "express"), build="tsc", start="node dist/index.js"
        ),
        "packages/db/package.json": package("@m/db", ("@m/log",), build="tsc"),
        "packages/log/package.json": package("@m/log", build="tsc"),
        "packages/ui/package.json": package("@m/ui", build="vite build"),
    }


def test_its_only_service_is_taken(tmp_path: Path) -> None:
    found = found_in(tmp_path, monorepo(build="turbo build"))
    assert found.build == ("npm ci --no-audit --no-fund", "npm run build")
    assert found.run == "cd apps/api && exec node dist/index.js"
    assert (found.to_do, found.package) == ((), "apps/api")
    assert found.env == {"NODE_ENV": "production"}


def test_its_members_are_linked_without_a_lock_file_as_well(tmp_path: Path) -> None:
    files = monorepo(build="turbo build")
    del files["package-lock.json"]
    assert found_in(tmp_path, files).build[0] == "npm install --no-audit --no-fund"


def test_without_a_build_of_the_whole_those_that_it_needs_are_built_first(tmp_path: Path) -> None:
    assert found_in(tmp_path, monorepo()).build == (
        "npm ci --no-audit --no-fund",
        "cd packages/log && npm run build",
        "cd packages/db && npm run build",
        "cd apps/api && npm run build",
    )


def test_packages_that_need_each_other_end(tmp_path: Path) -> None:
    files = monorepo()
    files["packages/log/package.json"] = package("@m/log", ("@m/db",), build="tsc")
    found = found_in(tmp_path, files)
    assert sorted(found.local_dependencies) == ["packages/db", "packages/log"]


@pytest.mark.parametrize("place", ["apps/api", "packages/db"])
def test_its_database_is_found_wherever_it_is_described(tmp_path: Path, place: str) -> None:
    files = {
        **monorepo(build="turbo build"),
        f"{place}/prisma/schema.prisma": SCHEMA,
        f"{place}/prisma/migrations/1/migration.sql": "",
    }
    found = found_in(tmp_path, files)
    assert found.services == ("postgresql",)
    assert found.prepare == (f"cd {place} && npx --no-install prisma migrate deploy",)


def test_the_only_one_that_all_at_once_would_start_is_taken(tmp_path: Path) -> None:
    files = monorepo(build="turbo build", start="turbo run start")
    found = found_in(tmp_path, files)
    assert (found.run, found.to_do) == ("cd apps/api && exec node dist/index.js", ())
    files["apps/web/package.json"] = package("web", start="next start")
    found = found_in(tmp_path, files)
    assert found.run == "npm start"
    assert "may start several programs" in found.open


def test_of_several_services_none_is_taken(tmp_path: Path) -> None:
    files = monorepo(build="turbo build")
    files["apps/web/package.json"] = package("web", start="next start")
    found = found_in(tmp_path, files)
    assert found.run == ""
    assert "apps/api and apps/web; set `command`" in found.open
    assert "such as `cd apps/api && exec node dist/index.js`, and add" in found.open
    files["apps/docs/package.json"] = files.pop("apps/web/package.json")
    (tmp_path / "apps/web/package.json").unlink()
    assert found_in(tmp_path, files).package == "apps/api"


@pytest.mark.parametrize(
    ("named", "tool"), [("pnpm@9.1.0", "pnpm"), ("npm@10", "npm"), ("", "npm")]
)
def test_the_package_manager_may_be_named_alone(tmp_path: Path, named: str, tool: str) -> None:
    held = {"packageManager": named, "dependencies": {"a": "1"}, "scripts": {"build": "tsc"}}
    found = found_in(tmp_path, {"package.json": json.dumps(held)})
    assert found.build[-1] == f"{tool} run build"
    assert found.build[0].startswith(f"{tool} install")


def test_a_member_has_its_own_sample_and_the_yarn_of_the_top(tmp_path: Path) -> None:
    files = monorepo() | {
        "yarn.lock": "__metadata:\n",
        "apps/api/env.js": "cleanEnv(process.env, { NAME: str() })",
        "apps/api/.env.example": "NAME=shop\nOTHER=\n",
    }
    del files["package-lock.json"]
    found = found_in(tmp_path, files)
    # Plug'n'Play, which the lock file at the top tells of.
    assert found.run == "cd apps/api && exec yarn node dist/index.js"
    assert found.env["NAME"] == "shop"
    assert "OTHER is without a value in .env.example: set it in `env`" in found.to_do


def test_a_member_whose_script_is_empty_starts_nothing(tmp_path: Path) -> None:
    files = {"package.json": '{"workspaces": ["a"]}', "a/package.json": package("a", start=" ")}
    assert not found_in(tmp_path, files).run
