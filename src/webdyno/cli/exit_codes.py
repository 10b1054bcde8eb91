"""The exit codes of the commands, as their help and docs/commands.md list them."""

from __future__ import annotations

from typing import Any

from webdyno.cli.failures import USAGE
from webdyno.run.comparison.outcome import EXIT_CODES

_WORSE, _NOT_SETTLED = EXIT_CODES["worse"], EXIT_CODES["not settled"]

OF_COMMANDS: dict[str, dict[int, str]] = {
    "run": {
        0: "at least one trial succeeded",
        1: "no trial succeeded, or a file of the results could not be written",
    },
    "hit": {
        0: "there was a correct answer, or two URLs were compared, whichever is faster",
        1: "there was no correct answer, no rate met the objective, an agent cannot be trusted, or "
        "the second of two URLs does not do its work",
        USAGE: "bad input, the file of --record could not be written to the end, or the first of "
        "two URLs does not do its work",
    },
    "ab": {
        0: "B is no worse",
        _WORSE: "B is slower, cannot be built, or fails verification",
        USAGE: "bad input, or A does not do its work",
        _NOT_SETTLED: "not settled",
    },
    "list": {USAGE: "bad input, or an invalid file was left out of the list and named on stderr"},
    "verify": {
        1: "a build or a verification failed",
        USAGE: "bad input, or nothing was verified: no server implements the scenario, or all were "
        "left out, for example because a toolchain is missing",
    },
    "check": {
        0: "nothing is worse",
        _WORSE: "a build or a verification failed, or a server certainly takes more CPU "
        "time per request than before",
        _NOT_SETTLED: "not settled, or could not be checked here",
    },
    "gate": {
        0: "nothing is worse, as far as the data can tell",
        _WORSE: "a settled regression beyond the margin, or a server that worked in the "
        "baseline can no longer be built, started, verified or measured",
        USAGE: "bad input, or nothing could be compared",
        _NOT_SETTLED: "nothing is worse, but a server was not reached within the budget or not "
        "compared, a figure has too few trials, or the control differs from itself",
    },
    "claims": {0: "no contradiction", 1: "the figures contradict each other"},
    "doctor": {1: "with --machines: a machine has a problem, shown with its remedy"},
    "outdated": {
        0: "nothing is outdated",
        1: "something is outdated, or a client gave no answer: it is missing or offline, for "
        "example",
    },
    "machines": {1: "a machine gave no answer"},
    "test": {0: "all gates passed", 1: "one failed"},
}
"""What they mean of these commands; those of every command are in docs/commands.md."""


def tell_exit_codes(command: Any) -> Any:
    """`command`, whose help ends with its exit codes, if it has any of its own."""
    codes = OF_COMMANDS.get(command.name, {})

    def ending(_context: Any, formatter: Any) -> None:
        if codes:
            with formatter.section("Exit codes"):
                formatter.write_dl([(str(code), meaning) for code, meaning in codes.items()])

    command.format_epilog = ending
    return command
