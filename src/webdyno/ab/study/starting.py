"""What helps a version that was built and does not come up."""

from __future__ import annotations

import re
from collections.abc import Collection

from webdyno.ab.study.statuses import PLAIN
from webdyno.runtime.services.registry import SERVICES
from webdyno.words import listed


def remedy_of_start(reason: str, services: Collection[str] = ()) -> str:
    """What helps a version that did not start for `reason` although it has these `services`, as the
    end of a sentence; empty where nothing is known to."""
    if _NO_DATABASE.search(reason) and (address := _address_of(services)):
        return address
    matches = ((pattern.search(reason), template) for pattern, template in _REMEDIES)
    return next((one.expand(template) for one, template in matches if one is not None), "")


def _address_of(services: Collection[str]) -> str:
    """How to tell a version where the databases are that it has; empty where it has none."""
    urls = {name: one for name in services if (one := SERVICES[name].variables.get("url"))}
    if not urls:
        return ""
    named, values = listed(list(urls)), listed([f"${{{one}}}" for one in urls.values()])
    return (
        f"; ab starts its {named} at a free port, with one user and no password: give it {values} "
        "or its parts in `env` (--env), or in this command"
    )


def remedy_of_lack(reason: str) -> str:
    """What helps a version that ended at start for `reason` since it lacks a variable or a package,
    as the end of a sentence; empty where it lacks none, as far as is known."""
    if not re.search(r" exited with (?!0\b)", reason):
        return ""
    said = reason.partition(" at start: ")[2]
    if said == "no output":
        return (
            "; of your variables it gets only PATH and those that locate toolchains: if it needs "
            "others, set them in `env` (--env)"
        )
    found = next((match for one in _UNSET if (match := one.search(said))), None)
    if found is not None and not _NO_VARIABLE.search(name := found[1]):
        database = f"; if that is a database, {_DATABASE}" if _OF_DATABASE.search(name) else ""
        return f"; set {name} in `env` (--env){database}"
    if _NO_PACKAGE.search(said):
        return "; if it is a dependency, let the build install it (`commands` under [build])"
    return ""


_NAME = r"\b([A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9])\b"
_UNSET = (
    re.compile(
        rf"{_NAME}[^;,]{{0,40}}\b(?:not (?:set|defined|present|found)|undefined|missing|required|"
        r"unset|empty|must be (?:set|defined|given))\b"
    ),
    re.compile(rf"(?i:missing|required|undefined|unset|not set)\b[^;,]{{0,40}}?{_NAME}"),
    # Python's os.environ, Ruby's ENV.fetch, Elixir's System.fetch_env!.
    re.compile(r"\bKeyError: '([A-Z][A-Z0-9_]{2,})'"),
    re.compile(r"\bkey not found: \"([A-Z][A-Z0-9_]{2,})\""),
    re.compile(r"environment variable \"([A-Z][A-Z0-9_]{2,})\" because it is not set"),
)
"""How programs say that a variable is not set. A name of one word may be of anything else."""

_NO_VARIABLE = re.compile(
    r"^(?:ERR|E|NODE|MODULE|SQLITE|SSL|TLS)_|_(?:ERROR|FAILED|FOUND|EXCEPTION)$"
)
"""Codes of errors, and versions of the runtime, which are written in the same way."""

_OF_DATABASE = re.compile(
    r"^(?:DATABASE|DB|POSTGRES(?:QL)?|PG|MYSQL|MARIADB)_|_D(?:ATABASE|B)_URL$"
)

_NO_PACKAGE = re.compile(
    r"\bCannot find (?:module|package) '(?![./])|\bNo module named\b|"
    r"\bcannot load such file -- (?![./])"
)

_DATABASE = (
    "let ab start one ([services.postgresql] or [services.mariadb] in webdyno.toml), and tell it "
    "where that is in `env`, as with ${DATABASE_URL} or ${MYSQL_URL}"
)


def _refused(ports: str) -> str:
    """A pattern of what clients say where one of `ports`, in any of their notations, took no
    connection; not of a port that is merely named near another one's failure."""
    this, other = rf"(?::|', )(?:{ports})\b", r"(?::|', )\d{4,5}\b"
    gap = rf"(?:(?!{other})[^;]){{0,80}}?"
    far = gap.replace("80", "120")  # libpq's of old ask a question in between.
    named = rf"\b[Pp]ort(?:=|:? )(?:{ports})\b"
    return (
        rf"(?:ECONNREFUSED|[Cc]onnection refused|dial tcp|[Cc]onnect call failed)\W{gap}{this}"
        rf"|{this}{gap}(?i:refused)\b(?!\W{{1,3}}[^\s;,]*{other})"
        rf"|(?:(?i:refused)|failed)\b{far}{named}"
        rf"|{named}[^;,]{{0,80}}?\b(?:refused|failed)\b"
    )


_NO_DATABASE = re.compile(
    _refused("5432|3306")
    + r"|no pg_hba\.conf entry|password authentication failed|Access denied for user"
    r"|Can't connect to (?:local )?(?:MySQL|server (?:on|through) )",
)
"""How clients say that a database did not let them in."""

_REMEDIES = (
    (
        re.compile(r"cannot start '([^'/]*/[^']*)': No such file"),
        r"; the build does not produce \1: start what it produces (--command, or `command` under "
        "[run])",
    ),
    (
        re.compile(r" listens on (\d+)(?: and \d+)*, not on \$PORT"),
        r"; if a file of settings names \1, let each start change it there, with --writes "
        r"""(--command "sed -i 's/\1/${PORT}/' FILE && …")""",
    ),
    (_NO_DATABASE, f"; if it needs a database, {_DATABASE}"),
    *(
        (
            re.compile(_refused(port)),
            f"; ab does not start {name}: start one that both versions may share, and set its "
            "address in `env`",
        )
        for port, name in (
            ("6379", "Redis"),
            ("27017", "MongoDB"),
            ("5672", "RabbitMQ"),
            ("9092", "Kafka"),
        )
    ),
    (re.compile(r" listens on no TCP port"), "; let it listen on 127.0.0.1 at $PORT"),
    (re.compile(r" speaks TLS on \S+, where "), f"; {PLAIN}"),
    (
        re.compile(r" gave no answer on \S+ within "),
        f" (--start-timeout); if it speaks TLS, {PLAIN}",
    ),
    (
        re.compile(r"\b(?:bind|listen)\b[^;]*/[\w./-]+\.sock\b"),
        "; it is asked over TCP, not on a Unix socket: let it listen on 127.0.0.1 at $PORT",
    ),
    (re.compile(r" raise `start_timeout` under \[run\]$"), " (--start-timeout)"),
)
