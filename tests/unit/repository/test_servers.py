"""Servers pin what they are built from; compiled ones say how to measure an incremental build."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from webdyno.catalog import Catalog
from webdyno.catalog.servers.server import Server
from webdyno.runtime.builds.environment import compiles, declared_environment
from webdyno.runtime.builds.sources import source_files

ROOT = Path(__file__).resolve().parents[3]
CATALOG = Catalog([ROOT])
SERVERS = CATALOG.servers()
SCENARIOS = {scenario.id: scenario for scenario in CATALOG.scenarios()}
STORE = re.compile(r"(?i)table[-_]?(store|cache|sessions)\.\w+")
"""A store that is written for the session layer of a framework. Those of PHP are named handlers:
PHP reads every session, new ones too."""
PREPARES = {
    r"\b(j|r2)dbc:mariadb:": "useServerPrepStmts=true",
    r"\basyncmy\.create_pool\b": "stmt_cache_size=",
    r"\badapter: mysql2\b": "prepared_statements: true",
}
"""Drivers that prepare no statement unless they are told, and what tells them."""
COMPILED = {"cpp", "csharp", "elixir", "go", "java", "kotlin", "rust", "swift", "zig"}


def files(name: str) -> list[Path]:
    return [
        *(path for server in SERVERS if (path := server.folder / name).is_file()),
        *sorted(ROOT.glob(f"servers/*/runtimes/*/{name}")),
    ]


def beside(path: Path) -> str:
    return f"{path.parent.parent.name}/{path.parent.name}"


@pytest.mark.parametrize("lock", files("package-lock.json"), ids=beside)
def test_npm_locks_hold_hashes_and_no_addresses(lock: Path) -> None:
    packages = json.loads(lock.read_text())["packages"]
    foreign = {name: each for name, each in packages.items() if name.startswith("node_modules/")}
    assert foreign
    assert [name for name, each in foreign.items() if "integrity" not in each] == []
    assert [name for name, each in foreign.items() if "://" in each.get("resolved", "")] == []


@pytest.mark.parametrize("pom", files("pom.xml"), ids=beside)
def test_maven_versions_are_exact(pom: Path) -> None:
    versions = re.findall(r"<[\w.]*version>([^<]+)</[\w.]*version>", pom.read_text())
    assert versions
    exact = re.compile(r"\d[\w.-]*|\$\{[\w.-]+\}")
    assert [each for each in versions if not exact.fullmatch(each) or "SNAPSHOT" in each] == []


@pytest.mark.parametrize("project", files("mix.exs"), ids=beside)
def test_hex_packages_are_pinned(project: Path) -> None:
    bounds = re.findall(r'\{:\w+, "([^"]+)"', project.read_text())
    assert bounds
    assert [each for each in bounds if not re.fullmatch(r"== \d+\.\d+\.\d+", each)] == []


@pytest.mark.parametrize("script", files("build.sh"), ids=beside)
def test_a_build_is_given_the_variables_that_its_script_asks_for(
    script: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = set(re.findall(r"\$\{([A-Z]\w*):-", script.read_text()))
    assert asked
    for name in asked:
        monkeypatch.setenv(name, "/somewhere")
    assert asked <= declared_environment().keys()
    assert {name for name in asked if not compiles(name)} == set()


@pytest.mark.parametrize("server", SERVERS, ids=lambda server: server.id)
def test_what_is_compiled_tells_what_to_change_for_an_incremental_build(server: Server) -> None:
    build = server.manifest.build
    if server.manifest.language in COMPILED and build.commands:
        assert build.incremental is not None


@pytest.mark.parametrize("server", SERVERS, ids=lambda server: server.id)
def test_the_parts_that_its_scenarios_go_through_are_stated_and_no_others(server: Server) -> None:
    named = {kind for name in server.manifest.scenarios for kind in SCENARIOS[name].manifest.parts}
    assert set(server.manifest.parts) == named


@pytest.mark.parametrize("server", SERVERS, ids=lambda server: server.id)
def test_a_runtime_with_a_heap_says_what_it_was_asked_for(server: Server) -> None:
    if server.language.heap:
        for variant in server.variant_names():
            assert server.language.heap in server.on(variant).parts_of(variant)["heap"]


@pytest.mark.parametrize("server", SERVERS, ids=lambda server: server.id)
def test_what_is_as_published_says_how_its_own_statements_reach_the_database(
    server: Server,
) -> None:
    """Its program has another driver or other statements than the server's own, or may have."""
    of_database = [
        name for name in server.manifest.scenarios if "database" in SCENARIOS[name].manifest.parts
    ]
    published = server.manifest.variants.get("as-published")
    if published and any(name in published.description for name in of_database):
        assert "database" in published.parts


@pytest.mark.parametrize("server", SERVERS, ids=lambda server: server.id)
def test_sessions_that_are_read_only_if_a_cookie_names_them_are_stated(server: Server) -> None:
    """A session layer asks its store for no session that is new: a statement less than others."""
    files = source_files(server.folder)
    asked_by_cookie = any(STORE.fullmatch(path.name) for path in files)
    stated = "first visit is written without a read" in server.manifest.parts.get("database", "")
    assert stated or not asked_by_cookie


@pytest.mark.parametrize("server", SERVERS, ids=lambda server: server.id)
def test_drivers_that_prepare_statements_when_told_are_told(server: Server) -> None:
    texts = [path.read_text(errors="replace") for path in source_files(server.folder)]
    untold = [
        tells
        for opens, tells in PREPARES.items()
        if any(re.search(opens, text) for text in texts) and not any(tells in t for t in texts)
    ]
    assert untold == []


@pytest.mark.parametrize("server", SERVERS, ids=lambda server: server.id)
def test_what_runs_its_handlers_is_stated_in_a_word_and_in_a_sentence(server: Server) -> None:
    for variant in ["default", *server.manifest.variants]:
        stated = server.concurrency_of(variant)
        assert stated.kind is not None
        assert stated.model
