"""The lines of a log that say why a build or a start failed.

Tools end a failure with decoration: how many errors there were, where more can be read, a stack.
What a reader needs stands above it, in a form of its own for each tool; `SIGNS` lists the forms.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from webdyno.printable import printable
from webdyno.runtime.builds.php_boxes import unboxed
from webdyno.runtime.processes.process import tail

LOG_LINES = 400
"""How much of a log's end is read: a compiler's warnings may follow its only error."""

LONGEST_LINE = 200
MOST_LINES = 3
NOTHING = "no output"


@dataclass(frozen=True)
class _Sign:
    """A form in which a tool tells an error.

    `last`: the last such line is the cause, as of exceptions; else the first, as of compilers.
    `place`: a line nearby that says where, joined to it; `before` where that line stands above.
    """

    pattern: re.Pattern[str]
    last: bool = False
    place: re.Pattern[str] | None = None
    before: bool = False


_EXCEPTION = r"(?:[A-Za-z_][\w$]*[./\\])*[A-Za-z_$][\w$]*(?:Error|Exception|Exit|Interrupt|Fault)"

SIGNS = (
    # Rust: "thread 'main' panicked at src/main.rs:2:44:", and what it says on the next line.
    _Sign(
        re.compile(r"^thread .* panicked at "),
        last=True,
        place=re.compile(r"\S"),
    ),
    # Go and Swift.
    _Sign(re.compile(r"^(?:panic|fatal error|Fatal error): "), last=True),
    _Sign(re.compile(r"Fatal error: ")),
    # uv: a chain of causes below its error; the last one, and what was tried when it occurred.
    _Sign(
        re.compile(r"^cause: "),
        last=True,
        place=re.compile(r"^(?:error: |cause: [A-Z])"),
        before=True,
    ),
    # Poetry: a paragraph for each package, which ends with how to get rid of the lock file.
    _Sign(re.compile(r"^\| Unable to find installation candidates for ")),
    # Bundler goes on after other complaints, but not with another Ruby.
    _Sign(re.compile(r"^Your Ruby version is ")),
    # Composer: what a package requires, in a list below a sentence that names none.
    _Sign(re.compile(r"^- .+ requires .+ (?:->|but|found) ")),
    # Consoles in PHP, of which the first message is the outermost.
    _Sign(re.compile(r" \(\S+\.php line \d+\)$")),
    # rustc and cargo, with the place from the line below.
    _Sign(re.compile(r"^error(?:\[E\d+\])?: "), place=re.compile(r"^--> \S+")),
    # Compilers that begin with the place: gcc, javac, swiftc, tsc, go, maven's.
    _Sign(re.compile(r"^\S+?[:(]\d+(?:[:,]\d+)?\)?: (?:fatal )?error\b")),
    _Sign(re.compile(r"^\S+\.go:\d+(?::\d+)?: ")),
    _Sign(re.compile(r"^\S+\.(?:java|kt|scala):(?:\[\d+,\d+\]|\d+:\d+) ")),
    _Sign(re.compile(r"^\S*: error: ")),
    # PHP, php-fpm and Nginx.
    _Sign(re.compile(r"^(?:PHP )?(?:Fatal|Parse) error: ")),
    _Sign(re.compile(r"\[(?:emerg|alert|crit)\]|\b(?:ALERT|CRITICAL): ")),
    # An uncaught exception: of a chain, the last one told is the cause, in Java "Caused by".
    _Sign(
        re.compile(rf"^(?:Uncaught )?{_EXCEPTION}(?: \[\w+\])?(?:: .*)?$"),
        last=True,
        place=re.compile(r'^File "(?!<)[^"]+", line \d+'),
        before=True,
    ),
    _Sign(re.compile(r"^Caused by: "), last=True),
    # Elixir and Mix.
    _Sign(re.compile(r"^\*\* \((?!EXIT)[A-Z][\w.]*\) \S"), last=True),
    _Sign(re.compile(r'^Exception in thread ".*" ')),
    # npm says its reason in a sentence after its code.
    _Sign(re.compile(r"^(?:npm (?:error|ERR!) )(?!code )\S+ \S")),
    _Sign(re.compile(r"^(?:\[?(?:ERROR|FATAL|SEVERE)\]?:? )(?!Help)\s*\S")),
    _Sign(re.compile(r"^(?:error|Error|fatal): ")),
    _Sign(
        re.compile(
            r"\b(?:cannot|can't|could not|not found|no such|failed|refused|denied|in use|"
            r"errors?|fatal|panic|exception)\b",
            re.IGNORECASE,
        ),
        last=True,
    ),
)
"""Tried in this order: the first form that occurs is the one that is told."""

_PREFIX = re.compile(r"^(?:npm (?:error|ERR!)|\[ERROR\]|cause:|\||-(?= .+ requires )) ")
"""What a tool sets before each line of an error."""

_DECORATION = re.compile(
    r"^(?:error: could not compile|error: aborting due to|For more information|Some errors have|"
    r"npm (?:error|ERR!) (?:code \S+$|errno |A complete log|Run \"npm help|To see a list)|"
    r"\[ERROR\] (?:COMPILATION ERROR|-> \[Help|\[Help|To see the full|Re-run Maven|For more inf|"
    r"Failed to execute goal .*: Compilation failure)|Node\.js v\d|Emitted 'error' event|"
    r"throw er|npm (?:notice|warn|WARN)\b|\d+ errors?$|warning: |note: |\^+$|-+$|=+$|"
    r"[{}()\[\]^~|]+;?$|Traceback \(most recent|stack backtrace:|at \S+ ?\(.*\)$|\.\.\. \d+ more)"
)


def telling_lines(text: str, most: int = MOST_LINES) -> list[str]:
    """At most `most` lines of `text` that say why it ended as it did, the first one first.

    The last lines where none looks like an error. Terminal codes are taken out.
    """
    lines = _lines(text)
    loud = _loud(lines)
    return _errors(lines, most) or loud[-most:] or lines[-most:]


def error_lines(text: str, most: int = MOST_LINES) -> list[str]:
    """As `telling_lines`, but nothing where no line looks like an error."""
    return _errors(_lines(text), most)


def why(log: Path) -> str:
    """What the log says of a failure, on one line; `no output` where it is empty."""
    return "; ".join(telling_lines(_end_of(log))) or NOTHING


def errors_of(log: Path) -> str:
    """The errors that the log tells, on one line; empty where it tells none."""
    return "; ".join(error_lines(_end_of(log)))


def _end_of(log: Path) -> str:
    return tail(log, LOG_LINES)


def _lines(text: str) -> list[str]:
    """The lines worth reading: those of the last command, without codes and decoration."""
    lines = [line.strip() for line in unboxed(printable(text).splitlines())]
    commands = [place for place, line in enumerate(lines) if line.startswith("$ ")]
    lines = lines[commands[-1] + 1 :] if commands else lines
    kept = [line for line in lines if line and not _DECORATION.match(line)]
    return [line.removeprefix("[ERROR] ") if _of_maven(line) else line for line in kept]


_QUIET = re.compile(
    r"^(?:[\d\[(]\S*\s+){0,3}[\[(]?(?:INFO|DEBUG|TRACE|info|debug|trace)(?:[\])]|:|\s)"
)
"""A line at a level that tells no error, whatever words it has; before it stands when and where."""


def _loud(lines: Sequence[str]) -> list[str]:
    return [line for line in lines if not _QUIET.match(line)]


def _of_maven(line: str) -> bool:
    """Whether what follows `[ERROR]` is a compiler's line, which is told by its own form."""
    return re.match(r"\[ERROR\] \S+\.(?:java|kt|scala):", line) is not None


def _other_python(lines: Sequence[str]) -> list[str]:
    """That a package is for another Python: pip says so in a list of all that it passed over."""
    text = "\n".join(lines)
    requirement = re.search(r"No matching distribution found for (\S+?==([\w.]*\w))", text)
    if requirement is None:
        return []
    python = re.search(rf"[:;] {re.escape(requirement[2])}\S* Requires-Python ([^;\n]+)", text)
    return (
        [f"{requirement[1]} requires Python {python[1].strip()} (Requires-Python)"]
        if python
        else []
    )


def _errors(lines: Sequence[str], most: int) -> list[str]:
    if other := _other_python(lines):
        return other
    lines = _loud(lines)
    for sign in SIGNS:
        places = [place for place, line in enumerate(lines) if sign.pattern.search(line)]
        if places:
            chosen = places[-1:] if sign.last else places
            lines_told = dict.fromkeys(_with_place(lines, place, sign) for place in chosen)
            return list(lines_told)[:most]
    return []


def _with_place(lines: Sequence[str], at: int, sign: _Sign) -> str:
    """The line, without its tool's prefix, and where the error is."""
    line = _cut(_PREFIX.sub("", lines[at]))
    if sign.place is None:
        return line
    near = reversed(lines[:at]) if sign.before else lines[at + 1 : at + 2]
    where = next((other for other in near if sign.place.search(other)), "")
    return f"{line} ({_cut(_PREFIX.sub('', where.removeprefix('--> ')))})" if where else line


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_LINE else f"{text[: LONGEST_LINE - 1]}…"
