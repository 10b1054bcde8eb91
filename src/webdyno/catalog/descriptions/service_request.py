"""The requests of a `webdyno.toml`, each a line or a table, and their round by weight."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import AfterValidator, Discriminator, Field, Tag

from webdyno.catalog.reading.manifest import Manifest, validating
from webdyno.catalog.scenarios.checks import Check, StatusCheck
from webdyno.catalog.scenarios.request import Request
from webdyno.catalog.terms.form import HeaderName, HeaderValue, Method, UrlPath
from webdyno.catalog.terms.request_line import MOST_WEIGHT, parse_line, with_headers


class ServiceRequest(Manifest):
    """A request template of a service; `{name}` substitutes one of its variables."""

    method: Method = Field(default="GET", description="in capital letters")
    path: UrlPath = Field(description="a template, with its query")
    name: str = Field(default="", description="its name in reports; default: method and path")
    headers: dict[HeaderName, HeaderValue] = Field(
        default_factory=dict, description="by name, in addition to those of every request"
    )
    body: str | None = Field(default=None, description="a template")
    weight: int = Field(
        default=1, ge=1, le=MOST_WEIGHT, description="how often it is sent, relative to the others"
    )
    status: int | None = Field(
        default=None, ge=100, le=599, description="the correct status; default: any 2xx"
    )
    checks: list[Check] = Field(
        default_factory=list, description="made on every answer of the load, as in a scenario.toml"
    )

    def called(self) -> str:
        """Its name; where it has none, method and path."""
        return self.name or f"{self.method} {self.path}"

    def template(self, name: str, headers: dict[str, str]) -> Request:
        """The same as a scenario has it, as `name`, with `headers` where it has none of its own."""
        status = [] if self.status is None else [StatusCheck(kind="status", equals=self.status)]
        return Request(
            name=name,
            method=self.method,
            path=self.path,
            headers=with_headers(headers, self.headers),
            body=self.body,
            checks=[*status, *self.checks],
        )


def _line(value: str) -> str:
    with validating():
        parse_line(value)
    return value


def _form(value: Any) -> str:
    return "line" if isinstance(value, str) else "table"


RequestKeys = Annotated[
    Annotated[str, AfterValidator(_line), Tag("line")] | Annotated[ServiceRequest, Tag("table")],
    Discriminator(_form),
]
"""A line such as `GET /items`, or a table where more than that is to be said."""


def table_of(request: RequestKeys) -> ServiceRequest:
    """The same as a table, where it is a line."""
    if isinstance(request, str):
        return ServiceRequest.model_validate(parse_line(request))
    return request


def round_of(weights: Sequence[int]) -> list[int]:
    """Places in a round, evenly spread: each as often as its weight has it beside the others.

    It begins with the first place.
    """
    common = math.gcd(*weights)
    turns = sorted(
        ((turn + 0.5) * common / weight, place)
        for place, weight in enumerate(weights)
        for turn in range(weight // common)
    )
    places = [place for _, place in turns]
    first = places.index(0)
    return places[first:] + places[:first]
