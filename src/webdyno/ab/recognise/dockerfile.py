"""The start command in a Dockerfile, where no manifest says how the service is started.

Paths and ports there are the container's. So only a command counts whose program is among the
sources, or made by their build, in Node.js or Python; any other is named to the owner.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from webdyno.ab.recognise.node.start import develops
from webdyno.ab.recognise.procfile import as_web_process
from webdyno.ab.recognise.python.needs import needs_of
from webdyno.ab.recognise.recognised import RecognisedService, text_of
from webdyno.printable import one_line
from webdyno.redaction import WITHHELD, without_secrets

_FILES = ("Dockerfile", "Containerfile")
_COMMENT = re.compile(r"^[ \t]*#.*\n?", re.MULTILINE)
_CONTINUED = re.compile(r"\\[ \t]*\n")
_LINE = re.compile(r"^[ \t]*(FROM|CMD|ENTRYPOINT|WORKDIR)[ \t]+(\S.*?)[ \t]*$", re.I | re.M)
_STAGE = re.compile(r"(?:--\S+[ \t]+)*(\S+)(?:[ \t]+AS[ \t]+(\S+))?", re.I)

_INITS = frozenset({"catatonit", "dumb-init", "tini"})
"""What runs another program and hands signals on."""
_SHELLS = frozenset({"ash", "bash", "sh"})

_MOST_TOLD = 120
"""Of a command, characters that the owner is told."""


@dataclass(frozen=True)
class _Stage:
    """What a stage of a Dockerfile starts, in words where it has them, and in which folder."""

    entrypoint: tuple[str, ...] | str = ()
    command: tuple[str, ...] | str = ()
    folder: str = ""
    is_moved: bool = False
    """Whether it went to another folder, so that its words' paths may not be the sources'."""
    is_own: bool = False
    """Whether `command` is its own, not that of a stage before it, which an entry point forgets."""

    @property
    def line(self) -> str:
        """What both come to, as it would be typed; empty where only the image knows."""
        if isinstance(self.entrypoint, str):
            return self.entrypoint  # A shell gets no more words.
        if isinstance(self.command, str):
            return "" if self.entrypoint and _less_init(self.entrypoint) else self.command
        words = _less_init((*self.entrypoint, *self.command))
        is_shell = len(words) == 3 and _name(words[0]) in _SHELLS and words[1] == "-c"
        # Only a shell reads variables.
        return words[2] if is_shell else shlex.join(words)


def by_dockerfile(folder: Path, service: RecognisedService) -> RecognisedService:
    """The `service`, started as the Dockerfile in `folder` says where neither its manifest nor a
    Procfile names a start command, or they name only one for development."""
    if service.run and not service.says_development:
        return service
    name = next((one for one in _FILES if (folder / one).is_file()), "")
    stage = _last_stage(text_of(folder / name)) if name else None
    if stage is None or not stage.line:
        return service
    line = _with_port(" ".join(_own(word, stage.folder) for word in stage.line.split()))
    made = as_web_process(service, line)
    if made is not None and not stage.is_moved and _is_sure(folder, made):
        return made
    told = without_secrets(_WORD.sub(_less_value, one_line(stage.line)))
    is_told = len(told) <= _MOST_TOLD and service.open and not _SCRIPT.match(told)
    return (
        replace(service, open=f"{service.open}; its {name} runs `{told}`") if is_told else service
    )


_WORD = re.compile(r"(?:\"(?:\\.|[^\"\\])*\"|'[^']*'|\\.|\S)+")
_VARIABLE = re.compile(r"[\"']?([A-Za-z_]\w*=)")
_MODES = re.compile(r"NODE_ENV=\w+|(?:HOST|PORT)=[\w.:]+")
"""The variables for which a command is not taken: they are no secrets, and tell why."""


def _less_value(word: re.Match[str]) -> str:
    """A word of a command, without the value of a variable that it sets: that may be a secret."""
    assignment = _VARIABLE.match(word[0])
    return f"{assignment[1]}{WITHHELD}" if assignment and not _MODES.fullmatch(word[0]) else word[0]


_SCRIPT = re.compile(r"(?:npm|pnpm|yarn|bun)(?: run)? (?:start|dev)$")
"""What was looked at in package.json, or is for development."""


def _last_stage(text: str) -> _Stage | None:
    """The one that is built unless another is asked for, with what it has of those before."""
    named: dict[str, _Stage] = {}
    name, last = "", None
    for keyword, value in _LINE.findall(_CONTINUED.sub(" ", _COMMENT.sub("", text))):
        keyword = keyword.upper()
        if keyword == "FROM" and (of := _STAGE.match(value)):
            name = (of[2] or "").lower()
            last = replace(named.get(of[1].lower(), _Stage()), is_own=False)
        elif last is None:
            continue
        elif keyword == "WORKDIR":
            path = value.rstrip("/") or "/"
            is_moved = last.is_moved or (bool(last.folder) and path != last.folder)
            last = replace(last, folder=path, is_moved=is_moved)
        elif keyword == "CMD":
            last = replace(last, command=_words(value), is_own=True)
        elif keyword == "ENTRYPOINT":
            kept = last.command if last.is_own else ()
            last = replace(last, entrypoint=_words(value), command=kept)
        if last is not None and name:
            named[name] = last
    return last


def _words(value: str) -> tuple[str, ...] | str:
    """The words of a list; a line that is none, for a shell, as it is."""
    try:
        held = json.loads(value)
    except ValueError:
        return value
    return tuple(map(str, held)) if isinstance(held, list) else value


def _less_init(words: Sequence[str]) -> tuple[str, ...]:
    if not words or _name(words[0]) not in _INITS:
        return tuple(words)
    rest = list(words[1:])
    while rest and rest[0].startswith("-"):
        if rest.pop(0) == "--":
            break
    return tuple(rest)


def _name(word: str) -> str:
    return word.rpartition("/")[2]


def _own(word: str, folder: str) -> str:
    """A word of a command without the folder of the container in which it is run."""
    return word.removeprefix(f"{folder}/") if folder.startswith("/") else word


_SERVER = re.compile(r"(?:^|(?<=\s))(uvicorn|fastapi)(?=\s)")
_HAS_PORT = re.compile(r"\s(?:--port|-p)\b|\$PORT\b|\$\{PORT\b")


def _with_port(line: str) -> str:
    """A command of a server that listens at a port of its own unless it is told one."""
    return (
        f"{line} --port ${{PORT}}" if _SERVER.search(line) and not _HAS_PORT.search(line) else line
    )


_UNSURE = re.compile(
    r"[;|&<>\"'`()\\$*]|(?:^|[\s=])/|\bunix:|\bflask\b|\bdev\b"
    r"|--(?:debug|fd|inspect(?:-brk|-wait)?|reload|uds|watch)\b"
)
"""What only a shell or the container knows, or is for development."""
_OF_NODE = re.compile(r"(?:node|bun)(?: -\S+)* ((?:\./)?[\w@./-]+)(?: .*)?")
_MADE = re.compile(r"(?:\./)?(?:\.output|build|dist|lib|out)/")
_OF_PYTHON = re.compile(r"(?:\.venv/bin/|(?:uv|poetry|pdm|pipenv) run )(\S+)(?: (.*))?")
_MODULE = re.compile(r"(?:^|(?<=\s))([A-Za-z_][\w.]*):[A-Za-z_][\w.]*(?=\s|$)")
_BROUGHT_BY = {"fastapi": r"\bfastapi(?:\[[^]]*\bstandard\b|-cli\b)"}
"""What a manifest names that brings a program, where that is not called so: what only a line of the
Dockerfile installs is not in the build."""
_BELOW = re.compile(r"--(?:app-dir|chdir|working-dir)[ =](\S+)")


def _is_sure(folder: Path, service: RecognisedService) -> bool:
    """Whether the program that a command starts is there, or is built, and told its port."""
    run = service.run
    if _UNSURE.search(run.replace("${PORT}", "")) or develops(run):
        return False
    if service.language != "python":
        match = _OF_NODE.fullmatch(run)
        return match is not None and _has_program(folder, service, match[1])
    match = _OF_PYTHON.fullmatch(run)
    if match is None:
        return False
    program, rest = match[1], match[2] or ""
    if re.fullmatch(r"python3?", program):
        module = re.match(r"-m (\S+)", rest)
        if module is None:
            script = re.match(r"([\w./-]+\.py)(?=\s|$)", rest)
            return script is not None and (folder / script[1]).is_file()
        if not _MODULE.search(rest):
            return _is_module(folder, module[1], "__main__.py")
        program = module[1]
    brought = _BROUGHT_BY.get(program, re.escape(program))
    if "${PORT}" not in run or not re.search(brought, needs_of(folder)):
        return False
    if program == "fastapi":
        script = re.match(r"run ([\w./-]+\.py)(?=\s|$)", rest)
        return script is not None and (folder / script[1]).is_file()
    below = _BELOW.search(rest)
    named = _MODULE.search(rest)
    return named is not None and _is_module(
        folder / (below[1] if below else ""), named[1], "__init__.py"
    )


def _has_program(folder: Path, service: RecognisedService, path: str) -> bool:
    if any((folder / f"{path}{one}").is_file() for one in ("", ".js", "/index.js")):
        return True
    return bool(_MADE.match(path)) and any(
        "build" in line or "tsc" in line for line in service.build
    )


def _is_module(folder: Path, name: str, of_package: str) -> bool:
    place = folder / name.replace(".", "/")
    return place.with_name(f"{place.name}.py").is_file() or (place / of_package).is_file()
