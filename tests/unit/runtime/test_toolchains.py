"""Finding programs: versions read from recorded outputs, and what is on this machine."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from webdyno.errors import UserError
from webdyno.runtime import toolchains
from webdyno.runtime.programs import program_named, programs
from webdyno.runtime.toolchains import at_least, find

JMETER = r"""
    _    ____   _    ____ _   _ _____       _ __  __ _____ _____ _____ ____
   / \  |  _ \ / \  / ___| | | | ____|     | |  \/  | ____|_   _| ____|  _ \
  / _ \ | |_) / _ \| |   | |_| |  _|    _  | | |\/| |  _|   | | |  _| | |_) |
 / ___ \|  __/ ___ \ |___|  _  | |___  | |_| | |  | | |___  | | | |___|  _ <
/_/   \_\_| /_/   \_\____|_| |_|_____|  \___/|_|  |_|_____| |_| |_____|_| \_\ 5.6.3

Copyright (c) 1999-2024 The Apache Software Foundation
"""

RECORDED = [
    ("node", "v20.20.2\n", "20.20.2"),
    ("npm", "11.19.1\n", "11.19.1"),
    ("pnpm", "10.34.9\n", "10.34.9"),
    ("yarn", "1.22.22\n", "1.22.22"),
    ("python", "Python 3.11.7\n", "3.11.7"),
    ("python", "Python 3.14.0rc2\n", "3.14.0"),
    ("go", "go version go1.26.8 linux/amd64\n", "1.26.8"),
    ("go", "go version go1.27rc1 darwin/arm64\n", "1.27"),
    ("cargo", "cargo 1.95.0 (f2d3ce0bd 2026-03-21)\n", "1.95.0"),
    ("cargo", "cargo 1.97.0-nightly (0c0ffee12 2026-05-01)\n", "1.97.0"),
    (
        "java",
        'openjdk version "17.0.15" 2025-04-15\n'
        "OpenJDK Runtime Environment (build 17.0.15+6-Debian-1deb12u1)\n",
        "17.0.15",
    ),
    ("java", 'java version "1.8.0_392"\nJava(TM) SE Runtime Environment\n', "8.0"),
    ("java", 'Picked up JAVA_TOOL_OPTIONS: -Xmx1g\nopenjdk version "21" 2023-09-19\n', "21"),
    ("javac", "javac 17.0.15\n", "17.0.15"),
    (
        "mvn",
        "\x1b[1mApache Maven 3.8.7\x1b[m\nMaven home: /usr/share/maven\n"
        "Java version: 17.0.15, vendor: Debian\n",
        "3.8.7",
    ),
    (
        "php",
        "PHP 8.2.28 (cli) (built: Mar 13 2025 18:21:38) (NTS)\nCopyright (c) The PHP Group\n",
        "8.2.28",
    ),
    (
        "php-fpm",
        "PHP 8.2.35 (fpm-fcgi) (built: Oct 21 2026 06:29:51)\nCopyright (c) The PHP Group\n",
        "8.2.35",
    ),
    ("nginx", "nginx version: nginx/1.22.1\n", "1.22.1"),
    ("nginx", "nginx version: nginx/1.18.0 (Ubuntu)\n", "1.18.0"),
    ("ruby", "ruby 3.1.7p261 (2025-03-26 revision 0a3704f218) [x86_64-linux-gnu]\n", "3.1.7"),
    ("ruby", "ruby 4.0.1 (2026-01-13 revision e04267a14b) +PRISM [arm64-darwin25]\n", "4.0.1"),
    ("g++", "g++ (Debian 12.2.0-14+deb12u1) 12.2.0\nCopyright (C) 2022 Free Software\n", "12.2.0"),
    ("cmake", "cmake version 3.25.1\n\nCMake suite maintained by Kitware\n", "3.25.1"),
    ("pkg-config", "1.8.1\n", "1.8.1"),
    ("swift", "Swift version 6.0.3 (swift-6.0.3-RELEASE)\nTarget: x86_64-linux-gnu\n", "6.0.3"),
    (
        "swift",
        "swift-driver version: 1.90.11.1 Apple Swift version 5.10 (swiftlang-5.10.0.13)\n",
        "5.10",
    ),
    ("dotnet", "8.0.404\n", "8.0.404"),
    ("dotnet", "10.0.100-rc.1.25451.107\n", "10.0.100"),
    (
        "dotnet",
        "The command could not be loaded, possibly because:\n  * No .NET SDKs were found.\n",
        None,
    ),
    (
        "elixir",
        "Erlang/OTP 25 [erts-13.1.5] [source] [64-bit] [smp:2:2] [ds:2:2:10] [async-threads:1]\n\n"
        "Elixir 1.14.0 (compiled with Erlang/OTP 24)\n",
        "1.14.0",
    ),
    ("erl", "OTP 25\n", "25"),
    ("postgres", "postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)\n", "15.18"),
    ("postgres", "postgres (PostgreSQL) 19beta1\n", "19"),
    (
        "mariadb",
        "mariadbd  Ver 10.11.11-MariaDB-0+deb12u1 for debian-linux-gnu on x86_64 (Debian 12)\n",
        "10.11.11",
    ),
    ("mariadb", "mysqld  Ver 8.0.33 for Linux on x86_64 (MySQL Community Server)\n", None),
    ("wrk", "wrk debian/4.1.0-3+b2 [epoll] Copyright (C) 2012 Will Glozer\nUsage: wrk\n", "4.1.0"),
    ("wrk", "wrk 4.2.0 [kqueue] Copyright (C) 2012 Will Glozer\n", "4.2.0"),
    ("jmeter", JMETER, "5.6.3"),
    ("node", "node: error while loading shared libraries\n", None),
]


@pytest.mark.parametrize(("name", "output", "version"), RECORDED)
def test_versions_are_read_from_what_programs_print(
    name: str, output: str, version: str | None
) -> None:
    assert program_named(name).version_in(output) == version


def test_every_program_has_a_recorded_output() -> None:
    assert {name for name, _, _ in RECORDED} == set(programs())


@pytest.mark.parametrize(
    ("version", "minimum", "enough"),
    [
        ("20.20.2", "20", True),
        ("20", "20.0.0", True),
        ("20.9", "20.20", False),
        ("3.9", "3.11", False),
        ("1.95.0", "1.89", True),
        ("19.9.9", "20", False),
        (None, "1", False),
    ],
)
def test_versions_are_compared_by_number(version: str | None, minimum: str, enough: bool) -> None:
    assert at_least(version, minimum) is enough


def test_the_running_python_is_found() -> None:
    found = find("python >= 3.11")
    assert found.ok
    assert found.found_version is not None
    assert found.path is not None
    assert Path(found.path).exists()
    assert found.install_hint == ""


def test_too_old_is_told_apart_from_missing() -> None:
    found = find("python >= 999")
    assert not found.ok
    assert found.found_version is not None
    assert "version 999 or newer" in found.install_hint


@pytest.mark.parametrize("spec", ["node > 20", "node >= x", "Node", "", "node >= 20 or so"])
def test_a_spec_that_cannot_be_read_is_refused(spec: str) -> None:
    with pytest.raises(UserError, match="write it like"):
        find(spec)


def test_an_unknown_program_is_refused_with_those_that_are_known() -> None:
    with pytest.raises(UserError, match=r"'cobol' is unknown.*node"):
        find("cobol >= 1")


@pytest.fixture
def only_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH with nothing on it but what the test puts there."""
    monkeypatch.setenv("PATH", str(tmp_path))
    toolchains._probe.cache_clear()
    yield tmp_path
    toolchains._probe.cache_clear()


def script(path: Path, text: str) -> None:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def test_a_program_that_is_not_there(only_path: Path) -> None:
    found = find("swift >= 6")
    assert (found.ok, found.found_version, found.path) == (False, None, None)
    assert "swift" in found.install_hint


def test_a_program_on_the_path(only_path: Path) -> None:
    script(only_path / "swift", "echo 'Swift version 6.2'")
    found = find("swift >= 6")
    assert (found.ok, found.found_version) == (True, "6.2")
    assert found.path == str(only_path / "swift")


def test_a_program_that_cannot_run_counts_as_missing(only_path: Path) -> None:
    (only_path / "swift").write_bytes(b"\x00not a program")
    os.chmod(only_path / "swift", 0o755)
    assert find("swift").path is None


def test_a_program_that_is_too_slow_is_not_called_missing(
    only_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(toolchains, "PROBE_TIMEOUT_S", 0.2)
    script(only_path / "swift", "exec /bin/sleep 5")
    found = find("swift >= 6")
    assert (found.ok, found.path) == (False, str(only_path / "swift"))
    assert "did not print its version within 0.2 s" in found.shortfall
    assert f"run '{found.path} --version'" in found.install_hint


def test_a_program_that_tells_no_version_is_enough_only_for_a_bare_name(only_path: Path) -> None:
    script(only_path / "swift", "echo nothing of use")
    assert find("swift").ok
    assert not find("swift >= 1").ok


def test_the_newest_of_the_folders_outside_the_path_is_taken(
    only_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for version in ("9.6", "15"):
        folder = only_path / "postgresql" / version / "bin"
        folder.mkdir(parents=True)
        script(folder / "postgres", f"echo 'postgres (PostgreSQL) {version}'")
    known = program_named("postgres")
    changed = type(known)(
        **{**vars(known), "folders": (str(only_path / "postgresql" / "*" / "bin"),)}
    )
    monkeypatch.setattr(toolchains, "program_named", {"postgres": changed}.__getitem__)
    assert find("postgres").found_version == "15"


def test_swift_is_to_be_had_in_another_way_on_each_system() -> None:
    hint = program_named("swift").install_hint("5.9")
    assert hint.startswith("install version 5.9 or newer: Debian 13")
    assert all(word in hint for word in ("apt install swiftlang", "Ubuntu", "macOS"))
    assert "\n" not in hint
