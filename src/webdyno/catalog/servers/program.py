"""How a program is built and run: what `server.toml` and `webdyno.toml` say alike."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

from webdyno.catalog.reading.manifest import Manifest, validating
from webdyno.catalog.terms import quantity
from webdyno.catalog.terms.command import argv_of
from webdyno.catalog.terms.form import Name, Repository, Text, UrlPathOrNone, VariableName


def _argv(value: Any) -> Any:
    return argv_of(value) if isinstance(value, str) else value


Argv = Annotated[
    list[Text],
    Field(min_length=1),
    BeforeValidator(_argv),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "array", "items": {"type": "string"}, "minItems": 1},
                {"type": "string", "minLength": 1},
            ]
        }
    ),
]
"""A program and its arguments, as a list or as a line, which a shell reads where it has to."""
Environment = dict[VariableName, Text]


def _start_seconds(value: Any) -> float:
    with validating():
        return quantity.start_timeout(value)


StartSeconds = Annotated[
    float,
    BeforeValidator(_start_seconds),
    WithJsonSchema({"type": ["string", "number"], "examples": ["90s", "5m"]}),
]
"""Seconds that a start may take, written `90s` or `5m` in a manifest."""


def _inside(text: str) -> str:
    path = PurePosixPath(text)
    if not text or "\0" in text or text.startswith("-") or path.is_absolute() or ".." in path.parts:
        raise ValueError("must be a path within the manifest's folder")
    return text


Inside = Annotated[str, AfterValidator(_inside)]
"""A path within the manifest's own folder."""

_TOOLCHAIN = re.compile(
    r"[a-z][a-z0-9+-]*( >= [0-9]+(\.[0-9]+)*)?( with \w[\w.+-]*(, \w[\w.+-]*)*)?", re.ASCII
)


def _required(text: str) -> str:
    if not _TOOLCHAIN.fullmatch(text):
        raise ValueError("should read like 'node >= 20' or 'php >= 8.1 with pgsql, mbstring'")
    return text


RequiredToolchain = Annotated[str, AfterValidator(_required)]
"""A program that must be installed, and from which version on.

There is no upper bound: whether a newer release works, the build and the verification tell, and a
bound would leave the server out wherever one is installed.
"""


class Caches(Manifest):
    """Caches that a build keeps outside the folder, so that its times can be measured without them.

    Each is the environment in which the tool uses another one, with `${CACHE}` for an empty folder.
    """

    downloads: Environment = Field(
        default_factory=dict, description="of dependencies: empty for a cold build"
    )
    compiled: Environment = Field(
        default_factory=dict, description="of what was compiled: empty for a clean build"
    )


class Incremental(Manifest):
    """A build after one line of the source has changed."""

    file: Inside = Field(description="source file that gets a comment line at its top")
    comment: str = Field(default="//", description="what starts a comment there")
    commands: list[Argv] = Field(default_factory=list, description="default: the build's own")


class BuildManifest(Manifest):
    """How the server is built, in a private copy of its folder."""

    commands: list[Argv] = Field(default_factory=list, description="run in order")
    env: Environment = Field(
        default_factory=dict, description="environment variables of the commands"
    )
    artefact: list[Text] = Field(
        default_factory=list,
        description="globs of what would be shipped, less those after `!`; default: everything "
        "but what Cargo and SwiftPM keep for their next build",
    )
    framework_version: Text = Field(
        default="",
        description="if the framework's version depends on the machine: the file into which the "
        "build writes the version that it found; runs record this one",
    )
    repositories: list[Repository] = Field(
        default_factory=list,
        description="git repositories from which it fetches packages; `doctor` checks that they "
        "can be reached, and so does Webdyno when a build fails",
    )
    caches: Caches = Field(
        default=Caches(), description="what the build keeps outside the folder, for build times"
    )
    incremental: Incremental | None = Field(
        default=None, description="for build times; leave out if a changed file needs no build"
    )
    also: dict[Name, list[Argv]] = Field(
        default_factory=dict,
        description="commands of other builds, such as debug: timed, never run",
    )


class RunManifest(Manifest):
    """How the built server is started. `${PORT}`, `${CPUS}` and `${SCENARIO}` are substituted, and
    so are the variables of its services, such as `${PGHOST}`."""

    command: Argv = Field(description="starts it; it listens on PORT")
    prepare: list[Argv] = Field(
        default_factory=list,
        description="commands run to completion before each start, such as migrations",
    )
    env: Environment = Field(default_factory=dict, description="environment variables beside PORT")
    ready: UrlPathOrNone = Field(
        default="",
        description="path to poll until it answers; default: the first request's",
    )
    start_timeout: StartSeconds | None = Field(
        default=None,
        description="time to the first answer, 1s to 1h, three times as long while it uses the "
        "CPU; default: 60s. Each command in `prepare` has as long, and at least 120s",
    )
    writes: bool = Field(
        default=False,
        description="it writes to its own folder: each trial starts in a fresh copy of the build",
    )
