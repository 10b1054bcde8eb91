"""The server of an older run, found again: in git, among the builds, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.git_folder import git
from support.hello_server import write_hello_server
from support.small_run import a_run
from support.small_study import trials
from webdyno.ab.baselines.baseline import Baseline, BaselineFinder, baseline_label, under_own_name
from webdyno.catalog import Catalog
from webdyno.run.preparation.servers import prepare, server_record
from webdyno.run.preparation.sources import server_digest
from webdyno.run.study.plan import Entry
from webdyno.runtime.builds.sources import source_of
from webdyno.store.records import BuildRecord, RunRecord
from webdyno.trial.events import silent

LABEL = "python/mine"


class Team:
    """A team's content, with a server that was measured once."""

    def __init__(self, folder: Path) -> None:
        self.content, self.builds, self.into = folder / "c", folder / "builds", folder / "into"
        write_hello_server(self.content, "mine")

    @property
    def program(self) -> Path:
        return self.content / "servers" / "python" / "mine" / "server.py"

    def catalog(self) -> Catalog:
        return Catalog.with_overlay(self.content)

    def measured(self) -> RunRecord:
        """The record of a run of the server as it is now; it is built."""
        entry = Entry(self.catalog().server_variant(LABEL))
        ready, left_out = prepare([entry], self.builds, silent)
        assert not left_out
        build = BuildRecord(digest=ready[LABEL].build.digest)
        changes = {
            "server": LABEL, "build": build, "sources": {
                "server": server_digest(entry.server_variant.server, "default"),
            },
        }  # fmt: skip
        one = trials(1)[0].model_copy(update=changes)
        return a_run("old", [one], servers=[server_record(entry)])

    def find(self, run: RunRecord) -> Baseline | str:
        self.into = self.into / "next"  # A gate has a folder of its own.
        return BaselineFinder(run, self.builds, self.into).find(
            self.catalog().server_variant(LABEL)
        )


@pytest.fixture
def team(tmp_path: Path) -> Team:
    return Team(tmp_path)


def change(team: Team) -> str:
    before = team.program.read_text()
    team.program.write_text(before + "# slower\n")
    return before


def program_of(found: Baseline | str) -> str:
    assert isinstance(found, Baseline), found
    return (found.server.folder / "server.py").read_text()


def commit(team: Team) -> str:
    git(team.content, "init", "-q", "-b", "main")
    git(team.content, "add", "-A")
    git(team.content, "commit", "-q", "-m", "one")
    return git(team.content, "rev-parse", "HEAD").strip()


def test_what_did_not_change_is_todays(team: Team) -> None:
    found = team.find(team.measured())
    assert isinstance(found, Baseline)
    assert found.server.folder == team.program.parent
    twin = under_own_name(found.server, found.server)
    # One build serves both.
    assert (twin.id, twin.build_id) == ("python/mine-baseline", LABEL)


def test_a_changed_server_is_found_in_git(team: Team) -> None:
    head = commit(team)
    run = team.measured()
    assert (run.servers[0].commit, run.servers[0].modified) == (head, False)
    team.builds = team.builds.with_name("none")
    before = change(team)
    git(team.content, "commit", "-q", "-a", "-m", "two")
    found = team.find(run)
    assert program_of(found) == before
    assert isinstance(found, Baseline)
    assert found.origin == f"from commit {head[:10]}"
    assert found.server.commit == head


def test_changes_that_were_not_committed_are_found_in_the_build(team: Team) -> None:
    commit(team)
    change(team)
    run = team.measured()
    assert run.servers[0].modified
    before = change(team)
    assert program_of(team.find(run)) == before
    team.builds = team.builds.with_name("none")
    said = team.find(run)
    assert isinstance(said, str)
    assert "with changes that were not committed, does not have it" in said
    assert "so is its build" in said


@pytest.mark.parametrize("depth", ["", "1"])
def test_a_commit_that_the_clone_lacks_is_told_as_that(
    team: Team, tmp_path: Path, depth: str
) -> None:
    head = commit(team)
    run = team.measured()
    change(team)
    git(team.content, "commit", "-q", "-a", "--amend", "-m", "squashed")
    clone = tmp_path / "clone"
    options = ["--depth", depth] if depth else []
    git(tmp_path, "clone", "-q", *options, team.content.as_uri(), str(clone))
    team.content, team.builds = clone, team.builds.with_name("none")
    deep = "; in an action, fetch-depth: 0" if depth else ""
    assert team.find(run) == (
        f"its source is gone (commit {head[:10]} is not in this clone; fetch it: git fetch origin "
        f"{head}{deep}), and so is its build"
    )


def test_a_commit_of_no_repository_here_is_told_as_that(team: Team, tmp_path: Path) -> None:
    head = commit(team)
    run = team.measured()
    change(team)
    (team.content / ".git").rename(tmp_path / "moved")
    team.builds = team.builds.with_name("none")
    assert team.find(run) == (
        f"its source is gone (commit {head[:10]} of a repository that this folder is not in), and "
        "so is its build"
    )


def test_what_was_found_in_a_build_is_not_built_again(team: Team) -> None:
    run = team.measured()
    change(team)
    found = team.find(run)
    assert isinstance(found, Baseline)
    today = team.catalog().server(LABEL)
    then = under_own_name(found.server, today)
    # Neither the log nor the stamp of the build is among its sources.
    assert {path.name for path in source_of(then)} == {"server.py", "server.toml"}
    content = team.catalog()
    entries = [Entry(content.server_variant(LABEL))]
    entries.insert(0, Entry(type(entries[0].server_variant)(then)))
    ready, _ = prepare(entries, team.builds, silent)
    assert ready["python/mine-baseline"].build.cached
    assert ready["python/mine-baseline"].build.folder != ready[LABEL].build.folder


def test_another_way_to_run_it_is_another_server(team: Team) -> None:
    run = team.measured()
    manifest = team.program.with_name("server.toml")
    manifest.write_text(manifest.read_text() + 'env = { FAST = "1" }\n')
    found = team.find(run)
    assert isinstance(found, Baseline)
    assert not found.server.manifest.run.env


def test_a_record_without_digests_says_so(team: Team) -> None:
    run = team.measured()
    run.trials[0].sources = {}
    assert team.find(run) == "run old does not record its source"


def test_labels() -> None:
    assert baseline_label("node/express@cluster") == "node/express-baseline@cluster"
