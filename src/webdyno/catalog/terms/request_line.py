"""A request on one line, as it is typed: `GET /items?page=2`, `POST /items {"name": "x"}`.

A number before it is its weight: `3 GET /items` is sent three times as often as `GET /about`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from webdyno.errors import UserError

MOST_WEIGHT = 100

_VARIABLE = re.compile(r"\{([A-Za-z_]\w*)\}")
_LINE = re.compile(r"^(?:([0-9]+)\s+)?(?:([A-Za-z]+)\s+)?(\S+)(?:\s+(.*))?$", re.DOTALL)


def parse_line(line: str) -> dict[str, str | int]:
    """Method, path, and a weight and a body where it has them. Braces stand for themselves.

    Raises `UserError`, for what looks like a variable in a path as well: sent as it is, it would be
    no request that anybody means.
    """
    match = _LINE.match(line.strip())
    path = match[3] if match else ""
    if match is None or not path.startswith("/"):
        raise UserError(
            f"request '{line}' has no path; write it like 'GET /items' or 'POST /items BODY'"
        )
    if drawn := _VARIABLE.search(path):
        raise UserError(
            f"request '{line}': a one-line request cannot use variables such as {drawn[0]}; in "
            "webdyno.toml write "
            f'{{ path = "{path}" }} and define `variables.{drawn[1]}`, or write %7B and %7D for '
            "the braces themselves"
        )
    request: dict[str, str | int] = {"method": (match[2] or "GET").upper(), "path": literal(path)}
    if match[1]:
        # By its length first: int() refuses numbers of thousands of digits.
        if len(match[1]) > 3 or not 1 <= int(match[1]) <= MOST_WEIGHT:
            raise UserError(
                f"request '{line}': its weight is out of range; give a whole number from 1 to "
                f"{MOST_WEIGHT}"
            )
        request["weight"] = int(match[1])
    return {**request, "body": literal(match[4])} if match[4] else request


def parse_header(line: str) -> tuple[str, str]:
    """Name and value of `Name: value`. Raises `UserError`."""
    name, colon, value = line.partition(":")
    if not colon or not name.strip():
        raise UserError(
            f"header '{line}' is not a name and a value; write it like 'Accept: application/json'"
        )
    return name.strip(), literal(value.strip())


def parse_headers(lines: Iterable[str]) -> dict[str, str]:
    """Values by name. Raises `UserError`, also where a name is there twice: of a table, the last
    alone would be sent."""
    headers: dict[str, str] = {}
    for name, value in map(parse_header, lines):
        if name.lower() in map(str.lower, headers):
            raise UserError(f"header '{name}' is given twice; give it once, with all its values")
        headers[name] = value
    return headers


def with_headers(base: Mapping[str, str], others: Mapping[str, str]) -> dict[str, str]:
    """`base` with `others`, which take the place of those of the same name in any letter case."""
    names = {name.lower() for name in others}
    return {**{name: base[name] for name in base if name.lower() not in names}, **others}


def literal(text: str) -> str:
    """`text` as a template in which nothing is filled in."""
    return text.replace("{", "{{").replace("}", "}}")
