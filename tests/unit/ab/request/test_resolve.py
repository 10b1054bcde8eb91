"""Which two versions are meant, and how each is built and started."""

from pathlib import Path
from typing import Any

import pytest

from support.git_folder import git
from unit.ab.conftest import FILE, paired
from webdyno.ab.flags import Flags
from webdyno.catalog import Catalog
from webdyno.errors import UserError


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


def test_a_commits_own_file_is_named_with_the_commit(here: Path, tmp_path: Path) -> None:
    git(here, "init", "-q", "-b", "main")
    (here / "a.js").touch()
    (here / "webdyno.toml").write_text(f"budgett = 1{FILE}")
    git(here, "add", "-A")
    git(here, "commit", "-q", "-m", "broken")
    (here / "webdyno.toml").unlink()
    git(here, "commit", "-q", "-a", "-m", "gone")
    into = tmp_path / "into"
    with pytest.raises(UserError) as caught:
        paired(here, into, places=["HEAD", "HEAD~1"])
    told = str(caught.value)
    assert told.startswith("B (HEAD~1 (")
    assert "): webdyno.toml: unknown key 'budgett'; did you mean 'budget'?; commit" in told
    assert str(into) not in told
    # One that is not needed is told beside the answer.
    (here / "webdyno.toml").write_text(FILE)
    b = paired(here, tmp_path / "again", places=["HEAD", "HEAD~1"]).versions[1]
    assert b.caution == (
        "not built and started as its own webdyno.toml says: webdyno.toml: unknown key 'budgett'; "
        "did you mean 'budget'?"
    )
