"""What a name asks for, and what a study with other servers or scenarios is called."""

from __future__ import annotations

from pathlib import Path

import pytest

from webdyno.catalog import Catalog
from webdyno.errors import UserError
from webdyno.run.study.named_study import question_of, study_named
from webdyno.run.study.narrow import narrowed

CATALOG = Catalog()


def test_a_study_is_asked_by_its_name() -> None:
    assert study_named(CATALOG, "quick") == CATALOG.study("quick")


def test_a_scenario_is_a_study_of_all_that_implement_it() -> None:
    study = study_named(CATALOG, "json")
    able = {s.id for s in CATALOG.servers() if "json" in s.manifest.scenarios}
    assert set(study.servers) == able
    assert [entry.title for entry in study.entries()] == ["json"]
    assert study.control in able
    assert study.loads[0].in_turns
    assert study.question == f"Which of {len(able)} servers serves json fastest?"


def test_one_of_the_chosen_servers_is_the_control() -> None:
    chosen = ["nginx/static", "node/http", "python/starlette"]
    study = narrowed(study_named(CATALOG, "json", chosen), servers=chosen)
    assert study.control == "node/http"


def test_servers_take_no_turns_at_a_service() -> None:
    study = study_named(CATALOG, "page")
    assert not study.loads[0].in_turns
    assert study.control


@pytest.mark.parametrize("name", CATALOG.scenario_names())
def test_every_scenario_can_be_asked_for(name: str) -> None:
    if name not in CATALOG.study_names():
        assert study_named(CATALOG, name).name == name


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("qick", "no study or scenario 'qick'; did you mean the study 'quick'?"),
        ("jsn", "no study or scenario 'jsn'; did you mean the scenario 'json'?"),
        ("helo", "did you mean the study 'hello' or the scenario 'hello'?"),
        ("zzzzzz", "no study or scenario 'zzzzzz'; `webdyno list` shows them"),
    ],
)
def test_a_name_of_neither_gets_the_nearest_of_both(name: str, said: str) -> None:
    with pytest.raises(UserError) as refused:
        study_named(CATALOG, name)
    assert said in str(refused.value)


def test_other_servers_and_scenarios_ask_another_question() -> None:
    quick = CATALOG.study("quick")
    other = narrowed(quick, scenarios=["json"], servers=["java/servlet", "node/http"])
    assert other.question == "Which of java/servlet and node/http serves json fastest?"
    assert other.title == "json: java/servlet and node/http"
    fewer = narrowed(quick, servers=["go/net-http", "node/http", "node/express"])
    assert fewer.question.startswith("Which of go/net-http, node/http and node/express serves each")
    one = narrowed(quick, scenarios=["json"], servers=["node/http"])
    assert one.question == "How does node/http serve json?"


def test_the_same_servers_and_another_budget_ask_the_same() -> None:
    quick = CATALOG.study("quick")
    assert narrowed(quick, budget=60.0).question == quick.question
    assert narrowed(quick, servers=list(reversed(quick.servers))).title == quick.title


def test_the_question_follows_the_metric() -> None:
    asked = question_of(["go/gin", "go/chi"], ["hello"], "memory_peak_bytes")
    assert asked == "Which of go/gin and go/chi serves hello with the least memory?"


def test_a_file_that_is_no_toml_is_told(tmp_path: Path) -> None:
    file = tmp_path / "file.json"
    file.write_text("{}")
    said = r"file\.json: {} must be in a \.toml file; name one"
    with pytest.raises(UserError, match=said.format("a study")):
        study_named(Catalog(), str(file))
    with pytest.raises(UserError, match=said.format("a study")):
        Catalog().study(str(file))
    with pytest.raises(UserError, match=said.format("published figures")):
        Catalog().published(str(file))
