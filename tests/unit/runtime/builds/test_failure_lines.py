"""The lines that tell why a build or a start failed, out of logs that real tools wrote."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from webdyno.catalog.servers.server import read_server
from webdyno.runtime.builds.build import build
from webdyno.runtime.builds.commands import BuildError
from webdyno.runtime.builds.failure_lines import NOTHING, error_lines, errors_of, telling_lines, why
from webdyno.runtime.builds.php_boxes import unboxed

RECORDED = Path(__file__).parent / "recorded_logs"

TOLD = {
    "bundler-ruby": ["Your Ruby version is 3.1.2, but your Gemfile specified >= 3.2, < 4.0"],
    "cargo-no-crate": ["error: no matching package named `no-such-crate-of-ours` found"],
    "cargo-type-error": ["error[E0308]: mismatched types (src/main.rs:4:5)"],
    "cc": [
        "x.c:1:25: error: expected expression before ‘;’ token",
        "x.c:1:26: error: expected ‘;’ before ‘}’ token",
    ],
    "composer-box": [
        "The `url` supplied for the path (../packages/of-this-company/http-client-for-its-own-"
        "services) repository does not exist (PathRepository.php line 163)"
    ],
    "composer-platform": [
        "Root composer.json requires php ^9 but your php version (8.2.36) does not satisfy that "
        "requirement."
    ],
    "elixir-syntax": [
        '** (SyntaxError) lib/shop.ex:3:1: unexpected reserved word: end. The "(" at line 2 is '
        'missing terminator ")"'
    ],
    "elixir-undefined": [
        "** (CompileError) lib/shop.ex:2: undefined function listen/1 (expected Shop to define "
        "such a function or for it to be imported, but none are available)"
    ],
    "go-fatal": ["2026/11/22 13:00:29 listen tcp: lookup 256.0.0.1: no such host"],
    "go-panic": ["panic: runtime error: index out of range [2] with length 1"],
    "go-undefined": ["./main.go:7:2: undefined: listen"],
    "java-exception": [
        "Caused by: java.lang.NumberFormatException: Cannot parse null string",
    ],
    "java-no-jar": ["Error: Unable to access jarfile nothing.jar"],
    "javac": [
        "Server.java:3: error: incompatible types: String cannot be converted to int",
        "Server.java:4: error: cannot find symbol",
    ],
    "maven-compile": [
        "/srv/app/src/main/java/webdyno/servlet/Server.java:[18,42] incompatible types: "
        "java.lang.String cannot be converted to int"
    ],
    "mix-offline": ["** (Mix) No package with name phoenix (from: mix.exs) in registry"],
    "nginx-emerg": [
        '2026/11/22 13:00:46 [emerg] 30945#30945: unknown directive "servre" in /srv/app/n.conf:2'
    ],
    "node-listen": ["Error: getaddrinfo ENOTFOUND 256.1.1.1"],
    "node-no-module": ["Error: Cannot find module 'expresso'"],
    "node-type-error": ["TypeError: Cannot read properties of undefined (reading 'y')"],
    "npm-no-script": ['Missing script: "build"'],
    "php-fatal": [
        "PHP Fatal error:  Uncaught Error: Call to undefined function App\\pg_no_such() in "
        "/srv/app/c.php:3"
    ],
    "php-parse": [
        'PHP Parse error:  syntax error, unexpected token "{", expecting variable in '
        "/srv/app/b.php on line 2"
    ],
    "pip-no-version": [
        "ERROR: Could not find a version that satisfies the requirement starlette==99 "
        "(from versions: none)",
        "ERROR: No matching distribution found for starlette==99",
    ],
    "poetry-no-candidate": [
        "Unable to find installation candidates for pycparser (2.21)",
        "Unable to find installation candidates for idna (3.3)",
        "Unable to find installation candidates for sniffio (1.2.0)",
    ],
    "python-syntax": ['SyntaxError: invalid syntax (File "/srv/app/bad.py", line 3)'],
    "python-traceback": [
        "KeyError: 'WEBDYNO_NO_SUCH' (File \"/srv/app/server.py\", line 5, in settings)"
    ],
    "rust-panic": [
        "thread 'main' (28170) panicked at src/main.rs:2:44: (PORTS must be given: NotPresent)"
    ],
    "sh-not-found": ["s.sh: 4: no_such_compiler: not found"],
    "tsc": [
        "src/json/json.module.ts(1,7): error TS2322: Type 'string' is not assignable to type "
        "'number'."
    ],
    "uv-download": [
        "failed to lookup address information: Name or service not known (Failed to download "
        "`https://python.example/cpython-3.15.2.tar.gz`)"
    ],
}


@pytest.mark.parametrize("name", TOLD)
def test_the_error_is_told_and_not_what_stands_around_it(name: str) -> None:
    assert telling_lines((RECORDED / f"{name}.log").read_text()) == TOLD[name]


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("npm-ci-lock", "`npm ci` can only install packages when your package.json"),
        ("maven-no-artefact", "Failed to execute goal on project servlet: Could not resolve"),
    ],
)
def test_a_long_reason_is_cut(name: str, begins: str) -> None:
    told = telling_lines((RECORDED / f"{name}.log").read_text())
    assert told[0].startswith(begins)
    assert all(len(line) <= 200 for line in told)


def test_every_recorded_log_is_tested() -> None:
    recorded = {path.stem for path in RECORDED.glob("*.log")}
    assert recorded == {*TOLD, "npm-ci-lock", "maven-no-artefact"}


def test_without_an_error_the_last_lines_are_told() -> None:
    text = "reading\n\nlistening on 80\nbye\n\n"
    assert telling_lines(text) == ["reading", "listening on 80", "bye"]
    assert error_lines(text) == []
    assert telling_lines("\n \n") == []


def test_notices_of_npm_are_no_reason_for_a_silent_exit(tmp_path: Path) -> None:
    notices = (
        "npm notice\nnpm notice New major version of npm available! 10.9.2 -> 11.6.0\n"
        "npm notice To update run: npm install -g npm@11.6.0\n\x1b[1mnpm\x1b[22m notice\n"
        "npm warn deprecated inflight@1.0.6: This module is not supported\n"
        "npm WARN old lockfile\n"
    )
    log = tmp_path / "start.log"
    log.write_text(notices)
    assert why(log) == NOTHING
    assert errors_of(log) == ""
    log.write_text(f"reading\n{notices}")
    assert why(log) == "reading"


def test_no_terminal_code_is_told() -> None:
    assert telling_lines("\x1b]0;title\x07\x1b[31merror\x1b[0m: disk \x08full\r\n") == [
        "error: disk full"
    ]


def test_only_the_failing_command_is_told_of() -> None:
    text = "$ npm ci\nnpm error old news\n$ npm run build\nsrc/a.ts(1,2): error TS1: new\n"
    assert telling_lines(text) == ["src/a.ts(1,2): error TS1: new"]


def test_an_absent_log_has_no_output(tmp_path: Path) -> None:
    assert why(tmp_path / "none.log") == NOTHING


def test_a_failed_build_tells_the_error(tmp_path: Path) -> None:
    folder = tmp_path / "shell" / "broken"
    folder.mkdir(parents=True)
    tool = folder / "tool.sh"
    tool.write_text(f"#!/bin/sh\ncat {RECORDED / 'cargo-type-error.log'}\nexit 101\n")
    tool.chmod(tool.stat().st_mode | stat.S_IXUSR)
    (folder / "server.toml").write_text(
        'name = "broken"\nlanguage = "shell"\nframework = "none"\nframework_version = "1"\n'
        'licence = "MIT"\ntoolchain = []\nscenarios = ["hello"]\n'
        '[build]\ncommands = [["./tool.sh"]]\n[run]\ncommand = ["true"]\n'
    )
    told = r"'./tool.sh' exited with 101: error\[E0308\]: mismatched types \(src/main.rs:4:5\)"
    with pytest.raises(BuildError, match=told):
        build(read_server(folder), tmp_path / "builds", {})


def test_a_place_beside_a_long_line_keeps_its_bracket() -> None:
    path = f"/srv/{'x' * 90}/shop/__init__.py"
    told = telling_lines(f'  File "{path}", line 22, in create_app\nOSError: {"y" * 300}')
    assert told == [f'OSError: {"y" * 190}… (File "{path}", line 22, in create_app)']


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        ("shop==2.5.1", "shop==2.5.1 requires Python >=3.12 (Requires-Python)"),
        ("shop==2.5.*", "shop==2.5 requires Python >=3.12 (Requires-Python)"),
        # Passed over, but not what was wanted.
        ("shop==9", None),
    ],
)
def test_a_package_for_another_python_is_told_first(wanted: str, told: str | None) -> None:
    text = (
        "ERROR: Ignored the following versions that require a different python version: "
        "1.2 Requires-Python >=3.7,<3.11; 2.5.1 Requires-Python >=3.12; 2.5.2 Requires-Python >=3\n"
        f"ERROR: Could not find a version that satisfies the requirement {wanted} (of 1)\n"
        f"ERROR: No matching distribution found for {wanted}\n"
    )
    said = telling_lines(text)
    assert said == [told] if told else said[-1].endswith("found for shop==9")


SPRING = (
    "2026-11-22T13:00:01.123Z  INFO 42 --- [shop] [main] o.s.b.w.e.tomcat.TomcatWebServer : no "
    "errors so far"
)


@pytest.mark.parametrize(
    "quiet", [SPRING, "[INFO] 2 errors fixed", "INFO:     not found: none", "12:00 [info] no error"]
)
def test_a_line_at_the_level_info_is_no_cause(quiet: str) -> None:
    assert error_lines(f"{quiet}\n") == []
    assert telling_lines(f"{quiet}\nshop: cannot open the door\n{quiet}\n") == [
        "shop: cannot open the door"
    ]
    assert telling_lines(f"bye\n{quiet}\n") == ["bye"]
    # Where there is nothing else, its end is told.
    assert telling_lines(f"{quiet}\n") == [quiet]


def test_a_cause_may_have_the_word_info() -> None:
    assert error_lines("cannot read INFO of shop\n") == ["cannot read INFO of shop"]


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        # What is indented below a box is no part of it.
        (["  no such file  ", "", "  - Installing x"], ["no such file (", "", "  - Installing x"]),
        # A log that ends within a box.
        ([f"  {'x' * 75}  "], [f"{'x' * 75} ("]),
    ],
)
def test_what_a_box_holds_is_told_and_nothing_else(lines: list[str], told: list[str]) -> None:
    found = unboxed(["In A.php line 1:", *lines])
    assert list(found) == [one.replace(" (", " (A.php line 1)") for one in told]
