"""The start command in a Procfile, where no manifest says how the service is started."""

from __future__ import annotations

import re
import shlex
from dataclasses import replace
from pathlib import Path

from webdyno.ab.recognise.node.start import develops, is_foreign, is_several, of_package, with_port
from webdyno.ab.recognise.recognised import RecognisedService, text_of

_WEB = re.compile(r"^web:[ \t]*(\S.*?)[ \t]*$", re.MULTILINE)
_LESS_COMMENT = re.compile(
    r"(?:\"(?:\\.|[^\"\\])*\"|'[^']*'|\\.|[^\s\"'\\#]|(?<=\S)#|\s+(?!#))*"
)  # fmt: skip
_VARIABLES = re.compile(
    r"(?:[A-Za-z_]\w*=(?:\"[^\"\\$`]*\"|'[^']*'|[\w@%+:,./-])*\s+)*"
)  # fmt: skip
_ASSIGNS = re.compile(r"[A-Za-z_]\w*\+?=")
_OF_MANAGER = re.compile(r"(?:npm|pnpm|yarn|bun)\b")
_PLACE = ("HOST", "PORT")
"""The variables that say where it listens, which a run sets itself."""
_PORT = re.compile(r"\$PORT\b|\$\{PORT(?::?[-=][^{}]*)?\}")

_OF_SYSTEM = re.compile(r"(?:sh|bash|dash|ksh|zsh|env|deno|java|perl|php|python3?|ruby)\s")
"""Programs that no package of Node.js brings."""
_OF_PYTHON = re.compile(
    r"(?:python3?|gunicorn|uvicorn|hypercorn|daphne|waitress-serve|flask|granian"
    r"|fastapi(?= run))(?=\s|$)"
)
_BY_MANAGER = re.compile(r"(?:uv|poetry|pdm|pipenv) run\s")
_GUNICORN = re.compile(r"(?:^|[\s/])gunicorn\s")
_BIND = re.compile(r"(?<=\s)(-b|--bind)(?:[ =]*)(?=\S)")
_FIXED = re.compile(r"(?<=\s)((?:-b|--bind)[ =]*(?:[\w.]*|\[[\w:]*\]):)\d{2,5}(?=\s|$)")


def by_procfile(folder: Path, service: RecognisedService) -> RecognisedService:
    """The `service`, started as the Procfile in `folder` says where its manifest names no
    start command, or only one for development."""
    if service.run and not service.says_development:
        return service
    web = _WEB.search(text_of(folder / "Procfile"))
    return (as_web_process(service, web[1]) if web else None) or service


def as_web_process(service: RecognisedService, line: str) -> RecognisedService | None:
    """The `service`, started by a `line` that a shell would run where it is deployed; None where
    that is not known to start it."""
    if service.language not in ("node", "python"):
        return None
    own, start = _parted(line)
    # A script of package.json is what was looked at.
    if not start or _OF_MANAGER.match(start) or develops(start) or is_several(start):
        return None
    if not own.keys().isdisjoint(_PLACE) or own.get("NODE_ENV", "production") != "production":
        return None
    run = _of_node(start) if service.language == "node" else _of_python(start)
    if not run:
        return None
    first, *also = [one for one in service.to_do if not _OF_START.search(one)] or [""]
    mode = {"NODE_ENV": "production"} if service.language == "node" else {}
    return replace(
        service, run=run, env={**mode, **service.env, **own}, open=first, other_to_do=tuple(also),
        says_development=False, is_for_assets=False,
    )  # fmt: skip


def _parted(line: str) -> tuple[dict[str, str], str]:
    """The variables that a line sets, and the command after them, without its comment and with
    `${PORT}` for its port; no command where only a shell can tell."""
    whole = _LESS_COMMENT.match(line)
    text = whole[0].strip() if whole else ""
    before = _VARIABLES.match(text)
    start = text[before.end() if before else 0 :].removeprefix("exec ").lstrip()
    try:
        shlex.split(line, comments=True)
        own = dict(pair.split("=", 1) for pair in shlex.split(before[0])) if before else {}
    except ValueError:  # A quotation mark without its other.
        return {}, ""
    if _ASSIGNS.match(start):
        return {}, ""
    return own, with_port(_PORT.sub("${PORT}", start))


def _of_node(start: str) -> str:
    if is_foreign(start):
        return ""  # Its package.json is for assets, and the manifest of that language counts.
    as_it_is = "/" in start.split()[0] or _OF_SYSTEM.match(start)
    return start if as_it_is else of_package(start, "npm")


def _of_python(start: str) -> str:
    """A command of Python's in its environment; empty where it is another program's."""
    if _OF_PYTHON.match(start):
        run = f".venv/bin/{start}"
    elif _BY_MANAGER.match(start):
        run = start
    else:
        return ""
    run = _FIXED.sub(r"\1${PORT}", run)
    if _GUNICORN.search(run) and not _BIND.search(run) and "${PORT}" not in run:
        run += " --bind 127.0.0.1:${PORT}"  # Without --bind it listens at $PORT on all addresses.
    return run


_OF_START = re.compile(r"\bstart command\b|\bdevelopment server\b|\bASGI server\b")
"""What is said of a start command that is not known."""
