"""The references of the manifests' keys are those of the code that reads them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import BaseModel

from support.docs_script import DOCS, docs_script
from webdyno.catalog.descriptions.description import Description
from webdyno.catalog.loads.warm_up import RuntimeWarmUpKeys
from webdyno.catalog.reading.manifest import Manifest
from webdyno.catalog.scenarios.checks import Check
from webdyno.catalog.scenarios.scenario import ScenarioManifest
from webdyno.catalog.scenarios.variables import Variable
from webdyno.catalog.servers.language import LanguageManifest
from webdyno.catalog.servers.program import BuildManifest, RunManifest
from webdyno.catalog.servers.server_manifest import ServerManifest
from webdyno.catalog.studies.published import PublishedManifest, read_published
from webdyno.catalog.studies.study import StudyManifest
from webdyno.claims import examine

MANIFESTS: dict[str, list[type[Manifest]]] = {
    "study-reference.md": [StudyManifest],
    "server-reference.md": [ServerManifest, LanguageManifest],
    "scenario-reference.md": [ScenarioManifest],
    "service-reference.md": [Description],
    "published-reference.md": [PublishedManifest],
}


def models_in(annotation: Any) -> set[type[BaseModel]]:
    """The tables that a key may hold, whether one, a list, or one of several kinds, and those in
    them."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        fields = annotation.model_fields.values()
        return {annotation, *(model for field in fields for model in models_in(field.annotation))}
    return {model for inner in get_args(annotation) for model in models_in(inner)}


ELSEWHERE: dict[str, set[type[BaseModel]]] = {
    # A file of published figures is no table of a study's; it has a page of its own.
    "study-reference.md": models_in(PublishedManifest),
    # Those of other manifests, to which the page links.
    "service-reference.md": models_in(
        BuildManifest | RunManifest | RuntimeWarmUpKeys | Variable | Check
    ),
}


@pytest.fixture(scope="module")
def script() -> dict[str, Any]:
    return docs_script("key_reference")


@pytest.mark.parametrize(
    ("file", "least"),
    [
        ("study-reference.md", 80),
        ("server-reference.md", 60),
        ("scenario-reference.md", 30),
        ("service-reference.md", 35),
        ("published-reference.md", 60),
    ],
)
def test_a_page_is_that_of_the_manifests_and_leaves_no_key_unexplained(
    script: dict[str, Any], file: str, least: int
) -> None:
    page = script["pages"]()[file]
    told = (DOCS / file).read_text(encoding="utf-8")
    assert told == page, "run `.webdyno/venv/bin/python docs/key_reference.py`"
    rows = [line for line in page.splitlines() if line.startswith("| `")]
    assert len(rows) > least
    assert [row for row in rows if row.endswith("|  |")] == []


@pytest.mark.parametrize(
    ("file", "keys"),
    [
        (
            "study-reference.md",
            ("connections", "cores", "scale", "record", "build_times", "planning", "costs"),
        ),
        ("server-reference.md", ("kind", "artefact", "keep_alive", "compilers", "provides")),
        ("scenario-reference.md", ("same_body", "message", "chance", "counter", "sequence")),
        ("service-reference.md", ("port_variable", "seed", "weight", "must_match", "memory")),
        ("published-reference.md", ("throughput", "within_sd", "binary_units", "saves")),
    ],
)
def test_keys_have_a_row(script: dict[str, Any], file: str, keys: tuple[str, ...]) -> None:
    page = script["pages"]()[file]
    for key in keys:
        assert any(row.startswith(f"| `{key}` ") for row in page.splitlines()), key


def test_the_example_of_published_figures_is_contradicted_as_the_page_says(tmp_path: Path) -> None:
    file = tmp_path / "fig.toml"
    file.write_text(docs_script("keys_of_published")["EXAMPLE"], encoding="utf-8")
    found = [one.sentence for one in examine(read_published(file)) if one.outcome == "contradicts"]
    assert len(found) == 2
    assert ("ratio of 3.16" in found[0], "27.9 requests in flight" in found[1]) == (True, True)


def test_every_page_is_tested(script: dict[str, Any]) -> None:
    assert set(script["pages"]()) == set(MANIFESTS)


def test_keys_that_take_a_list_say_so(script: dict[str, Any]) -> None:
    page = script["pages"]()["study-reference.md"]
    closed = page.partition('kind = "closed"')[2]
    assert "| `connections` | whole number or list |" in closed
    assert "| `cores` | whole number or list |" in page
    assert "| `threads` | whole number |" in page


def test_commands_durations_and_choices_are_told_as_such(script: dict[str, Any]) -> None:
    server = script["pages"]()["server-reference.md"]
    assert "| `command` | command | – |" in server
    assert "| `prepare` | list of command | none |" in server
    assert '| `kind` | `"event loop"` or `"event loop and threads"` or ' in server
    assert '| `max` | duration | Webdyno\'s own: `"10s"` |' in server
    scenario = script["pages"]()["scenario-reference.md"]
    assert "| `length` | The body's length" in scenario
    assert "| `min`: whole number, default `0`; `max`: whole number, default none |" in scenario


@pytest.mark.parametrize("file", MANIFESTS)
def test_every_table_of_a_manifest_has_a_section(script: dict[str, Any], file: str) -> None:
    page = next(page for page in script["PAGES"] if page.file == file)
    told = {
        model
        for section in page.sections
        for model in (getattr(section, "models", None) or [section.model])
    }
    tables = {model for manifest in MANIFESTS[file] for model in models_in(manifest)}
    assert len(tables) > 3
    assert tables - told == ELSEWHERE.get(file, set())
