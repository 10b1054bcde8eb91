"""A service on Deno is started by its task or its program, at the port that it is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.recognised import FLASK, found_in
from webdyno.ab.recognise.template import description_text
from webdyno.catalog.descriptions.description import FILE, read_description

SERVES = "Deno.serve(() => new Response());\n"
ADDRESS = "tcp:127.0.0.1:${PORT}"
RUN = "deno run --allow-net --allow-env --allow-read"


def tasks(**held: object) -> dict[str, str]:
    return {"deno.json": json.dumps({"tasks": held})}


@pytest.mark.parametrize(
    ("files", "build", "run"),
    [
        ({"deno.json": "{}", "main.ts": SERVES}, ["deno cache main.ts"], f"{RUN} main.ts"),
        ({"deno.jsonc": "{ // ours\n}", "src/server.ts": "await app.listen({ port: 8000 });"},
         ["deno cache src/server.ts"], f"{RUN} src/server.ts"),
        ({"deno.jsonc": '{"tasks": {"start": "deno run -A a.ts",}, }', "a.ts": SERVES},
         ["deno cache a.ts"], "deno run -A a.ts"),
        ({"deno.json": "{}", "deno.lock": "{}", "main.ts": SERVES},
         ["deno cache --frozen main.ts"], f"{RUN} main.ts"),
        ({**tasks(start="deno run -A api.ts"), "api.ts": ""},
         ["deno cache api.ts"], "deno run -A api.ts"),
        ({**tasks(dev="deno run -A --watch api.ts", start={"command": "deno run -A api.ts"}),
          "api.ts": ""}, ["deno cache api.ts"], "deno run -A api.ts"),
        (tasks(start="deno run -A --watch=static/ dev.ts", preview="deno run -A main.ts",
               build="deno run -A dev.ts build"),
         ["deno install", "deno task build"], "deno run -A main.ts"),
        (tasks(start="A=1 deno run -A main.ts && echo"), ["deno install"], "deno task start"),
    ],
)  # fmt: skip
def test_it_is_started_by_its_task_or_its_program(
    tmp_path: Path, files: dict[str, str], build: list[str], run: str
) -> None:
    found = found_in(tmp_path, files)
    assert (found.language, list(found.build), found.run) == ("deno", build, run)
    assert found.env["DENO_SERVE_ADDRESS"] == ADDRESS
    assert "its task" not in found.open
    # The packages are put where the program, whose home is another, finds them.
    assert found.build_env["DENO_DIR"] == found.env["DENO_DIR"]
    (tmp_path / FILE).write_text(description_text("shop", found))
    assert read_description(tmp_path / FILE).build.env == found.build_env


@pytest.mark.parametrize(
    ("files", "options"),
    [
        ({"deno.json": "{}"},
         "--host 127.0.0.1 --port ${PORT} --allow-net --allow-env --allow-read main.ts"),
        (tasks(start="deno serve -A main.ts"), "--host 127.0.0.1 --port ${PORT} -A main.ts"),
        (tasks(start="deno serve -A --port 8000 main.ts"), "-A --port ${PORT} main.ts"),
    ],
)  # fmt: skip
def test_what_exports_a_handler_is_served(
    tmp_path: Path, files: dict[str, str], options: str
) -> None:
    found = found_in(tmp_path, {**files, "main.ts": "export default { fetch };\n"})
    assert found.run == f"deno serve {options}"
    # What the program imports by address is fetched as well.
    assert found.build == ("deno cache main.ts",)
    assert "DENO_SERVE_ADDRESS" not in found.env


def test_a_task_for_development_alone_is_said(tmp_path: Path) -> None:
    found = found_in(tmp_path, tasks(dev="deno run -A --watch main.ts"))
    assert found.run == "deno run -A main.ts"
    assert found.says_development
    assert found.open.startswith("check that its task `dev`, which is for development, ")


def test_a_server_of_node_is_told_its_port_by_its_own_variable(tmp_path: Path) -> None:
    files = {
        **tasks(start="deno run -A main.ts"),
        "main.ts": 'import express from "npm:express@5";\n'
        'express().listen(Number(Deno.env.get("API_PORT")));\n',
    }
    env = found_in(tmp_path, files).env
    assert "DENO_SERVE_ADDRESS" not in env
    assert env["API_PORT"] == "${PORT}"


def test_settings_of_deno_beside_a_service_do_not_hide_it(tmp_path: Path) -> None:
    files = {"requirements.txt": "flask\ngunicorn\n", "app.py": FLASK}
    found = found_in(tmp_path, {**files, **tasks(dev="deno run -A --watch main.ts")})
    assert found.language == "python"
    (tmp_path / "requirements.txt").unlink()
    assert found_in(tmp_path).language == "deno"


def test_a_member_of_a_workspace_is_described_with_the_whole(tmp_path: Path) -> None:
    held = {"deno.json": '{"workspace": ["./api"]}', "api/deno.json": "{}", "api/main.ts": SERVES}
    found_in(tmp_path, held)
    assert found_in(tmp_path / "api").open.startswith("it belongs to the workspace in ..")


def test_its_driver_of_a_database_is_seen(tmp_path: Path) -> None:
    held = {"deno.json": '{"imports": {"pg": "npm:pg@^8"}}', "main.ts": SERVES}
    assert found_in(tmp_path, held).services == ("postgresql",)
