"""What of a request is unclear, missing or wrong, and refused."""

from pathlib import Path
from typing import Any

import pytest

from unit.ab.conftest import FILE, paired
from webdyno.ab.flags import Flags
from webdyno.errors import UserError


def test_a_file_without_a_start_command_is_named(here: Path, tmp_path: Path) -> None:
    path = here / "webdyno.toml"
    path.write_text(FILE.partition("[run]")[0])
    for places in ([], [".", "."]):
        with pytest.raises(UserError, match=r"webdyno\.toml: .*; set `command` under \[run\]"):
            paired(here, tmp_path / "into", places=places)
    assert paired(here, tmp_path / "into", commands=["node a.js"])
    path.unlink()
    with pytest.raises(UserError, match=r"no start command; .* run `webdyno init`"):
        paired(here, tmp_path / "into", flags=Flags(requests=["GET /"], no_build=True))
    for more in ({"env": ["A=B"]}, {"writes": True}, {"ready": "/x"}, {"start_timeout_s": 5.0}):
        flags = Flags(requests=["GET /"], no_build=True, **more)
        with pytest.raises(UserError, match=r"no start command; .* run `webdyno init`"):
            paired(here, tmp_path / "into", flags=flags)


def test_runtimes_of_a_language_that_nobody_names_are_refused(here: Path, tmp_path: Path) -> None:
    (here / "webdyno.toml").unlink()
    flags = Flags(requests=["GET /"], no_build=True)
    with pytest.raises(UserError, match=r"--runtime needs to know .*; set `language` in webdyno"):
        paired(
            here, tmp_path / "into", flags=flags, commands=["./a"], runtimes=["node@24", "node@26"]
        )


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"places": ["."], "packages": ["a@1", "a@2"]}, "cannot be combined; give one of them"),
        ({"packages": ["a@1"]}, "--with: 1 given; give it twice"),
        ({"commands": ["a", "b", "c"]}, "--command: 3 given; give it twice"),
        ({"packages": ["a", "a@2"]}, "no version; write it as name@version"),
        ({"flags": Flags(margin=3.0)}, "the options: key 'margin'"),
        ({"runtimes": ["node@1", "node@2"]}, "--runtime node@1: unknown; choose from node@"),
        (
            {"runtimes": ["node@1", "node@2"]},
            "name the programs of two that this machine has in two --command ('/path/to/node …')",
        ),
        (
            {"runtimes": ["python@3.11", "python@3.12"]},
            "python@3.11: this service does not run on python;",
        ),
        ({"flags": Flags(env=["A"])}, "write it as NAME=VALUE"),
        (
            {"flags": Flags(ignore=["x-id"])},
            "--ignore x-id: not understood; write it as header:NAME, json:PATH",
        ),
        ({"flags": Flags(ignore=["pattern:("])}, "is not a valid regular expression"),
        ({"urls": ["http://a/"] * 2, "flags": Flags(services=["mariadb"])}, "--service is for"),
        ({"flags": Flags(requests=["b"])}, "write it like 'GET /items'"),
        ({"flags": Flags(requests=["GET /a?b={c}"])}, "define `variables.c`, or write %7B and %7D"),
        (
            {"urls": ["http://a/"] * 2, "commands": ["a"]},
            "--command is for versions that ab builds",
        ),
        ({"urls": ["http://a/"] * 2, "flags": Flags(ready="/")}, "--ready is for versions"),
        ({"file": Path("/no/such.toml")}, "no such file"),
        (
            {"flags": Flags(loads=["full"], rate="9/s")},
            "--rate is for the steady load, which is not among the loads (full); add steady",
        ),
        (
            {"flags": Flags(loads=["steady"], connections=9)},
            "--connections is for the full load, which is not among the loads (steady); add full",
        ),
    ],
)
def test_what_is_unclear_is_refused(
    here: Path, tmp_path: Path, changes: dict[str, Any], said: str
) -> None:
    with pytest.raises(UserError) as caught:
        paired(here, tmp_path / "into", **changes)
    assert said in str(caught.value)


def test_what_is_not_said_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "bare").mkdir()
    with pytest.raises(UserError, match="give --command"):
        paired(tmp_path / "bare", tmp_path / "into")
    with pytest.raises(UserError, match="give --request"):
        paired(tmp_path / "bare", tmp_path / "into", commands=["x", "y"])


def test_a_toolchain_that_is_none_is_told_with_its_file(here: Path, tmp_path: Path) -> None:
    path = here / "webdyno.toml"
    path.write_text(f'toolchain = ["golang >= 1.20"]\n{path.read_text()}')
    with pytest.raises(UserError) as caught:
        paired(here, tmp_path / "into", places=[".", "."])
    said = f"{path}: key 'toolchain': toolchain 'golang' is unknown; choose from "
    assert str(caught.value).startswith(said)


def test_a_slip_in_a_placeholder_is_refused_before_anything_is_built(
    here: Path, tmp_path: Path
) -> None:
    with pytest.raises(UserError, match=r"refers to \$\{PROT\}, which nothing sets; write \$\{PO"):
        paired(here, tmp_path / "into", commands=["./a ${PORT}", "./a ${PROT}"])
