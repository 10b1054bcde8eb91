"""`webdyno test`: formatters, linters, type checker and tests of Webdyno itself."""

from __future__ import annotations

import difflib
import sys
from pathlib import Path
from typing import Annotated

import typer

from webdyno.cli.gates import TESTS, Gate, Outcome, gates, run_gate
from webdyno.errors import UserError
from webdyno.runtime.home import Home


def test(
    arguments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[GATE...] [-- PYTEST-ARGUMENTS...]",
            help="fast (format, lint, types and quick unit tests: under a minute), format, lint, "
            "types, python, rust, rust-format, rust-lint, rust-test, unit, cheats, concurrent, "
            "serial, integration, end_to_end, faults, browser (default: all). Other arguments go "
            "to pytest.",
        ),
    ] = None,  # noqa: PT028 (a command, not a test)
) -> None:
    """Run Webdyno's own quality gates; the others run even if one fails."""
    root = Path(__file__).resolve().parents[3]
    if not (root / "pyproject.toml").is_file():
        raise UserError(
            "`webdyno test` needs Webdyno's sources; run it in a clone of the repository"
        )
    home = Home.default().root
    names, pytest_arguments = split(arguments or [], root)
    outcomes = []
    for gate in chosen(gates(root, home, _folders(names), pytest_arguments), names):
        if sys.stdout.isatty():
            typer.echo(f"… {gate.name}\r", nl=False)
        outcome = run_gate(gate, root, home / "test" / f"{gate.name}.log")
        typer.echo(f"{'✓' if outcome.ok else '✗'} {gate.name} ({outcome.seconds:.1f} s)")
        if not outcome.ok:
            typer.echo(outcome.output.rstrip())
        outcomes.append(outcome)
    for line in summary(outcomes):
        typer.echo(line)
    raise typer.Exit(0 if passed(outcomes) else 1)


def split(arguments: list[str], root: Path) -> tuple[list[str], list[str]]:
    """Gate names, then what goes to pytest. Raises `UserError` for what is neither."""
    known = _known_names()
    count = next((i for i, word in enumerate(arguments) if word not in known), len(arguments))
    names, rest = arguments[:count], arguments[count:]
    if rest and not rest[0].startswith("-") and not (root / rest[0].partition("::")[0]).exists():
        close = difflib.get_close_matches(rest[0], known, n=1)
        remedy = f"did you mean '{close[0]}'?" if close else f"gates: {', '.join(known)}"
        raise UserError(f"no gate or test file '{rest[0]}'; {remedy}")
    if rest and not names:
        names = ["pytest"]
    return names, rest


def chosen(all_gates: list[Gate], names: list[str]) -> list[Gate]:
    """The gates of these names or groups, in their usual order; all where none is named."""
    if not names:
        return [gate for gate in all_gates if not gate.part]
    return [gate for gate in all_gates if {gate.name, *gate.groups} & set(names)]


def passed(outcomes: list[Outcome]) -> bool:
    """Whether none failed, and, where tests were asked for, one was found."""
    tests = [outcome.empty for outcome in outcomes if outcome.gate.may_be_empty]
    return all(outcome.ok for outcome in outcomes) and not (tests and all(tests))


def summary(outcomes: list[Outcome]) -> list[str]:
    """The tools' own result lines, then ours."""
    failed = [outcome.gate.name for outcome in outcomes if not outcome.ok]
    seconds = sum(outcome.seconds for outcome in outcomes)
    if failed:
        verdict = f"failed: {', '.join(failed)}"
    elif not passed(outcomes):
        verdict = "failed: no such test"
    else:
        verdict = f"all {len(outcomes)} gates passed"
    own = [f"{o.gate.name}: {line}" for o in outcomes for line in o.summary_lines()]
    return ["", *own, f"{verdict} ({seconds:.0f} s)"]


def _known_names() -> list[str]:
    every = gates(Path(), Path(), TESTS, [])
    return list(dict.fromkeys(name for gate in every for name in (gate.name, *gate.groups)))


def _folders(names: list[str]) -> tuple[str, ...]:
    return tuple(name for name in TESTS if name in names) or TESTS
