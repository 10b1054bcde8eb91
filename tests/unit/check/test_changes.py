"""What differs from the commit at which a branch began, in repositories of every kind."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from support.git_folder import git
from webdyno.catalog import Catalog
from webdyno.check import check_servers
from webdyno.check.affected import affected_servers
from webdyno.check.changes import Changes, changes_since
from webdyno.check.check_servers import CheckSettings, variants_to_check
from webdyno.check.show import notes
from webdyno.errors import UserError
from webdyno.run.verify import VerifyFinding
from webdyno.runtime.home import Home

MANIFEST = """
name = "{name}"
language = "python"
framework = "none"
framework_version = "1"
licence = "MIT"
toolchain = ["python >= 3.11"]
scenarios = ["hello"]
[run]
command = ["python", "main.py"]
"""


def server(root: Path, name: str) -> Path:
    """A server of the content in `root`; gives its program."""
    folder = root / name
    folder.mkdir(parents=True)
    (folder / "server.toml").write_text(MANIFEST.format(name=folder.name))
    (folder / "main.py").write_text("1")
    return folder / "main.py"


def committed(folder: Path, message: str = "one") -> None:
    if not (folder / ".git").exists():
        git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", message)


def names(found: Changes) -> list[str]:
    return [str(path.relative_to(found.top)) for path in found.files]


def touched(found: Changes, content: Path) -> list[str]:
    seen = affected_servers(found.files, Catalog([content]), lambda _: True)
    return [one.server.id for one in seen.servers]


def given(content: Path, tmp_path: Path) -> CheckSettings:
    home = Home(tmp_path / "home")
    return CheckSettings(Catalog([content]), home, tmp_path / "into", None, 0.95, 0.03)


@pytest.fixture
def content(tmp_path: Path) -> Path:
    folder = tmp_path / "a content"
    for name in ("one", "two"):
        server(folder, f"servers/python/{name}")
    committed(folder)
    return folder


def test_committed_changed_and_new_files_are_found_in_a_folder_with_spaces(content: Path) -> None:
    git(content, "checkout", "-q", "-b", "change")
    (content / "servers/python/one/main.py").write_text("2")
    committed(content, "two")
    (content / "servers/python/two/main.py").write_text("2")
    (content / "servers/python/two/ä b.txt").write_text("2")
    git(content, "checkout", "-q", "--detach")
    found = changes_since(content / "servers", "main")
    assert names(found) == [
        "servers/python/one/main.py",
        "servers/python/two/main.py",
        "servers/python/two/ä b.txt",
    ]
    assert touched(found, content) == ["python/one", "python/two"]
    assert found.cautions == ()


def test_line_ends_that_a_checkout_converts_are_no_change(content: Path) -> None:
    program = content / "servers/python/one/main.py"
    program.write_bytes(b"1\n2\n")
    committed(content, "lines")
    git(content, "config", "core.autocrlf", "true")
    program.unlink()
    git(content, "checkout", "--", ".")
    assert program.read_bytes() == b"1\r\n2\r\n"
    assert names(changes_since(content, "HEAD~1")) == ["servers/python/one/main.py"]
    assert names(changes_since(content, "HEAD")) == []


def test_what_is_checked_out_already_differs_in_nothing_and_that_is_told(content: Path) -> None:
    found = changes_since(content, "main")
    assert found.cautions == (
        "main is the commit that is checked out; to check that one, write main~1",
    )
    (content / "servers/python/one/main.py").write_text("2")
    assert changes_since(content, "main").cautions == ()


def test_a_branch_that_only_the_remote_has_and_one_that_a_shallow_clone_lacks(
    content: Path, tmp_path: Path
) -> None:
    (content / "servers/python/one/main.py").write_text("2")
    committed(content, "two")
    git(content, "branch", "base", "HEAD~1")
    shallow = tmp_path / "shallow"
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{content}", str(shallow))
    with pytest.raises(UserError, match=r"fetch more of it, since it is a shallow clone"):
        changes_since(shallow, "HEAD~1")
    git(shallow, "fetch", "-q", "--depth", "1", "origin", "base:refs/remotes/origin/base")
    with pytest.raises(UserError, match=r"write origin/base, which it has"):
        changes_since(shallow, "base")
    found = changes_since(shallow, "origin/base")
    assert touched(found, shallow) == ["python/one"]
    assert "fetch more of this shallow clone's history" in found.cautions[0]


def with_submodule(tmp_path: Path, path: str, library: Path) -> Path:
    """A repository with `library` as its submodule at `path`."""
    folder = tmp_path / "with submodule"
    server(folder, "other/python/own")
    committed(folder)
    allowed = ("-c", "protocol.file.allow=always")
    git(folder, *allowed, "submodule", "--quiet", "add", str(library), path)
    committed(folder, "with submodule")
    return folder


@pytest.mark.parametrize("path", ["servers", "servers/python", "servers/python/one"])
@pytest.mark.parametrize("is_committed", [True, False])
def test_a_server_in_a_submodule_is_touched_by_its_own_files(
    tmp_path: Path, path: str, is_committed: bool
) -> None:
    library = tmp_path / "library"
    below = "servers/python/one".removeprefix(path).strip("/") or "."
    for name in ("one", "two"):
        if below == "." and name == "two":
            continue
        own = below.replace("one", name)
        folder = library / own
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "server.toml").write_text(MANIFEST.format(name=name))
        (folder / "main.py").write_text("1")
    committed(library)
    root = with_submodule(tmp_path, path, library)
    (root / path / below / "main.py").write_text("2")
    if is_committed:
        committed(root / path, "two")
        committed(root, "two")
    found = changes_since(root, "HEAD~1" if is_committed else "HEAD")
    assert touched(found, root) == ["python/one"]
    (one,) = variants_to_check(found, given(root, tmp_path)).variants
    assert one.compared("hello")
    # A clone whose submodule lacks the former commit does not take the server for a new one.
    if is_committed:
        shutil.rmtree(root / ".git/modules")
        shutil.rmtree(tmp_path / "into")
        (root / path / ".git").unlink()
        committed(root / path, "another history")
        (one,) = variants_to_check(changes_since(root, "HEAD~1"), given(root, tmp_path)).variants[
            :1
        ]
        assert one.then is None
        assert one.unread.startswith("its former version is in a git submodule")


def test_a_file_that_changed_at_the_moment_of_the_index_is_found(tmp_path: Path) -> None:
    program = server(tmp_path / "content", "servers/python/one")
    root, moment = tmp_path / "content", 10**18
    os.utime(program, ns=(moment, moment))
    committed(root)
    # As where the clock of a file system ticks seldom: neither its times nor its size tell.
    git(root, "config", "core.trustctime", "false")
    program.write_text("2")
    os.utime(program, ns=(moment, moment))
    os.utime(root / ".git/index", ns=(moment, moment))
    assert touched(changes_since(root, "HEAD"), root) == ["python/one"]


def test_a_submodule_that_became_a_folder_is_looked_into(tmp_path: Path) -> None:
    library = tmp_path / "library"
    server(library, "servers/python/one")
    committed(library)
    root = with_submodule(tmp_path, "content", library)
    git(root, "rm", "--quiet", "--cached", "content")
    (root / "content/.git").unlink()
    committed(root, "a folder")
    changes = changes_since(root, "HEAD~1")
    # The folder was git's own entry, and is the catalog's root.
    assert root / "content" in changes.files
    assert touched(changes, root / "content") == ["python/one"]


def test_a_repository_without_servers_is_refused(tmp_path: Path, content: Path) -> None:
    service = tmp_path / "service"
    service.mkdir()
    (service / "webdyno.toml").write_text("")
    committed(service)
    (service / "main.py").write_text("1")
    found = changes_since(service, "HEAD")
    with pytest.raises(UserError, match=r"no servers/ or scenarios/ to check; .*webdyno ab"):
        variants_to_check(found, given(content, tmp_path))
    with pytest.raises(UserError, match="no servers/ or scenarios/ to check"):
        variants_to_check(found, given(service, tmp_path))


def test_a_former_version_that_cannot_be_read_settles_nothing(
    content: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manifest = content / "servers/python/one/server.toml"
    sound = manifest.read_text()
    manifest.write_text(sound + "[run.unknown]\n")
    committed(content, "of another version of Webdyno")
    manifest.write_text(sound)
    committed(content, "two")
    changes, settings = changes_since(content, "HEAD~1"), given(content, tmp_path)
    found = variants_to_check(changes, settings)
    proven = VerifyFinding("python/one", "hello", "proven")
    monkeypatch.setattr(check_servers, "verify_chosen", lambda *_: [proven])

    def unasked() -> Any:
        raise AssertionError("there is nothing to measure")

    checked = check_servers.check_servers(
        changes, found, settings, unasked, lambda _: None, lambda *_: None, unasked
    )
    assert checked.outcome == "not settled"
    (said,) = notes(checked)
    assert said.startswith("python/one hello: not settled: its former version cannot be read: ")


def test_a_removed_server_of_any_name_can_be_written(content: Path) -> None:
    folder = content / "servers/python/\udcff\n"
    folder.mkdir()
    (folder / "server.toml").touch()
    committed(content, "two")
    shutil.rmtree(folder)
    found = affected_servers(changes_since(content, "HEAD").files, Catalog([content]), bool)
    (name,) = found.removed
    assert name == "python/\N{REPLACEMENT CHARACTER}"
