"""`webdyno list` of scenarios, servers and studies, and of each in full."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.output_schemas import validated
from webdyno.catalog import Catalog
from webdyno.cli.main import main

ROOT = Path(__file__).resolve().parents[3]


def test_a_scenario_is_shown_in_full(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "page"]) == 0
    shown = capsys.readouterr().out
    manifest = Catalog().scenario("page").manifest
    assert shown.startswith("page: A page from PostgreSQL\n")
    assert "The contract. `GET /page` answers 200" in " ".join(shown.split())
    assert "Requests of the load: GET /page\nServices: postgresql\n" in shown
    assert "nginx/cache" in shown
    title = "For review of the source, since no check can prove it:"
    assert f"{title} - {manifest.review[0]}" in " ".join(shown.split())


def test_a_contract_fits_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    assert main(["list", "stack-8"]) == 0
    lines = capsys.readouterr().out.splitlines()
    # What is one word, such as a path, is left whole.
    assert [line for line in lines if len(line) > 60 and " " in line.strip()] == []
    assert any(line.startswith("8. `page`, rendered by a template engine:") for line in lines)
    assert '   lang="LANG"><h1>GREETING</h1><p>VISITS</p></article>`,' in lines


@pytest.mark.parametrize("scenario", Catalog().scenario_names())
def test_each_scenario_has_its_contract_in_its_manifest(scenario: str) -> None:
    manifest = Catalog().scenario(scenario).manifest
    _, said, contract = manifest.description.partition("The contract.")
    assert said, scenario
    # What a server is asked and how it answers, without a look at the verifier.
    assert all(
        one.path.partition("?")[0].partition("{")[0] in contract for one in manifest.requests
    )
    # What a right answer's status is; that of an upgrade to WebSocket is 101.
    assert ("101" if manifest.requests[0].websocket else "200") in contract


def test_the_same_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "sha256", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["review"] == Catalog().scenario("sha256").manifest.review
    assert "go/net-http" in shown["servers"]


def test_a_server_is_shown_in_full(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "node/express"]) == 0
    shown = capsys.readouterr().out
    manifest = Catalog().server("node/express").manifest
    assert shown.startswith(f"node/express: Express {manifest.framework_version}\n")
    assert "\nCommand: node " in shown
    assert f"JSON: {manifest.parts['json']}" in " ".join(shown.split())
    assert f"- node/express@cluster: {manifest.variants['cluster'].description}" in " ".join(
        shown.split()
    )


def test_a_variant_is_shown_as_it_runs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "go/gin@gomaxprocs-1"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("go/gin@gomaxprocs-1: Gin ")
    assert "\nEnvironment: GOMAXPROCS=1\n" in shown
    assert "Threads: 1 for Go code" in shown


@pytest.mark.parametrize(
    ("server", "needed"),
    [("node/express", ["node >= 20", "npm >= 10"]), ("node/express@node-26", ["npm >= 10"])],
)
def test_a_server_needs_nothing_that_its_runtime_provides(
    server: str, needed: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["list", server, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["toolchain"] == needed


def test_a_server_as_json_has_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "go/gin@no-sha", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["server"], shown["command"]) == ("go/gin@no-sha", ["./server"])
    assert shown["environment"] == {"GODEBUG": "cpu.sha=off"}
    assert "go/gin@gomaxprocs-1" in shown["variants"]
    assert "go/gin@no-sha" not in shown["variants"]
    assert Path(shown["folder"], "server.toml").is_file()


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("gin", "cannot list 'gin'; did you mean go/gin?"),
        ("go/jin", "no server 'go/jin'; did you mean 'go/gin'?"),
        ("go/gin@", "'go/gin@' names no variant; write go/gin, or go/gin@VARIANT"),
        ("go/gin@fast", "no variant 'fast'; it has: default, gomaxprocs-1"),
    ],
)
def test_a_server_that_is_not_there_is_told_from_those_that_are(
    asked: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["list", asked]) == 2
    assert said in capsys.readouterr().err


def test_what_is_neither_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "nonsense"]) == 2
    assert "cannot list 'nonsense'; choose from servers, " in capsys.readouterr().err


def test_a_file_that_is_wrong_hides_no_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WEBDYNO_CONTENT", str(tmp_path))
    for file in (
        "studies/bad.toml",
        "servers/node/bad/server.toml",
        "servers/bad/language.toml",
        "scenarios/bad/scenario.toml",
    ):
        path = tmp_path / file
        path.parent.mkdir(parents=True)
        path.write_text("wibble = 1\n", encoding="utf-8")
    assert main(["list", "--json"]) == 2
    shown = capsys.readouterr()
    found = json.loads(shown.out)
    catalog = Catalog([ROOT])
    assert [row["study"] for row in found["studies"]] == catalog.study_names()
    assert [row["scenario"] for row in found["scenarios"]] == catalog.scenario_names()
    assert len(found["servers"]) == len(catalog.servers())
    lines = shown.err.splitlines()
    assert len(lines) == 4
    assert all("unknown key 'wibble'" in line and str(tmp_path) in line for line in lines)
    assert main(["list", "page"]) == 2
    assert capsys.readouterr().out.startswith("page: A page from PostgreSQL\n")


def test_servers_take_a_line_or_two_and_their_names_stay_whole(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    catalog = Catalog()
    assert main(["list", "servers"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) < 1.5 * len(catalog.server_ids())
    assert max(map(len, lines)) <= 80
    firsts = [line.split(" ")[0] for line in lines if line and not line.startswith(" ")]
    assert firsts[2:-1] == catalog.server_ids()
    (gin,) = [line.split() for line in lines if line.startswith("go/gin ")]
    server = catalog.server("go/gin")
    variants = len(server.variant_names()) - 1
    assert gin[-2:] == [str(len(server.manifest.scenarios)), str(variants)]
    assert "`webdyno list SERVER`" in lines[-2]
    assert main(["list", "servers", "--json"]) == 0
    row = next(
        one for one in json.loads(capsys.readouterr().out)["servers"] if one["server"] == "go/gin"
    )
    assert row["scenarios"].split() == server.manifest.scenarios


def test_a_study_is_shown_in_full(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "quick"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    study = Catalog().study("quick")
    assert shown.startswith(f"quick: {study.title} {study.question} Servers: go/net-http, ")
    assert "(and their variants that use all cores)" in shown
    assert "Control (entered twice): go/net-http Ranked by: throughput_rps Budget: " in shown
    assert "Scenarios: - json - sha256 (n_max = 50) Loads: - closed: closed load, " in shown


def test_loads_of_a_study_say_how_many_requests_they_make_and_which_are_not_run(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["list", "point-lookup-unindexed"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "- point-lookup (index = false)" in shown
    assert "- users-4: 4 users, each sending 15 requests" in shown
    assert main(["list", "swift-vs-node"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "load made by wrk, as published (only with --method as-published or both)" in shown


def test_a_framework_that_comes_with_a_runtime_has_its_version(
    capsys: pytest.CaptureFixture[str],
) -> None:
    provided = Catalog().language("go").runtimes["go-1.27"].provides["go"]
    for reference, version in (
        ("go/net-http", "(as installed)"),
        ("go/net-http@go-1.27", provided),
    ):
        assert main(["list", reference]) == 0
        assert capsys.readouterr().out.startswith(f"{reference}: net/http {version}\n")


def test_a_study_as_json_has_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "sha256-spike", "--json"]) == 0
    shown = validated("list", capsys.readouterr().out)
    study = Catalog().study("sha256-spike")
    assert (shown["servers"], shown["budget_s"]) == (study.servers, study.budget)
    assert [one["label"] for one in shown["scenarios"]] == [one.title for one in study.entries()]
    assert [one["load"] for one in shown["loads"]] == [one.label() for one in study.loads]
    assert shown["scenarios"][2]["loads"][-1] == "p99 below 100 ms"
    assert all(one["what"] for one in shown["loads"])
    assert Path(shown["file"]).is_file()


def test_a_study_is_found_beside_a_scenario_of_its_name_and_by_its_file(
    capsys: pytest.CaptureFixture[str],
) -> None:
    study = Catalog().study("hello")
    assert main(["list", "hello"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("hello: Hello World\n")
    assert f"\n\nA study has the same name.\n\nhello: {study.title}\n\n{study.question}" in shown
    assert main(["list", "hello", "--json"]) == 0
    assert "description" in json.loads(capsys.readouterr().out)
    file = str(Catalog().study_file("hello"))
    assert main(["list", file, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["question"] == study.question
    assert main(["list", "nowhere.toml"]) == 2
