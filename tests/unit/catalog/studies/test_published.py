"""How a study names published figures: a file, or single ones of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from support.synthetic_run import build_run
from webdyno.catalog import Catalog
from webdyno.catalog.reading.manifest import parse_manifest
from webdyno.catalog.studies.published import PublishedManifest
from webdyno.catalog.studies.study import StudyManifest, read_study
from webdyno.catalog.terms.metric import METRICS, SHOWN
from webdyno.errors import UserError
from webdyno.report.metrics import TIMED_OUT, values

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


def study_with(tmp_path: Path, figure: str) -> StudyManifest:
    path = tmp_path / "mine.toml"
    text = STUDY.replace('published = "made"\n', "")
    path.write_text(f"{text}\n[[published]]\n{figure}", encoding="utf-8")
    return Catalog().study(str(path))


FIGURE = 'server = "go/chi"\nscenario = "json"\nmetric = "p90_us"\nvalue = 1.5\nload = "closed-4"\n'


def test_a_published_server_need_not_be_in_the_study(tmp_path: Path) -> None:
    found = study_with(tmp_path, FIGURE).published
    assert isinstance(found, list)
    assert found[0].server == "go/chi"


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("server", '"nope/x"', "key 'server' in the first [[published]]: no server 'nope/x'"),
        ("server", '"go/chy"', "did you mean 'go/chi'?"),
        ("server", '"go/chi@x"', "no variant 'x'"),
        ("metric", '"throughput_rsp"', "no metric 'throughput_rsp'; did you mean 'throughput_rps'"),
        ("scenario", '"jsno"', "no scenario 'jsno'; did you mean 'json'?"),
        (
            "load",
            '"nope"',
            "key 'load' in the first [[published]]: no load 'nope'; choose from closed-4",
        ),
        (
            "unlike",
            '{ nope = "why" }',
            "key 'unlike' in the first [[published]]: no load 'nope'; choose from",
        ),
        ("value", "nan", "key 'value' in the first [[published]]: must be a finite number"),
        ("value", "-5", "key 'value' in the first [[published]]: must be at least 0"),
    ],
)
def test_published_figures_name_what_there_is(
    tmp_path: Path, key: str, value: str, said: str
) -> None:
    lines = [line for line in FIGURE.splitlines() if not line.startswith(f"{key} ")]
    with pytest.raises(UserError) as caught:
        study_with(tmp_path, "\n".join([*lines, f"{key} = {value}"]))
    assert said in str(caught.value)
    assert str(tmp_path / "mine.toml") in str(caught.value)


def test_tables_of_a_file_name_what_there_is(tmp_path: Path) -> None:
    (tmp_path / "published").mkdir()
    table = """
[[tables]]
name = "a"
scenario = "jsno"
load = { kind = "closed", connections = 4 }
rows = [{ label = "x", throughput = 3 }]
"""
    (tmp_path / "published" / "made.toml").write_text(FIGURES + table, encoding="utf-8")
    path = tmp_path / "mine.toml"
    path.write_text(STUDY, encoding="utf-8")
    with pytest.raises(UserError, match=r"'made', table 'a': no scenario 'jsno'; did you mean"):
        Catalog().study(str(path))


def test_every_figure_of_a_report_may_be_published() -> None:
    shown = values(build_run().trials[0])
    assert {*shown, TIMED_OUT.name} == {*METRICS.names(), *SHOWN}


@pytest.mark.parametrize(
    ("keys", "problem"),
    [
        ({"shown": "it has 81 lines"}, "'shown' and 'outcome' go together"),
        ({"outcome": "holds"}, "'shown' and 'outcome' go together"),
        (
            {"shown": "it has 81 lines", "outcome": "holds", "product": [2], "gives": 2},
            "'shown' stands instead of",
        ),
        ({"shown": "it has 81 lines", "outcome": "true"}, "outcome"),
    ],
)
def test_a_statement_that_its_text_judges_has_an_outcome_and_no_figures(
    keys: dict[str, Any], problem: str
) -> None:
    made = {"name": "made", "title": "t", "source": "s", "statements": [{"says": "s", **keys}]}
    with pytest.raises(UserError, match=problem):
        parse_manifest(made, PublishedManifest, "made")
