"""Extensions, gems and libraries that a toolchain needs, by what programs say of them."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from webdyno.errors import UserError
from webdyno.runtime import toolchains
from webdyno.runtime.toolchains import find


@pytest.fixture(autouse=True)
def nothing_remembered() -> Iterator[None]:
    """Programs are looked for on the PATH of each test."""
    toolchains._probe.cache_clear()
    yield
    toolchains._probe.cache_clear()


def php_with(tmp_path: Path, extensions: str) -> Path:
    """A folder with a `php` of version 8.2.36 that has `extensions`."""
    program = tmp_path / "php"
    program.write_text(
        f'#!/bin/sh\ncase $1 in -m) printf "[PHP Modules]\\n{extensions}\\n";; '
        '*) echo "PHP 8.2.36 (cli)";; esac\n'
    )
    program.chmod(0o755)
    return tmp_path


def test_gems_are_part_of_what_is_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "ruby"
    program.write_text(
        '#!/bin/sh\ncase $1 in -e) printf "json\\npg\\n";; *) echo "ruby 3.1.7p261";; esac\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr("webdyno.runtime.languages.ruby.sys.platform", "linux")
    found = find("ruby >= 3.1 with pg, puma, sequel_pg")
    assert found.lacks == ("puma", "sequel_pg")
    assert found.install_hint == "sudo apt install puma ruby-sequel-pg"


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("ruby") is None, reason="needs ruby")
def test_gems_of_your_home_are_not_there_for_a_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    asked = ["ruby", "-e", "puts Gem.user_dir"]
    user_dir = subprocess.run(asked, check=True, capture_output=True, text=True).stdout.strip()
    assert Path(user_dir).is_relative_to(tmp_path)
    specification = Path(user_dir) / "specifications" / "webdyno_at_home-1.0.gemspec"
    specification.parent.mkdir(parents=True)
    specification.write_text(
        "# -*- encoding: utf-8 -*-\n# stub: webdyno_at_home 1.0 ruby lib\n\n"
        'Gem::Specification.new { |gem| gem.name = "webdyno_at_home"; gem.version = "1.0" }\n'
    )
    subprocess.run(["ruby", "-e", "gem 'webdyno_at_home'"], check=True)
    found = find("ruby >= 2.7 with json, webdyno_at_home")
    assert found.lacks == ("webdyno_at_home",)


def test_versions_of_what_the_machine_brings_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def with_libraries(*versions: str) -> dict[str, str]:
        program = tmp_path / f"of{'-'.join(versions)}" / "pkg-config"
        program.parent.mkdir()
        program.write_text(
            "#!/bin/sh\ncase $1 in\n--version) echo 1.8.1;;\n"
            '--list-package-names) printf "libpqxx\\nlibpistache\\n";;\n'
            '--modversion) [ "$*" = "--modversion libpistache libpqxx" ] &&'
            f' printf "%s\\n" {" ".join(versions)};;\nesac\n'
        )
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
        toolchains._probe.cache_clear()
        found = find("pkg-config >= 0.29 with libpistache, libpqxx")
        assert found.ok
        return dict(found.extensions)

    assert with_libraries("0.0.5", "7.7.4") == {"libpistache": "0.0.5", "libpqxx": "7.7.4"}
    assert with_libraries("0.1.0", "7.7.4") == {"libpistache": "0.1.0", "libpqxx": "7.7.4"}
    # Which of the two that is, nobody knows.
    assert with_libraries("0.1.0") == {}


def test_libraries_of_c_are_named_as_pkg_config_names_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "pkg-config"
    program.write_text(
        "#!/bin/sh\ncase $1 in\n--version) echo 1.8.1;;\n"
        '--list-package-names) printf "RapidJSON\\nlibpq\\n";;\nesac\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    found = find("pkg-config >= 0.29 with RapidJSON, libpq")
    lacking = find("pkg-config >= 0.29 with cpp-httplib, gtk+-3.0, libpq")
    assert found.ok
    assert lacking.lacks == ("cpp-httplib", "gtk+-3.0")
    assert lacking.install_hint == "sudo apt install libcpp-httplib-dev gtk+-3.0-dev"


def test_hex_and_rebar_are_part_of_what_is_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "elixir"
    program.write_text('#!/bin/sh\ncase $1 in -e) echo rebar3;; *) echo "Elixir 1.14.0";; esac\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    found = find("elixir >= 1.14 with hex, rebar3")
    assert found.lacks == ("hex",)
    assert found.shortfall == "1.14.0: lacks hex"
    assert found.install_hint == "mix local.hex --force"


def test_a_rebar_that_is_installed_has_to_be_named_to_mix(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "my programs"
    folder.mkdir()
    for name, script in [
        ("elixir", 'case $1 in -e) ;; *) echo "Elixir 1.14.0";; esac'),
        ("rebar3", ""),
    ]:
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    found = find("elixir >= 1.14 with hex, rebar3")
    assert found.install_hint == (f"mix local.hex --force && export MIX_REBAR3='{folder}/rebar3'")


def test_an_extension_is_part_of_what_is_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = php_with(tmp_path, "Core\\nmbstring\\nZend OPcache")
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    assert find("php >= 8.1 with mbstring, opcache").ok
    found = find("php >= 8.1 with mbstring, pdo_pgsql, dom")
    old = find("php >= 9 with mbstring")
    assert not found.ok
    assert found.lacks == ("pdo_pgsql", "dom")
    assert found.shortfall == "8.2.36: lacks pdo_pgsql, dom"
    assert found.install_hint == "sudo apt install php8.2-pgsql php8.2-xml"
    # Of one that is too old it does not matter yet what it lacks.
    assert not old.ok
    assert not old.lacks


def test_only_a_program_with_extensions_is_asked_for_them() -> None:
    with pytest.raises(UserError, match="node has no extensions to check"):
        find("node >= 20 with pgsql")
