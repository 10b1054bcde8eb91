"""A server whose packages cannot be fetched is told apart from one that does not compile."""

from __future__ import annotations

import json
import sys
from functools import partial
from pathlib import Path

import pytest

from support.git_folder import git
from webdyno.catalog.catalog import Catalog
from webdyno.catalog.servers.server import read_server
from webdyno.cli.doctor.needs import unfetched_of
from webdyno.run.verify import VerifyFinding, verify_servers
from webdyno.runtime import languages
from webdyno.runtime.builds.build import PackagesOutOfReach, build
from webdyno.runtime.builds.commands import BuildError
from webdyno.runtime.builds.repositories import mirrored, out_of_reach, unreached
from webdyno.runtime.home import Home

pytestmark = pytest.mark.concurrent

ROOT = Path(__file__).resolve().parents[2]
NOBODY = "http://127.0.0.1:1/packages.git"
"""A port that nothing listens on."""

MANIFEST = """
name = "{name}"
language = "{language}"
framework = "none"
framework_version = "1"
licence = "MIT"
toolchain = []
scenarios = ["hello"]
[build]
commands = [{command}]
repositories = [{repository}]
[run]
command = ["./server"]
"""


def server_in(root: Path, name: str, said: str, repository: str, language: str = "sh") -> Path:
    """A server whose build says something and fails."""
    folder = root / "servers" / language / name
    folder.mkdir(parents=True)
    command = json.dumps(["sh", "-c", f"echo '{said}' >&2; exit 1"])
    text = MANIFEST.format(
        name=name, language=language, command=command, repository=json.dumps(repository)
    )
    (folder / "server.toml").write_text(text)
    return folder


@pytest.fixture
def repository(tmp_path: Path) -> str:
    """A git repository that can be read."""
    folder = tmp_path / "packages.git"
    folder.mkdir()
    git(folder, "init", "-q")
    git(folder, "commit", "-q", "--allow-empty", "-m", "x")
    return folder.as_uri()


def test_a_repository_is_asked_whether_it_can_be_read(repository: str) -> None:
    assert out_of_reach([repository]) == ""
    assert out_of_reach([]) == ""
    told = out_of_reach([repository, NOBODY])
    assert told.startswith("127.0.0.1 cannot be reached (Failed to connect to 127.0.0.1 port 1")
    assert "\n" not in told


def test_only_a_failed_fetch_out_of_reach_is_no_fault(tmp_path: Path, repository: str) -> None:
    def error(name: str, said: str, url: str) -> BuildError:
        folder = server_in(tmp_path, name, said, url)
        with pytest.raises(BuildError) as raised:
            build(read_server(folder), tmp_path / "builds", {})
        return raised.value

    cloning = "error: Failed to clone repository"
    away = error("away", cloning, NOBODY)
    assert isinstance(away, PackagesOutOfReach)
    assert "sh/away: its packages cannot be fetched: 127.0.0.1 cannot be reached" in str(away)
    assert not isinstance(error("there", cloning, repository), PackagesOutOfReach)
    wrong = error("wrong", "main.swift:1: error: expected expression", NOBODY)
    assert not isinstance(wrong, PackagesOutOfReach)
    assert "expected expression" in str(wrong)


def test_a_registry_out_of_reach_is_told_by_what_hex_said(tmp_path: Path) -> None:
    offline = ROOT / "tests/unit/runtime/builds/recorded_logs/mix-offline.log"
    assert unreached("elixir", offline.read_text()) == "127.0.0.1 cannot be reached (econnrefused)"
    newer = '{:failed_connect, [{:to_address, {~c"hex.test", 443}}, {:inet, [:inet], :nxdomain}]}'
    assert unreached("elixir", newer) == "hex.test cannot be reached (nxdomain)"
    assert unreached("elixir", f"$ mix deps.get\n{newer}\n$ mix compile\n** (CompileError) x") == ""
    assert unreached("go", newer) == ""

    said = newer.replace("'", "")
    folder = server_in(tmp_path, "away", said, NOBODY, language="elixir")
    with pytest.raises(PackagesOutOfReach, match=r"hex\.test cannot be reached \(nxdomain\)"):
        build(read_server(folder), tmp_path / "builds", {})


def test_a_registry_out_of_reach_is_told_by_what_composer_said(tmp_path: Path) -> None:
    offline = "curl error 6 while downloading https://php.test/packages.json: Co  \n  uld not re"
    assert unreached("php", offline) == "php.test cannot be reached (curl error 6)"
    other = "error: it is not installed; apt-get install it"
    folder = server_in(tmp_path, "away", f"{offline}\n{other}", NOBODY, language="php")
    with pytest.raises(PackagesOutOfReach, match=r"to a mirror; it is not installed; apt-get inst"):
        build(read_server(folder), tmp_path / "builds", {})


def test_verify_leaves_it_out_and_goes_on(tmp_path: Path) -> None:
    server_in(tmp_path, "away", "Fetching packages failed", NOBODY)
    server_in(tmp_path, "wrong", "error: expected expression", NOBODY)
    seen: list[VerifyFinding] = []
    home = Home(tmp_path / "home")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    verify_servers(["sh/away", "sh/wrong"], None, Catalog([ROOT, tmp_path]), home, temporary,
                   seen.append)  # fmt: skip
    assert [(one.server, one.outcome) for one in seen] == [
        ("sh/away", "skipped"),
        ("sh/wrong", "failed"),
    ]
    assert "\n" not in seen[0].detail


def test_doctor_names_who_is_concerned_once(tmp_path: Path) -> None:
    for name in ("one", "two"):
        server_in(tmp_path, name, "", NOBODY)
    found = unfetched_of(Catalog([tmp_path]).servers(), set())
    assert list(found.values()) == [["sh/one", "sh/two"]]


def language_with_mirror(monkeypatch: pytest.MonkeyPatch, folder: Path, command: list[str]) -> None:
    """Make `sh` a language whose package manager tells of mirrors by `command`."""
    folder.mkdir(exist_ok=True)
    told = "from webdyno.runtime.programs import Language\n"
    (folder / "sh.py").write_text(f"{told}LANGUAGE = Language(mirror_of={command!r})\n")
    monkeypatch.setattr(languages, "__path__", [*languages.__path__, str(folder)])
    monkeypatch.delitem(sys.modules, f"{languages.__name__}.sh", raising=False)


def test_doctor_asks_a_mirror_where_the_package_manager_has_one(
    tmp_path: Path, repository: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = server_in(tmp_path, "one", "", NOBODY)
    asks = partial(language_with_mirror, monkeypatch, tmp_path / "languages")
    asks(["sh", "-c", f"echo {repository}"])
    assert mirrored([NOBODY], "sh", folder) == [repository]
    assert unfetched_of(Catalog([tmp_path]).servers(), set()) == {}
    # Without a mirror the command fails; without the package manager there is none to ask.
    for command in (["sh", "-c", "echo none; exit 1"], [str(tmp_path / "not-there")]):
        asks(command)
        assert mirrored([NOBODY], "sh", folder) == [NOBODY]
        assert list(unfetched_of(Catalog([tmp_path]).servers(), set()).values()) == [["sh/one"]]
