"""What the engine refuses of requests, told where they are read and not once servers are built.

The engine itself is asked, with a load that is never started: no other code reads templates and
patterns as it does.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from webdyno.catalog.scenarios.request import Request
from webdyno.catalog.scenarios.variables import Variable

_LOAD: dict[str, Any] = {
    "target": {"host": "127.0.0.1", "port": 1},
    "load": {"kind": "iterations", "users": 1, "iterations": 1},
    "reactor": "epoll",
}

_STAND_IN = "0"
"""For a value that the verifier gives: it fits a path, a header and a number."""


def refuse(
    requests: Sequence[Request],
    variables: Mapping[str, Variable],
    *,
    cookies: bool = False,
    prepared: bool = False,
) -> None:
    """Raise `ValueError` for the first of `requests` that the engine does not take, with users who
    keep `cookies` or not.

    `prepared`: a verifier may put other values, bodies and expected answers in the place of those
    that are written. Nothing is then said of what is not known yet.
    """
    from webdyno._engine import Load

    drawn = {name: one.model_dump() for name, one in variables.items()}
    specified = [_request(one) for one in requests]
    if prepared:
        drawn = {name: _unknown(one, "values", [_STAND_IN]) for name, one in drawn.items()}
        specified = [_as_prepared(one, drawn) for one in specified]
    spec = {**_LOAD, "requests": specified, "variables": drawn, "cookies": cookies}
    try:
        Load(json.dumps(spec))
    except ValueError as error:
        # What this machine lacks for a load is nothing that the file could change.
        if not str(error).startswith("load: "):
            raise ValueError(str(error)) from None


def _request(request: Request) -> dict[str, Any]:
    keys = {"name", "method", "path", "body", "websocket", "message", "checks"}
    return {**request.model_dump(include=keys), "headers": list(request.headers.items())}


def _as_prepared(request: dict[str, Any], variables: Mapping[str, Any]) -> dict[str, Any]:
    checks = [_unknown(one, "expected", {_STAND_IN: ""}) for one in request["checks"]]
    if request["websocket"]:
        return {**request, "checks": checks}
    # The body that is sent may use what the checks name, whether or not the written one does.
    named = "".join(f"{{{name}}}" for name in variables if _is_named(name, checks))
    return {**request, "checks": checks, "body": f"{request['body'] or ''}{named}"}


def _unknown(part: dict[str, Any], key: str, stand_in: Any) -> dict[str, Any]:
    """`part` with a stand-in for what the verifier may give, where it is of a kind that has it."""
    return {**part, key: stand_in} if key in part else part


def _is_named(variable: str, checks: Sequence[Mapping[str, Any]]) -> bool:
    return any(
        check.get("variable") == variable or f"{{{variable}}}" in check.get("text", "")
        for check in checks
    )
