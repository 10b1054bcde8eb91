"""What the checks find in the five write-ups, by nothing but their figures."""

from __future__ import annotations

import pytest

from webdyno.catalog import Catalog
from webdyno.claims import Finding, examine

NAMES = ("node-middleware", "point-lookup", "session-counter", "sha256-spike", "swift-vs-node")


def findings(name: str, outcome: str) -> list[Finding]:
    return [one for one in examine(Catalog().published(name)) if one.outcome == outcome]


def told(name: str, outcome: str = "contradicts") -> str:
    return "\n".join(one.sentence for one in findings(name, outcome))


@pytest.mark.parametrize("name", NAMES)
def test_each_study_names_its_file_and_rows_stand_for_servers_that_exist(name: str) -> None:
    catalog = Catalog()
    study, manifest = catalog.study(name), catalog.published(name)
    assert study.published == manifest
    titles = {entry.title for entry in study.entries()}
    for table in manifest.tables:
        assert table.scenario in {*titles, ""}
        for row in table.rows:
            if row.server:
                assert row.server in study.servers or catalog.server_variant(row.server)
    assert findings(name, "contradicts")
    for one in examine(manifest):
        assert one.sentence.endswith(".")
        assert "\n" not in one.sentence


CONTRADICTED = {
    "node-middleware": (
        "“okay” for node; “Hello World” for kwan, toa, trek, koa and express",
        "kwan runs on node and is 1.2 times as fast",
        "423 bytes from kwan, 160 bytes from koa",
        '“xxx("hello index");” for kwan; “;xxx("hello koa");” for koa',
        "1263.41/s cannot be a mean of 5 whole counts",
    ),
    "point-lookup": (
        "639.8/s × 106ms is 67.8 requests in flight, more than the stated 30 users",
        "31887 samples are more than 30 users × 1000 = 30,000",
        "31862 samples are more than",
        "The total of 1278.7/s is nearly 639.8/s + 642.8/s = 1282.6/s: all were loaded at the "
        "same time",
        "as would one group of about 98 users that sends requests to each in turn",
        "528 bytes from java, 189 bytes from nodejs",
        "“10” for java; “6, the second",
        "“one, shared by all requests” for nodejs",
    ),
    "session-counter": (
        "wrk sends none back: every request was a first visit",
        "the mean is that of the 35 of 211 answers that came before the time-out; with 100 in "
        "flight at this rate, an answer takes about 4.75 s",
        "247 of 289 requests (85%) timed out",
        "619.97/s × 186.83ms is 116 requests in flight, more than the stated 100 connections",
        "“Actix is ahead of plain PHP by 1366%”: 10267.39 against 704.46 is 1,357% more",
        "(processes): “4” for Python/Django",
        "(database connections): “none, by the default of 2023” for PHP/Laravel and PHP/Laravel "
        "with caches; “a new one for each request” for PHP/Pure PHP; “a new one for each request, "
        "by the default” for Python/Django; “one per process” for Python/Flask",
        "“INSERT only” for Rust/Actix",
        "“a line for each request” for Python/Django, Python/Flask and Python/Starlette",
        "“closed after each answer, by gunicorn's default worker” for Python/Flask",
        "(session storage): “a file, by the default of 2023” for PHP/Laravel",
        "“Laravel keeps sessions in the database by default”: in March 2023 its default was a file",
    ),
}


@pytest.mark.parametrize("name", CONTRADICTED)
def test_what_figures_and_descriptions_contradict(name: str) -> None:
    text = told(name)
    assert [part for part in CONTRADICTED[name] if part not in text] == [], text


def test_point_lookup() -> None:
    holds = told("point-lookup", "holds")
    assert "Throughput × mean latency gives the 30 users: 30.2 (nodejs)" in holds
    assert "31887 + 31862 = 63749" in holds
    assert "25,920,000" in holds
    assert "total: 1278.7/s, each reading 2,000,000 rows, would need 128 cores" in holds


def test_sha256_spike() -> None:
    [chi, *_] = findings("sha256-spike", "contradicts")
    assert chi.sureness == "certain"
    assert "0.11 cores at 300/s are 367 µs of CPU per request" in chi.sentence
    assert "6.4 ms at the fastest known" in chi.sentence
    assert "19.2 ms where hashing is 3 times slower (Go 1.20.7" in chi.sentence
    text = told("sha256-spike")
    assert "23558 of 27000 requests (87%) timed out" in text
    assert "“the path, where the load never puts it: nothing is hashed” for Go/Chi" in text
    assert "27000 requests at 210/s take 129 s, not the 120 s of the phases" in text
    assert "Java/Quarkus" not in text
    assert "answers of 2 bytes cannot hold a digest" in told("sha256-spike", "untold")
    assert "Samples fit the 27,000" in told("sha256-spike", "holds")


def test_session_counter() -> None:
    unsure = told("session-counter", "untold")
    assert "Python/Flask (1080.28/s) and Node.js/ExpressJS (1100.12/s) differ by 1.8%" in unsure
    assert "100 requests in flight at the end can change such a short count" in unsure


def test_node_middleware() -> None:
    unsure = told("node-middleware", "untold")
    assert "4 runs have no name: 2750.2/s, 12082.4/s, 3437.4/s, 1006.4/s" in unsure
    assert "node (10178.4/s) and koa (9002/s) differ by 13%" in unsure


def test_swift_vs_node() -> None:
    text = told("swift-vs-node")
    assert "(cores used): “every one” for Perfect" in text
    both = "(posts per page): “5” for Perfect, Vapor, Kitura and Zewo; “6” for Node.js/Express"
    assert both in text
    assert "4 × 20 = 80, not 20" in text
    assert "image of a chart" in told("swift-vs-node", "untold")
    assert told("swift-vs-node", "holds") == ""


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("point-lookup", "Both handle about 640 requests a second on the machine"),
        ("session-counter", "Laravel's caches gain almost 37%"),
        ("session-counter", "With its caches, Laravel still has 1/24 of the throughput"),
        ("session-counter", "Django has 12 times the throughput of Laravel"),
        ("session-counter", "Express is held back by node-postgres"),
        (
            "session-counter",
            "98 lines of PHP do what Laravel does in four, besides its set-up”: the",
        ),
        ("node-middleware", "kwan is faster than node itself"),
    ],
)
def test_statements_that_the_figures_cannot_bear_are_undecided(name: str, says: str) -> None:
    assert f"“{says}" in told(name, "untold")
    assert f"“{says}" not in told(name, "holds")


def test_what_failed_rows_do_not_touch_holds() -> None:
    assert "“Java's mean latency is more than twice" in told("point-lookup", "holds")
    assert "“Starlette is 4 times as fast as Flask”" in told("session-counter", "holds")
