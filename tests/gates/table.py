"""The quality gates: what must hold for every change, each one command with one line of result."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path

TESTS = ("unit", "integration", "end_to_end", "faults", "browser")
"""The folders of tests/, quickest first."""


@dataclass(frozen=True)
class Gate:
    """A command that must end with 0. `summary` finds the lines of its output worth repeating.
    One that is a `part` of another gate runs only where it is named, or its group is. One that
    `may_be_empty` may find none of the tests that are asked for: another gate may have them. Gates
    of one `lane` run one after the other, beside those of other lanes; the rest run alone."""

    name: str
    command: list[str]
    groups: tuple[str, ...] = ()
    env: dict[str, str] = field(default_factory=dict)
    summary: str | None = None
    part: bool = False
    may_be_empty: bool = False
    lane: str = ""


# Its last line, and the tests that passed only when they were run again.
_PYTEST_SUMMARY = r"^(?:(?:=+ )?(?:\d+ [a-z]+.*|no tests ran.*) in [\d.]+s.*|RERUN .*)$"
_AGAIN = ["--reruns=1", "--max-suite-reruns=5", "--rerun-show-tracebacks"]
"""Others on the machine may spoil a measurement, or make a program too slow to be waited for: what
fails is run once more, and told. Where many fail, it is no chance."""
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
    types = [*python, "mypy", "--cache-dir", str(cache / "mypy")]
    cargo = {
        "CARGO_TARGET_DIR": str(home / "target"),
        # All that a backtrace needs; the rest takes long to compile and to link.
        "CARGO_PROFILE_DEV_DEBUG": "line-tables-only",
    }
    manifest = ["--manifest-path", str(root / "engine" / "Cargo.toml")]
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
            [*lint_rust, "--features", "python", "--", "--deny", "warnings"],
            ("rust",),
            cargo,
            lane="rust",
        ),
        Gate(
            "rust-test",
            ["cargo", "test", *manifest, "--workspace", "--locked", "--color", "never"],
            ("rust",),
            cargo,
            _CARGO_SUMMARY,
            lane="rust",
        ),
        *_tests(pytest, root, folders, pytest_arguments, everything),
    ]


def _tests(
    pytest: list[str], root: Path, folders: Collection[str], arguments: list[str], everything: bool
) -> list[Gate]:
    """Those of `folders`: the unit tests, then whatever may share the cores with others, then what
    needs them to itself. Or one gate for the files that `arguments` name."""
    if any(not argument.startswith("-") for argument in arguments):
        return [Gate("pytest", [*pytest, *arguments], TESTS, summary=_PYTEST_SUMMARY)]
    # Those that measure nothing, or only whether answers are right.
    spread = ["--numprocesses=auto", "--dist=worksteal"]
    # One more than there are cores: these wait for the programs that they start.
    workers = f"--numprocesses={len(os.sched_getaffinity(0)) + 1}"
    base, more = root / "tests", [*_AGAIN, *arguments]
    found = []
    if "unit" in folders:
        paths = [base / "unit", root / "benchmarks" / "tests"]
        which = [] if everything else ["-m", "not long"]
        found.append(_pytest("unit", [*pytest, *map(str, paths), *which, *more, *spread]))
    cheats = base / "integration" / "cheats"
    if everything and "integration" in folders:
        command = [*pytest, str(cheats), *more, workers, "--dist=worksteal"]
        found.append(_pytest("cheats", command, "integration"))
    rest = [name for name in folders if name != "unit"]
    if rest:
        command = [*pytest, *(str(base / name) for name in rest), f"--ignore={cheats}", *more]
        short = "" if everything else " and not long"
        beside = ["-m", f"concurrent{short}", workers, "--dist=loadfile"]
        found += [
            _pytest("concurrent", [*command, *beside], *rest),
            _pytest("serial", [*command, "-m", f"not concurrent{short}"], *rest),
        ]
    return found


def _quick_tests(pytest: list[str], root: Path, arguments: list[str]) -> Gate:
    """The unit tests without services, simulations and reports: an answer within a minute."""
    quick = ["-m", "not slow", "--numprocesses=auto", "--dist=worksteal", *arguments]
    command = [*pytest, str(root / "tests" / "unit"), *quick]
    return Gate("unit-fast", command, ("fast",), summary=_PYTEST_SUMMARY, part=True, lane="tests")


def _pytest(name: str, command: list[str], *groups: str) -> Gate:
    groups = ("pytest", *groups)
    return Gate(name, command, groups, summary=_PYTEST_SUMMARY, may_be_empty=True)
