"""A request on one line, as it is typed: `GET /items?page=2`, `POST /items {"name": "x"}`."""

from __future__ import annotations

import re

from webdyno.errors import UserError

_LINE = re.compile(r"^(?:([A-Za-z]+)\s+)?(\S+)(?:\s+(.*))?$", re.DOTALL)


def parse_line(line: str) -> dict[str, str]:
    """Method, path and perhaps a body. Braces stand for themselves. Raises `UserError`."""
    match = _LINE.match(line.strip())
    path = match[2] if match else ""
    if match is None or not path.startswith("/"):
        raise UserError(f"request '{line}' should read like 'GET /items' or 'POST /items BODY'")
    found = {"method": (match[1] or "GET").upper(), "path": literal(path)}
    return {**found, "body": literal(match[3])} if match[3] else found


def parse_header(line: str) -> tuple[str, str]:
    """Name and value of `Name: value`. Raises `UserError`."""
    name, colon, value = line.partition(":")
    if not colon or not name.strip():
        raise UserError(f"header '{line}' should read like 'Accept: application/json'")
    return name.strip(), literal(value.strip())


def literal(text: str) -> str:
    """`text` as a template in which nothing is filled in."""
    return text.replace("{", "{{").replace("}", "}}")
