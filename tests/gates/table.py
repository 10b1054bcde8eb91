"""The quality gates: what must hold for every change, each one command with one line of result."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from pathlib import Path

TESTS = ("unit", "integration", "end_to_end", "faults", "browser")
"""The folders of tests/, quickest first."""


_CHECKS, _ASLEEP, _ALONE = range(3)
"""The stages: what compiles or checks; the tests that mostly sleep, and others beside them; the
tests that need the cores to themselves."""


@dataclass(frozen=True)
class Gate:
    """A command that must end with 0. `summary` finds the lines of its output worth repeating.
    One that is a `part` of another gate runs only where it is named, or its group is. One that
    `may_be_empty` may find none of the tests that are asked for: another gate may have them. Gates
    of one `stage` and `lane` run one after the other, beside those of the stage's other lanes; a
    stage begins when the one before has ended. A gate with a `nice` value stands back that far,
    since tests beside it look at the clock. With `again` added, the command runs nothing but the
    tests that failed a moment ago."""

    name: str
    command: list[str]
    groups: tuple[str, ...] = ()
    env: dict[str, str] = field(default_factory=dict)
    summary: str | None = None
    part: bool = False
    may_be_empty: bool = False
    stage: int = _CHECKS
    lane: str = ""
    nice: int = 0
    again: tuple[str, ...] = ()


_BACK = 5
"""So far back that sleepers go first when they wake up, and near enough not to starve."""
_PYTEST_SUMMARY = r"^(?:=+ )?(?:\d+ [a-z]+.*|no tests ran.*) in [\d.]+s.*$"
_AGAIN = ("--last-failed", "--last-failed-no-failures=none", "--numprocesses=0")
"""One test at a time, once the others have ended: they may have spoilt a measurement, or made a
program too slow to be waited for."""
# Doc tests and integration tests have a line each; those that ran nothing say nothing.
_CARGO_SUMMARY = r"^test result: (?!.* 0 passed; 0 failed).*$"


def gates(
    root: Path,
    home: Path,
    folders: Collection[str],
    pytest_arguments: list[str],
    *,
    everything: bool = True,
) -> list[Gate]:
    """Every gate. `folders` are those of tests/ that are wanted; caches are kept under `home`.

    `everything`: with the cheats and the tests marked `long`.
    """
    python, cache = [sys.executable, "-m"], home / "cache"
    ruff = [*python, "ruff"]
    ruff_env = {"RUFF_CACHE_DIR": str(cache / "ruff")}
    check_types = str(root / "tests" / "gates" / "check_types.py")
    types = [sys.executable, check_types, "--cache-dir", str(cache / "mypy")]
    cargo = {
        "CARGO_TARGET_DIR": str(home / "target"),
        # All that a backtrace needs; the rest takes long to compile and to link.
        "CARGO_PROFILE_DEV_DEBUG": "line-tables-only",
    }
    if not (home / "target" / "debug").exists():
        # Notes for a next time cost more than they save where all is compiled.
        cargo["CARGO_INCREMENTAL"] = "0"
    manifest = ["--manifest-path", str(root / "engine" / "Cargo.toml")]
    test_rust = ["cargo", "test", *manifest, "--workspace", "--locked", "--color", "never"]
    lint_rust = [
        "cargo",
        "clippy",
        *manifest,
        "--workspace",
        "--locked",
        "--quiet",
        "--all-targets",
    ]
    pytest = [*python, "pytest", "-o", f"cache_dir={cache / 'pytest'}", "--color=no"]
    return [
        Gate(
            "format",
            [*ruff, "format", "--check", "."],
            ("python", "fast"),
            ruff_env,
            lane="python",
        ),
        Gate("lint", [*ruff, "check", "."], ("python", "fast"), ruff_env, lane="python"),
        Gate("types", types, ("python", "fast"), lane="python"),
        _quick_tests(pytest, root, pytest_arguments),
        Gate(
            "rust-format",
            ["cargo", "fmt", *manifest, "--all", "--check"],
            ("rust",),
            lane="rust",
        ),
        Gate(
            "rust-lint",
            [*lint_rust, "--", "--deny", "warnings"],
            ("rust",),
            cargo,
            lane="rust",
        ),
        Gate("rust-build", [*test_rust, "--no-run"], ("rust",), cargo, lane="rust"),
        Gate("rust-test", test_rust, ("rust",), cargo, _CARGO_SUMMARY, stage=_ASLEEP, lane="rust"),
        *_tests(pytest, root, folders, pytest_arguments, everything),
    ]


def _tests(
    pytest: list[str], root: Path, folders: Collection[str], arguments: list[str], everything: bool
) -> list[Gate]:
    """Those of `folders`: the unit tests, then whatever may share the cores with others, then what
    needs them to itself. Or one gate for the files that `arguments` name."""
    if _name_files(arguments, root):
        return [_pytest("pytest", [*pytest, *arguments], *TESTS, "cheats", "concurrent", "serial")]
    marked, arguments = _marked(arguments)
    cores = len(os.sched_getaffinity(0))
    # Those that measure nothing, or only whether answers are right. One more than there are cores:
    # some wait for a service.
    spread = [f"--numprocesses={cores + 1}", "--dist=worksteal"]
    # Two more: these wait for the programs that they start.
    workers = f"--numprocesses={cores + 2}"
    base, short = root / "tests", "" if everything else "not long"
    found = []
    if "unit" in folders:
        paths = [str(base / "unit"), str(root / "benchmarks" / "tests")]
        command = [*pytest, *paths, *_which(short, marked), *arguments, *spread]
        found.append(replace(_pytest("unit", command), stage=_ASLEEP, lane="python", nice=_BACK))
    cheats = base / "integration" / "cheats"
    if everything and "integration" in folders:
        command = [*pytest, str(cheats), *_which(marked), *arguments, workers, "--dist=worksteal"]
        found.append(_pytest("cheats", command, "integration"))
    rest = [name for name in folders if name != "unit"]
    if rest:
        command = [*pytest, *(str(base / name) for name in rest), f"--ignore={cheats}", *arguments]
        # In the order of `conftest.py`, which puts the longest first.
        files = ["--dist=loadfile", "--no-loadscope-reorder"]
        beside = [*_which("concurrent", short, marked), workers, *files]
        found += [
            _pytest("concurrent", [*command, *beside], *rest),
            _pytest("serial", [*command, *_which("not concurrent", short, marked)], *rest),
        ]
    return found


def _quick_tests(pytest: list[str], root: Path, arguments: list[str]) -> Gate:
    """The unit tests without services, simulations and reports: an answer within a minute."""
    marked, arguments = _marked(arguments)
    quick = [*_which("not slow", marked), "--numprocesses=auto", "--dist=worksteal"]
    command = [*pytest, str(root / "tests" / "unit"), *quick, *arguments]
    return Gate("unit-fast", command, ("fast",), summary=_PYTEST_SUMMARY, part=True, lane="tests")


def _pytest(name: str, command: list[str], *groups: str) -> Gate:
    return Gate(
        name,
        command,
        ("pytest", *groups),
        summary=_PYTEST_SUMMARY,
        may_be_empty=True,
        stage=_ALONE,
        again=_AGAIN,
    )


_VALUED = ("-k", "-m", "-n", "-o", "-p", "-r", "-W")
"""Options of pytest's whose value is the next word, which may be a file's name by chance."""


def _name_files(arguments: list[str], root: Path) -> bool:
    return any(
        not word.startswith("-") and (root / word.partition("::")[0]).exists()
        for before, word in zip(["", *arguments], arguments, strict=False)
        if before not in _VALUED
    )


def _marked(arguments: list[str]) -> tuple[str, list[str]]:
    """What `-m` asks for, and the other arguments: pytest knows only the last `-m`."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("-m", dest="marked", default="")
    known, rest = parser.parse_known_args(arguments)
    return known.marked, rest


def _which(*marks: str) -> list[str]:
    """The option that chooses the tests for which all of `marks` hold, empty ones left out."""
    wanted = [mark for mark in marks if mark]
    if len(wanted) > 1:
        wanted = [mark if mark.removeprefix("not ").isalpha() else f"({mark})" for mark in wanted]
    return ["-m", " and ".join(wanted)] if wanted else []
