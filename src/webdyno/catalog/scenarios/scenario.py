"""`scenario.toml`: the work, as request templates, per-answer checks and a verifier."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from webdyno.catalog.reading.manifest import Manifest, read_manifest
from webdyno.catalog.scenarios import refusals
from webdyno.catalog.scenarios.parameters import Parameters
from webdyno.catalog.scenarios.request import Request
from webdyno.catalog.scenarios.variables import Variable
from webdyno.catalog.servers.program import Inside
from webdyno.catalog.terms.form import Name
from webdyno.catalog.terms.parts import ServerPart
from webdyno.errors import UserError


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
    parts: list[ServerPart] = Field(
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
        refusals.refuse(self.requests, self.variables, prepared=True)
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
