"""`webdyno new`: what it writes is valid, and nothing is overwritten."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from webdyno.catalog.catalog import Catalog
from webdyno.catalog.scenarios.scenario import read_scenario
from webdyno.catalog.servers.server import Server, read_server
from webdyno.catalog.studies.study import read_study
from webdyno.cli.main import main
from webdyno.cli.new import TEMPLATES, languages
from webdyno.outdated.registry import ecosystems_of

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WEBDYNO_CONTENT", "")
    monkeypatch.delenv("WEBDYNO_PROGRAM", raising=False)
    return tmp_path


@pytest.mark.parametrize("language", languages())
def test_a_server_skeleton_is_a_valid_manifest_without_place_holders(
    language: str, here: Path
) -> None:
    assert main(["new", "server", f"{language}/my-own"]) == 0
    folder = here / "servers" / language / "my-own"
    server = read_server(folder)
    assert server.id == f"{language}/my-own"
    assert server.manifest.scenarios == ["hello"]
    left = [path for path in folder.rglob("*") if path.is_file() and "@NAME@" in path.read_text()]
    assert left == []


@pytest.mark.parametrize(
    "language", ["bun", "deno", "elixir", "go", "java", "kotlin", "node", "python", "rust", "zig"]
)
def test_a_server_skeleton_has_the_files_of_its_package_manager(language: str, here: Path) -> None:
    assert main(["new", "server", f"{language}/my-own"]) == 0
    folder = here / "servers" / language / "my-own"
    (ecosystem,) = ecosystems_of(folder)
    assert (folder / ecosystem.manifest).is_file()
    commands = read_server(folder).manifest.build.commands
    locks = {word for argv in commands for word in argv if word.endswith(".lock")}
    assert all((folder / name).is_file() for name in locks)
    # What a build runs of its own environment has to be in there.
    if any(argv[0] == ".venv/bin/pip" for argv in commands):
        assert not any("--without-pip" in argv for argv in commands)


def packages_in(lock: Path) -> dict[str, object]:
    """What a lock file or a manifest pins, by its name or its place."""
    text = lock.read_text()
    if lock.name == "package-lock.json":
        return {name: each for name, each in json.loads(text)["packages"].items() if name}
    if lock.name == "Cargo.toml":
        wanted = tomllib.loads(text)["dependencies"].items()
        return {name: one if isinstance(one, str) else one["version"] for name, one in wanted}
    if lock.name == "requirements.lock":
        return dict(re.findall(r"^([\w.-]+)==((?:.+\\\n)+.+)$", text, re.MULTILINE))
    properties = re.findall(r"<([\w.]+\.version)>(.+)</", text)
    plugins = re.findall(r"<artifactId>([\w-]+)</artifactId>\s*<version>(\d.+)</", text)
    return {name: version for name, version in properties + plugins if name != "server"}


LOCKS = ("package-lock.json", "Cargo.toml", "requirements.lock", "pom.xml")
SKELETON_LOCKS = [
    path
    for name in LOCKS
    for path in sorted((TEMPLATES / "server").rglob(name))
    if packages_in(path)
]


def test_the_locks_of_skeletons_are_found() -> None:
    assert {path.parent.name for path in SKELETON_LOCKS} == {
        *("bun", "deno", "java", "kotlin", "rust", "zig"),
    }


@pytest.mark.parametrize("lock", SKELETON_LOCKS, ids=lambda lock: lock.parent.name)
def test_a_skeleton_pins_what_a_server_of_its_language_pins(lock: Path) -> None:
    """So that whoever updates a server is told to update the skeleton with it."""
    pinned = [packages_in(path) for path in ROOT.glob(f"servers/{lock.parent.name}/*/{lock.name}")]
    differing = {
        name: (each, [theirs.get(name) for theirs in pinned])
        for name, each in packages_in(lock).items()
        if not any(theirs.get(name) == each for theirs in pinned)
    }
    assert differing == {}


def test_the_page_about_servers_names_the_languages_that_have_a_skeleton() -> None:
    page = (ROOT / "docs" / "add-a-server.md").read_text()
    (named,) = re.findall(r"new server (\w+)/mine +# also (.+)\n(?: +# (.+)\n)?", page)
    assert sorted(re.findall(r"\w+", " ".join(named))) == languages()


def test_a_scenario_skeleton_is_a_valid_manifest(here: Path) -> None:
    assert main(["new", "scenario", "squares"]) == 0
    scenario = read_scenario(here / "scenarios" / "squares")
    assert scenario.manifest.requests[0].path == "/squares?n={n}"


def test_a_study_skeleton_is_a_valid_manifest(here: Path) -> None:
    assert main(["new", "study", "mine"]) == 0
    assert read_study(here / "studies" / "mine.toml").name == "mine"


def test_the_content_option_says_where(here: Path) -> None:
    (here / "elsewhere").mkdir()
    assert main(["--content", "elsewhere", "new", "study", "mine"]) == 0
    assert (here / "elsewhere" / "studies" / "mine.toml").is_file()


def test_the_next_steps_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    main(["new", "server", "go/mine"])
    assert "webdyno verify go/mine" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "steps"),
    [
        (["server", "go/mine"], ["verify go/mine ", "run hello --servers go/mine,go/net-http "]),
        (["server", "go/mine", "--from", "go/gin"], ["verify go/mine ", "run hello --servers "]),
        (["scenario", "mine"], ["verify --scenario mine "]),
        (["study", "mine"], ["run mine "]),
    ],
)
def test_the_next_steps_name_the_folder_of_the_content(
    arguments: list[str], steps: list[str], here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = here / "else where"
    folder.mkdir()
    assert main(["--content", "else where", "new", *arguments]) == 0
    said = capsys.readouterr().out
    for step in steps:
        assert f"webdyno --content '{folder}' {step}" in said


@pytest.mark.parametrize(
    ("kind", "name"), [("server", "node/mine"), ("scenario", "mine"), ("study", "mine")]
)
def test_nothing_is_overwritten(
    kind: str, name: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new", kind, name]) == 0
    files = {path: path.read_bytes() for path in here.rglob("*") if path.is_file()}
    for path in files:
        path.write_text("mine")
    assert main(["new", kind, name]) == 2
    assert "already exists" in capsys.readouterr().err
    assert {path.read_text() for path in files} == {"mine"}


@pytest.mark.parametrize(
    ("kind", "name", "said"),
    [
        ("server", "mine", "LANGUAGE/NAME"),
        ("server", "cobol/mine", "zig, or write servers/cobol/mine yourself (see "),
        ("server", "node/../escape", "use lower-case"),
        ("scenario", "No Good", "use lower-case"),
        ("study", "../escape", "use lower-case"),
        ("server", f"node/{'a' * 101}", "is too long; use at most 100 characters"),
        ("scenario", "a" * 101, "is too long; use at most 100 characters"),
        ("study", "my.toml", "leave '.toml' out"),
        ("scenario", "my.toml", "leave '.toml' out"),
        ("study", "board", "choose another name"),
        ("bogus", "mine", "KIND: 'bogus' is not a valid choice; choose server, scenario or study"),
    ],
)
def test_bad_names_are_refused(
    kind: str, name: str, said: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new", kind, name]) == 2
    assert said in capsys.readouterr().err
    assert list(here.rglob("*")) == []


@pytest.mark.parametrize("server", Catalog([ROOT]).servers(), ids=lambda server: server.id)
def test_a_copy_of_any_server_is_a_valid_one_under_its_own_name(server: Server, here: Path) -> None:
    language = server.manifest.language
    assert main(["new", "server", f"{language}/mine", "--from", server.id]) == 0
    folder = here / "servers" / language / "mine"
    copy = read_server(folder, server.language)
    assert copy.id == f"{language}/mine"
    assert copy.manifest.scenarios == server.manifest.scenarios
    for name in ("package.json", "package-lock.json"):
        if (folder / name).is_file():
            assert json.loads((folder / name).read_text())["name"] == f"webdyno-{language}-mine"
    if (folder / "pom.xml").is_file() and "target/mine.jar" in copy.manifest.build.artefact:
        pom = (folder / "pom.xml").read_text()
        assert "<artifactId>mine</artifactId>" in pom
        jars = [part for part in copy.manifest.run.command if part.endswith(".jar")]
        assert jars == ["target/mine.jar"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["server", "go/mine", "--from", "java/servlet"], "call the copy java/mine"),
        (["server", "go/mine", "--from", "go/gn"], "did you mean 'go/gin'"),
        (["study", "mine", "--from", "quick"], "--from copies a server"),
        (["server", "nginx/mine"], "--from nginx/cache"),
    ],
)
def test_a_copy_that_cannot_be_is_refused(
    arguments: list[str], said: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new", *arguments]) == 2
    assert said in capsys.readouterr().err
    assert list(here.rglob("*")) == []
