"""`webdyno.toml`: how a service of one's own is built, run, asked and compared.

`build`, `run`, `toolchain` and `warmup` are those of a `server.toml`, requests and variables those
of a `scenario.toml`: one format.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, field_validator, model_validator

from webdyno.catalog.descriptions.service_request import (
    RequestKeys,
    ServiceRequest,
    round_of,
    table_of,
)
from webdyno.catalog.loads import load_bounds
from webdyno.catalog.loads.load import Seconds
from webdyno.catalog.loads.load_bounds import LoadSeconds
from webdyno.catalog.loads.warm_up import RuntimeWarmUpKeys
from webdyno.catalog.reading.manifest import Manifest, read_manifest, validating
from webdyno.catalog.scenarios import refusals
from webdyno.catalog.scenarios.request import Request
from webdyno.catalog.scenarios.variables import Variable
from webdyno.catalog.servers.program import BuildManifest, Inside, RequiredToolchain, RunManifest
from webdyno.catalog.studies.study_tables import Limits
from webdyno.catalog.terms.form import HeaderName, HeaderValue, VariableNameOrNone
from webdyno.catalog.terms.one_of import OneOf
from webdyno.plugins import Plugins
from webdyno.redaction import without_secrets

FILE = "webdyno.toml"

LoadName = Literal["full", "steady", "alone"]
"""`full`: as much as the service can answer. `steady`: the same rate for both versions. `alone`:
one request at a time, so that none waits for another."""

ALONE_FROM_S = 600.0
"""The budget from which on requests are also measured alone, unless it is asked for: with less time
the blocks that this takes are those that the answer about all requests needs."""


class LoadKeys(Manifest):
    """How the service is loaded. The defaults fit most services."""

    kinds: list[LoadName] = Field(
        default_factory=list,
        description="full: as many requests as it answers; steady: the same rate for both; alone: "
        "one request at a time; default: full and steady, and alone with several requests and a "
        "budget of 10m or more",
    )
    connections: int | None = Field(
        default=None,
        ge=1,
        le=1_000_000,
        description="connections of the full load; default: 16 per CPU, at least 32",
    )
    duration: LoadSeconds | None = Field(
        default=None,
        description="of each load; default: what the budget allows, from 3s to 10s",
    )
    rate: str = Field(
        default="",
        description="rate of the steady load, such as 200/s; default: half of what the slower "
        "version can handle",
    )
    steady_duration: LoadSeconds | None = Field(
        default=None, description="of each steady load; default: the same"
    )
    timeout: LoadSeconds = Field(default=10.0, description="an answer after this time is an error")

    @field_validator("kinds")
    @classmethod
    def _whole_is_measured(cls, value: list[LoadName]) -> list[LoadName]:
        if set(value) == {"alone"}:
            raise ValueError("'alone' complements the others; add full or steady")
        return value

    @field_validator("rate")
    @classmethod
    def _rate_is_readable(cls, value: str) -> str:
        if value:
            with validating():
                load_bounds.rate(value)
        return value


class AnswerRules(Manifest):
    """What may differ between the answers of the two versions."""

    ignore_headers: list[str] = Field(
        default_factory=list, description="header names, in any letter case"
    )
    ignore_json: list[str] = Field(
        default_factory=list, description="paths in a JSON body, such as user.id or items[*].time"
    )
    ignore_patterns: list[str] = Field(
        default_factory=list, description="regular expressions; matches are ignored"
    )
    must_match: bool = Field(
        default=False, description="B is worse if any other difference is found (exit code 1)"
    )

    @field_validator("ignore_patterns")
    @classmethod
    def _patterns_are_readable(cls, value: list[str]) -> list[str]:
        for pattern in value:
            try:
                re.compile(pattern)
            except re.error as error:
                raise ValueError(
                    f"'{pattern}' is not a valid regular expression: {error}"
                ) from None
        return value


def _name(value: Any) -> Any:
    return slug(value) if isinstance(value, str) else value


SERVICES: Plugins[Any] = Plugins("webdyno.runtime.services.plugins", "SERVICE", "service")
"""All databases there are, by the name scenarios call them; see `runtime.services.registry`."""

ServiceName = Annotated[str, OneOf(SERVICES)]


class ServiceData(Manifest):
    """A database beside the service: a fresh one for each start."""

    seed: list[Inside] = Field(
        default_factory=list,
        description="SQL files in this folder, run in this order before the service starts",
    )


class Description(Manifest):
    """A `webdyno.toml`."""

    name: Annotated[str, BeforeValidator(_name)] = Field(
        default="", description="the service's name; default: its folder's"
    )
    language: Annotated[str, BeforeValidator(_name)] = Field(
        default="",
        description="language, whose runtime decides the warm-up, such as node, java or go",
    )
    toolchain: list[RequiredToolchain] = Field(
        default_factory=list, description="required programs, such as node >= 20"
    )
    build: BuildManifest = Field(default=BuildManifest(), description="how it is built")
    run: RunManifest | None = Field(
        default=None, description="command that starts it, listening on PORT"
    )
    port_variable: VariableNameOrNone = Field(
        default="",
        description="environment variable with its port, if not PORT",
    )
    services: dict[ServiceName, ServiceData] = Field(
        default_factory=dict, description="databases it needs"
    )
    requests: list[RequestKeys] = Field(
        default_factory=list, description="sent in this order, each as often as its weight"
    )
    headers: dict[HeaderName, HeaderValue] = Field(
        default_factory=dict, description="sent with every request"
    )
    variables: dict[str, Variable] = Field(
        default_factory=dict, description="as in a scenario.toml"
    )
    cookies: bool = Field(default=False, description="whether users keep cookies")
    load: LoadKeys = Field(default=LoadKeys(), description="how it is loaded")
    answers: AnswerRules = Field(
        default=AnswerRules(), description="what may differ between the answers of the versions"
    )
    warmup: RuntimeWarmUpKeys | None = Field(
        default=None, description="what differs from the warm-up of its language"
    )
    limits: Limits = Field(default=Limits(), description="limits of the service")
    budget: Seconds = Field(default=300.0, description="time to the answer, builds included")
    margin: float = Field(
        default=0.03, gt=0, lt=1, description="versions within this share count as equal"
    )
    confidence: float = Field(default=0.95, gt=0.5, lt=1, description="for all statements together")

    @model_validator(mode="after")
    def _names_differ(self) -> Description:
        names = [table.called() for table in self._tables()]
        if twice := next((name for name in names if names.count(name) > 1), None):
            shown = without_secrets(twice)
            raise ValueError(f"two requests are called '{shown}'; give each its own 'name'")
        return self

    @model_validator(mode="after")
    def _engine_takes_them(self) -> Description:
        if self.requests:
            refusals.refuse(self.templates(), self.variables, cookies=self.cookies)
        return self

    def templates(self) -> list[Request]:
        """The requests as a scenario has them. Reports call them by their names, which hold no
        secret of a path, and are numbered where they differ in that alone."""
        found: list[Request] = []
        names: set[str] = set()
        for table in self._tables():
            first = table.name or without_secrets(table.called())
            numbered = (f"{first} ({number})" for number in itertools.count(2))
            name = next(one for one in itertools.chain([first], numbered) if one not in names)
            names.add(name)
            found.append(table.template(name, self.headers))
        return found

    def mix(self) -> list[Request]:
        """A round of the load: each request as often as its weight says."""
        found = self.templates()
        return [found[place] for place in round_of([table.weight for table in self._tables()])]

    def kinds(self) -> list[LoadName]:
        """The loads to make; with a single request, `alone` would say nothing of its own."""
        given = self.load.kinds or ["full", "steady"]
        if not self.load.kinds and self.budget >= ALONE_FROM_S:
            given = [*given, "alone"]
        return [kind for kind in dict.fromkeys(given) if kind != "alone" or len(self.requests) > 1]

    def _tables(self) -> Iterator[ServiceRequest]:
        return map(table_of, self.requests)


def read_description(path: Path) -> Description:
    """Read a `webdyno.toml`. Raises `UserError` where it is wrong."""
    return read_manifest(path, Description)


def slug(text: str) -> str:
    """`text` as a name: lower-case letters, digits, `.`, `_` and `-`."""
    return re.sub(r"[^a-z0-9._-]+", "-", text.lower()).strip("-._")[:60]
