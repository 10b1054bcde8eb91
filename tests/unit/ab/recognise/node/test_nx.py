"""In a workspace of Nx the project that is the service is built, and its program is started."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support.recognised import found_in

LOCK = {"package-lock.json": "{}", "nx.json": "{}"}
TOP = {**LOCK, "package.json": json.dumps({"scripts": {"start": "nx serve", "build": "nx build"}})}
INSTALL = "npm ci --no-audit --no-fund"


def project(
    executor: str = "@nx/webpack:webpack", serve: str = "@nx/js:node", **options: Any
) -> str:
    targets = {
        "build": {"executor": executor, "options": options},
        "serve": {"executor": serve, "options": {"buildTarget": "api:build"}},
    }
    return json.dumps({"name": "shop-api", "targets": targets})


OUT = "dist/apps/api"
CJS = {"format": ["cjs"]}


@pytest.mark.parametrize(
    ("held", "program"),
    [
        (project(outputPath=OUT, main="apps/api/src/index.ts"), f"{OUT}/main.js"),
        (project(outputPath=OUT, outputFileName="api.js"), f"{OUT}/api.js"),
        (project(outputPath="{workspaceRoot}/dist/{projectRoot}"), f"{OUT}/main.js"),
        (project("@nx/esbuild:esbuild", outputPath=OUT, main="apps/api/src/index.ts"),
         f"{OUT}/index.js"),
        (project("@nx/esbuild:esbuild", outputPath=OUT, **CJS), f"{OUT}/main.cjs"),
        (project("@nrwl/esbuild:esbuild", outputPath=OUT, **CJS,
                 esbuildOptions={"outExtension": {".js": ".js"}}), f"{OUT}/main.js"),
        (project("@nx/js:tsc", outputPath=OUT, main="apps/api/src/main.ts"),
         f"{OUT}/src/main.js"),
        (project(serve="@nrwl/node:node", outputPath=OUT), f"{OUT}/main.js"),
    ],
)  # fmt: skip
def test_the_program_is_where_the_target_puts_it(tmp_path: Path, held: str, program: str) -> None:
    found = found_in(tmp_path, {**TOP, "apps/api/project.json": held})
    assert found.build == (INSTALL, "npx --no-install nx build shop-api")
    assert (found.run, found.open) == (f"node {program}", "")
    assert (found.package, found.says_development) == ("apps/api", False)
    # Its server would stay behind.
    assert found.build_env == {"NX_DAEMON": "false"}


def test_a_target_that_is_inferred_is_found_by_what_it_reads(tmp_path: Path) -> None:
    serve = {"serve": {"executor": "@nx/js:node", "options": {"buildTarget": "api:build"}}}
    files = {
        **TOP,
        "api/package.json": json.dumps({"name": "@shop/api", "nx": {"targets": serve}}),
        "api/webpack.config.js": "output: { path: join(__dirname, '../dist/api') },\n",
    }
    found = found_in(tmp_path, files)
    assert found.build[-1] == "npx --no-install nx build @shop/api"
    assert found.run == "node dist/api/main.js"
    (tmp_path / "api/webpack.config.js").unlink()
    found = found_in(tmp_path)
    assert found.run == ""
    assert found.open.startswith("set `command` to the program that `nx build @shop/api` makes")


def test_the_top_may_be_the_project(tmp_path: Path) -> None:
    found = found_in(tmp_path, {**TOP, "project.json": project(outputPath="dist/api")})
    assert (found.run, found.package) == ("node dist/api/main.js", "")


def test_pages_and_tests_are_no_services(tmp_path: Path) -> None:
    web = project("@angular-devkit/build-angular:browser", "@angular-devkit/build-angular:serve")
    files = {**TOP, "apps/web/project.json": web, "node_modules/x/project.json": project()}
    assert found_in(tmp_path, files).says_development
    files = {"apps/api/project.json": project(outputPath=OUT)}
    assert found_in(tmp_path, files).run == f"node {OUT}/main.js"


def test_several_services_are_named(tmp_path: Path) -> None:
    files = {f"apps/{one}/project.json": project(outputPath=f"dist/{one}") for one in "ab"}
    found = found_in(tmp_path, {**TOP, **files})
    assert found.open.startswith("2 projects of this workspace are services: shop-api and shop-api")
    assert "such as `node dist/a/main.js`" in found.open
    usual = {"apps/api/project.json": project(outputPath=OUT)}
    assert found_in(tmp_path, usual).run == f"node {OUT}/main.js"


def test_a_start_script_of_ones_own_counts(tmp_path: Path) -> None:
    files = {
        **LOCK,
        "package.json": '{"scripts": {"start": "node dist/main.js"}}',
        "apps/api/project.json": project(outputPath=OUT),
    }
    assert found_in(tmp_path, files).run == "node dist/main.js"


@pytest.mark.parametrize(
    ("target", "run"),
    [
        ({"command": "node dist/apps/api/main.js"}, "node dist/apps/api/main.js"),
        ({"options": {"command": "node dist/main.js", "cwd": "apps/api"}},
         "node apps/api/dist/main.js"),
        ({"options": {"commands": ["node dist/api/main.js"], "cwd": "{workspaceRoot}"}},
         "node dist/api/main.js"),
        # These are no service's, as far as it is known.
        ({"options": {"commands": ["node dist/a.js", "node dist/b.js"]}}, "npm start"),
        ({"command": "node scripts/serve-docs.js"}, "npm start"),
    ],
)  # fmt: skip
def test_a_target_that_runs_a_plain_command_names_the_program(
    tmp_path: Path, target: dict[str, Any], run: str
) -> None:
    targets = {"build": {}, "serve": {"executor": "nx:run-commands", **target}}
    held: dict[str, Any] = {"name": "shop-api", "targets": targets}
    found = found_in(tmp_path, {**TOP, "apps/api/project.json": json.dumps(held)})
    assert found.run == run
    del targets["build"]
    assert found_in(tmp_path, {"apps/api/project.json": json.dumps(held)}).run == "npm start"


def test_projects_that_the_workspaces_own_file_holds_are_found(tmp_path: Path) -> None:
    targets = {
        "build": {"builder": "@nrwl/node:build", "options": {"outputPath": OUT}},
        "serve": {"builder": "@nrwl/node:execute"},
    }
    workspace = {"projects": {"shop": {"root": "apps/api", "architect": targets}, "lib": "libs/a"}}
    files = {**TOP, "workspace.json": json.dumps(workspace), "apps/api/src/main.ts": ""}
    found = found_in(tmp_path, files)
    assert found.build[-1] == "npx --no-install nx build shop"
    assert (found.run, found.package) == (f"node {OUT}/main.js", "apps/api")
