"""Frameworks that come with the machine: records have the version that is there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from support.synthetic_run import build_run
from webdyno.catalog import Catalog
from webdyno.catalog.servers.server_manifest import ServerManifest
from webdyno.errors import UserError
from webdyno.run.comparison.comparable import likeness
from webdyno.run.preparation import servers
from webdyno.run.preparation.servers import server_record, toolchains_of
from webdyno.run.study.plan import Entry
from webdyno.runtime.builds.build import Build
from webdyno.runtime.toolchains import Toolchain

RAILS = Catalog().server("ruby/rails")


def with_rails(version: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The toolchains of Rails on a machine that has `version` of it."""
    ruby = Toolchain("ruby", "3.1", "3.1.2", "/usr/bin/ruby", True, "")
    ruby = replace(ruby, extensions={"railties": version, "puma": "5.6.5"})
    monkeypatch.setattr(servers, "find", lambda _: ruby)
    return toolchains_of(RAILS)


def test_the_version_on_the_machine_is_recorded_and_part_of_the_build(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    found = with_rails("6.1.7.3", monkeypatch)
    assert found == {"ruby": "3.1.2", "ruby: railties": "6.1.7.3", "ruby: puma": "5.6.5"}
    assert found != with_rails("6.1.7.10", monkeypatch)

    built_with: list[dict[str, str]] = []

    def build(server: object, builds: Path, versions: dict[str, str], **_: object) -> Build:
        built_with.append(versions)
        return Build(tmp_path, digest="", seconds=0.0, cached=True, artefact_bytes=0)

    monkeypatch.setattr(servers, "build", build)
    ready = servers._built(RAILS, found, tmp_path, lambda _: None)
    assert built_with == [found]
    assert ready.versions["Ruby on Rails"] == "6.1.7.3"
    entry = Entry(Catalog().server_variant("ruby/rails"))
    assert server_record(entry, (), ready.versions).framework_version == "6.1.7.3"
    assert server_record(entry).framework_version == RAILS.manifest.framework_version


def recorded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The version of Laravel that a run records whose build stands in `folder`."""
    made = Build(folder, digest="", seconds=0.0, cached=True, artefact_bytes=0)
    monkeypatch.setattr(servers, "build", lambda *_, **__: made)
    laravel = Catalog().server_variant("php/laravel")
    ready = servers._built(laravel.server, {"php": "8.2.36"}, folder, lambda _: None)
    return server_record(Entry(laravel), (), ready.versions).framework_version


def test_the_version_that_a_build_notes_is_recorded(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    stated = Catalog().server("php/laravel").manifest.framework_version
    assert recorded(tmp_path, monkeypatch) == stated
    (tmp_path / "framework-version.txt").write_text("8.83.26 (distribution)\n")
    assert recorded(tmp_path, monkeypatch) == "8.83.26 (distribution)"


def test_a_note_that_leads_elsewhere_is_not_read(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "other").write_text("of another file\n")
    (tmp_path / "framework-version.txt").symlink_to("other")
    assert "another" not in recorded(tmp_path, monkeypatch)


def test_the_version_of_a_program_is_recorded_where_it_is_the_framework() -> None:
    nginx = Catalog().server("nginx/cache")
    found = {"nginx": "1.22.1", "php": "8.2.36", "php-fpm": "8.2.36"}
    assert servers._framework_version(nginx, found) == "1.22.1"
    assert servers._framework_version(Catalog().server("php/plain"), found) == "8.2.36"


@pytest.mark.parametrize(
    ("name", "program"),
    [("go/net-http", "go"), ("node/http", "node"), ("swift/foundation", "swift")],
)
def test_the_version_of_a_framework_that_is_part_of_its_language_is_that_of_the_language(
    name: str, program: str
) -> None:
    assert servers._framework_version(Catalog().server(name), {program: "99.1.2"}) == "99.1.2"


@pytest.mark.parametrize(
    ("reference", "program"), [("go/net-http@go-1.27", "go"), ("node/http@node-24", "node")]
)
def test_on_another_runtime_it_is_that_of_the_runtime(
    reference: str, program: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = Toolchain("npm", "", "1.2.3", "/usr/bin/npm", True, "")
    monkeypatch.setattr(servers, "find", lambda spec: replace(there, name=spec.split()[0]))
    server = Catalog().server_variant(reference).server
    runtime = server.chosen_runtime
    assert runtime is not None
    found = servers._framework_version(server, toolchains_of(server))
    assert found == runtime.provides[program]


def test_what_php_does_with_bytecode_is_recorded_of_all_its_servers() -> None:
    for name in ("php/plain", "php/laravel@cached", "php/symfony"):
        assert "no JIT" in server_record(Entry(Catalog().server_variant(name))).parts["bytecode"]
    assert "bytecode" not in server_record(Entry(Catalog().server_variant("go/gin"))).parts


def test_a_package_that_is_not_asked_for_is_refused() -> None:
    held = RAILS.manifest.model_dump() | {"framework_package": "rails"}
    with pytest.raises(ValueError, match="framework_package 'rails' is not named in toolchain"):
        ServerManifest.model_validate(held)


@pytest.mark.parametrize(
    ("before", "refused"),
    [({}, False), ({"ruby: puma": "5.6.5"}, False), ({"ruby: puma": "5.6.4"}, True)],
)
def test_records_of_before_they_were_noted_stay_comparable(
    before: dict[str, str], refused: bool
) -> None:
    run = build_run(blocks=3, seconds=2)
    one = run.trials[0]
    old, new = (
        one.model_copy(update={"versions": {**one.versions, **more}})
        for more in (before, {"ruby: puma": "5.6.5"})
    )
    found = likeness((run, run), one.scenario, one.load, ([old], [new]))
    assert bool(found.refusal) == refused
    assert ("puma" in found.refusal) == refused


def test_a_toolchain_that_is_none_is_told_with_its_file() -> None:
    manifest = RAILS.manifest.model_copy(update={"toolchain": ["rubin >= 3"]})
    with pytest.raises(UserError) as caught:
        toolchains_of(RAILS.model_copy(update={"manifest": manifest}))
    said = f"{RAILS.folder / 'server.toml'}: key 'toolchain': toolchain 'rubin' is unknown; "
    assert str(caught.value).startswith(said)
