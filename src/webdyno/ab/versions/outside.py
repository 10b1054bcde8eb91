"""Commands whose effects lie outside a version's own build: there the other version's replace them,
and both would run the same."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from webdyno.ab.recognise.recognised import text_of
from webdyno.ab.versions.command_lines import Invocation, commands_of, last_of, line_of
from webdyno.ab.versions.installers import is_path_in_build
from webdyno.ab.versions.managers import installs_in
from webdyno.catalog.servers.program import BuildManifest, RunManifest
from webdyno.errors import UserError
from webdyno.redaction import without_secrets
from webdyno.verifier.base import shorten

_CONTAINERS = frozenset({"docker", "docker-compose", "nerdctl", "podman", "podman-compose"})
_STARTS = frozenset({"compose", "exec", "run", "start", "up"})
_ELSEWHERE = ("--prefix", "--root", "--target", "-t")
"""Options of pip that name where it installs."""

_ACTIVATES = re.compile(r"(?:^|/)bin/activate$")


def check_started(run: RunManifest) -> None:
    """Raise `UserError` for a service that a container's daemon would run."""
    last = last_of(run.command)
    words = [word for word in last.arguments if not word.startswith("-")]
    if last.name in _CONTAINERS and _STARTS & set(words[:2]):
        raise UserError(
            f"'{_printed_words(run.command)}' runs the service in a container, which ab can "
            "neither freeze nor measure, and both versions would be the image that was built last; "
            "start the service itself, or start both containers and give their addresses (--url "
            "twice)"
        )


def check_program(build: BuildManifest, run: RunManifest) -> None:
    """Raise `UserError` where the program that is started is one which each build installs in the
    same place."""
    last = last_of(run.command)
    word = last.started[-1] if last.started else ""
    if not word or is_path_in_build(word) or _is_elsewhere(word):
        return
    for command in _commands(build):
        if command_text := _installs_program(command, {**build.env, **command.variables}):
            raise UserError(
                f"`{command_text}` installs '{word}' outside the build, in one place for both "
                "versions, so both would run the one that was built last; build it into the folder "
                f"({_INSTEAD[command.name]}), and start that"
            )


def check_place(command: Sequence[str], cwd: Path) -> None:
    """Raise `UserError` where what is started lies in the working copy `cwd`, not in a build: all
    versions would start the same."""
    last = last_of(command)
    words = [*last.started[-1:], *(one for one in last.arguments if one[:1] != "-")]
    # Of another program, the first argument may be a file of its own.
    for word in words[: 2 if _INTERPRETER.fullmatch(last.name) else 1]:
        path = Path(word)
        is_here = path.is_absolute() and path.is_file() and path.is_relative_to(cwd)
        if is_here and not _TOOLS & set(path.parts):
            raise UserError(
                f"'{word}' lies in the working copy, not in a build, so both versions would run "
                f"the same; write its path in the build: {path.relative_to(cwd)}"
            )


_INTERPRETER = re.compile(r"bash|bun|deno|dotnet|java|node|perl|php|python[\d.]*|ruby|sh")
_TOOLS = {".venv", "node_modules", "venv"}
"""Where programs are that run what lies where they are started."""

_INSTEAD = {"cargo": "cargo build --release", "go": "go build -o service"}


def shared_packages(builds: Sequence[BuildManifest], folders: Sequence[Path]) -> str:
    """That the builds install Python packages where both versions have them in common, and which
    may differ, in a sentence; empty where they do not."""
    sharing = [next(_sharing(build), None) for build in builds]
    command = next(filter(None, sharing), None)
    if command is None or len(set(folders)) == 1:
        return ""
    is_itself = any(one in (".", "./") or one.startswith(".[") for one in command.arguments)
    named = [_named(one, folder) for one, folder in zip(sharing, folders, strict=True)]
    if not is_itself and named[0] == named[1]:
        return ""
    return (
        f"`{_printed_command(command)}` installs outside the builds, so that both versions "
        "run with the packages that were installed last; install them in .venv (python3 -m venv "
        ".venv && .venv/bin/pip install …), and start the service from there"
    )


def shared_modules(builds: Sequence[BuildManifest], folders: Sequence[Path]) -> str:
    """That builds of Maven may take modules of the service from where both versions have them in
    common, in a sentence; empty where they do not."""
    if len(set(folders)) == 1:
        return ""
    commands = (command for build in builds for command in _commands(build))
    command_text = next((_printed_command(one) for one in commands if _is_in_part(one)), "")
    return command_text and (
        f"`{command_text}` takes the modules that it needs but does not build from ~/.m2, where "
        "both versions find the same ones; add --also-make"
    )


def _is_in_part(command: Invocation) -> bool:
    """Whether Maven builds some modules without those that they need."""
    options = {word.partition("=")[0] for word in command.arguments}
    is_maven = command.name in ("mvn", "mvnd", "mvnw")
    return is_maven and bool(options & {"-pl", "--projects"}) and not options & _WHOLE


_WHOLE = {"-am", "--also-make"}


def _named(command: Invocation | None, folder: Path) -> list[str]:
    """What a command is told to install, and what is in the files that it reads for it."""
    if command is None:
        return []
    places = (folder / command.below / one for one in (*command.arguments, *_LOCKS))
    return [*command.arguments, *(text_of(one) for one in places if one.is_file())]


def _sharing(build: BuildManifest) -> Iterator[Invocation]:
    """The commands that have packages of the service, not a tool, in no environment of the
    build's."""
    for argv in build.commands:
        is_active = "VIRTUAL_ENV" in build.env or "PATH" in build.env
        for command in commands_of(argv):
            paths = command.variables.keys() & {"PATH", "PIP_TARGET", "VIRTUAL_ENV"}
            is_active = is_active or bool(paths) or _activates(command)
            own = is_active or any(map(is_path_in_build, command.started))
            if _is_for_all(command) or (not own and _is_pip_for_all(command)):
                yield command


_FOR_ALL = {
    "pipenv": {"--system"},
    "poetry": {"config", "virtualenvs.create", "false"},
    "uv": {"pip", "--system"},
}
"""Words by which they use no environment."""

_LOCKS = ("Pipfile.lock", "poetry.lock")


def _is_for_all(command: Invocation) -> bool:
    words = _FOR_ALL.get(command.name)
    return words is not None and words <= set(command.arguments)


def _is_pip_for_all(command: Invocation) -> bool:
    """Whether a command is pip's, of no environment that is known, and installs the service or what
    it requires where it is not told another place."""
    words = command.arguments
    if command.name not in ("pip", "pip3") or installs_in(command.name, words) is None:
        return False
    is_placed = any(word.partition("=")[0] in _ELSEWHERE for word in words)
    return not is_placed and any(map(_is_of_service, words))


def _is_of_service(word: str) -> bool:
    """Whether pip installs, by this word, the service itself or what it requires."""
    return word.startswith((".", "-r", "--requirement")) or word in ("-e", "--editable")


def _activates(command: Invocation) -> bool:
    sources = command.started[-1:] in ((".",), ("source",)) and command.arguments
    return bool(sources) and _ACTIVATES.search(command.arguments[0]) is not None


def _commands(build: BuildManifest) -> Iterator[Invocation]:
    for argv in build.commands:
        yield from commands_of(argv)


def _installs_program(command: Invocation, env: Mapping[str, str]) -> str:
    """The command where it installs a program of the service in one place for all; else empty."""
    words = command.arguments
    if not words or words[0] != "install":
        return ""
    own = [word for word in words[1:] if not word.startswith("-")]
    is_go = command.name == "go" and not env.keys() & {"GOBIN", "GOPATH"}
    if is_go and not any("@" in word for word in own):
        return _printed_command(command)
    is_cargo = command.name == "cargo" and "CARGO_INSTALL_ROOT" not in env
    has_path = any(word.partition("=")[0] == "--path" for word in words)
    if is_cargo and has_path and not any(word.partition("=")[0] == "--root" for word in words):
        return _printed_command(command)
    return ""


def _is_elsewhere(word: str) -> bool:
    """Whether a program is here that Go and Cargo did not install."""
    program = shutil.which(word)
    return program is not None and not any(Path(program).is_relative_to(one) for one in _places())


def _places() -> Iterator[Path]:
    """Where Go and Cargo install programs."""
    home = Path(os.path.expanduser("~"))
    yield Path(os.environ.get("GOBIN") or home / "go/bin")
    yield Path(os.environ.get("GOPATH", "").partition(":")[0] or home / "go") / "bin"
    yield Path(os.environ.get("CARGO_HOME") or home / ".cargo") / "bin"


def _printed_command(command: Invocation) -> str:
    return _printed_words((*command.started, *command.arguments))


def _printed_words(words: Sequence[str]) -> str:
    return shorten(without_secrets(line_of(words)), 60)
