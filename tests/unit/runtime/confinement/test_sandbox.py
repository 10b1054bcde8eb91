"""Who a server runs as depends on all the programs that start it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from support.services import make_traversable
from webdyno.runtime.confinement.protection import landlock_holds
from webdyno.runtime.confinement.sandbox import programs_of, sandbox_of, unprivileged

PATH = {"PATH": "/usr/bin:/bin"}


def script(path: Path, first_line: str) -> Path:
    path.write_text(f"{first_line}\nexit\n")
    path.chmod(0o755)
    return path


def test_a_script_needs_its_interpreter(tmp_path: Path) -> None:
    inner = script(tmp_path / "inner", "#!/bin/sh -e")
    outer = script(tmp_path / "outer", f"#! {inner}")
    shell = os.path.realpath("/bin/sh")
    assert programs_of(["./outer", "--flag"], tmp_path, PATH) == [str(outer), str(inner), shell]
    assert programs_of(["sh", "outer"], tmp_path, PATH) == [shell]


def test_a_shell_s_line_needs_the_programs_of_all_its_commands(tmp_path: Path) -> None:
    shell = os.path.realpath("/bin/sh")
    inner = script(tmp_path / "inner", "#!/bin/sh")
    outer = script(tmp_path / "outer", f"#! {inner}")
    line = "mkdir 'a; b' && LOG=warn exec ./outer --of='$HOME' | ./inner"
    found = programs_of(["sh", "-c", line], tmp_path, PATH)
    assert found[0] == shell
    assert {str(outer), str(inner)} <= set(found)
    assert programs_of(["sh", "-c", "echo 'open"], tmp_path, PATH) == [shell]


def test_env_finds_the_interpreter_by_path(tmp_path: Path) -> None:
    started = script(tmp_path / "started", "#!/usr/bin/env -S A=1 sh -e")
    assert programs_of(["./started"], tmp_path, PATH) == [str(started), os.path.realpath("/bin/sh")]


def test_links_are_followed(tmp_path: Path) -> None:
    (tmp_path / "python").symlink_to("/bin/sh")
    assert programs_of(["./python"], tmp_path, PATH) == [os.path.realpath("/bin/sh")]


def test_what_is_not_there_has_no_interpreter(tmp_path: Path) -> None:
    assert programs_of(["./missing"], tmp_path, PATH) == []
    lost = script(tmp_path / "lost", "#!/not/there")
    assert programs_of(["./lost"], tmp_path, PATH) == [str(lost)]


def test_a_script_that_names_itself_comes_to_an_end(tmp_path: Path) -> None:
    itself = script(tmp_path / "itself", f"#!{tmp_path}/itself")
    assert set(programs_of(["./itself"], tmp_path, PATH)) == {str(itself)}


@pytest.mark.skipif(not unprivileged(), reason="servers run as another user only where we may")
@pytest.mark.parametrize("opened", [False, True])
def test_a_build_behind_a_link_in_a_private_folder_is_started_as_ourselves(
    opened: bool, tmp_path: Path
) -> None:
    """Its program is started by the path through the link."""
    build, private = tmp_path / "builds" / "one", tmp_path / "home"
    build.mkdir(parents=True)
    make_traversable(build)
    private.mkdir(mode=0o711 if opened else 0o700)
    (private / "builds").symlink_to(tmp_path / "builds")
    through = private / "builds" / "one"
    box = sandbox_of(through, hidden=[], own=[], log=tmp_path / "log", programs=["/bin/sh"])
    assert box.user == (unprivileged() if opened else None)


@pytest.mark.parametrize(
    ("mode", "inner", "readable"),
    [(0o755, 0o644, True), (0o700, 0o644, False), (0o755, 0o600, False)],
)
def test_a_build_that_others_cannot_read_is_started_as_ourselves(
    mode: int, inner: int, readable: bool, tmp_path: Path
) -> None:
    build = tmp_path / "build"
    build.mkdir()
    (build / "server.js").touch()
    (build / "server.js").chmod(inner)
    (build / "gone").symlink_to(tmp_path / "nothing")
    make_traversable(build)
    build.chmod(mode)
    box = sandbox_of(build, hidden=[], own=[], log=tmp_path / "log", programs=["/bin/sh"])
    assert box.user == (unprivileged() if readable else None)


@pytest.mark.skipif(not landlock_holds(), reason="this kernel has no Landlock")
def test_a_server_does_not_choose_whom_the_kernel_ends_for_want_of_memory(tmp_path: Path) -> None:
    make_traversable(tmp_path)
    own, log = tmp_path / "own", tmp_path / "log"
    own.mkdir()
    log.touch()
    box = sandbox_of(Path("/usr"), hidden=[], own=[own], log=log, programs=["/bin/sh"])
    with subprocess.Popen(["sleep", "60"], user=box.user) as rival:
        chosen = Path(f"/proc/{rival.pid}/oom_score_adj")
        before = chosen.read_text()
        script = f"echo 1000 > {chosen}; cat {chosen}"

        def attack() -> subprocess.CompletedProcess[str]:
            asked = ["sh", "-c", script]
            return subprocess.run(asked, user=box.user, capture_output=True, text=True)

        done = box.run(attack)
        after = chosen.read_text()
        rival.kill()
    assert (done.stdout, after) == (before, before)
    assert "ermission denied" in done.stderr
