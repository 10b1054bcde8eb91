"""`scenario.toml`: the work, as request templates, per-answer checks and a verifier."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from webdyno.catalog.reading.manifest import Manifest, read_manifest
from webdyno.catalog.scenarios import askable
from webdyno.catalog.scenarios.parameters import Parameters
from webdyno.catalog.servers.program import Inside
from webdyno.catalog.terms.form import HeaderName, HeaderValue, Method, Name, UrlPath
from webdyno.catalog.terms.parts import Part
from webdyno.errors import UserError

Int64 = Annotated[int, Field(ge=-(2**63), le=2**63 - 1)]
Length = Annotated[int, Field(ge=0, le=2**63 - 1)]


class IntVariable(Manifest):
    """A whole number drawn uniformly from `min`..`max`, both included."""

    kind: Literal["int"]
    min: Int64
    max: Int64

    @model_validator(mode="after")
    def _ordered(self) -> IntVariable:
        if self.max < self.min:
            raise ValueError("max must not be below min")
        return self


class ChoiceVariable(Manifest):
    """One of `values`, drawn uniformly; the verifier may fill them before the load."""

    kind: Literal["choice"]
    values: list[str] = Field(
        default_factory=list, description="texts to draw from; none if the verifier supplies them"
    )


class SequenceVariable(Manifest):
    """`start`, `start + step`, …, for each user on its own."""

    kind: Literal["sequence"]
    start: Int64 = 1
    step: Int64 = 1


Variable = Annotated[IntVariable | ChoiceVariable | SequenceVariable, Field(discriminator="kind")]


class StatusCheck(Manifest):
    """The status code must be `equals`."""

    kind: Literal["status"]
    equals: int = Field(ge=100, le=599)


class EqualsCheck(Manifest):
    """The body must be `text`, in which `{variables}` are substituted."""

    kind: Literal["equals"]
    text: str


class ContainsCheck(Manifest):
    """The body must contain `text`."""

    kind: Literal["contains"]
    text: str


class MatchesCheck(Manifest):
    """The body must match the regular expression `pattern`."""

    kind: Literal["matches"]
    pattern: str


class LengthCheck(Manifest):
    """The body's length in bytes must lie within `min`..`max`."""

    kind: Literal["length"]
    min: Length = 0
    max: Length | None = None

    @model_validator(mode="after")
    def _ordered(self) -> LengthCheck:
        if self.max is not None and self.max < self.min:
            raise ValueError("max must not be below min")
        return self


class LookupCheck(Manifest):
    """The body must be what the verifier expects for the drawn value of `variable`."""

    kind: Literal["lookup"]
    variable: str
    expected: dict[str, str] = Field(
        default_factory=dict, description="bodies by value; none if the verifier supplies them"
    )


class CounterCheck(Manifest):
    """The number captured by `pattern` must be the user's last one plus `step`."""

    kind: Literal["counter"]
    pattern: str
    step: Int64 = 1


Check = Annotated[
    StatusCheck
    | EqualsCheck
    | ContainsCheck
    | MatchesCheck
    | LengthCheck
    | LookupCheck
    | CounterCheck,
    Field(discriminator="kind"),
]


class Distinct(Manifest):
    """No two answers are alike: the words that follow certain texts distinguish them."""

    after: list[str] = Field(
        min_length=1,
        description="texts, each followed by a word (letters, digits, -, _) of the answer's own",
    )
    any_order: bool = Field(
        default=False, description="the same words in another order are the same answer"
    )
    chance: float = Field(
        ge=0, lt=1, description="the chance that two answers of an honest server are alike"
    )


class Request(Manifest):
    """A request template; `{name}` substitutes a variable, `{{` and `}}` are literal braces.

    Over WebSocket it is a message on a connection that `path` and `headers` have upgraded.
    """

    name: str = Field(description="its name in reports")
    method: Method = Field(default="GET", description="in capital letters")
    path: UrlPath = Field(description="a template, with its query")
    headers: dict[HeaderName, HeaderValue] = Field(
        default_factory=dict, description="by their names; values are templates"
    )
    body: str | None = Field(default=None, description="a template")
    websocket: bool = Field(
        default=False,
        description="the request is a message over WebSocket; path and headers are the upgrade's",
    )
    message: str | None = Field(
        default=None, description="the text that is sent over WebSocket, a template as body is"
    )
    checks: list[Check] = Field(
        default_factory=list, description="of every answer, made by the load generator"
    )
    distinct: Distinct | None = Field(
        default=None, description="no answer of a load may be given again; all of them are compared"
    )

    @model_validator(mode="after")
    def _is_message_or_not(self) -> Request:
        if not self.websocket:
            if self.message is not None:
                raise ValueError("message is for WebSocket; add websocket = true")
            return self
        if self.message is None:
            raise ValueError("websocket = true needs a message")
        if self.method != "GET" or self.body is not None:
            raise ValueError("WebSocket sends a message; leave method and body out")
        if any(isinstance(check, StatusCheck) for check in self.checks):
            raise ValueError("a message has no status; leave that check out")
        return self


class ScenarioManifest(Manifest):
    """A `scenario.toml`."""

    name: Name = Field(description="the folder's name")
    title: str = Field(description="heading of its section in reports")
    description: str = Field(
        description="the work in a paragraph, then the contract: what a server must do"
    )
    services: list[str] = Field(
        default_factory=list, description="what runs beside the server: postgresql or mariadb"
    )
    review: list[str] = Field(
        default_factory=list,
        description="for review of the source: what the contract asks and no answer can prove",
    )
    parts: list[Part] = Field(
        default_factory=list,
        description="parts of a server that the work goes through; its servers state what they use",
    )
    verifier: Inside = Field(default="verifier.py", description="its verifier, in its folder")
    cookies: bool = Field(default=False, description="whether users keep cookies")
    same_body: bool = Field(
        default=False,
        description="all servers answer the same bytes in every trial; reports show which differ",
    )
    order: Literal["sequence", "random"] = Field(
        default="sequence",
        description="of several requests; sequence: each user sends one after the other, over and "
        "over; random: one is drawn each time",
    )
    parameters: Parameters = Field(
        default_factory=dict,
        description="defaults by name, for servers and the verifier; a study may override them",
    )
    variables: dict[str, Variable] = Field(
        default_factory=dict, description="drawn anew for each request, by their names"
    )
    requests: list[Request] = Field(min_length=1, description="what is sent")

    @model_validator(mode="after")
    def _messages_share_connections(self) -> ScenarioManifest:
        if not self.websocket:
            return self
        first = self.requests[0]
        for request in self.requests:
            if not request.websocket:
                raise ValueError(
                    f"request '{request.name}' is not a message; set websocket on all requests "
                    "or none"
                )
            if (request.path, request.headers) != (first.path, first.headers):
                raise ValueError(
                    f"request '{request.name}' differs from '{first.name}' in its path or headers; "
                    "messages share a connection, which is upgraded once"
                )
        upgrade = "".join([first.path, *first.headers.values()])
        if "{" in upgrade.replace("{{", ""):
            raise ValueError("a connection is upgraded once; draw variables in the message only")
        if self.cookies:
            raise ValueError("users keep no cookies over WebSocket; leave cookies out")
        return self

    @model_validator(mode="after")
    def _engine_takes_them(self) -> ScenarioManifest:
        # Whether users keep cookies, loads may say otherwise.
        askable.refuse(self.requests, self.variables, prepared=True)
        return self

    @property
    def websocket(self) -> bool:
        """Whether its requests are messages over WebSocket."""
        return any(request.websocket for request in self.requests)

    def with_bodies(self, bodies: Mapping[str, str]) -> ScenarioManifest:
        """The same with other body templates for the requests that `bodies` names. Raises
        `UserError` where there is no such request."""
        known = [request.name for request in self.requests]
        if unknown := sorted(set(bodies) - set(known)):
            raise UserError(
                f"scenario {self.name}: the verifier gives a body for '{unknown[0]}';"
                f" its requests are: {', '.join(known)}"
            )
        requests = [
            request.model_copy(update={"body": bodies.get(request.name, request.body)})
            for request in self.requests
        ]
        return self.model_copy(update={"requests": requests})


class Scenario(BaseModel):
    """A scenario of the catalog: its manifest and where its files are."""

    model_config = ConfigDict(frozen=True)

    manifest: ScenarioManifest
    folder: Path

    @property
    def id(self) -> str:
        """Its name."""
        return self.manifest.name


def read_scenario(folder: Path) -> Scenario:
    """Read `folder/scenario.toml`. Raises `UserError` where it is wrong."""
    path = folder / "scenario.toml"
    manifest = read_manifest(path, ScenarioManifest)
    if manifest.name != folder.name:
        raise UserError(f"{path}: key 'name' is '{manifest.name}'; it must equal the folder")
    if not (folder / manifest.verifier).is_file():
        raise UserError(
            f"{path}: key 'verifier' names '{manifest.verifier}', which does not exist; add the "
            "file, or correct the key"
        )
    return Scenario(manifest=manifest, folder=folder)
