"""Prisma's schema and its configuration, wherever a project has them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.recognised import found_in
from webdyno.ab.recognise.template import description_text

SCHEMA = 'datasource db {\n  provider = "postgresql"\n%s}\n'
CONFIG = """
import "dotenv/config";
import { defineConfig, env } from "prisma/config";
// schema: "old/schema.prisma",
export default defineConfig({
  schema: %s,
  migrations: { path: "db/migrations", seed: "tsx db/seed.ts" },
  datasource: { url: %s },
});
"""


def package(version: str = "^7.0.0", **more: object) -> str:
    needs = {"prisma": version}
    scripts = {"start": "node a.js"}
    return json.dumps({"scripts": scripts, "dependencies": needs, **more})


def test_the_configuration_of_prisma_7_is_read(tmp_path: Path) -> None:
    files = {
        "package.json": package(),
        "prisma.config.ts": CONFIG % ('"db/schema.prisma"', 'env("SHOP_DB")'),
        "db/schema.prisma": SCHEMA % "",
        "db/migrations/1/migration.sql": "",
    }
    found = found_in(tmp_path, files)
    assert found.prepare == ("npx --no-install prisma migrate deploy",)
    assert found.rows == "npx --no-install prisma db seed"
    assert found.env["SHOP_DB"] == "${DATABASE_URL}"
    # Without it Prisma reads no configuration, not even where it only makes a client.
    assert found.build_env == {"SHOP_DB": "postgresql://localhost/not-asked"}
    assert 'env = { SHOP_DB = "postgresql://localhost/not-asked" }' in description_text("x", found)


def test_what_its_configuration_wants_beside_is_told_as_well(tmp_path: Path) -> None:
    files = {
        "package.json": package(),
        "prisma.config.ts": CONFIG % ('"schema.prisma"', 'env("SHOP_DB"), level: env("LEVEL")'),
        "schema.prisma": (SCHEMA % "").replace("postgresql", "mysql"),
    }
    assert found_in(tmp_path, files).build_env == {
        "LEVEL": "not-asked",
        "SHOP_DB": "mysql://localhost/not-asked",
    }


@pytest.mark.parametrize(
    ("url", "name", "is_needed"),
    [
        ("process.env.SHOP_DB!", "SHOP_DB", False),
        ('process.env["SHOP_DB"]', "SHOP_DB", False),
        ("env<Env>('SHOP_DB')", "SHOP_DB", True),
        ('"file:./dev.db"', "", False),
    ],
)
def test_the_address_is_told_by_the_variable_of_the_configuration(
    tmp_path: Path, url: str, name: str, is_needed: bool
) -> None:
    files = {
        "package.json": package(),
        ".config/prisma.mjs": CONFIG % ('path.join("prisma", "all")', url),
        "prisma/all/main.prisma": SCHEMA % "",
        "prisma/all/user.prisma": "model User {\n}\n",
    }
    found = found_in(tmp_path, files)
    assert found.prepare == ("npx --no-install prisma db push",)
    assert [one for one in found.env if one != "NODE_ENV"] == ([name] if name else [])
    assert set(found.build_env) == ({name} if is_needed else set())


def test_a_schema_of_several_files_has_its_migrations_beside_or_above(tmp_path: Path) -> None:
    files = {
        "package.json": package("^6.1.0", prisma={"schema": "./prisma/schema"}),
        "prisma/schema/main.prisma": SCHEMA % '  url = env("A")\n  directUrl = env("B")\n',
    }
    skips = "npx --no-install prisma db push --skip-generate"
    assert found_in(tmp_path, files).prepare == (skips,)
    found = found_in(tmp_path, {"prisma/migrations/1/migration.sql": ""})
    assert found.prepare == ("npx --no-install prisma migrate deploy",)
    assert (found.env["A"], found.env["B"]) == ("${DATABASE_URL}", "${DATABASE_URL}")
