"""`servers/LANGUAGE/language.toml`: what all servers of a language have in common."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field, field_validator

from webdyno.catalog.loads.warm_up import RuntimeWarmUpKeys
from webdyno.catalog.reading.manifest import Manifest, read_manifest
from webdyno.catalog.terms.form import Name


class Runtime(Manifest):
    """Another release of the language's runtime or compiler than the machine's own.

    It is installed without root, in a folder of its own, from the files in `runtimes/NAME` beside
    `language.toml`, if there are any. Every server of the language then has a variant `NAME`.
    """

    description: str = Field(description="what it is, and its source")
    provides: dict[str, str] = Field(
        min_length=1, description="programs that it provides, with exact versions"
    )
    toolchain: list[str] = Field(
        default_factory=list, description="what its installation needs, as in a server.toml"
    )
    commands: list[list[str]] = Field(
        default_factory=list, description="commands (argv lists) that install it, run in its folder"
    )
    path: list[str] = Field(
        default_factory=list, description="globs of folders in it, to be put in front of PATH"
    )
    env: dict[str, str] = Field(
        default_factory=dict, description="variables that select it, if PATH does not"
    )
    builds: bool = Field(
        default=True, description="false: it only runs what the machine's own toolchain built"
    )


class LanguageManifest(Manifest):
    """A `language.toml`. A language without one gets Webdyno's own defaults."""

    runtime: str = Field(default="", description="its runtime, such as V8 or the JVM")
    notes: str = Field(default="", description="why its warm-up is as it is")
    heap: str = Field(default="", description="how large its heap may become by default")
    bytecode: str = Field(
        default="",
        description="whether bytecode is kept and a JIT runs, if the servers' settings decide that",
    )
    warmup: RuntimeWarmUpKeys = Field(
        default=RuntimeWarmUpKeys(), description="what its runtime needs to become steady"
    )
    runtimes: dict[Name, Runtime] = Field(
        default_factory=dict, description="other releases, installable without root"
    )

    @field_validator("runtimes")
    @classmethod
    def _default_is_the_installed_one(cls, value: dict[str, Runtime]) -> dict[str, Runtime]:
        if "default" in value:
            raise ValueError("'default' is the runtime that is installed; use another name")
        return value


def read_language(path: Path) -> LanguageManifest:
    """Read a language's manifest. Raises `UserError` where it is wrong."""
    return read_manifest(path, LanguageManifest)
