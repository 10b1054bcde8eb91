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
from webdyno.cli.exit_codes import OF_COMMANDS
from webdyno.cli.failures import INTERRUPTED, NO_ROOM, SOFTWARE, USAGE
from webdyno.cli.main import NO_READER, app
from webdyno.cli.option_groups import ARGUMENTS, grouped

PAGE = Path(__file__).resolve().parent / "commands.md"

HEAD = """# Every command and option

<!-- made by docs/commands_page.py from the help of the commands -->

This page shows what `webdyno COMMAND --help` prints. `webdyno` is `./webdyno`
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

LONGEST_USAGE = 118

_BRACKET = re.compile(r"  \[([^][]*(?:\[[^]]*\])?[^][]*)\]$")
_AS_IT_IS = "\b\n"
"""Begins a paragraph of a help that is not wrapped."""


def page() -> str:
    """The page, as Markdown."""
    top = get_command(app)
    parts = [
        HEAD,
        "## Options of all commands\n",
        *_listed(top.params, _context(top, "webdyno")),
        "",
    ]
    parts += ["`-h` and `--help` show the help of a command.", "", "## Exit codes\n"]
    parts += [*_exit_codes(EVERYWHERE), "", OWN_CODES, ""]
    for name in COMMANDS:
        parts += _command(name, load(name))
    return "\n".join(parts).rstrip() + "\n"


def _command(name: str, command: Any) -> list[str]:
    context = _context(command, f"webdyno {name}")
    lines = [f"## {name}", "", "```", context.get_usage().removeprefix("Usage: "), "```", ""]
    lines += [line for part in _paragraphs(command.help) for line in (part, "")]
    for title, parameters in grouped(command, context):
        if shown := _listed(parameters, context):
            headed = title not in (ARGUMENTS, "Options", "Other")
            lines += [*([f"{_prose(title)}:", ""] if headed else []), *shown, ""]
    if codes := OF_COMMANDS.get(name):
        lines += ["Exit codes:", "", *_exit_codes(codes), ""]
    return lines


def _context(command: Any, called: str) -> Any:
    return command.context_class(command, info_name=called, terminal_width=LONGEST_USAGE)


def _paragraphs(help_text: str) -> Iterator[str]:
    """What the command does; lines that the help does not wrap, such as examples, as code."""
    for part in help_text.split("\n\n"):
        if part.startswith(_AS_IT_IS):
            yield f"```\n{part.removeprefix(_AS_IT_IS)}\n```"
        else:
            yield wrapped(_prose(part))


def _listed(parameters: list[Any], context: Any) -> list[str]:
    """Arguments and options, each as the item of a list."""
    records = [one.get_help_record(context) for one in parameters]
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
    return f" {extra[:1].upper()}{extra[1:]}." if extra else ""


def _prose(text: str) -> str:
    """`text` of the help as Markdown: options, and what it quotes, as code."""
    quoted = re.sub(r"(?<!\w)'([^'\n]+)'(?!\w)", r"`\1`", text)
    parts = escaped(quoted).split("`")
    parts[::2] = [re.sub(r"(?<![\w-])(--?[a-zA-Z][\w-]*)", r"`\1`", part) for part in parts[::2]]
    return "`".join(parts)


def _exit_codes(codes: dict[int, str]) -> list[str]:
    return [wrapped(f"- `{code}`: {_prose(meaning)}.", "  ") for code, meaning in codes.items()]


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
