"""Which two versions are meant, and what flags change in a description."""

import json
from pathlib import Path
from typing import Any

import pytest

from unit.ab.conftest import FILE
from webdyno.ab import pair_request
from webdyno.ab.flags import Flags
from webdyno.ab.pair_request import PairRequest, assumed, described_in, resolve
from webdyno.ab.study.pairing import Pairing, pairing
from webdyno.ab.study.proof import questions
from webdyno.ab.versions.version import from_one_folder
from webdyno.catalog import Catalog
from webdyno.errors import UserError


def paired(here: Path, into: Path, **changes: Any) -> Pairing:
    known = Catalog()
    description, versions = resolve(PairRequest(cwd=here, **changes), known, into)
    return pairing(description, versions, known, into)


def test_flags_take_the_place_of_what_the_file_says(here: Path, tmp_path: Path) -> None:
    flags = Flags(
        requests=["GET /b"],
        headers=["X-A: {1}"],
        build=["make"],
        env=["B=2"],
        ready="/up",
        port_variable="SHOP_PORT",
        load={"kinds": ["full"], "connections": 4},
        other={"budget": 60.0},
    )
    pair = paired(here, tmp_path / "into", places=[".", "."], flags=flags)
    server = pair.catalog.server("shop/a")
    assert server.manifest.build.commands == [["make"]]
    assert server.manifest.run.env == {"SHOP_PORT": "${PORT}", "A": "1", "B": "2"}
    assert server.manifest.run.ready == "/up"
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


def test_versions_that_are_made_differently_are_made_as_each_says(
    here: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "webdyno.toml").write_text(FILE.replace("node a.js", "node b.js"))

    def commands(**changes: Any) -> list[list[str]]:
        pair = paired(here, tmp_path / "into", places=[".", "../other"], **changes)
        return [list(server.manifest.run.command) for server in pair.catalog.pair.values()]

    assert commands() == [["node", "a.js"], ["node", "b.js"]]
    pair = paired(here, tmp_path / "into", places=[".", "../other"])
    assert all("as its own webdyno.toml says" in one.caution for one in pair.versions)
    # What is given applies to both, and so does what they agree on.
    assert commands(file=here / "webdyno.toml") == [["node", "a.js"]] * 2
    (other / "webdyno.toml").write_text(FILE.replace("GET /a", "GET /b"))
    pair = paired(here, tmp_path / "into", places=[".", "../other"])
    assert not any(one.caution for one in pair.versions)


def test_versions_without_a_file_are_made_as_their_own_manifests_say(tmp_path: Path) -> None:
    files = {
        "n/package.json": '{"main": "old.js", "dependencies": {"x": "1"}}', "n/old.js": "",
        "n/package-lock.json": "{}", "m/package.json": '{"main": "new.js"}', "m/new.js": "",
        "g/go.mod": "module x", "g/main.go": "package main",
    }  # fmt: skip
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)

    def made(a: str, b: str) -> list[tuple[Any, Any, str]]:
        pair = paired(
            tmp_path / "n", tmp_path / "into", places=[f"../{a}", f"../{b}"],
            flags=Flags(requests=["GET /"]),
        )  # fmt: skip
        return [
            (one.manifest.build.commands, one.manifest.run.command, one.language.runtime)
            for one in pair.catalog.pair.values()
        ]

    go = ([["go", "build", "-o", "service", "."]], ["./service"], Catalog().language("go").runtime)
    node = ([["npm", "ci", "--no-audit", "--no-fund"]], ["node", "old.js"], "V8")
    assert made("n", "g") == [node, go]
    assert made("n", "m") == [node, ([], ["node", "new.js"], "V8")]
    # Where one of them says nothing, both are made alike.
    (tmp_path / "empty").mkdir()
    assert made("n", "empty") == [node, node]
    # Versions that agree are made as they say, whatever the folder that one stands in has become.
    assert made("g", "g") == [go, go]


def test_a_version_whose_own_manifest_is_refused_is_told(tmp_path: Path) -> None:
    for name, text in {
        "n/package.json": '{"main": "a.js"}', "n/a.js": "",
        "g/pom.xml": "<modules><module>app</module>\n<module>lib</module></modules>",
    }.items():  # fmt: skip
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    pair = paired(
        tmp_path / "n", tmp_path / "into", places=[".", "../g"], flags=Flags(requests=["GET /"])
    )
    a, b = pair.versions
    assert a.caution == ""
    assert b.caution.startswith(
        "not built and started as its own manifest says: pom.xml: the build has 2 modules"
    )
    assert [one.description for one in (a, b)] == [None, None]


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
    [({"scripts": {"start": "vite"}}, True), ({"workspaces": ["for development", "b"]}, False)],
)
def test_a_start_for_development_is_known_by_more_than_the_words(
    tmp_path: Path, package: dict[str, Any], of_development: bool
) -> None:
    for member in (tmp_path / "for development", tmp_path / "b"):
        member.mkdir()
        (member / "package.json").write_text('{"scripts": {"start": "node a.js"}}')
    (tmp_path / "package.json").write_text(json.dumps(package))
    wanted = PairRequest(cwd=tmp_path, places=[".", "."])
    found = assumed(wanted, resolve(wanted, Catalog(), tmp_path / "into")[1])
    assert "for development" in found.sentence
    assert found.of_development is of_development


def test_a_file_without_a_start_command_is_named(here: Path, tmp_path: Path) -> None:
    path = here / "webdyno.toml"
    path.write_text(FILE.partition("[run]")[0])
    for places in ([], [".", "."]):
        with pytest.raises(UserError, match=r"webdyno\.toml: .*; set `command` under \[run\]"):
            paired(here, tmp_path / "into", places=places)
    assert paired(here, tmp_path / "into", commands=["node a.js"])
    path.unlink()
    with pytest.raises(UserError, match=r"no start command; .* run `webdyno init`"):
        paired(here, tmp_path / "into", flags=Flags(requests=["GET /"], no_build=True))
    for more in ({"env": ["A=B"]}, {"writes": True}, {"ready": "/health"}):
        flags = Flags(requests=["GET /"], no_build=True, **more)
        with pytest.raises(UserError, match=r"no start command; .* run `webdyno init`"):
            paired(here, tmp_path / "into", flags=flags)


def test_runtimes_of_a_language_that_nobody_names_are_refused(here: Path, tmp_path: Path) -> None:
    (here / "webdyno.toml").unlink()
    flags = Flags(requests=["GET /"], no_build=True)
    with pytest.raises(UserError, match=r"--runtime needs to know .*; set `language` in webdyno"):
        paired(
            here, tmp_path / "into", flags=flags, commands=["./a"], runtimes=["node@24", "node@26"]
        )


def test_a_folder_is_looked_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Path] = []
    monkeypatch.setattr(pair_request, "recognise", lambda folder: seen.append(folder))
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


def test_the_same_sources_are_built_once(here: Path, tmp_path: Path) -> None:
    same = paired(here, tmp_path / "one", places=[".", "."])
    ids = {same.catalog.server(f"shop/{letter}").build_id for letter in "ab"}
    assert ids == {"shop/a"}
    commands = ["node a.js", "node b.js"]
    pair = paired(here, tmp_path / "two", commands=commands)
    assert {pair.catalog.server(f"shop/{letter}").build_id for letter in "ab"} == {"shop/a"}
    ran = [pair.catalog.server(f"shop/{letter}").manifest.run.command for letter in "ab"]
    assert ran == [["node", "a.js"], ["node", "b.js"]]


def test_a_runtime_of_the_language_is_a_variant(here: Path, tmp_path: Path) -> None:
    pair = paired(here, tmp_path / "into", runtimes=["node@24", "node@26"])
    assert pair.labels == ("shop/a@node-24", "shop/b@node-26")
    server = pair.catalog.server_variant("shop/a@node-24").server
    assert (server.runtime_folder / "package.json").is_file()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"places": ["."], "packages": ["a@1", "a@2"]}, "cannot be combined; give one of them"),
        ({"packages": ["a@1"]}, "--with: 1 given; give it twice"),
        ({"commands": ["a", "b", "c"]}, "--command: 3 given; give it twice"),
        ({"packages": ["a", "a@2"]}, "no version; write it as name@version"),
        ({"flags": Flags(other={"margin": 3.0})}, "the options: key 'margin'"),
        ({"runtimes": ["node@1", "node@2"]}, "--runtime node@1: unknown; choose from node@"),
        (
            {"runtimes": ["node@1", "node@2"]},
            "name the programs of two that this machine has in two --command ('/path/to/node …')",
        ),
        (
            {"runtimes": ["python@3.11", "python@3.12"]},
            "python@3.11: this service does not run on python;",
        ),
        ({"flags": Flags(env=["A"])}, "write it as NAME=VALUE"),
        (
            {"flags": Flags(ignore=["x-id"])},
            "--ignore x-id: not understood; write it as header:NAME, json:PATH",
        ),
        ({"flags": Flags(ignore=["pattern:("])}, "is not a valid regular expression"),
        ({"urls": ["http://a/"] * 2, "flags": Flags(services=["mariadb"])}, "--service is for"),
        ({"flags": Flags(requests=["b"])}, "write it like 'GET /items'"),
        ({"flags": Flags(requests=["GET /a?b={c}"])}, "define `variables.c`, or write %7B and %7D"),
        (
            {"urls": ["http://a/"] * 2, "commands": ["a"]},
            "--command is for versions that ab builds",
        ),
        ({"urls": ["http://a/"] * 2, "flags": Flags(ready="/")}, "--ready is for versions"),
        ({"file": Path("/no/such.toml")}, "no such file"),
        (
            {"flags": Flags(load={"kinds": ["full"], "rate": "9/s"})},
            "--rate is for the steady load, which is not among the loads (full); add steady",
        ),
    ],
)
def test_what_is_unclear_is_refused(
    here: Path, tmp_path: Path, changes: dict[str, Any], said: str
) -> None:
    with pytest.raises(UserError) as caught:
        paired(here, tmp_path / "into", **changes)
    assert said in str(caught.value)


def test_what_is_not_said_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "bare").mkdir()
    with pytest.raises(UserError, match="give --command"):
        paired(tmp_path / "bare", tmp_path / "into")
    with pytest.raises(UserError, match="give --request"):
        paired(tmp_path / "bare", tmp_path / "into", commands=["x", "y"])


def test_a_weight_is_of_the_load_and_not_of_what_is_asked_once(here: Path, tmp_path: Path) -> None:
    flags = Flags(requests=["GET /a", "2 GET /b"], other={"budget": "10m"})
    pair = paired(here, tmp_path / "into", places=[".", "."], flags=flags)
    work = pair.catalog.scenario("requests")
    assert [one.path for one in work.manifest.requests] == ["/a", "/b", "/b"]
    asked = [question.path for question, _ in questions(work.folder)]
    assert asked == ["/a", "/b"]
    assert [load.label() for load in pair.study.loads] == ["full", "steady", "alone"]


SERVICES = """
[services.postgresql]
seed = ["tables.sql", "more/rows.sql"]
"""


def with_services(here: Path) -> None:
    (here / "webdyno.toml").write_text(FILE + SERVICES)
    (here / "more").mkdir()
    for name in ("tables.sql", "more/rows.sql"):
        (here / name).write_text(f"-- {name}\n")


def test_seeds_are_kept_in_their_order(here: Path, tmp_path: Path) -> None:
    with_services(here)
    pair = paired(here, tmp_path / "into", places=[".", "."])
    scenario = pair.catalog.scenario("requests")
    assert scenario.manifest.services == ["postgresql"]
    seeds = sorted((scenario.folder / "seeds" / "postgresql").glob("*/*.sql"))
    assert [seed.read_text() for seed in seeds] == ["-- tables.sql\n", "-- more/rows.sql\n"]


def test_with_a_database_there_are_no_turns(here: Path, tmp_path: Path) -> None:
    alone = paired(here, tmp_path / "alone", places=[".", "."]).study.loads
    with_services(here)
    beside = paired(here, tmp_path / "beside", places=[".", "."]).study.loads
    assert [load.in_turns for load in alone] == [True, True]
    assert [load.in_turns for load in beside] == [False, False]


def test_a_seed_lies_beside_the_description_that_names_it(here: Path, tmp_path: Path) -> None:
    with_services(here)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    wanted = PairRequest(cwd=elsewhere, places=[str(here), str(elsewhere)])
    _, versions = resolve(wanted, Catalog(), tmp_path / "into")
    assert described_in(wanted, versions) == here
    named = PairRequest(cwd=elsewhere, file=here / "webdyno.toml")
    assert described_in(named, versions) == here


def test_a_seed_that_is_not_there_is_told(here: Path, tmp_path: Path) -> None:
    with_services(here)
    (here / "tables.sql").unlink()
    with pytest.raises(UserError, match=r"services.postgresql.seed: no file tables.sql"):
        paired(here, tmp_path / "into", places=[".", "."])


def test_a_toolchain_that_is_none_is_told_with_its_file(here: Path, tmp_path: Path) -> None:
    path = here / "webdyno.toml"
    path.write_text(f'toolchain = ["golang >= 1.20"]\n{path.read_text()}')
    with pytest.raises(UserError) as caught:
        paired(here, tmp_path / "into", places=[".", "."])
    said = f"{path}: key 'toolchain': toolchain 'golang' is unknown; choose from "
    assert str(caught.value).startswith(said)


def test_a_slip_in_a_placeholder_is_refused_before_anything_is_built(
    here: Path, tmp_path: Path
) -> None:
    with pytest.raises(UserError, match=r"refers to \$\{PROT\}, which nothing sets; write \$\{PO"):
        paired(here, tmp_path / "into", commands=["./a ${PORT}", "./a ${PROT}"])
