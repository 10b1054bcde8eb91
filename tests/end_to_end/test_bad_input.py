"""Bad input anywhere: one clear line, exit code 2, never a traceback."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.concurrent

Cli = Callable[..., subprocess.CompletedProcess[str]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "qick"], "no study or scenario 'qick'; did you mean the study 'quick'?"),
        (["run", "--budget", "soon"], "'soon' is not a duration"),
        (
            ["run", "--servers", "node/expres"],
            "no server 'node/expres'; did you mean 'node/express'?",
        ),
        (["run", "--servers", "node/express@big"], "no variant 'big'; it has: default"),
        (["run", "--servers", ","], "--servers is empty"),
        (["run", "--scenarios", "jsn"], "no scenario 'jsn'; did you mean 'json'?"),
        (["run", "--method", "guess"], "method"),
        (["run", "--duration", "9s"], "no closed load of method 'as-published'"),
        (["run", "--json", "/nowhere/at/all.json"], "its folder does not exist"),
        (["run", "--json", "/tmp"], "is a folder; name a file"),
        (["run", "--resume", "nothing"], "no run 'nothing'"),
        (["run", "--colour"], "--colour"),
        (["verify", "node/nothing"], "no server 'node/nothing'"),
        (["verify", "--scenario", "nothing"], "no scenario 'nothing'"),
        (["list", "everything"], "cannot list 'everything'"),
        (["report", "nothing"], "no run 'nothing'"),
        (["compare", "nothing"], "no run 'nothing'"),
        (["frobnicate"], "frobnicate"),
        (["--content", "/nowhere", "list"], "--content /nowhere: no such folder; name one"),
    ],
)
def test_one_line_and_exit_code_2(cli: Cli, arguments: list[str], message: str) -> None:
    done = cli(*arguments)
    assert done.returncode == 2, (done.stdout, done.stderr)
    assert message in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert "Traceback" not in done.stderr


def test_what_a_generator_cannot_do_is_said_before_anything_is_built(
    cli: Cli, tmp_path: Path
) -> None:
    study = tmp_path / "files.toml"
    study.write_text(
        'name = "files"\ntitle = "F"\nquestion = "F?"\nservers = ["node/express"]\n'
        'scenarios = ["json", "static"]\n[[loads]]\nkind = "closed"\ngenerator = "wrk"\n'
        'connections = 1\nduration = "1s"\n'
    )
    done = cli("run", str(study), "--plain")
    assert done.returncode == 2
    assert done.stderr == (
        "webdyno: wrk sends a fixed path; scenario static draws '/{file}'; use another generator\n"
    )
    assert done.stdout == ""


def test_a_broken_manifest_names_file_and_key(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "servers" / "node" / "mine"
    folder.mkdir(parents=True)
    (folder / "server.toml").write_text('name = "mine"\nlanguage = "node"\nframwork = "x"\n')
    done = cli("--content", str(tmp_path), "verify", "node/mine")
    assert done.returncode == 2
    assert str(folder / "server.toml") in done.stderr
    assert "unknown key 'framwork'; did you mean 'framework'?" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_missing_toolchain_leaves_the_server_out_with_a_reason(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "servers" / "node" / "future"
    folder.mkdir(parents=True)
    (folder / "server.toml").write_text(
        'name = "future"\nlanguage = "node"\nframework = "x"\nframework_version = "1"\n'
        'licence = "MIT"\ntoolchain = ["node >= 999"]\nscenarios = ["hello"]\n'
        '[run]\ncommand = ["node", "server.js"]\n'
    )
    done = cli("--content", str(tmp_path), "verify", "node/future")
    assert done.returncode == 2
    assert "left out" in done.stdout
    assert "needs node >= 999" in done.stdout
