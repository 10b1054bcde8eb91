"""Frameworks that come with the machine: records have the version that is there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from support.synthetic_run import build_run
from webdyno.catalog import Catalog
from webdyno.catalog.server import ServerManifest
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
    entry = Entry(Catalog().contender("ruby/rails"))
    assert server_record(entry, (), ready.versions).framework_version == "6.1.7.3"
    assert server_record(entry).framework_version == RAILS.manifest.framework_version


def test_a_package_that_is_not_asked_for_is_refused() -> None:
    held = RAILS.manifest.model_dump() | {"framework_package": "rails"}
    with pytest.raises(ValueError, match="framework_package 'rails' is not an extension"):
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
