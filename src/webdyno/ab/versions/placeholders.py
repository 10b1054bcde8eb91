"""What a start command refers to as `${NAME}`, and whether anything has that name."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterator, Sequence

from webdyno.catalog.servers.program import RunManifest
from webdyno.errors import UserError
from webdyno.runtime.processes.process import plain_environment

_FILLED_IN = ("CPUS", "HOST", "PORT", "SCENARIO")
"""What stands for something else at each start."""

_SET_AT_START = ("PATH", "PWD", "TMPDIR", "WEBDYNO_CPUS", "WEBDYNO_SCENARIO")

_OF_SHELLS = (
    "_ BASH BASHOPTS BASHPID BASH_COMMAND BASH_LINENO BASH_SOURCE BASH_VERSION COLUMNS COPROC "
    "DIRSTACK EPOCHREALTIME EPOCHSECONDS EUID FUNCNAME GROUPS HISTCMD HOME HOSTNAME HOSTTYPE IFS "
    "LINENO LINES MACHTYPE MAPFILE OLDPWD OPTARG OPTERR OPTIND OSTYPE PIPESTATUS PPID PS1 PS2 PS4 "
    "RANDOM REPLY SECONDS SHELL SHELLOPTS SHLVL SRANDOM TERM UID"
)
"""What a shell sets itself: POSIX's, and bash's, which `sh` may be."""

_REFERENCE = re.compile(r"(?<![\\$])\$\{(\w+)\}")
"""Not `${NAME:-default}`, which says itself what counts where nothing has that name."""

_QUOTED = re.compile(
    r"""(?P<kept>\\.|"(?:[^"\\]|\\.)*")"""  # Within double quotes, single ones mean nothing.
    r"""|\$'(?:[^'\\]|\\.)*'|'[^']*'|(?<![^\s;&|(])\#[^\n]*""",
    re.DOTALL,
)
"""What the shell takes in one piece; all but `kept` it takes literally, or leaves out."""

_SETS_OTHERS = re.compile(
    r"<<|(?:^|[;&|\s({`!])(?:\.|coproc|declare|eval|export|getopts|let|local|mapfile|printf\s+-v"
    r"|read|readarray|readonly|select|set|source|typeset)\s"
)
"""What sets variables in a shell without naming them right before a `=`, or is a here-document,
whose text the shell may take literally."""

_ASSIGNED = re.compile(
    r"\bfor\s+(?P<each>\w+)|\$\{(?P<default>\w+):?="
    r"|\b(?P<name>\w+)(?:\[[^]\s]*\])?\s*[-+*/%&|^]?=|\b(?P<counted>\w+)(?:\+\+|--)"
)

_NEAR = 0.75
"""How alike two names are of which one is a slip for the other: `PROT` and `PORT`."""


def check_placeholders(run: RunManifest, of_services: Collection[str]) -> None:
    """Raise `UserError` for a `${NAME}` that nothing sets: neither Webdyno, nor `env`, nor the
    services, whose variables are `of_services`, nor the shell, nor the command itself. A shell
    would take it for an empty text.

    Where no shell reads it, it may be for the program itself, unless it is nearly a known name.
    """
    filled_in = {*_FILLED_IN, *of_services}
    of_shell = {*filled_in, *_SET_AT_START, *_OF_SHELLS.split(), *plain_environment(), *run.env}
    for key, command in (*(("prepare", one) for one in run.prepare), ("command", run.command)):
        if command[:2] == ["sh", "-c"] and len(command) > 2:
            _refuse(key, _referred(command[2]), of_shell, 0.0)
        else:
            _refuse(key, _REFERENCE.findall(" ".join(command)), filled_in, _NEAR)
    for name, value in run.env.items():
        _refuse(f"env.{name}", _REFERENCE.findall(value), filled_in, _NEAR)


def _refuse(key: str, names: Sequence[str], defined: Collection[str], near: float) -> None:
    for name in names:
        if name in defined:
            continue
        alike = difflib.get_close_matches(name, sorted(defined), n=1, cutoff=near or _NEAR)
        if near and not alike:
            continue
        suggestions = [f"write ${{{one}}}" for one in alike]
        remedies = [] if near else [f"set {name} in `env` (--env {name}=…)"]
        raise UserError(
            f"`{key}` under [run] refers to ${{{name}}}, which nothing sets; "
            + ", or ".join([*suggestions, *remedies])
        )


def _referred(line: str) -> list[str]:
    """The variables to which a line for a shell refers and that it does not set itself; none that
    may be an argument, or a text for another program."""
    if _SETS_OTHERS.search(line):
        return []
    names = _REFERENCE.findall(_QUOTED.sub(lambda one: one["kept"] or "''", line))
    if "$(" in line or "`" in line:
        # A command within double quotes has quotes of its own: counted only where sure.
        plain = set(_REFERENCE.findall(re.sub(r"'[^']*'", "''", line)))
        names = [name for name in names if name in plain]
    own = set(_assigned(line))
    return [name for name in names if name not in own and not name.isdigit()]


def _assigned(line: str) -> Iterator[str]:
    return (one[one.lastgroup or 0] for one in _ASSIGNED.finditer(line))
