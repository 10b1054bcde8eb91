"""`server.toml`: how a program under test is built and run, and what it claims to be."""

from __future__ import annotations

import re
from typing import Literal, Self

from pydantic import Field, field_validator, model_validator

from webdyno.catalog.loads.warm_up import RuntimeWarmUpKeys
from webdyno.catalog.reading.manifest import Manifest
from webdyno.catalog.servers.concurrency import Concurrency
from webdyno.catalog.servers.program import (
    Argv,
    BuildManifest,
    Environment,
    RequiredToolchain,
    RunManifest,
)
from webdyno.catalog.terms.form import Name
from webdyno.catalog.terms.parts import ServerPart


class Variant(Manifest):
    """The same source run another way; what is not given is inherited."""

    description: str = Field(description="how it differs, in a few words")
    command: Argv | None = Field(default=None, description="starts it, in place of that of [run]")
    env: Environment = Field(
        default_factory=dict, description="environment variables beside those of [run]"
    )
    concurrency: Concurrency | None = Field(
        default=None, description="as [concurrency]: the keys that differ"
    )
    parts: dict[ServerPart, str] = Field(
        default_factory=dict, description="as [parts]: the keys that differ"
    )
    keep_alive: bool | None = Field(
        default=None, description="as at the top of the manifest; default: the same"
    )
    runtime: str = Field(
        default="", description="the one of the language's runtimes that it needs; default: any"
    )


class ServerManifest(Manifest):
    """A `server.toml`."""

    name: Name = Field(description="the folder's name")
    language: Name = Field(description="the name of the folder above")
    framework: str = Field(description="as its makers write it")
    framework_version: str = Field(
        description="exactly; of a framework that is part of its runtime, the oldest that works"
    )
    framework_package: str = Field(
        default="",
        description="the program in `toolchain` that is or contains the framework; runs record its "
        "installed version instead of framework_version",
    )
    homepage: str = Field(default="", description="address of the framework's site")
    licence: str = Field(description="of the framework, such as MIT")
    toolchain: list[RequiredToolchain] = Field(
        description="required programs, each with the oldest version that works, such as node >= "
        "20, or php >= 8.1 with pgsql, mbstring"
    )
    scenarios: list[Name] = Field(description="names of those that it implements")
    notes: str = Field(default="", description="what is idiomatic here, and why")
    status: Literal["ok", "unbuildable"] = Field(
        default="ok", description="unbuildable: it is listed, but left out of runs"
    )
    reason: str = Field(default="", description="why it is unbuildable")
    build: BuildManifest = Field(default=BuildManifest(), description="how it is built")
    run: RunManifest = Field(description="how it is started")
    concurrency: Concurrency = Field(
        default=Concurrency(), description="stated facts about processes, threads and connections"
    )
    parts: dict[ServerPart, str] = Field(
        default_factory=dict,
        description="what it uses for each part that its scenarios name",
    )
    keep_alive: bool = Field(
        default=True, description="false: it closes the connection after each answer"
    )
    warmup: RuntimeWarmUpKeys | None = Field(
        default=None, description="where its warm-up differs from that of its language"
    )
    variants: dict[Name, Variant] = Field(
        default_factory=dict, description="the same source run another way, by the variant's name"
    )
    runtimes: list[Name] | None = Field(
        default=None,
        description="those of the language's runtimes on which it also runs; default: all",
    )

    @property
    def framework_label(self) -> str:
        """The framework with its version; without one where that is the machine's own."""
        version = " (as installed)" if self.framework_package else f" {self.framework_version}"
        return f"{self.framework}{version}"

    @model_validator(mode="after")
    def _package_is_required(self) -> Self:
        required = {name for spec in self.toolchain for name in re.split(r"[\s,]+", spec)}
        if self.framework_package and self.framework_package not in required:
            raise ValueError(
                f"framework_package '{self.framework_package}' is not named in toolchain"
            )
        return self

    @field_validator("variants")
    @classmethod
    def _default_is_no_variant(cls, value: dict[str, Variant]) -> dict[str, Variant]:
        if "default" in value:
            raise ValueError(
                "'default' is the server without a variant; state it above, or use another name"
            )
        return value
