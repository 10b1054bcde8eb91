"""How a study names published figures: a file, or single ones of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from webdyno.catalog import Catalog
from webdyno.catalog.manifest import parse_manifest
from webdyno.catalog.published import PublishedManifest
from webdyno.catalog.study import StudyManifest, read_study
from webdyno.errors import UserError

STUDY = """
name = "mine"
title = "t"
question = "q"
servers = ["node/http"]
scenarios = ["json"]
published = "made"

[[loads]]
kind = "closed"
connections = 4
duration = "1s"
"""
FIGURES = """
name = "made"
title = "t"
source = "s"
[[statements]]
says = "It is fast"
"""


def test_a_name_becomes_the_file_beside_the_study(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(STUDY, encoding="utf-8")
    with pytest.raises(UserError, match="key 'published': no such file"):
        read_study(path)
    (tmp_path / "published").mkdir()
    (tmp_path / "published" / "made.toml").write_text(FIGURES, encoding="utf-8")
    study = read_study(path)
    assert isinstance(study.published, PublishedManifest)
    # As a stored run holds it, and as it is read again.
    again = parse_manifest(study.model_dump(mode="json"), StudyManifest, "again")
    assert again == study


def test_single_figures_and_those_of_older_runs_are_read() -> None:
    study = Catalog().study("quick").model_dump(mode="json")
    figure: dict[str, Any] = {"server": "a", "scenario": "json", "metric": "p50_us", "value": 1}
    old = {**study, "published": [figure], "published_aggregate": [{"server": "a"}]}
    read = parse_manifest(old, StudyManifest, "old")
    assert isinstance(read.published, list)
    assert read.published[0].value == 1
    with pytest.raises(UserError, match="unknown key"):
        parse_manifest({**study, "published": [{**figure, "vlaue": 1}]}, StudyManifest, "bad")
