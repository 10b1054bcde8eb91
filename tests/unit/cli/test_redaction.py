"""No secret of a command line is stored, printed or posted."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from webdyno.ab.versions.version import from_commands
from webdyno.catalog.studies.study import StudyManifest
from webdyno.cli.failures import report_failure
from webdyno.errors import UserError
from webdyno.generators.target import parse
from webdyno.redaction import printed_command
from webdyno.run.bench import observe
from webdyno.run.record.keeping import new_run
from webdyno.runtime.builds.commands import BuildError, run_commands
from webdyno.runtime.home import Home

SECRET = "hunter2"


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["ab", "-H", f"Authorization: Bearer {SECRET}"], ["ab", "-H", "Authorization: …"]),
        (["ab", f"-HCookie: sid={SECRET}"], ["ab", "-HCookie: …"]),
        (["ab", "--header", f"X-Key:{SECRET}"], ["ab", "--header", "X-Key: …"]),
        (["ab", f"--header=X-Key: {SECRET}"], ["ab", "--header=X-Key: …"]),
        (["ab", "-H", SECRET], ["ab", "-H", "…"]),
        (["ab", "--env", f"DB_PASSWORD={SECRET}"], ["ab", "--env", "DB_PASSWORD=…"]),
        (["ab", f"--env=KEY={SECRET}=="], ["ab", "--env=KEY=…"]),
        (["ab", "-r", f'POST /login {{"p": "{SECRET}"}}'], ["ab", "-r", "POST /login …"]),
        (["ab", "-r", f"GET /?token={SECRET}&page=2"], ["ab", "-r", "GET /?token=…&page=2"]),
        (["hit", "-kH", f"A: {SECRET}", "--body", SECRET], ["hit", "-kH", "A: …", "--body", "…"]),
        (["hit", "-XPATCH", "-H", f"A: {SECRET}"], ["hit", "-XPATCH", "-H", "A: …"]),
        (["hit", f"http://me:{SECRET}@localhost/"], ["hit", "http://…@localhost/"]),
        (["hit", f"http://me:p@{SECRET}@host/a@b"], ["hit", "http://…@host/a@b"]),
        (["hit", f"http://me:p#{SECRET}@host/"], ["hit", "http://…@host/"]),
        (["hit", f"http://me:p?{SECRET}@host/"], ["hit", "http://…@host/"]),
        (["hit", "http://host?to=a@b"], ["hit", "http://host?to=a@b"]),
        (["ab", "--command", f"API_KEY={SECRET} ./a"], ["ab", "--command", "API_KEY=… ./a"]),
        (["ab", "--build", f"fetch --token {SECRET} x"], ["ab", "--build", "fetch --token … x"]),
        (["ab", "--with", f"a@git://{SECRET}@host/a"], ["ab", "--with", "a@git://…@host/a"]),
    ],
)  # fmt: skip
def test_secrets_are_left_out(given: list[str], told: list[str]) -> None:
    assert printed_command(given) == shlex.join(told)


@pytest.mark.parametrize(
    "line",
    [
        "ab main HEAD -r 'GET /items?page=2' --budget 10m -c 64",
        "ab --command 'node a.js --port 3000' --command 'LOG=warn node b.js'",
        "run json --servers go/gin,node/fastify",
        "ab v1@{0} HEAD --with express@4 --with @scope/name@5 --url http://localhost:8081/a@b",
        "hit http://localhost:8080/tokens?page=2 --header",
    ],
)
def test_all_else_is_told_as_it_was_given(line: str) -> None:
    words = shlex.split(line)
    assert printed_command(words) == shlex.join(words)


@pytest.mark.slow
def test_a_run_keeps_its_command_without_secrets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["webdyno", "ab", "--env", f"DB_PASSWORD={SECRET}"])
    monkeypatch.setattr(observe, "versions", dict)
    study = StudyManifest.model_validate(
        {
            "name": "s", "title": "S", "question": "?", "servers": ["a/b"],
            "scenarios": ["hello"], "metrics": ["throughput_rps"],
            "loads": [{"kind": "closed", "connections": 1, "duration": 1.0}],
        }
    )  # fmt: skip
    run = new_run(study, Home(tmp_path), None)
    assert run.command == "./webdyno ab --env 'DB_PASSWORD=…'"


def test_commands_that_are_compared_are_told_without_secrets(tmp_path: Path) -> None:
    lines = [f"env DB_PASSWORD={SECRET} node {name}.js" for name in "ab"]
    a, b = from_commands(lines, tmp_path)
    assert (a.name, b.name) == ("env DB_PASSWORD=… node a.js", "env DB_PASSWORD=… node b.js")
    assert f"DB_PASSWORD={SECRET}" in a.command


def test_a_refused_url_does_not_show_its_password() -> None:
    with pytest.raises(UserError) as refused:
        parse(f"http://me:{SECRET}@localhost/")
    assert SECRET not in str(refused.value)


def test_the_file_of_a_failure_holds_no_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WEBDYNO_HOME", str(tmp_path))
    monkeypatch.delenv("WEBDYNO_DEBUG", raising=False)
    monkeypatch.setattr(sys, "argv", ["webdyno", "hit", "-H", f"Authorization: {SECRET}"])
    report_failure(RuntimeError("something"))
    (kept,) = (tmp_path / "failures").iterdir()
    text = kept.read_text(encoding="utf-8")
    assert "-H 'Authorization: …'" in text
    assert SECRET not in text


def test_a_failed_command_is_told_without_secrets(tmp_path: Path) -> None:
    with pytest.raises(BuildError) as failed:
        run_commands("go/a", [["false", f"https://{SECRET}@example.org/a"]], tmp_path, {})
    assert "https://…@example.org/a' exited with 1" in str(failed.value)
