"""A start script that hands the program to pm2, which runs it out of sight."""

from __future__ import annotations

import re
from pathlib import Path

from webdyno.ab.recognise.recognised import FoundCommand, text_of

_PM2 = re.compile(r"\bpm2(?:-runtime|-docker)?\b(?: start)?((?: +[^\s&|;]+)*)")
_PROGRAM = r"[\w@./-]+\.[cm]?js"


def of_pm2(folder: Path, start: str) -> FoundCommand:
    """The start command without pm2; the script as it is where pm2 is not in it."""
    match = _PM2.search(start)
    if match is None:
        return FoundCommand(start)
    given = [word for word in match[1].split() if not word.startswith("-")]
    name = given[0] if given else "ecosystem.config.js"
    program = _program(folder, name)
    if not program:
        ask = "its start script runs pm2, which hides the program; set `command` to start that"
        return FoundCommand(start, f"{ask} itself, such as node src/index.js")
    return FoundCommand(
        f"node {program}",
        f"its start script runs pm2, which hides the program; check that node {program}, in "
        "`command`, is all that it starts",
    )


def _program(folder: Path, name: str) -> str:
    """The program that a word of the script names, itself or in a file of pm2's."""
    if ".config." not in name and re.fullmatch(_PROGRAM, name):
        return name
    told = re.search(rf"[\"']?\bscript[\"']?\s*:\s*[\"']({_PROGRAM})[\"']", text_of(folder / name))
    return told[1].removeprefix("./") if told else ""
