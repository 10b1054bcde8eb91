"""What a command line says, without the secrets in it: fit to be stored, printed and posted.

Reports, exports and a pull request's comment hold the command that made them, and many more may
read those than may know what was typed.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

WITHHELD = "…"
"""Stands for what is not told."""

_USER = re.compile(r"(?<=://)(?:[^\s/?#'\":@]*:[^\s/'\"]+|[^\s/?#'\"]+)@")
"""User and password of a URL, up to its last @; a token may stand as either. Databases' clients
take passwords that hold # and ?, too."""

_NAME = r"[\w-]*(?:passw(?:or)?d|passphrase|secret|token|api_?-?key|credential)[\w-]*"
_NAMED = re.compile(rf"(?<![\w-])({_NAME}=|--{_NAME}\s+)(\"[^\"]*\"|'[^']*'|[^\s&'\";]+)", re.I)
"""A variable, an option or a part of a query that is called as secrets are, and its value."""

_BODY = re.compile(r"((?:\d+\s+)?(?:[A-Za-z]+\s+)?/\S*\s+)\S.*", re.DOTALL)
"""A request with a body on one line."""

_OPTION = re.compile(r"(-k*H=?|--(?:header|env|body|message|request)=?|-r=?)(.*)", re.DOTALL)
"""An option whose value may be a secret, with or without that."""


def without_secrets(text: str) -> str:
    """`text` without the users and passwords of URLs, and without the values of what is called
    like a secret."""
    return _NAMED.sub(rf"\1{WITHHELD}", _USER.sub(f"{WITHHELD}@", text))


def printed_command(words: Sequence[str]) -> str:
    """The words of a command as a shell would read them, without what may be secret: the values of
    headers and variables, bodies, messages, and what `without_secrets` leaves out."""
    told: list[str] = []
    option = ""
    for word in words:
        asked = _OPTION.fullmatch(word)
        if option:
            told.append(_value(option, word))
            option = ""
        elif asked is None:
            told.append(without_secrets(word))
        elif asked[2]:
            told.append(asked[1] + _value(asked[1].rstrip("="), asked[2]))
        else:
            told.append(word)
            option = "" if word.endswith("=") else word
    return shlex.join(told)


def _value(option: str, value: str) -> str:
    if option.endswith("H") or option == "--header":
        return _named(value, ":", ": ")
    if option == "--env":
        return _named(value, "=", "=")
    if option in ("-r", "--request"):
        return without_secrets(_BODY.sub(rf"\1{WITHHELD}", value))
    return WITHHELD


def _named(value: str, sign: str, told: str) -> str:
    """The name alone; nothing of a value without one."""
    name, parted, _ = value.partition(sign)
    return f"{name}{told}{WITHHELD}" if parted else WITHHELD
