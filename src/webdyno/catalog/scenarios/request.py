"""`[[requests]]` of a `scenario.toml`: the template of a request, and what its answers must be."""

from __future__ import annotations

from pydantic import Field, model_validator

from webdyno.catalog.reading.manifest import Manifest
from webdyno.catalog.scenarios.checks import Check, StatusCheck
from webdyno.catalog.terms.form import HeaderName, HeaderValue, Method, UrlPath


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
