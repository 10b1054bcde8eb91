"""What flags change in a description, and what is assumed where nothing is said."""

import json
from pathlib import Path
from typing import Any

import pytest

from unit.ab.conftest import paired
from webdyno.ab.flags import Flags
from webdyno.ab.request import description as descriptions
from webdyno.ab.request.description import assumed
from webdyno.ab.request.pair_request import PairRequest
from webdyno.ab.request.resolve import resolve
from webdyno.ab.study.proof import questions
from webdyno.ab.versions.version import from_one_folder
from webdyno.catalog import Catalog


def test_flags_take_the_place_of_what_the_file_says(here: Path, tmp_path: Path) -> None:
    flags = Flags(
        requests=["GET /b"],
        headers=["X-A: {1}"],
        build=["make"],
        env=["B=2"],
        ready="/up",
        start_timeout_s=200.0,
        port_variable="SHOP_PORT",
        loads=["full"],
        connections=4,
        budget_s=60.0,
    )
    pair = paired(here, tmp_path / "into", places=[".", "."], flags=flags)
    server = pair.catalog.server("shop/a")
    assert server.manifest.build.commands == [["make"]]
    assert server.manifest.run.env == {"SHOP_PORT": "${PORT}", "A": "1", "B": "2"}
    assert (server.manifest.run.ready, server.manifest.run.start_timeout) == ("/up", 200.0)
    assert [load.label() for load in pair.study.loads] == ["full"]
    assert pair.study.budget == 60.0
    assert pair.study.control == "shop/a"
    (request,) = pair.catalog.scenario("requests").manifest.requests
    assert (request.path, request.headers) == ("/b", {"X-A": "{{1}}"})
    # The whole answer holds with the confidence that was asked for.
    wrong = {metric: 1 - sure for metric, sure in pair.study.confidences["full"].items()}
    assert sum(wrong.values()) == pytest.approx(0.05)
    assert wrong["cpu_us_per_request"] == pytest.approx(0.04)


def test_flags_say_what_answers_are_right_and_what_may_differ(here: Path, tmp_path: Path) -> None:
    (here / "rows.sql").write_text("--")
    flags = Flags(
        status=404,
        ignore=["header:X-Id", "json:items[*].time", r"pattern: at \d+:\d+"],
        services=["postgresql=rows.sql"],
        same_answers=True,
    )
    pair = paired(here, tmp_path / "into", places=[".", "."], flags=flags)
    rules = pair.description.answers
    assert (rules.ignore_headers, rules.ignore_json) == (["X-Id"], ["items[*].time"])
    assert (rules.ignore_patterns, rules.must_match) == ([r" at \d+:\d+"], True)
    assert [right for _, right in questions(pair.catalog.scenario("requests").folder)] == [404]
    assert pair.description.services["postgresql"].seed == ["rows.sql"]


def test_what_was_assumed_is_told(here: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    bare.mkdir()
    (bare / "pyproject.toml").write_text("")
    (bare / "main.py").touch()

    def told(**changes: Any) -> str:
        wanted = PairRequest(**{"places": [".", "."], **changes})
        return assumed(wanted, resolve(wanted, Catalog(), tmp_path / "into")[1]).sentence

    assert told(cwd=bare).startswith("pyproject.toml: has no [build-system]")
    assert told(cwd=bare, flags=Flags(build=["make"])) == ""
    assert told(cwd=here) == ""
    # The folder one stands in is the service, wherever its description lies.
    (here / "package.json").write_text('{"main": "a.js"}')
    there = here / "webdyno.toml"
    assert told(cwd=here, file=there) == ""
    said = told(cwd=tmp_path, file=there)
    assert said.endswith("what is in this folder; for the service in shop, run ab there")
    assert told(cwd=bare, file=there) == ""


@pytest.mark.parametrize(
    ("package", "of_development"),
    [
        ({"scripts": {"start": "vite"}}, True),
        ({"workspaces": ["a development server", "b"]}, False),
    ],
)
def test_a_start_for_development_is_known_by_more_than_the_words(
    tmp_path: Path, package: dict[str, Any], of_development: bool
) -> None:
    for member in (tmp_path / "a development server", tmp_path / "b"):
        member.mkdir()
        (member / "package.json").write_text('{"scripts": {"start": "node a.js"}}')
    (tmp_path / "package.json").write_text(json.dumps(package))
    wanted = PairRequest(cwd=tmp_path, places=[".", "."])
    found = assumed(wanted, resolve(wanted, Catalog(), tmp_path / "into")[1])
    assert "a development server" in found.sentence
    assert found.of_development is of_development


def test_a_folder_is_looked_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Path] = []
    monkeypatch.setattr(descriptions, "recognise", lambda folder: seen.append(folder))
    versions = from_one_folder(tmp_path / "." / "")
    assert assumed(PairRequest(cwd=tmp_path), versions).sentence == ""
    assert seen == [tmp_path]


def test_a_build_of_ones_own_needs_no_tools_of_the_manifest(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"main": "a.js"}')
    (tmp_path / "yarn.lock").touch()
    (tmp_path / "a.js").touch()
    wanted = {"cwd": tmp_path, "places": [".", "."]}
    described, _ = resolve(PairRequest(**wanted), Catalog(), tmp_path / "into")
    assert described.toolchain == ["node", "yarn"]
    own = PairRequest(**wanted, flags=Flags(requests=["GET /"], build=["npm install"]))
    described, _ = resolve(own, Catalog(), tmp_path / "into")
    assert (described.toolchain, described.build.commands) == ([], [["npm", "install"]])


def test_a_weight_is_of_the_load_and_not_of_what_is_asked_once(here: Path, tmp_path: Path) -> None:
    flags = Flags(requests=["GET /a", "2 GET /b"], budget_s=600.0)
    pair = paired(here, tmp_path / "into", places=[".", "."], flags=flags)
    work = pair.catalog.scenario("requests")
    assert [one.path for one in work.manifest.requests] == ["/a", "/b", "/b"]
    asked = [question.path for question, _ in questions(work.folder)]
    assert asked == ["/a", "/b"]
    assert [load.label() for load in pair.study.loads] == ["full", "steady", "alone"]


def test_a_header_is_the_same_in_any_letter_case(tmp_path: Path) -> None:
    (tmp_path / "webdyno.toml").write_text(
        'headers = { authorization = "old", x-a = "1" }\n'
        'requests = ["GET /a", { path = "/b", headers = { X-A = "2" } }]\n'
        '[run]\ncommand = "./a"\n'
    )
    pair = paired(tmp_path, tmp_path / "into", flags=Flags(headers=["Authorization: new"]))
    a, b = pair.description.templates()
    assert a.headers == {"x-a": "1", "Authorization": "new"}
    assert b.headers == {"Authorization": "new", "X-A": "2"}
