"""A server that a study names by its default variant is the same one as without."""

from __future__ import annotations

from pathlib import Path

import pytest

from unit.run.study.test_narrow import study
from webdyno.catalog import Catalog
from webdyno.catalog.studies.published import PublishedManifest
from webdyno.catalog.studies.study import read_study
from webdyno.errors import UserError
from webdyno.run.study.named_study import study_named
from webdyno.run.study.narrow import narrowed
from webdyno.store.stored_study import StoredStudy

PUBLISHED = Path(__file__).parents[4] / "studies" / "published" / "node-middleware.toml"


def test_a_server_named_by_its_default_variant_is_that_server() -> None:
    asked = study(
        "sound",
        servers=["node/http@default", "go/gin@default", "go/chi"],
        control="go/gin@default",
        headline={"scenario": "json", "servers": ["go/gin@default", "go/chi"]},
        published=[
            {"server": "go/chi@default", "scenario": "json", "metric": "p50_us", "value": 1.0}
        ],
    )
    assert asked.servers == ["node/http", "go/gin", "go/chi"]
    assert asked.control == "go/gin"
    assert asked.headline is not None
    assert asked.headline.servers == ["go/gin", "go/chi"]
    assert isinstance(asked.published, list)
    assert [figure.server for figure in asked.published] == ["go/chi"]
    # The control and the headline stay, whichever way the user names them.
    fewer = narrowed(asked, servers=["go/chi@default", "go/gin@default"])
    assert (fewer.servers, fewer.control) == (["go/chi", "go/gin"], "go/gin")
    assert fewer.headline == asked.headline
    assert fewer.title == "json: go/chi and go/gin"


def test_without_the_server_of_its_control_a_study_has_the_first_that_is_left() -> None:
    servers = ["node/http", "go/gin", "go/chi"]
    asked = study("sound", servers=servers, control="node/http")
    assert narrowed(asked, servers=["go/chi", "go/gin"]).control == "go/chi"
    assert narrowed(study("sound", servers=servers), servers=["go/chi"]).control == ""


def test_a_server_is_listed_twice_whichever_way_it_is_named() -> None:
    with pytest.raises(UserError, match="a server is listed twice"):
        narrowed(study("sound"), servers=["node/http", "node/http@default"])


def test_the_control_of_a_scenario_is_the_first_that_is_chosen() -> None:
    chosen = ["go/gin@default", "node/http"]
    catalog = Catalog()
    assert narrowed(study_named(catalog, "json", chosen), servers=chosen).control == "go/gin"


def test_a_file_of_figures_may_name_a_server_so(tmp_path: Path) -> None:
    (tmp_path / "published").mkdir()
    text = PUBLISHED.read_text()
    assert 'server = "node/http"' in text
    figures = text.replace('server = "node/http"', 'server = "node/http@default"')
    (tmp_path / "published" / PUBLISHED.name).write_text(figures)
    file = tmp_path / "small.toml"
    file.write_text(
        'name = "small"\ntitle = "Small"\nquestion = "?"\nservers = ["node/http"]\n'
        'scenarios = ["json"]\nloads = [{ kind = "closed", connections = 4, duration = "1s" }]\n'
        f'published = "{PUBLISHED.stem}"\n'
    )
    found = read_study(file).published
    assert isinstance(found, PublishedManifest)
    servers = {row.server for table in found.tables for row in table.rows}
    assert "node/http" in servers
    assert "node/http@default" not in servers


def test_a_study_that_an_older_version_stored_is_read_so() -> None:
    held = StoredStudy.model_validate(
        {"servers": ["a/b@default", "a/c@d"], "control": "a/b@default"}
    )
    assert (held.servers, held.control) == (["a/b", "a/c@d"], "a/b")
