"""Made-up manifests and command lines in any number, and what became of them."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.strategies import SearchStrategy
from tests.faults import flags, fuzz


@dataclass
class Tally:
    """What became of the examples of one kind."""

    kind: str
    taken: int = 0
    refused: int = 0
    fault: str = ""
    """The smallest example that was neither, if there was one."""


@dataclass(frozen=True)
class Kind:
    """How examples are made, and what tells whether one is taken."""

    name: str
    strategy: SearchStrategy[Any]
    check: Callable[[Any, Path], bool]


KINDS = (
    Kind(
        "manifests with other values",
        fuzz.changed_manifests(),
        lambda made, _: fuzz.check_manifest(*made),
    ),
    Kind(
        "manifests with other bytes",
        fuzz.changed_bytes(),
        lambda made, at: fuzz.check_bytes(*made, at),
    ),
    Kind("command lines", flags.command_lines(), lambda made, _: flags.check_line(made)),
    Kind(
        "studies' files, run", fuzz.changed_studies(), lambda made, at: flags.check_study(*made, at)
    ),
)


def tally(kind: Kind, count: int, number: int) -> Tally:
    """Check `count` examples, drawn by the seed `number`."""
    made = Tally(kind.name)

    @seed(number)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
        phases=[Phase.generate, Phase.shrink],
    )
    @given(kind.strategy)
    def check(example: Any) -> None:
        if kind.check(example, folder):
            made.taken += 1
        else:
            made.refused += 1

    with tempfile.TemporaryDirectory() as name, flags.without_work(Path(name)):
        folder = Path(name)
        flags.warm_up()
        try:
            check()
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            made.fault = f"{type(error).__name__}: {error} {getattr(error, '__notes__', '')}"
    return made


def table(tallies: Sequence[Tally]) -> str:
    """The tallies as a table of Markdown."""
    lines = ["| made up | taken | refused in one line | faults |", "|---|--:|--:|--:|"]
    lines += [f"| {t.kind} | {t.taken} | {t.refused} | {int(bool(t.fault))} |" for t in tallies]
    return "\n".join(lines)
