"""`server.toml`: a program under test, how to build and run it, and what it claims to be."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, field_validator

from webdyno.catalog.manifest import Manifest, read_manifest
from webdyno.errors import UserError

Name = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9._-]*$")]
Argv = Annotated[list[str], Field(min_length=1)]
_TOOLCHAIN = re.compile(r"^[a-z][a-z0-9+-]*( >= \d+(\.\d+)*)?$")


class Caches(Manifest):
    """Caches that a build keeps outside the folder, so that its times can be measured without them.

    Each is the environment in which the tool uses another one, with `${CACHE}` for an empty folder.
    """

    downloads: dict[str, str] = Field(
        default_factory=dict, description="of dependencies: empty for a cold build"
    )
    compiled: dict[str, str] = Field(
        default_factory=dict, description="of what was compiled: empty for a clean build"
    )


class Incremental(Manifest):
    """A build after one line of the source has changed."""

    file: str = Field(description="source file in which a comment line is added at the top")
    comment: str = Field(default="//", description="what begins a comment line there")
    commands: list[Argv] = Field(
        default_factory=list, description="argv lists; default: the build's own"
    )


class Build(Manifest):
    """How the server is built, in a private copy of its folder."""

    commands: list[Argv] = Field(default_factory=list, description="argv lists, run in order")
    env: dict[str, str] = Field(default_factory=dict)
    artefact: list[str] = Field(
        default_factory=list,
        description="globs of what would be shipped, less those after `!`; default: everything",
    )
    repositories: list[str] = Field(
        default_factory=list,
        description="git repositories of the packages that it fetches; asked only whether they "
        "can be reached, where a build fails and by doctor",
    )
    caches: Caches = Caches()
    incremental: Incremental | None = Field(
        default=None, description="for build times; none where a changed file needs no build"
    )


class Run(Manifest):
    """How the built server is started. `${PORT}`, `${CPUS}` and `${SCENARIO}` are substituted."""

    command: Argv
    env: dict[str, str] = Field(default_factory=dict)


class Concurrency(Manifest):
    """Stated facts about how the server uses the machine, for readers of the report."""

    model: str = ""
    processes: str = ""
    threads: str = ""
    pool: str = ""


class Variant(Manifest):
    """The same source run another way; what is not given is inherited."""

    description: str
    command: Argv | None = None
    env: dict[str, str] = Field(default_factory=dict)
    concurrency: Concurrency | None = None


class ServerManifest(Manifest):
    """A `server.toml`."""

    name: Name
    language: Name
    framework: str
    framework_version: str
    homepage: str = ""
    licence: str
    toolchain: list[str]
    scenarios: list[Name]
    notes: str = ""
    status: Literal["ok", "unbuildable"] = "ok"
    reason: str = ""
    build: Build = Build()
    run: Run
    concurrency: Concurrency = Concurrency()
    variants: dict[Name, Variant] = Field(default_factory=dict)

    @field_validator("toolchain")
    @classmethod
    def _toolchain_is_readable(cls, value: list[str]) -> list[str]:
        for spec in value:
            if not _TOOLCHAIN.match(spec):
                raise ValueError(f"'{spec}' should read like 'node >= 20'")
        return value


class Server(BaseModel):
    """A server of the catalog: its manifest and where its source is."""

    model_config = ConfigDict(frozen=True)

    manifest: ServerManifest
    folder: Path

    @property
    def id(self) -> str:
        """`language/name`, as studies and the command line write it."""
        return f"{self.manifest.language}/{self.manifest.name}"

    def variant_names(self) -> list[str]:
        """`default` and the manifest's own variants."""
        return ["default", *self.manifest.variants]

    def run_of(self, variant: str) -> Run:
        """The command and environment of `variant`, inherited where it is silent."""
        base = self.manifest.run
        if variant == "default":
            return base
        chosen = self.manifest.variants[variant]
        return Run(command=chosen.command or base.command, env={**base.env, **chosen.env})

    def concurrency_of(self, variant: str) -> Concurrency:
        """The stated facts for `variant`, inherited where it is silent."""
        base = self.manifest.concurrency
        own = None if variant == "default" else self.manifest.variants[variant].concurrency
        if own is None:
            return base
        return base.model_copy(update=own.model_dump(exclude_unset=True))


def read_server(folder: Path) -> Server:
    """Read `folder/server.toml`. Raises `UserError` where it is wrong or contradicts its folder."""
    path = folder / "server.toml"
    manifest = read_manifest(path, ServerManifest)
    if manifest.name != folder.name:
        raise UserError(f"{path}: key 'name' is '{manifest.name}'; it must equal the folder")
    if manifest.language != folder.parent.name:
        raise UserError(
            f"{path}: key 'language' must equal the parent folder '{folder.parent.name}'"
        )
    if manifest.status == "unbuildable" and not manifest.reason:
        raise UserError(f"{path}: key 'reason' is missing; say why it cannot be built")
    changed = manifest.build.incremental
    if changed is not None and not (folder / changed.file).is_file():
        raise UserError(
            f"{path}: key 'build.incremental.file' names '{changed.file}', which is not there"
        )
    return Server(manifest=manifest, folder=folder)
