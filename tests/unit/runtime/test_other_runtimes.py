"""A server on another release of its language's runtime: installed apart, chosen by its variant."""

from __future__ import annotations

from pathlib import Path

import pytest

from webdyno.catalog.catalog import Catalog
from webdyno.errors import UserError
from webdyno.run.preparation.servers import ReadyServer, prepare_server
from webdyno.trial.events import silent

LANGUAGE = """
[runtimes.shout-2]
description = "shout 2, from a file"
provides = {{ node = "99.1.0" }}
commands = [["sh", "-c", "mkdir bin && cp shout bin/ && chmod +x bin/shout"]]
path = ["bin"]
builds = {builds}
"""
SERVER = """
name = "tiny"
language = "shell"
framework = "none"
framework_version = "1"
licence = "MIT"
toolchain = ["node >= 98"]
scenarios = ["hello"]
[build]
commands = [["sh", "-c", "{{ shout || echo none; }} > said"]]
[run]
command = ["shout"]
[variants.loud]
description = "louder"
command = ["shout", "loud"]
[variants.needy]
description = "on its own runtime"
runtime = "{needed}"
"""


def catalog(folder: Path, builds: str = "true", needed: str = "shout-2") -> Catalog:
    language = folder / "servers" / "shell"
    (language / "tiny").mkdir(parents=True)
    (language / "runtimes" / "shout-2").mkdir(parents=True)
    (language / "language.toml").write_text(LANGUAGE.format(builds=builds))
    (language / "tiny" / "server.toml").write_text(SERVER.format(needed=needed))
    (language / "runtimes" / "shout-2" / "shout").write_text("#!/bin/sh\necho shouting\n")
    return Catalog([folder])


def prepared(found: Catalog, reference: str, folder: Path) -> ReadyServer:
    return prepare_server(found.server_variant(reference).server, folder / "builds", silent)


def test_it_is_installed_once_and_stands_before_the_machines_own(tmp_path: Path) -> None:
    found = catalog(tmp_path)
    ready = prepared(found, "shell/tiny@shout-2", tmp_path)
    assert (ready.build.folder / "said").read_text() == "shouting\n"
    # The machine's own is too old, and is not asked.
    assert ready.versions["node"] == "99.1.0"
    assert ready.build.env["PATH"].split(":")[0].endswith("/bin")
    again = prepared(found, "shell/tiny@loud-shout-2", tmp_path)
    assert again.build.cached
    assert again.build.env == ready.build.env


def test_what_only_runs_does_not_build(tmp_path: Path) -> None:
    ready = prepared(catalog(tmp_path, builds="false"), "shell/tiny@shout-2", tmp_path)
    assert (ready.build.folder / "said").read_text() == "none\n"
    assert ready.build.env["PATH"].split(":")[0].endswith("/bin")


def test_a_java_is_found_by_those_that_ask_for_its_home_first(tmp_path: Path) -> None:
    found = catalog(tmp_path, builds="false")
    assert "JAVA_HOME" not in prepared(found, "shell/tiny@shout-2", tmp_path).build.env
    language = tmp_path / "servers/shell/language.toml"
    language.write_text(language.read_text().replace("&& chmod", "&& touch bin/java && chmod"))
    env = prepared(Catalog([tmp_path]), "shell/tiny@shout-2", tmp_path).build.env
    assert env["PATH"].split(":")[0] == f"{env['JAVA_HOME']}/bin"


@pytest.mark.parametrize(
    ("variant", "command"),
    [("shout-2", ["shout"]), ("loud-shout-2", ["shout", "loud"]), ("needy", ["shout"])],
)
def test_variants_and_runtimes_go_together(
    tmp_path: Path, variant: str, command: list[str]
) -> None:
    server_variant = catalog(tmp_path).server_variant(f"shell/tiny@{variant}")
    assert server_variant.label == f"shell/tiny@{variant}"
    assert server_variant.server.build_id == "shell/tiny@shout-2"
    assert server_variant.server.run_of(variant).command == command


def test_without_a_runtime_nothing_changes(tmp_path: Path) -> None:
    server = catalog(tmp_path).server_variant("shell/tiny@loud").server
    assert (server.build_id, server.chosen_runtime) == ("shell/tiny", None)


@pytest.mark.parametrize("variant", ["shout-3", "quiet-shout-2", "-shout-2", "loud-shout"])
def test_what_is_not_there_is_refused_with_what_there_is(tmp_path: Path, variant: str) -> None:
    known = "it has: default, loud, needy, shout-2"
    with pytest.raises(UserError, match=f"no variant '{variant}'; {known}"):
        catalog(tmp_path).server_variant(f"shell/tiny@{variant}")


def test_a_variant_that_needs_an_unknown_runtime_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"variants\.needy\.runtime.*'shout-1'; shell has: shout-2"):
        catalog(tmp_path, needed="shout-1").server("shell/tiny")
