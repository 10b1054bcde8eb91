"""Which servers a change touches, by the files that differ."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from support.git_folder import git
from webdyno.catalog.catalog import Catalog
from webdyno.catalog.servers.server import Server
from webdyno.check.affected import AffectedServer, affected_servers
from webdyno.check.changes import changes_since
from webdyno.check.former import affected_variants, dropped_variants, former_catalog
from webdyno.errors import UserError

MANIFEST = """
name = "{name}"
language = "{language}"
framework = "none"
framework_version = "1.0"
licence = "MIT"
toolchain = []
scenarios = {scenarios}
{more}
[run]
command = ["./serve"]
"""


def add_server(root: Path, id_: str, scenarios: list[str], more: str = "") -> Path:
    folder = root / "servers" / id_
    folder.mkdir(parents=True, exist_ok=True)
    language, name = id_.split("/")
    (folder / "server.toml").write_text(
        MANIFEST.format(name=name, language=language, scenarios=scenarios, more=more)
    )
    (folder / "serve").write_text("1")
    return folder


@pytest.fixture
def content(tmp_path: Path) -> Path:
    root = tmp_path / "content"
    add_server(root, "a/one", ["hello"])
    add_server(root, "a/two", ["hello", "json"])
    add_server(root, "b/three", ["json"])
    add_server(root, "b/gone", ["json", "hello"], 'status = "unbuildable"\nreason = "old"')
    (root / "servers" / "a" / "runtimes" / "v2").mkdir(parents=True)
    (root / "src" / "webdyno").mkdir(parents=True)
    return root


def able(server: Server) -> bool:
    return server.manifest.status == "ok"


def seen(root: Path, *files: str) -> dict[str, tuple[str, ...]]:
    found = affected_servers([root.resolve() / file for file in files], Catalog([root]), able)
    return {one.server.id: one.scenarios for one in found.servers}


@pytest.mark.parametrize(
    ("file", "whom"),
    [
        ("servers/a/two/serve", {"a/two": ("hello", "json")}),
        ("servers/b/three/lock/deps.lock", {"b/three": ("json",)}),
        ("scenarios/hello/verifier.py",
         {"a/one": ("hello",), "a/two": ("hello",), "b/gone": ("hello",)}),
        ("servers/a/language.toml", {"a/two": ("hello", "json")}),
        ("src/webdyno/run/run_study.py", {"a/two": ("hello", "json"), "b/three": ("json",)}),
        ("engine/src/lib.rs", {"a/two": ("hello", "json"), "b/three": ("json",)}),
        ("requirements.lock", {"a/two": ("hello", "json"), "b/three": ("json",)}),
        ("servers/a/two/README.md", {}),
        # It may be served.
        ("servers/a/two/posts/README.md", {"a/two": ("hello", "json")}),
        ("servers/a/two/post.md", {"a/two": ("hello", "json")}),
        ("scenarios/json/README.md", {}),
        ("scenarios/json/data/a.md",
         {"a/two": ("json",), "b/three": ("json",), "b/gone": ("json",)}),
        ("servers/a/README.md", {}),
        ("docs/start.md", {}),
        ("tests/unit/test_x.py", {}),
    ],
)  # fmt: skip
def test_what_a_file_touches(content: Path, file: str, whom: dict[str, tuple[str, ...]]) -> None:
    assert seen(content, file) == whom


def test_a_touched_server_stands_for_its_language_where_shared_code_is_touched(
    content: Path,
) -> None:
    found = seen(content, "servers/a/one/serve", "src/webdyno/x.py")
    assert found == {"a/one": ("hello",), "b/three": ("json",)}


def test_a_server_at_all_its_scenarios_though_only_one_of_them_changed(content: Path) -> None:
    found = seen(content, "servers/a/two/serve", "scenarios/json/scenario.toml")
    assert found == {"a/two": ("hello", "json"), "b/three": ("json",), "b/gone": ("json",)}


def test_a_folder_called_src_is_shared_code_in_webdynos_own_checkout_only(content: Path) -> None:
    (content / "src" / "webdyno").rmdir()
    assert seen(content, "src/main.py") == {}


def test_a_release_that_changed_is_tried_with_one_server(content: Path) -> None:
    file = content.resolve() / "servers" / "a" / "runtimes" / "v2" / "package.json"
    (found,) = affected_servers([file], Catalog([content]), able).servers
    assert (found.server.id, found.runtimes) == ("a/two", ("v2",))


def test_a_server_that_is_gone_is_named(content: Path) -> None:
    files = [content.resolve() / "servers/a/old" / name for name in ("serve", "server.toml")]
    found = affected_servers(files, Catalog([content]), able)
    assert (found.servers, found.removed) == ([], ["a/old"])
    # What never had a manifest was no server.
    assert affected_servers(files[:1], Catalog([content]), able).removed == []


@pytest.fixture
def repository(content: Path) -> Path:
    git(content, "init", "-q", "-b", "main")
    git(content, "add", "-A")
    git(content, "commit", "-q", "-m", "one")
    return content


def test_files_committed_changed_and_new_but_not_those_of_the_other_branch(
    repository: Path,
) -> None:
    git(repository, "checkout", "-q", "-b", "mine")
    (repository / "servers/a/one/serve").write_text("2")
    git(repository, "commit", "-q", "-a", "-m", "mine")
    git(repository, "checkout", "-q", "main")
    (repository / "servers/b/three/serve").write_text("theirs")
    git(repository, "commit", "-q", "-a", "-m", "theirs")
    git(repository, "checkout", "-q", "mine")
    (repository / "servers/a/two/serve").write_text("not committed")
    (repository / "servers/a/two/new").write_text("new")
    found = changes_since(repository / "servers", "main")
    names = [str(path.relative_to(found.top)) for path in found.files]
    assert names == ["servers/a/one/serve", "servers/a/two/new", "servers/a/two/serve"]


def test_the_index_is_neither_locked_nor_written(repository: Path) -> None:
    index = repository / ".git/index"
    # git would note in the index that a file with a new time has the same contents.
    os.utime(repository / "servers/a/one/serve", (1, 1))
    before = index.read_bytes()
    assert changes_since(repository, "main").files == ()
    assert index.read_bytes() == before
    # What `git diff` does by itself.
    git(repository, "diff", "--name-only", "main")
    assert index.read_bytes() != before


@pytest.mark.parametrize("reference", ["no-such-branch", "--all"])
def test_a_reference_that_is_none_is_refused_with_what_to_do(
    repository: Path, reference: str
) -> None:
    with pytest.raises(UserError, match=r"no such commit .*name a commit, branch or tag"):
        changes_since(repository, reference)


def test_a_folder_outside_of_any_repository_is_told_as_such(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=f"{tmp_path.resolve()} is in no git repository; go to"):
        changes_since(tmp_path, "main")


def cloned(repository: Path, into: Path, *options: str) -> Path:
    git(repository.parent, "clone", "-q", *options, repository.as_uri(), str(into))
    return into


def test_a_branch_that_only_the_remote_has_is_named_as_it_is_called_here(
    repository: Path, tmp_path: Path
) -> None:
    clone = cloned(repository, tmp_path / "clone")
    git(clone, "checkout", "-q", "-b", "mine")
    git(clone, "branch", "-q", "-D", "main")
    with pytest.raises(UserError, match=r"no such commit .*; write origin/main, which it has"):
        changes_since(clone, "main")


def test_a_shallow_clone_is_told_where_it_lacks_what_is_compared_with(
    repository: Path, tmp_path: Path
) -> None:
    git(repository, "branch", "mine")
    (repository / "servers/b/three/serve").write_text("theirs")
    git(repository, "commit", "-q", "-a", "-m", "theirs")
    git(repository, "checkout", "-q", "mine")
    (repository / "servers/a/one/serve").write_text("2")
    git(repository, "commit", "-q", "-a", "-m", "mine")
    clone = cloned(repository, tmp_path / "clone", "--depth", "1", "--branch", "mine")
    with pytest.raises(
        UserError, match=r"no such commit .*; fetch more of it, since it is a shall"
    ):
        changes_since(clone, "HEAD~1")
    git(clone, "fetch", "-q", "--depth", "1", "origin", "main:main")
    found = changes_since(clone, "main")
    assert [path.parent.name for path in found.files] == ["one", "three"]
    assert found.cautions == (
        "the commit where the branch left main is not in this repository, so later changes of main "
        "count as the branch's; fetch more of this shallow clone's history",
    )
    git(clone, "fetch", "-q", "--unshallow", "origin", "main:main")
    found = changes_since(clone, "main")
    assert ([path.parent.name for path in found.files], found.cautions) == (["one"], ())


def test_a_name_that_is_a_tag_and_a_branch_is_told(repository: Path) -> None:
    git(repository, "tag", "main")
    (repository / "servers/a/one/serve").write_text("2")
    git(repository, "commit", "-q", "-a", "-m", "two")
    (caution,) = changes_since(repository, "main").cautions
    assert caution == (
        "main is taken as refs/tags/main, as git does; write refs/heads/main if you mean that"
    )


def test_the_repository_of_the_working_directory_is_named(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository)
    with pytest.raises(UserError, match=f"in the repository of {repository.resolve()};"):
        changes_since(Path("."), "no-such-branch")


def test_which_variants_are_looked_at_and_what_is_compared(
    repository: Path, tmp_path: Path
) -> None:
    folder = add_server(
        repository, "a/two", ["hello", "json", "page"],
        '[variants.kept]\ndescription = "as before"\n[variants.fresh]\ndescription = "new"',
    )  # fmt: skip
    git(repository, "add", "-A")
    catalog = Catalog([repository])
    former = former_catalog(changes_since(repository, "HEAD"), [repository], tmp_path / "base")
    server = catalog.server("a/two")
    one = AffectedServer(server, tuple(server.manifest.scenarios), "its own files")
    default, *others = affected_variants(one, former)
    assert [each.today.label for each in others] == ["a/two@kept", "a/two@fresh"]
    # Nothing of its program is different yet, and it did not do `page`.
    assert default.same
    assert not default.compared("hello")
    (folder / "serve").write_text("2")
    default, variant, _ = affected_variants(one, former)
    assert [default.compared(name) for name in ("hello", "json", "page")] == [True, True, False]
    assert not variant.compared("hello")


def test_scenarios_and_variants_that_a_server_has_no_more_are_named(
    repository: Path, tmp_path: Path
) -> None:
    was = '[variants.kept]\ndescription = "as before"\n[variants.old]\ndescription = "goes"'
    add_server(repository, "a/two", ["hello", "json", "page"], was)
    git(repository, "add", "-A")
    git(repository, "commit", "-q", "-m", "before")
    add_server(repository, "a/two", ["json"], '[variants.kept]\ndescription = "as before"')
    catalog = Catalog([repository])
    former = former_catalog(changes_since(repository, "HEAD"), [repository], tmp_path / "base")
    server = catalog.server("a/two")
    those = affected_variants(AffectedServer(server, ("json",), "its own files"), former)
    assert those[0].dropped == ("hello", "page")
    assert dropped_variants(those) == ["a/two@old"]
    # What is new has dropped nothing.
    add_server(repository, "a/new", ["json"])
    new = Catalog([repository]).server("a/new")
    those = affected_variants(AffectedServer(new, ("json",), "its own files"), former)
    assert (those[0].dropped, dropped_variants(those)) == ((), [])
