"""`./webdyno test`: formatters, linters, type checker and tests of Webdyno itself."""

from __future__ import annotations

import difflib
import sys
import time
from pathlib import Path

from gates.outcome import Outcome, run_gates
from gates.table import TESTS, Gate, gates
from webdyno.errors import UserError

EVERYTHING = "all"
"""As a name: every gate, with every test."""


def run(arguments: list[str], root: Path, home: Path) -> bool:
    """Run the gates that `arguments` name, of the sources at `root`; gives whether all passed.

    Without a name, all but the cheats and what is marked `long`; `all` has these, too. The others
    run even if one fails. Logs are kept under `home`. Raises `UserError` for an
    argument that is neither a gate nor for pytest.
    """
    names, pytest_arguments = split(arguments, root)
    outcomes, started = [], time.monotonic()
    every = gates(root, home, _folders(names), pytest_arguments, everything=bool(names))
    for outcome in run_gates(chosen(every, names), root, home, _told):
        mark = "✓" if outcome.ok else "✗"
        print(f"{_NEW_LINE}{mark} {outcome.gate.name} ({outcome.seconds:.1f} s)", flush=True)
        if not outcome.ok:
            print(outcome.output.rstrip(), flush=True)
        outcomes.append(outcome)
    for line in summary(outcomes, time.monotonic() - started):
        print(line)
    return passed(outcomes)


_NEW_LINE = "\r\033[K" if sys.stdout.isatty() else ""
"""Clears what `_told` wrote."""


def _told(gate: Gate) -> None:
    if _NEW_LINE:
        print(f"{_NEW_LINE}… {gate.name}", end="", flush=True)


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
    """The gates of these names or groups, in their usual order; without one, or for `all`, each."""
    if not names or EVERYTHING in names:
        return [gate for gate in all_gates if not gate.part]
    return [gate for gate in all_gates if {gate.name, *gate.groups} & set(names)]


def passed(outcomes: list[Outcome]) -> bool:
    """Whether a gate ran and none failed, and, where tests were asked for, one was found."""
    tests = [outcome.empty for outcome in outcomes if outcome.gate.may_be_empty]
    ran = bool(outcomes) and not (tests and all(tests))
    return ran and all(outcome.ok for outcome in outcomes)


def summary(outcomes: list[Outcome], seconds: float) -> list[str]:
    """The tools' own result lines, then ours, with the `seconds` that all of it took."""
    failed = [outcome.gate.name for outcome in outcomes if not outcome.ok]
    if failed:
        verdict = f"failed: {', '.join(failed)}"
    elif not outcomes:
        verdict = "failed: no gate ran"
    elif not passed(outcomes):
        verdict = "failed: no such test"
    else:
        verdict = f"all {len(outcomes)} gates passed"
    own = [f"{o.gate.name}: {line}" for o in outcomes for line in o.summary_lines()]
    return ["", *own, f"{verdict} ({seconds:.0f} s)"]


def _known_names() -> list[str]:
    every = gates(Path(), Path(), TESTS, [])
    names = (name for gate in every for name in (gate.name, *gate.groups))
    return [EVERYTHING, *dict.fromkeys(names)]


def _folders(names: list[str]) -> tuple[str, ...]:
    return tuple(name for name in TESTS if name in names) or TESTS
