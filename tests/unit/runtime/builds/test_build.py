"""What a build leaves is measured as its manifest says."""

from __future__ import annotations

import json
import os
import socket
from pathlib import Path

import pytest

from support.git_folder import git
from webdyno.catalog.servers.server import Server, read_server
from webdyno.errors import UserError
from webdyno.run.preparation.sources import server_digest
from webdyno.runtime.builds.build import build, digest_of
from webdyno.runtime.builds.environment import declared_environment
from webdyno.runtime.builds.source_lines import lines_of
from webdyno.runtime.proc import is_zombie

MANIFEST = """
name = "tiny"
language = "shell"
framework = "none"
framework_version = "1"
licence = "MIT"
toolchain = []
scenarios = ["hello"]
[build]
commands = [["sh", "-c", "mkdir -p lib/tools; printf 12345 >lib/used; printf 123 >lib/tools/one"]]
artefact = {artefact}
[run]
command = ["true"]
"""


@pytest.mark.parametrize(
    ("artefact", "size"),
    [
        ('["lib"]', 8),
        ('["lib/*"]', 8),
        ('["lib", "!lib/tools"]', 5),
        ('["!lib/tools", "lib/*"]', 5),
        ('["lib", "!*/used"]', 3),
    ],
)
def test_the_artefact_is_what_its_globs_leave(tmp_path: Path, artefact: str, size: int) -> None:
    folder = tmp_path / "shell" / "tiny"
    folder.mkdir(parents=True)
    (folder / "server.toml").write_text(MANIFEST.format(artefact=artefact))
    assert build(read_server(folder), tmp_path / "builds", {}).artefact_bytes == size


def test_what_counts_is_found_anew_in_a_kept_build(tmp_path: Path) -> None:
    server = tiny(tmp_path, '[["sh", "-c", "printf 12345 >made"]]')
    first = build(server, tmp_path / "builds", {})
    stamp = first.folder / "webdyno-build.json"
    assert first.artefact_bytes == 5 + (first.folder / "server.toml").stat().st_size
    held = json.loads(stamp.read_text())
    assert held["artefact_bytes"] == first.artefact_bytes
    stamp.write_text(json.dumps({**held, "artefact_bytes": 200_000_000}))
    again = build(server, tmp_path / "builds", {})
    assert again.cached
    assert again.artefact_bytes == first.artefact_bytes


def tiny(tmp_path: Path, commands: str) -> Server:
    folder = tmp_path / "shell" / "tiny"
    folder.mkdir(parents=True)
    text = MANIFEST.format(artefact="[]")
    line = next(line for line in text.splitlines() if line.startswith("commands"))
    (folder / "server.toml").write_text(text.replace(line, f"commands = {commands}"))
    return read_server(folder)


def test_a_build_sees_the_declared_environment_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = tiny(tmp_path, '[["sh", "-c", "env >seen"]]')
    monkeypatch.setenv("SOME_SECRET", "x")
    monkeypatch.setenv("RUSTFLAGS", "-C target-cpu=native")
    seen = (build(server, tmp_path / "builds", {}).folder / "seen").read_text().splitlines()
    assert "RUSTFLAGS=-C target-cpu=native" in seen
    assert not [line for line in seen if line.startswith("SOME_SECRET")]


def test_a_build_is_not_told_of_the_repository_that_holds_it(tmp_path: Path) -> None:
    server = tiny(tmp_path, '[["sh", "-c", "git rev-parse --git-dir >seen; git init -q own"]]')
    git(tmp_path, "init", "-q")
    git(tmp_path, "rev-parse", "--git-dir")
    folder = build(server, tmp_path / "builds", {}).folder
    assert (folder / "seen").read_text() == ""
    # Its own ones it sees.
    assert (folder / "own" / ".git").is_dir()


def test_what_compilers_heed_is_in_the_digest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = tiny(tmp_path, "[]")
    monkeypatch.delenv("RUSTFLAGS", raising=False)
    before = digest_of(server, {})
    monkeypatch.setenv("SOME_SECRET", "x")
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:1")
    assert digest_of(server, {}) == before
    monkeypatch.setenv("RUSTFLAGS", "-O")
    assert digest_of(server, {}) != before


@pytest.mark.parametrize("kind", ["pipe", "socket", "no end", "not to be read"])
def test_what_is_no_source_file_is_refused_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr("webdyno.runtime.builds.sources.MOST_SOURCE_BYTES", 10**6)
    server = tiny(tmp_path, "[]")
    path = server.folder / "data"
    with socket.socket(socket.AF_UNIX) as listener:
        if kind == "pipe":
            os.mkfifo(path)
        elif kind == "socket":
            listener.bind(str(path))
        elif kind == "no end":
            with path.open("wb") as file:
                file.truncate(10**12)
        else:
            path.symlink_to("/proc/self/mem")
        with pytest.raises(UserError) as caught:
            digest_of(server, {})
    assert str(caught.value).startswith(f"{path}: ")


def test_a_link_to_a_device_is_a_link_and_no_source(tmp_path: Path) -> None:
    server = tiny(tmp_path, "[]")
    link = server.folder / "zero.py"
    link.symlink_to("/dev/zero")
    assert digest_of(server, {})
    assert lines_of(link) == 0


@pytest.mark.slow
def test_a_daemon_of_a_build_ends_with_it(tmp_path: Path) -> None:
    daemon = '[["sh", "-c", "env -i setsid sleep 60 >/dev/null 2>&1 & echo $! >daemon; sleep 0.2"]]'
    made = build(tiny(tmp_path, daemon), tmp_path / "builds", {})
    assert is_zombie(int((made.folder / "daemon").read_text()))


def test_a_build_that_was_changed_is_known_and_built_again(tmp_path: Path) -> None:
    server = tiny(tmp_path, '[["sh", "-c", "echo good >program"]]')
    made = build(server, tmp_path / "builds", {})
    assert not made.is_changed()
    program = made.folder / "program"
    times = program.stat()
    program.write_text("evil\n")  # As long as it was, and dated back.
    os.utime(program, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert made.is_changed()
    again = build(server, tmp_path / "builds", {})
    assert not again.cached
    assert program.read_text() == "good\n"
    assert build(server, tmp_path / "builds", {}).cached


def test_a_link_that_others_make_to_a_stores_file_does_not_change_a_build(tmp_path: Path) -> None:
    store = tmp_path / "store"
    store.write_text("a package's file")
    os.utime(store, ns=(1_000_000_000, 2_000_000_000))
    server = tiny(tmp_path, f'[["sh", "-c", "ln {store} one; ln one two; echo >own; ln own too"]]')
    made = build(server, tmp_path / "builds", {})
    one, two, own = (made.folder / name for name in ("one", "two", "own"))
    (tmp_path / "of-another-build").hardlink_to(store)
    assert not made.is_changed()
    assert build(server, tmp_path / "builds", {}).cached
    # What was one file within the build is one still, as old as it was.
    assert one.read_text() == "a package's file"
    assert one.stat().st_mtime_ns == 2_000_000_000
    assert one.samefile(two)
    assert not one.samefile(store)
    assert own.stat().st_nlink == 2
    assert not (made.folder / ".webdyno-parted").exists()


def test_of_all_files_the_manifest_alone_is_not_in_the_digest(tmp_path: Path) -> None:
    server = tiny(tmp_path, "[]")
    inner = server.folder / "config" / "server.toml"
    inner.parent.mkdir()
    seen = {digest_of(server, {}), server_digest(server, "default")}
    for text in ("workers = 1", "workers = 2"):
        inner.write_text(text)
        seen |= {digest_of(server, {}), server_digest(server, "default")}
    assert len(seen) == 6
    before = digest_of(server, {})
    with (server.folder / "server.toml").open("a") as file:
        file.write("# told\n")
    assert digest_of(server, {}) == before


def test_how_long_a_start_may_take_is_not_in_the_digest(tmp_path: Path) -> None:
    server = tiny(tmp_path, "[]")
    before = server_digest(server, "default")
    for keys, is_same in (({"start_timeout": 300.0}, True), ({"writes": True}, False)):
        run = server.manifest.run.model_copy(update=keys)
        manifest = server.manifest.model_copy(update={"run": run})
        changed = server.model_copy(update={"manifest": manifest})
        assert (server_digest(changed, "default") == before) == is_same


def test_whether_a_file_can_be_executed_is_in_the_digest(tmp_path: Path) -> None:
    server = tiny(tmp_path, "[]")
    script = server.folder / "run.sh"
    script.write_text("exit 0")
    script.chmod(0o644)
    before = digest_of(server, {}), server_digest(server, "default")
    script.chmod(0o600)
    assert (digest_of(server, {}), server_digest(server, "default")) == before
    script.chmod(0o755)
    assert digest_of(server, {}) != before[0]
    assert server_digest(server, "default") != before[1]


@pytest.mark.parametrize(
    "name",
    ["CARGO_TARGET_DIR", "CARGO_BUILD_TARGET_DIR", "SWIFTPM_BUILD_DIR", "COMPOSER_VENDOR_DIR",
     "UV_PROJECT_ENVIRONMENT", "PIP_TARGET"],
)  # fmt: skip
def test_nothing_is_built_outside_the_copy(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, "/somewhere/else")
    monkeypatch.setenv("UV_INDEX_URL", "https://example.org")
    assert name not in declared_environment()
    assert "UV_INDEX_URL" in declared_environment()
