"""A server that a spike of arrivals drowns: in the run, its JSON and its report."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable, Iterable
from html import unescape
from typing import Any

import jsonschema
import pytest

from support.hello_server import write_hello_server
from webdyno.report.formats.json_export import schema
from webdyno.report.tables.endings import KINDS

pytestmark = [pytest.mark.concurrent, pytest.mark.long]

Cli = Callable[..., subprocess.CompletedProcess[str]]

STUDY = """
name = "drowned"
title = "Drowned"
question = "What becomes of the requests?"
servers = ["python/one-at-a-time"]
scenarios = ["hello"]
budget = "180s"
[[loads]]
name = "spike"
kind = "open"
phases = ["40/s:1s", "400/s:2s"]
timeout = "500ms"
connections = 400
[[loads]]
name = "spike on few connections"
kind = "open"
phases = ["40/s:1s", "400/s:2s"]
timeout = "500ms"
connections = 8
[warmup]
min = "200ms"
max = "300ms"
[blocks]
min = 1
max = 1
"""


class Drowned:
    """What the run left: its exported JSON and its report."""

    def __init__(self, exported: dict[str, Any], page: str) -> None:
        self.exported, self.page = exported, page

    def trial(self, load: str) -> dict[str, Any]:
        (found,) = [trial for trial in self.exported["trials"] if trial["load"] == load]
        return dict(found)


@pytest.fixture(scope="module")
def drowned(cli: Cli, tmp_path_factory: pytest.TempPathFactory) -> Drowned:
    content = tmp_path_factory.mktemp("content")
    write_hello_server(
        content,
        "one-at-a-time",
        setup="turn = threading.Lock()",
        each="with turn: time.sleep(0.01)",
    )
    study, out, page = (content / name for name in ("drowned.toml", "run.json", "report.html"))
    study.write_text(STUDY)
    done = cli(
        "--content", str(content), "run", str(study), "--plain",
        "--json", str(out), "--html", str(page),
    )  # fmt: skip
    assert out.is_file(), done.stderr
    return Drowned(json.loads(out.read_text()), page.read_text())


@pytest.mark.parametrize(
    ("load", "mostly"), [("spike", "timed_out"), ("spike on few connections", "not_sent")]
)
def test_every_request_has_one_ending(drowned: Drowned, load: str, mostly: str) -> None:
    jsonschema.validate(drowned.exported, schema())
    counts = drowned.trial(load)["counts"]
    # About 840 are asked for, and 100 a second can be answered.
    assert counts["offered"] > 600
    assert 0 < counts["ok"] < 0.7 * counts["offered"]
    assert counts[mostly] > 50
    assert sum(counts[kind] for kind in KINDS) == counts["offered"]
    kinds = [counts[kind] for kind in KINDS if kind not in ("ok", "not_sent", "refused")]
    assert counts["sent"] == counts["ok"] + sum(kinds)


def test_it_is_not_ranked_and_the_reason_is_told(drowned: Drowned) -> None:
    trial = drowned.trial("spike")
    lost = sum(trial["counts"][kind] for kind in ("timed_out", "reset", "refused"))
    assert trial["status"] == "failed"
    told = f"{lost} of {trial['counts']['offered']} requests were never answered"
    assert told in trial["reason"]


@pytest.mark.parametrize("load", ["spike", "spike on few connections"])
def test_the_report_shows_every_kind_and_that_they_add_up(drowned: Drowned, load: str) -> None:
    counts = drowned.trial(load)["counts"]
    rows = [
        dict(re.findall(r'data-label="([^"]+)">([^<]+)<', row))
        for row in re.findall(r"<tr[^>]*>(.*?)</tr>", unescape(drowned.page))
        if "python/one-at-a-time" in row and 'data-label="adds up"' in row
    ]
    # Kinds that occurred nowhere have no column.
    expected = {KINDS[kind]: counts[kind] for kind in KINDS if counts[kind]}
    found = [row for row in rows if figures(row, KINDS.values()) == expected]
    assert len(found) == 1, rows
    assert found[0]["adds up"] == "yes"
    assert found[0]["asked for"] == f"{sum(expected.values()):,}" == f"{counts['offered']:,}"


def figures(row: dict[str, str], names: Iterable[str]) -> dict[str, int]:
    """Those of a row's cells that hold something else than nothing, as numbers."""
    held = {name: int(row[name].replace(",", "")) for name in names if name in row}
    return {name: count for name, count in held.items() if count}
