"""The page about the published comparisons says what the figures and the checks say today."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from support.docs_script import docs_script
from webdyno.catalog import Catalog
from webdyno.catalog.studies.published_table import PublishedRow, PublishedTable
from webdyno.claims.same_load import total
from webdyno.verdict.comparison.lacking import lacking
from webdyno.verdict.steadiness.warm import AnswerCost, cheaper

ROOT = Path(__file__).resolve().parents[3]
CATALOG = Catalog([ROOT])
NAMES = sorted(path.stem for path in (ROOT / "studies" / "published").glob("*.toml"))
NOT_FIGURES = {"label", "server", "total", "runs_on", "hash_slowdown", "conditions", "note"}


@pytest.fixture(scope="module")
def script() -> dict[str, Any]:
    return docs_script("studies_page")


@pytest.fixture(scope="module")
def tables() -> dict[str, Any]:
    return docs_script("measured_tables")


def test_the_page_is_that_of_the_figures_and_the_checks(script: dict[str, Any]) -> None:
    page = script["page"]()
    told = (ROOT / "docs" / "studies.md").read_text(encoding="utf-8")
    assert told == page, "run `.webdyno/venv/bin/python docs/studies_page.py`"
    for name in NAMES:
        assert f"./webdyno claims {name}\n" in page


def test_every_figure_that_can_be_entered_has_a_column(script: dict[str, Any]) -> None:
    assert set(PublishedRow.model_fields) - NOT_FIGURES == {*script["MAIN"], *script["OTHER"]}


@pytest.mark.parametrize("name", NAMES)
def test_every_published_figure_is_shown(name: str, script: dict[str, Any]) -> None:
    page = (ROOT / "docs" / "studies.md").read_text(encoding="utf-8").replace("\\~", "~")
    unbroken = " ".join(page.split())
    cells = {cell.strip() for line in page.splitlines() for cell in line.split("|")}
    for table in CATALOG.published(name).tables:
        for row in table.rows:
            figures = [getattr(row, key) for key in (*script["MAIN"], *script["OTHER"])]
            assert {str(each) for each in figures if each is not None} <= cells
            assert row.note in unbroken


def test_verdicts_are_those_of_the_rows_own_checks() -> None:
    page = (ROOT / "docs" / "studies.md").read_text(encoding="utf-8")
    for label, verdict in (
        ("java", "fails: requests in flight, too many requests"),
        ("nodejs", "fails: too many requests"),
        ("total", "fails: the servers were loaded together"),
        ("Go/Chi", "fails: too little CPU"),
        ("Java/Quarkus", "possible by its CPU"),
        ("Rust/Actix", "agrees with itself"),
        ("Node.js/ExpressJS with sqlite", "too few figures"),
    ):
        assert re.search(rf"^\| {re.escape(label)} \|.*\| {verdict} \|$", page, re.MULTILINE), label


def test_a_total_that_does_not_fit_its_rows_fails(script: dict[str, Any]) -> None:
    row = {"samples": 1000, "throughput": 10.0, "mean": "1ms", "error_share": "1.0%"}
    rows = [{**row, "label": "a"}, {**row, "label": "b", "error_share": "3.0%"}]
    rows += [{**row, "label": "all", "total": True, "samples": 2000, "error_share": "5.0%"}]
    load = {"kind": "iterations", "users": 1, "iterations": 1000}
    table = PublishedTable.model_validate({"name": "one", "load": load, "rows": rows})
    found = list(total(table))
    told = [script["_verdict"](one, table, found) for one in table.rows]
    assert told == ["agrees with itself", "agrees with itself", "fails: not that of its rows"]


def test_the_servers_and_studies_that_the_page_names_exist(script: dict[str, Any]) -> None:
    flaws = script["PROSE"]["flaws"]
    lines = [*script["flaws_table"].table(flaws, []), script["PROSE"]["left_out"]]
    servers = set(re.findall(r"`([a-z]+/[a-z0-9-]+(?:@[a-z0-9-]+)?)`", "\n".join(lines)))
    assert len(servers) > 10
    for server in servers:
        CATALOG.server_variant(server)
    for flaw in flaws:
        study = CATALOG.study(flaw["study"])
        assert {*flaw["scenarios"]} <= {entry.title for entry in study.entries()}
        loads = {load.label() for load in study.loads}
        for pair in flaw["pairs"]:
            assert {pair[key] for key in ("load", "beside_load") if key in pair} <= loads
    commands = [each for one in script["STUDIES"].values() for each in one["commands"]]
    studies = {command.split()[2] for command in commands}
    assert studies >= {"sha256-as-published", "session-counter-as-published"}
    for study in studies:
        CATALOG.study(study)


def test_a_later_run_replaces_what_it_measured_again_and_nothing_else() -> None:
    merged = docs_script("measured")["merged"]

    def cell(trials: dict[str, int], load: str = "closed-20") -> dict[str, Any]:
        rows = [{"entry": entry, "trials": count} for entry, count in trials.items()]
        return {"scenario": "json", "load": load, "rows": rows}

    two = cell({"a/b": 4, "c/d": 1})
    again, fewer, other = cell({"a/b": 3, "c/d": 1}), cell({"a/b": 3}), cell({"a/b": 3}, "open")
    assert merged([two], [again]) == [again]
    assert merged([two], [fewer]) == [two, fewer]
    assert merged([two], [other]) == [two, other]
    assert merged([two, fewer], [again]) == [again]


def test_variants_of_published_servers_are_kept_beside_them() -> None:
    of_published = docs_script("measured")["of_published"]
    published = {"node/kwan", "python/flask@per-core"}
    for entry in ("node/kwan", "node/kwan@koa-packages", "python/flask", "python/flask@sync"):
        assert of_published(entry, published)
    assert not of_published("node/fastify", published)


def test_every_difference_of_load_or_work_is_said_above_its_table(script: dict[str, Any]) -> None:
    page = (ROOT / "docs" / "studies.md").read_text(encoding="utf-8")
    for name, prose in script["STUDIES"].items():
        cells = [cell for run in script["_runs"](name) for cell in run["cells"]]
        for one in prose.get("beside", []):
            assert page.count(one["says"].strip()) == 1
            assert (one["scenario"], one["load"]) in {(c["scenario"], c["load"]) for c in cells}


def test_what_the_page_does_not_judge_a_report_does_not_either(script: dict[str, Any]) -> None:
    for name, prose in script["STUDIES"].items():
        unlike = {
            (table.scenario, load)
            for table in CATALOG.published(name).tables
            for load in table.unlike
        }
        cells = [cell for run in script["_runs"](name) for cell in run["cells"]]
        measured = {(cell["scenario"], cell["load"]) for cell in cells}
        told = {(one["scenario"], one["load"]) for one in prose.get("beside", [])}
        assert told == unlike & measured


def test_a_ratio_of_other_work_is_given_no_verdict(
    script: dict[str, Any], tables: dict[str, Any]
) -> None:
    table = CATALOG.published("session-counter").table("session counter")
    [made] = script["_runs"]("session-counter")
    cells = [
        {**cell, "rows": [{**row, "agrees": False} for row in cell["rows"]]}
        for cell in made["cells"]
    ]
    run = {**made, "cells": cells}
    note = {"scenario": "session-counter", "load": "visitors-100", "says": "Other work."}
    alike = table.model_copy(update={"unlike": {}})
    assert ", differs" in "\n".join(tables["here"](alike, run, []))
    told = "\n".join(tables["here"](table, run, [note]))
    assert "Other work." in told
    assert ", differs" not in told


def test_systems_that_a_run_left_out_are_named(tables: dict[str, Any]) -> None:
    labels = {"a/b": "One", "c/d": "Two"}
    assert tables["_absent"](labels, [{"entry": "a/b"}]) == [
        "Not measured in this run: Two (`c/d`).",
        "",
    ]
    assert tables["_absent"](labels, [{"entry": "c/d"}, {"entry": "a/b"}]) == []


def test_every_system_that_is_counted_as_measured_is_shown(script: dict[str, Any]) -> None:
    page = (ROOT / "docs" / "studies.md").read_text(encoding="utf-8")
    for name in NAMES:
        cells = [cell for run in script["_runs"](name) for cell in run["cells"]]
        ours = {row["entry"] for cell in cells for row in cell["rows"] if row["rps"]}
        for table in CATALOG.published(name).tables:
            for row in table.rows:
                if row.server in ours and not row.total:
                    assert f"| {row.label} (`{row.server}`) |" in page


def test_what_a_search_found_is_not_shown_as_a_rate(
    script: dict[str, Any], tables: dict[str, Any]
) -> None:
    table = CATALOG.published("sha256-spike").table("case 3")
    [made] = script["_runs"]("sha256-spike")
    assert "p99 below 100 ms" in {cell["load"] for cell in made["cells"]}
    systems = {"kotlin/spring-boot-coroutines": "Kotlin with coroutines"}
    told = "\n".join(tables["here"](table, made, [], systems))
    assert "| Kotlin with coroutines (`kotlin/spring-boot-coroutines`) | 220 " in told
    assert "p99 below 100 ms" not in told
    assert "coroutines" not in "\n".join(tables["here"](table, made, []))


@pytest.mark.parametrize(
    ("here", "agrees", "told"),
    [
        ("25.5x [1.91, 340]", True, ", too wide to tell"),
        ("25.5x [19.1, 34.0]", True, ", agrees"),
        ("25.5x [19.1, 1,340]", True, ", too wide to tell"),
        ("25.5x [1.91, 340]", False, ", differs"),
        ("25.5x [1.91, 340]", None, ""),
        ("1.00x", None, ""),
        (None, None, ""),
    ],
)
def test_an_interval_that_holds_nearly_everything_agrees_with_nothing(
    tables: dict[str, Any], here: str | None, agrees: bool | None, told: str
) -> None:
    assert tables["_verdict"]({"ratio_here": here, "agrees": agrees}) == told


def test_build_times_are_told_with_their_number_and_place(tables: dict[str, Any]) -> None:
    def timed(server: str, builds: int, date: str, incremental_s: float | None) -> dict[str, Any]:
        run = {"date": date, "machine": "a machine"}
        return {
            "server": server, "clean_s": 412.0, "incremental_s": incremental_s,
            "builds": builds, "run": run,
        }  # fmt: skip

    of_two_days = [
        timed("a/b", 1, "2026-11-23", 9.5),
        timed("a/b (debug)", 3, "2026-11-23", None),
        timed("c/d", 1, "2026-11-24", 0.25),
    ]
    told = tables["builds"]({"builds": of_two_days})
    assert [line for line in told if line.startswith("*")] == [
        "*Build times measured here: median of 1 to 3 builds each, on 2026-11-23, on a machine.*",
        "*Build times measured here: median of 1 build each, on 2026-11-24, on a machine.*",
    ]
    assert "| `a/b` | 412 s | 9.5 s |" in told
    assert "| `a/b (debug)` | 412 s | – |" in told
    assert told.index("| `c/d` | 412 s | 0.25 s |") == len(told) - 2
    assert tables["builds"]({}) == []


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        ("one block; three are needed", lacking(2, "valid trial", 3)),
        ("two blocks; three are needed", lacking(2, "valid trial", 3)),
        (
            "only 1 of its trials yielded a measurement; 3 are needed",
            "one valid trial; three are needed",
        ),
        ("only 2 of its trials yielded a measurement; 3 are needed", lacking(2, "valid trial", 3)),
        ("four blocks; five are needed", "four blocks; five are needed"),
        ("", ""),
        (
            "still warming in 1 of 3 trials: it was still getting faster: CPU time per answer fell",
            "still warming in 1 of 3 trials: it was still getting faster, as CPU time per answer "
            "fell",
        ),
    ],
)
def test_one_reason_has_one_wording(tables: dict[str, Any], reason: str, told: str) -> None:
    # A row of a block or two may have more or fewer trials.
    assert tables["_reason"]({"reason": reason, "trials": 2}) == told
    assert tables["_reason"]({"reason": told, "trials": 2}) == told


def test_wordings_of_today_stay_as_they_are(tables: dict[str, Any]) -> None:
    colder, warmer = AnswerCost(100.0, 10.0), AnswerCost(50.0, 10.0)
    for today in (lacking(2, "valid trial", 3), cheaper(colder, warmer)):
        assert any(one in today for one in tables["FORMER"].values())
        assert tables["_reason"]({"reason": today, "trials": 2}) == today
