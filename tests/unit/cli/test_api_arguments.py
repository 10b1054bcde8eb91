"""What the functions for Python are given wrongly is told in one line, as a `UserError`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import webdyno
from support.small_run import a_run

RUN = webdyno.Run(a_run("r", []))


@pytest.fixture(autouse=True)
def no_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("WEBDYNO_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("WEBDYNO_STORE", raising=False)
    return tmp_path


def study(**given: Any) -> Callable[[], object]:
    return lambda: webdyno.load_study("json", **given)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (study(servers=[]), "servers: the list is empty; name at least one, such as"),
        (study(scenarios=[]), "scenarios: the list is empty; name at least one, such as"),
        (study(servers=()), "servers: the list is empty"),
        (study(servers=5), "servers: 5 is not a list; give names"),
        (study(servers=[None]), "servers: None is not a name; give text"),
        (study(servers="node/http"), r"servers: 'node/http' is one name; give a list"),
        (study(blocks="3"), "blocks: '3' is not a whole number above 0"),
        (study(blocks=0), "blocks: 0 is not a whole number above 0"),
        (study(budget=[1]), r"\[1\] is not a duration"),
        (study(content=5), "content: 5 is not a name"),
        (study(method=5), "method"),
        (lambda: webdyno.load_study(None), "study: None is not a name; give text, such as 'quick'"),
        (lambda: webdyno.run_study(5), "study: 5 is not a name"),
        (lambda: webdyno.run_study("json", resume=5), "resume: 5 is not a name"),
        (lambda: webdyno.run_study("json", resume="", progress=False), "a run's id is empty"),
        (lambda: webdyno.load_run(5), "run: 5 is not a name; give text, such as 'latest'"),
        (lambda: webdyno.load_run(None), "run: None is not a name"),
        (lambda: webdyno.load_run(""), "a run's id is empty"),
        (lambda: webdyno.load_run(), "no run is stored yet"),
        (lambda: RUN.html("/nonexistent/x.html"), "its folder does not exist; create it first"),
        (lambda: RUN.html(5), "path: 5 is not a name"),
        (lambda: RUN.html("/"), "/ is a folder; name a file"),
    ],
)
def test_what_is_given_wrongly_is_told_in_one_line(call: Callable[[], object], said: str) -> None:
    with pytest.raises(webdyno.UserError, match=said) as refused:
        call()
    assert "\n" not in str(refused.value)


def test_a_study_may_be_named_by_its_path() -> None:
    file = Path(__file__).resolve().parents[3] / "studies" / "quick.toml"
    assert webdyno.load_study(file) == webdyno.load_study("quick")
