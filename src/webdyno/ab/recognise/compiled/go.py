"""A service in Go: which of its packages that is, and what its program is called."""

from __future__ import annotations

import re
from pathlib import Path

from webdyno.ab.recognise.recognised import (
    MOST_NAMED,
    NAME,
    RecognisedService,
    in_copy,
    likely_of,
    says,
    text_of,
)
from webdyno.ab.recognise.settings.port_options import port_option
from webdyno.ab.recognise.settings.variables_read import sources_of
from webdyno.report.numbers import first_of


def go(folder: Path) -> RecognisedService | None:
    """By go.mod."""
    if not (folder / "go.mod").is_file():
        return None
    package, ask = (".", "") if _has_main(folder) else _go_command(folder)
    program = _free_name(folder)
    arguments = "" if ask else _arguments(folder, package)
    # Without it Gin reads its templates anew for each answer.
    env = {"GIN_MODE": "release"} if says(folder / "go.mod", r"\bgin-gonic/gin\b") else {}
    build = f"go build -o {program} {package}"
    return RecognisedService(
        "go.mod", "go", (build,), f"./{program}{arguments}", ("go",),
        open=ask, env=env, is_template=bool(ask),
    )  # fmt: skip


_COMMAND = re.compile(r"(?:\b(\w+)\s*:?=\s*)?&?\bcobra\.Command\s*\{[^{}]*?\bUse:\s*\"([\w-]+)")
"""A command of Cobra's: its variable and its name."""
_EXECUTED = re.compile(r"\b(\w+)\.Execute(?:C|Context|ContextC)?\(")
_ROOT_SERVES = re.compile(
    r"\b\w*[rR]oot\w*\s*:?=\s*&?cobra\.Command\s*\{(?:[^{}]|\{[^{}]*\})*?(?<!// )(?<!//)\bRunE?:"
)
"""A root that does something itself, beside what its commands do."""
_SERVES = frozenset({"api", "http", "httpd", "run", "serve", "server", "start", "web"})
"""How the command is usually called that starts a service."""


def _arguments(folder: Path, package: str) -> str:
    """What the program of a package has to be given: a command of Cobra's, and its port."""
    inside = folder / package
    # What Cobra is told lies in packages beside it, or in the only one.
    is_cobra = says(folder / "go.mod", r"\bspf13/cobra\b(?!.*//\s*indirect)")
    sources = [*sources_of(folder)] if is_cobra else sorted(inside.glob("*.go"))
    sources = [one for one in sources if one.suffix == ".go" and not one.name.endswith("_test.go")]
    text = "\n".join(map(text_of, sources)) if is_cobra else ""
    if "AddCommand(" not in text:
        return port_option(sources)
    # The root is the program itself.
    roots = set(_EXECUTED.findall(text))
    commands = {
        name
        for variable, name in _COMMAND.findall(text)
        if name in _SERVES and variable not in roots and "root" not in variable.lower()
    }
    if not commands and _ROOT_SERVES.search(text):
        return port_option(sources)
    return f" {commands.pop()}{port_option(sources)}" if len(commands) == 1 else ""


def _free_name(folder: Path) -> str:
    """A name for the program: Go puts it into a folder of that name, and refuses a file of one's
    own."""
    names = ("service", "webdyno-service")
    free = (one for one in names if not (folder / one).is_dir() and not in_copy(folder, one))
    return next(free, "webdyno-service.out")


def _go_command(folder: Path) -> tuple[str, str]:
    """The package that is the service, with NAME in it where it is not clear which; and what its
    owner has to say, as there is nothing to build until then."""
    below = sorted({path.parent for path in folder.glob("cmd/*/*.go")})
    if names := [path.name for path in [one for one in below if _has_main(one)] or below]:
        return _one_of(names, "./cmd/", f"there are {len(names)} packages in cmd")
    if _has_main(folder / "cmd"):
        return "./cmd", ""
    beside = sorted({path.parent for path in folder.glob("*/*.go")})
    names = [one.name for one in beside if one.name[0] not in "._" and _has_main(one)]
    if names := [name for name in names if name not in _NO_SERVICE]:
        return _one_of(names, "./", f"{len(names)} folders have a package main")
    return ".", "no package main found; name its folder in `build`"


_NO_SERVICE = frozenset({"docs", "examples", "scripts", "test", "testdata", "tests", "vendor"})


def _one_of(names: list[str], below: str, told: str) -> tuple[str, str]:
    likely = likely_of(names)
    if len(likely) == 1:
        return f"{below}{likely[0]}", ""
    ask = (
        f"{told}; replace NAME, in `build`, with the one that is the service: "
        f"{first_of(names, MOST_NAMED)}"
    )
    return f"{below}{NAME}", ask


def _has_main(folder: Path) -> bool:
    """Whether Go builds a program of the files in a folder."""
    return any(
        says(path, r"^package main\b") and not says(path, r"^//\s*(?:go:build|\+build)\s+ignore\b")
        for path in folder.glob("*.go")
        if not path.name.endswith("_test.go")
    )
