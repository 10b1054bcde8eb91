"""What the parser of command lines refuses, in the form of all messages: where, what, remedy."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

import typer

from webdyno.cli.commands import COMMANDS
from webdyno.cli.failures import program
from webdyno.plugins import alternatives

_WORDS = {
    r"Value error, ": "",
    r"Input should be a valid integer.*": "must be a whole number",
    r"Input should be a valid number.*": "must be a number",
    r"Input should be less than or equal to ": "must be at most ",
    r"Input should be greater than or equal to ": "must be at least ",
}
"""Of a value: the parser speaks of itself."""

_FORMS = {
    r"No such command '(.+?)'\. Did you mean (.+)\?": r"\1: no such command; perhaps \2",
    r"No such command '(.+)'": r"\1: no such command",
    r"Missing command": "no command is given",
    r"Got unexpected extra arguments?(?:\(s\))? \((.+)\)": r"\1: unexpected; leave it out",
    r"Option '(.+)' requires an argument": r"\1: its value is missing",
    r"Option '(.+)' does not take a value": r"\1: takes no value; leave it out",
}
"""Of a whole message, without the full stop at its end."""

_REMEDIES = ("; perhaps ", "; choose ", "; leave it out", "; give it")
"""Of our own, which a user's text may not pass for."""

_CHOICE = re.compile(r"(.+) is not one of (.+)")
_WORD = re.compile(r"[\w-]+")


def refusal_line(error: typer.TyperException, arguments: Sequence[str]) -> str:
    """What is wrong with `arguments`, in one line that ends with where help is."""
    text = _reason_of(error)
    remedied = any(one in text for one in _REMEDIES)
    return (
        f"{text}{', as' if remedied else ';'} {_help(error, arguments)}{'' if remedied else ' how'}"
    )


def _reason_of(error: Any) -> str:
    # The classes of the parser's errors are private; what they hold is not.
    if hasattr(error, "possibilities"):
        return f"{error.option_name}: no such option{_likely(error)}"
    parameter = getattr(error, "param", None)
    message = " ".join(error.message.split()).rstrip(".")
    if parameter is not None:
        where = _name(parameter)
        if not message:
            choices = _WORD.findall(parameter.get_missing_message(ctx=error.ctx) or "")
            known = choices[choices.index("from") + 1 :] if "from" in choices else []
            return f"{where}: missing; " + (f"choose {alternatives(known)}" if known else "give it")
        return f"{where}: {_of_value(message)}"
    for theirs, ours in _FORMS.items():
        if match := re.fullmatch(theirs, message):
            return match.expand(ours).replace("'", "")
    return message[:1].lower() + message[1:]


def _of_value(message: str) -> str:
    """What is wrong with a value."""
    for theirs, ours in _WORDS.items():
        message = re.sub(theirs, ours, message)
    if match := _CHOICE.fullmatch(message):
        return f"{match[1]} is not a valid choice; choose {alternatives(_WORD.findall(match[2]))}"
    return message[:1].lower() + message[1:]


def _likely(error: Any) -> str:
    """The option that was probably meant. Their dashes, which all have, make none alike."""
    known = {option.lstrip("-"): option for option in error.possibilities or ()}
    likely = get_close_matches(error.option_name.lstrip("-"), known, n=1)
    return f"; perhaps {known[likely[0]]}" if likely else ""


def _name(parameter: Any) -> str:
    """As a user types an option, and as the help calls an argument."""
    if parameter.param_type_name == "option":
        return str(max(parameter.opts, key=len))
    return str(parameter.metavar or parameter.name.upper())


def _help(error: Any, arguments: Sequence[str]) -> str:
    context = getattr(error, "ctx", None)
    command = next((word for word in arguments if word in COMMANDS), "")
    called = context.command_path if context else f"{program()} {command}".rstrip()
    return f"`{called} --help` shows"
