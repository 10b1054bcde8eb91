"""A study on a real MariaDB: what ran beside the servers is told wherever the run is."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

from support.toolchains import needs
from webdyno.report.formats.json_export import schema
from webdyno.runtime.toolchains import find

pytestmark = pytest.mark.concurrent

NEEDED = ("node >= 20", "npm >= 10", "mariadb")

Cli = Callable[..., subprocess.CompletedProcess[str]]

STUDY = """
name = "few"
title = "Few rows"
question = "Which database was it?"
servers = ["node/http"]
scenarios = [{ name = "point-lookup", parameters = { rows = 2000 } }]
budget = "180s"
[[loads]]
kind = "closed"
connections = 2
duration = "300ms"
[warmup]
min = "200ms"
max = "300ms"
[blocks]
min = 1
max = 1
"""


@needs(*NEEDED)
def test_the_version_and_the_settings_of_the_database_are_told(cli: Cli, tmp_path: Path) -> None:
    program = find("mariadb")
    study, out, page = (tmp_path / name for name in ("few.toml", "run.json", "report.html"))
    study.write_text(STUDY)
    done = cli("run", str(study), "--plain", "--json", str(out), "--html", str(page))
    assert done.returncode == 0, done.stderr
    run = json.loads(out.read_text())
    jsonschema.validate(run, schema())
    (service,) = run["services"]
    # It told this of itself; another way of asking it must agree.
    assert program.path is not None
    said = subprocess.run(
        [program.path, "--version"], capture_output=True, text=True, check=True
    ).stdout
    assert re.search(rf"\b{re.escape(service['version'])}\b", said)
    assert service["program"] == ("MariaDB" if "mariadb" in said.lower() else "MySQL")
    assert run["versions"][service["program"]] == service["version"]
    assert [trial["versions"][service["program"]] for trial in run["trials"]] == [
        service["version"]
    ]
    assert service["settings"]["innodb_buffer_pool_size"] == "512M"
    told = f"Each trial had its own {service['program']} {service['version']}"
    assert told in page.read_text()
