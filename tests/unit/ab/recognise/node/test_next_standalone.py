"""An application of Next.js that its build makes a program of its own of."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.recognised import found_in

STANDALONE = 'module.exports = {\n  output: "standalone",\n}\n'
STATIC = "cp -r .next/static .next/standalone/.next/"


def application(config: str, **scripts: str) -> dict[str, str]:
    return {
        "package.json": json.dumps({"scripts": {"build": "next build", **scripts}}),
        "next.config.js": config,
    }


@pytest.mark.parametrize(
    "start",
    ["next start", "next start -p 3000", "PORT=80 next start", "npm run build && next start", ""],
)
def test_the_program_is_started_with_what_it_serves_beside_it(tmp_path: Path, start: str) -> None:
    files = application(STANDALONE, **({"start": start} if start else {}))
    found = found_in(tmp_path, {**files, "public/logo.svg": ""})
    assert found.run == "node .next/standalone/server.js"
    assert found.build[-3:] == ("npm run build", STATIC, "cp -r public .next/standalone/")
    assert found.env == {"NODE_ENV": "production", "HOSTNAME": "127.0.0.1"}
    assert not any("start" in line for line in found.to_do)


def test_a_build_that_brings_the_files_itself_is_left_alone(tmp_path: Path) -> None:
    scripts = {"start": "next start", "postbuild": "cp -r public .next/standalone/"}
    found = found_in(tmp_path, {**application(STANDALONE, **scripts), "public/logo.svg": ""})
    assert found.run == "node .next/standalone/server.js"
    assert found.build[-1] == "npm run build"


@pytest.mark.parametrize(
    ("config", "scripts"),
    [
        ("module.exports = {}\n", {"start": "next start"}),
        ('module.exports = {\n  // output: "standalone",\n}\n', {"start": "next start"}),
        ('module.exports = {\n  output: "export",\n}\n', {"start": "next start"}),
        *(
            (f"module.exports = {{\n  {line},\n}}\n", {"start": "next start"})
            for line in (
                "...(process.env.DOCKER && { output: 'standalone' })",
                "...(process.env.DOCKER ? { output: 'standalone' } : {})",
                "...(isImage && { output: 'standalone' })",
            )
        ),
        (STANDALONE, {"start": "node server.js"}),
        (STANDALONE, {"start": "next start & node jobs.js"}),
    ],
)
def test_what_is_started_otherwise_stays_so(
    tmp_path: Path, config: str, scripts: dict[str, str]
) -> None:
    found = found_in(tmp_path, application(config, **scripts))
    assert ".next" not in f"{found.run} {found.build} {found.to_do}"
    assert "HOSTNAME" not in found.env


@pytest.mark.parametrize(
    "files",
    [
        application(
            f'{STANDALONE}// distDir\nmodule.exports.distDir = "out"\n', start="next start"
        ),
        application(STANDALONE, start="next start", build="node build.js"),
    ],
)
def test_a_program_that_may_lie_elsewhere_is_asked_for(
    tmp_path: Path, files: dict[str, str]
) -> None:
    found = found_in(tmp_path, files)
    assert "next start" in found.run or found.run == "npm start"
    assert found.open.startswith(
        'next.config.js has `output: "standalone"`, for which `next start`'
    )


def test_that_of_a_member_of_a_workspace_is_asked_for(tmp_path: Path) -> None:
    files = {
        f"web/{name}": text for name, text in application(STANDALONE, start="next start").items()
    }
    found = found_in(tmp_path, {"package.json": '{"workspaces": ["web"]}', **files})
    assert found.package == "web"
    assert found.open.startswith('next.config.js has `output: "standalone"`')
