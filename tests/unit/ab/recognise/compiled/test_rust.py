"""A workspace of Cargo: which of its packages is the service."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.git_folder import git
from support.recognised import found_in
from webdyno.ab.flags import Flags
from webdyno.ab.recognise.template import description_text
from webdyno.ab.request.description import describe
from webdyno.ab.request.pair_request import PairRequest
from webdyno.ab.request.resolve import resolve
from webdyno.catalog import Catalog
from webdyno.catalog.descriptions.description import FILE, read_description
from webdyno.cli.main import main
from webdyno.errors import UserError

WORKSPACE = '[workspace]\nmembers = ["crates/*", "./tools"]\nexclude = ["crates/old"]\n'


def package(folder: Path, name: str, *files: str, more: str = "") -> None:
    """A package in `folder`, with these files beside its manifest."""
    (folder / "src").mkdir(parents=True)
    (folder / "Cargo.toml").write_text(f'[package]\nname = "{name}"\n{more}')
    for file in files:
        path = folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")


def workspace(folder: Path, text: str = WORKSPACE) -> Path:
    """A workspace with a library, a program and, excluded from it, another program."""
    (folder / "Cargo.toml").write_text(text)
    (folder / "Cargo.lock").write_text("")
    package(folder / "crates/core", "shop-core", "src/lib.rs")
    package(folder / "crates/api", "shop-api", "src/main.rs")
    package(folder / "crates/old", "shop-old", "src/main.rs")
    (folder / "crates/README.md").write_text("")
    (folder / "src/bin").mkdir(parents=True)
    (folder / "src/bin/stray.rs").write_text("")
    return folder


def test_the_one_program_of_a_workspace_is_the_service(tmp_path: Path) -> None:
    found = found_in(workspace(tmp_path))
    assert found.build == ("cargo build --release --locked -p shop-api",)
    assert found.run == "target/release/shop-api"
    assert (found.open, found.is_template) == ("", False)


@pytest.mark.parametrize(
    ("files", "more", "program"),
    [
        (["src/main.rs"], '[[bin]]\nname = "serve"\npath = "src/main.rs"', "serve"),
        (["src/bin/serve.rs"], "", "serve"),
        (["src/bin/serve/main.rs"], "", "serve"),
        (["src/bin/a.rs", "src/bin/serve.rs"], 'default-run = "serve"', "serve"),
        (["src/main.rs", "src/bin/migrate.rs"], "", "shop"),
        (["src/bin/migrate.rs", "src/bin/server.rs"], "", "server"),
        (
            ["src/main.rs", "src/migrate.rs"],
            'edition = "2024"\n[[bin]]\nname = "migrate"\npath = "src/migrate.rs"',
            "shop",
        ),
        (
            ["src/main.rs", "src/migrate.rs"],
            'edition = "2024"\nautobins = false\n'
            '[[bin]]\nname = "migrate"\npath = "src/migrate.rs"',
            "migrate",
        ),
        (["src/main.rs", "src/a.rs"], '[[bin]]\nname = "a"\npath = "src/a.rs"', "a"),
        (
            ["src/main.rs", "src/bin/migrate.rs"],
            'edition = "2021"\n[[bin]]\nname = "api"\npath = "./src/main.rs"',
            "api",
        ),
    ],
)
def test_a_package_says_what_its_program_is_called(
    tmp_path: Path, files: list[str], more: str, program: str
) -> None:
    (tmp_path / "Cargo.toml").write_text('[workspace]\nmembers = ["server"]')
    package(tmp_path / "server", "shop", *files, more=more)
    found = found_in(tmp_path)
    assert found.build == ("cargo build --release -p shop",)
    assert found.run == f"target/release/{program}"


def test_of_several_programs_of_a_package_all_are_named(tmp_path: Path) -> None:
    two = ["src/bin/load.rs", "src/bin/migrate.rs"]
    package(tmp_path, "shop", *two)
    said = (
        "the package has 2 programs; replace NAME, in `run`, with the one that is the service: "
        "load and migrate"
    )
    found = found_in(tmp_path)
    assert (found.build, found.run) == (("cargo build --release",), "target/release/NAME")
    assert (found.open, found.is_template) == (said, True)
    with pytest.raises(UserError, match="the package has 2 programs"):
        resolve(PairRequest(cwd=tmp_path), Catalog(), tmp_path / "into")
    # As the one member of a workspace that has any, and as one of several.
    above = tmp_path / "above"
    above.mkdir()
    workspace(above, '[workspace]\nmembers = ["server"]')
    package(above / "server", "shop", *two)
    found = found_in(above)
    assert found.build == ("cargo build --release --locked -p shop",)
    assert (found.run, found.open) == ("target/release/NAME", said)
    (above / "Cargo.toml").write_text('[workspace]\nmembers = ["server", "crates/api"]')
    assert found_in(above).open.endswith(
        "with the one that is the service: shop-api and shop (its programs are load and migrate)"
    )


def test_its_own_manifest_names_the_database_and_the_port(tmp_path: Path) -> None:
    (tmp_path / "Cargo.toml").write_text('[workspace]\nmembers = ["server"]')
    needs = '[dependencies]\nrocket = "0.5"\ntokio-postgres = "0.7"\n'
    package(tmp_path / "server", "shop", "src/main.rs", more=needs)
    found = found_in(tmp_path)
    assert found.services == ("postgresql",)
    assert found.env == {"ROCKET_PORT": "${PORT}"}


def test_of_several_programs_all_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    workspace(tmp_path)
    package(tmp_path / "tools", "shop-tools", "src/bin/fill.rs")
    found = found_in(tmp_path)
    assert found.is_template
    assert found.open == (
        "2 packages of this workspace have a program; replace NAME, in `build` and `run`, with the "
        "one that is the service: shop-api and shop-tools (its program is fill)"
    )
    monkeypatch.chdir(tmp_path)
    assert main(["init"]) == 0
    assert f"1. {found.open}\n" in capsys.readouterr().out
    text = (tmp_path / FILE).read_text()
    assert f"# To do: {found.open}." in text
    # With the name in its place, the description is complete.
    (tmp_path / FILE).write_text(text.replace("NAME", "shop-api"))
    read = read_description(tmp_path / FILE)
    assert read.build.commands[0][-1] == "shop-api"
    assert read.run is not None
    assert read.run.command == ["target/release/shop-api"]


def test_many_programs_are_counted(tmp_path: Path) -> None:
    (tmp_path / "Cargo.toml").write_text('[workspace]\nmembers = ["examples/*"]')
    for number in range(11):
        package(tmp_path / f"examples/e{number:02}", f"e{number:02}", "src/main.rs")
    assert found_in(tmp_path).open.endswith("e00, e01, e02, e03, e04, e05, e06, e07 and 3 more")


def test_of_several_the_one_that_cargo_builds_by_default_is_taken(tmp_path: Path) -> None:
    workspace(tmp_path, f'{WORKSPACE}default-members = ["crates/core", "crates/api"]\n')
    package(tmp_path / "tools", "shop-tools", "src/main.rs")
    assert found_in(tmp_path).run == "target/release/shop-api"


@pytest.mark.parametrize(
    "text",
    [
        "[workspace]",
        '[workspace]\nmembers = ["../elsewhere", ".", "", "a**b", 3, "no-such"]',
        '[workspace]\nmembers = "crates"',
        "workspace = 3",
        "broken [",
    ],
)
def test_where_there_is_none_that_is_said(tmp_path: Path, text: str) -> None:
    (tmp_path / "Cargo.toml").write_text(text)
    found = found_in(tmp_path)
    assert found.run == "target/release/NAME"
    assert found.open.startswith("no package with a program was found; replace NAME")
    assert "# To do: no package" in description_text("shop", found)


def test_a_lock_file_that_git_ignores_is_not_asked_for(tmp_path: Path) -> None:
    workspace(tmp_path)
    git(tmp_path, "init", "-q")
    assert "--locked" in found_in(tmp_path).build[0]
    (tmp_path / ".gitignore").write_text("Cargo.lock\n")
    assert found_in(tmp_path).build == ("cargo build --release -p shop-api",)


def test_ab_without_a_description_asks_which_one(tmp_path: Path) -> None:
    workspace(tmp_path)
    package(tmp_path / "tools", "shop-tools", "src/main.rs")
    with pytest.raises(
        UserError, match=r"Cargo.toml: 2 packages .*: shop-api and shop-tools \("
    ) as e:
        resolve(PairRequest(cwd=tmp_path), Catalog(), tmp_path / "into")
    assert "`webdyno init`" in str(e.value)
    flags = Flags(build=["cargo build -p shop-api"])
    told = PairRequest(cwd=tmp_path, commands=["target/debug/shop-api"], flags=flags)
    described, _ = resolve(told, Catalog(), tmp_path / "into")
    assert described.run is not None
    assert described.run.command == ["target/debug/shop-api"]
    # Services that run already need no build.
    urls = ("http://localhost:1/", "http://localhost:2/")
    assert describe(PairRequest(cwd=tmp_path, urls=urls)).language == "rust"


def test_of_several_the_one_that_serves_is_taken(tmp_path: Path) -> None:
    (tmp_path / "Cargo.toml").write_text('[workspace]\nmembers = ["crates/*", "xtask"]')
    package(tmp_path / "crates/key", "gen-key", "src/main.rs")
    package(
        tmp_path / "crates/web", "shop-web", "src/main.rs", more='[dependencies]\naxum = "0.8"\n'
    )
    package(tmp_path / "xtask", "xtask", "src/main.rs")
    assert found_in(tmp_path).run == "target/release/shop-web"
    more = '[dependencies]\nweb = { package = "actix-web", version = "4" }\n'
    package(tmp_path / "crates/api", "shop-api", "src/main.rs", more=more)
    assert found_in(tmp_path).open.startswith("3 packages of this workspace have a program")


def test_loco_is_started_by_its_command(tmp_path: Path) -> None:
    package(tmp_path, "shop", "src/bin/main.rs", more='[dependencies]\nloco-rs = "0.16"\n')
    found = found_in(tmp_path)
    assert found.run == "target/release/main start --binding 127.0.0.1 --port ${PORT}"
    assert found.env == {}  # It refuses to start in a mode without settings.
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "production.yaml").write_text("server:\n  port: 5150\n")
    assert found_in(tmp_path).env == {"LOCO_ENV": "production"}
