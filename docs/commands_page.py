"""Write docs/commands.md: the command line's own help, a section for each command.

Run it after a change of a command: `.webdyno/venv/bin/python docs/commands_page.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from key_tables import wrapped
from scenarios_page import escaped
from typer.main import get_command

from webdyno.cli.commands import COMMANDS, load
from webdyno.cli.failures import INTERRUPTED, NO_ROOM, SOFTWARE, USAGE
from webdyno.cli.main import NO_READER, app

PAGE = Path(__file__).resolve().parent / "commands.md"

HEAD = """# Every command and option

<!-- made by docs/commands_page.py from the help of the commands -->

This page shows what `webdyno COMMAND --help` prints, and the exit codes. `webdyno` is `./webdyno`
in a clone, or the command that `pip install` puts on the `PATH`. [JSON of the commands](json.md)
describes what `--json` writes. In usage lines, `{argument}` is required, `[argument]` is optional,
and `...` means that there may be several.
"""

EVERYWHERE = {
    0: "all is well",
    USAGE: "bad input: one line names the file, key or option and the remedy",
    SOFTWARE: "a bug in Webdyno: the line names a file with the details",
    NO_ROOM: "a disk is full",
    INTERRUPTED: "ended by Ctrl-C or SIGTERM",
    NO_READER: "nothing reads the output any more, as in `webdyno list | head`",
}
"""What the exit codes of all commands mean."""
OWN_CODES = (
    "Some commands have further exit codes, or give these a more specific meaning; their sections "
    "say so."
)

SETTLED_WORSE, NOT_SETTLED = 1, 3
"""Those of `ab`, `check` and `gate`, whose own constants take seconds to import."""

OF_COMMANDS: dict[str, dict[int, str]] = {
    "run": {
        0: "at least one trial succeeded",
        1: "no trial succeeded, or a file of the results could not be written",
    },
    "hit": {
        0: "there was a correct answer, or two URLs were compared, whichever is faster",
        1: "there was no correct answer, no rate met the objective, an agent cannot be trusted, or "
        "the second of two URLs does not do its work",
        USAGE: "bad input, or the first of two URLs does not do its work",
    },
    "ab": {
        0: "B is no worse",
        SETTLED_WORSE: "B is slower, cannot be built, or fails verification",
        USAGE: "bad input, or A does not do its work",
        NOT_SETTLED: "not settled",
    },
    "list": {USAGE: "bad input, or an invalid file was left out of the list"},
    "verify": {
        1: "a build or a verification failed",
        USAGE: "bad input, or nothing was verified",
    },
    "check": {
        0: "nothing is worse",
        SETTLED_WORSE: "a build or a verification failed, or a server takes more CPU time",
        NOT_SETTLED: "not settled, or could not be checked here",
    },
    "gate": {
        0: "nothing is worse, as far as the data can tell",
        SETTLED_WORSE: "a settled regression, or a server that worked and no longer does",
        USAGE: "bad input, or nothing could be compared",
        NOT_SETTLED: "nothing is worse, but a server was not reached or not compared, or a figure "
        "is not settled",
    },
    "claims": {0: "no contradiction", 1: "the figures contradict each other"},
    "doctor": {1: "with `--machines`: a machine has a problem, shown with its remedy"},
    "outdated": {0: "nothing is outdated", 1: "something is outdated, or a client gave no answer"},
    "machines": {1: "a machine gave no answer"},
    "test": {0: "all gates passed", 1: "one failed"},
}
"""What they mean of these commands."""

LONGEST_USAGE = 118

_BRACKET = re.compile(r"  \[([^][]*(?:\[[^]]*\])?[^][]*)\]$")
_RANGE = re.compile(r"(?:([\d.]+)<=)?x(?:>=([\d.]+))?(?:<=([\d.]+))?")
_CODES = re.compile(r": exit \d[^.]*(?=\.)")
"""Exit codes in the summary of a help, which its section lists."""
_NO_BOUND = 2**63 - 1
"""From here on a maximum is that of a number's own size, and says nothing."""


def page() -> str:
    """The page, as Markdown."""
    top = get_command(app)
    parts = [HEAD, "## Options of all commands\n", *_listed(top), ""]
    parts += ["`-h` and `--help` show the help of a command.", "", "## Exit codes\n"]
    parts += [*_exit_codes(EVERYWHERE), "", OWN_CODES, ""]
    for name in COMMANDS:
        parts += _command(name, load(name))
    return "\n".join(parts).rstrip() + "\n"


def _command(name: str, command: Any) -> list[str]:
    context = _context(command, f"webdyno {name}")
    lines = [f"## {name}", "", "```", context.get_usage().removeprefix("Usage: "), "```", ""]
    told = _CODES.sub("", command.help, count=1)
    lines += [line for part in _paragraphs(told) for line in (part, "")]
    lines += [*_listed(command, f"webdyno {name}"), ""]
    if codes := OF_COMMANDS.get(name):
        lines += ["Exit codes:", "", *_exit_codes(codes), ""]
    return lines


def _context(command: Any, called: str) -> Any:
    return command.context_class(command, info_name=called, terminal_width=LONGEST_USAGE)


def _paragraphs(help_text: str) -> Iterator[str]:
    """What the command does; lines of examples, which are paragraphs of their own, as code."""
    examples: list[str] = []
    for part in help_text.split("\n\n"):
        if part.startswith("webdyno "):
            examples.append(part)
        else:
            yield wrapped(_prose(part))
    if examples:
        yield "\n".join(["```", *examples, "```"])


def _listed(command: Any, called: str = "webdyno") -> list[str]:
    """Its arguments and options, each as the item of a list."""
    context = _context(command, called)
    records = [one.get_help_record(context) for one in command.get_params(context)]
    return [_item(*record) for record in records if record and "--help" not in record[0]]


def _item(names: str, told: str) -> str:
    found = _BRACKET.search(told)
    text = _prose(told[: found.start()] if found else told)
    for extra in (found[1] if found else "").split("; "):
        text += _extra(extra, names)
    shown = ", ".join(f"`{name}`" for name in re.split(r", | / ", names))
    return wrapped(f"- {shown}: {text}", "  ")


def _extra(extra: str, names: str) -> str:
    """What the help has in brackets behind a text, as a sentence."""
    what, _, value = extra.partition(": ")
    if what == "required":
        return " Required."
    if what == "default":
        if value.startswith("("):
            return f" Default: {value[1:-1]}."
        return f" Default: `--{value}`." if f"--{value}" in names else f" Default: `{value}`."
    if bounds := _RANGE.fullmatch(extra):
        least, most = bounds[1] or bounds[2], bounds[3]
        if most is None or float(most) >= _NO_BOUND:
            return f" At least {least}."
        return f" From {float(least):,g} to {int(float(most)):,}."
    return ""


def _prose(text: str) -> str:
    """`text` of the help as Markdown: options, and what it quotes, as code."""
    quoted = re.sub(r"(?<!\w)'([^'\n]+)'(?!\w)", r"`\1`", text)
    parts = escaped(quoted).split("`")
    parts[::2] = [re.sub(r"(?<![\w-])(--?[a-zA-Z][\w-]*)", r"`\1`", part) for part in parts[::2]]
    return "`".join(parts)


def _exit_codes(codes: dict[int, str]) -> list[str]:
    return [wrapped(f"- `{code}`: {escaped(meaning)}.", "  ") for code, meaning in codes.items()]


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
