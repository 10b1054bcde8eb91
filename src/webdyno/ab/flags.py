"""What a user says by flags, and what that changes in a description."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from webdyno.catalog.terms.request_line import parse_headers, parse_line, with_headers
from webdyno.errors import UserError
from webdyno.words import duration

LEAST_BUDGET_S = 30.0
"""Of a comparison: what one repetition takes, without a build."""


@dataclass(frozen=True)
class Flags:
    """What was given by flags; what is None or empty was not."""

    requests: Sequence[str] = ()
    headers: Sequence[str] = ()
    build: Sequence[str] = ()
    no_build: bool = False
    env: Sequence[str] = ()
    ready: str | None = None
    start_timeout_s: float | None = None
    port_variable: str | None = None
    writes: bool = False
    same_answers: bool = False
    status: int | None = None
    ignore: Sequence[str] = ()
    services: Sequence[str] = ()
    connections: int | None = None
    rate: str | None = None
    loads: Sequence[str] = ()
    """The names of the loads to make."""
    budget_s: float | None = None
    margin: float | None = None


def refuse_short_budget(key: str, seconds: float) -> None:
    """Raise `UserError` for a budget, given as `key`, in which nothing can be compared."""
    if seconds < LEAST_BUDGET_S:
        raise UserError(
            f"{key}: {duration(seconds)} is too short to compare two versions; give at least "
            f"{duration(LEAST_BUDGET_S)} (5m is the default)"
        )


def with_flags(base: dict[str, Any], flags: Flags, commands: Sequence[str]) -> dict[str, Any]:
    """The keys of a description, `base`, with what the flags say in the place of what it says.

    Raises `UserError` for a flag that cannot be read.
    """
    data = {**base, **_given(budget=flags.budget_s, margin=flags.margin)}
    if flags.requests:
        data["requests"] = list(flags.requests)
    if flags.status is not None:
        data["requests"] = [
            {**_table(one), "status": flags.status} for one in data.get("requests", [])
        ]
    if flags.headers:
        data["headers"] = with_headers(base.get("headers", {}), parse_headers(flags.headers))
    if flags.build or flags.no_build:
        data["build"] = {**base.get("build", {}), "commands": list(flags.build)}
        # Of what a manifest's own build needs, this one may need nothing.
        data.pop("toolchain", None)
    if flags.port_variable is not None:
        data["port_variable"] = flags.port_variable
    if answers := _answers(base.get("answers", {}), flags):
        data["answers"] = answers
    if flags.services:
        data["services"] = {**base.get("services", {}), **dict(map(_service, flags.services))}
    kinds = list(flags.loads) or None
    if load := _given(connections=flags.connections, rate=flags.rate, kinds=kinds):
        data["load"] = {**base.get("load", {}), **load}
        names = data["load"].get("kinds") or ["full", "steady"]
        for option, value, name in (
            ("--rate", flags.rate, "steady"),
            ("--connections", flags.connections, "full"),
        ):
            if value is not None and name not in names:
                raise UserError(
                    f"{option} is for the {name} load, which is not among the loads "
                    f"({', '.join(names)}); add {name} (--load), or leave {option} out"
                )
    run = dict(base.get("run", {}))
    if commands:
        run["command"] = commands[0]
    if flags.env:
        run["env"] = {**run.get("env", {}), **dict(map(_variable, flags.env))}
    if flags.ready is not None:
        run["ready"] = flags.ready
    if flags.start_timeout_s is not None:
        run["start_timeout"] = flags.start_timeout_s
    if flags.writes:
        run["writes"] = True
    # How a service is started is asked for where nobody says it, not the key of a file.
    return {**data, "run": run} if "command" in run or "run" in base else data


def _given(**keys: Any) -> dict[str, Any]:
    """The `keys` that have a value."""
    return {key: value for key, value in keys.items() if value is not None}


def _variable(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise UserError(f"--env {text}: not a variable; write it as NAME=VALUE")
    return name, value


def _table(request: Any) -> dict[str, Any]:
    """A request as a table, however it was given."""
    return dict(parse_line(request)) if isinstance(request, str) else dict(request)


def _answers(base: Mapping[str, Any], flags: Flags) -> dict[str, Any]:
    """What may differ between the answers: what the file says, and what the flags add."""
    rules = dict(base)
    if flags.same_answers:
        rules["must_match"] = True
    for text in flags.ignore:
        kind, _, what = text.partition(":")
        if kind not in _IGNORED or not what.strip():
            raise UserError(
                f"--ignore {text}: not understood; write it as header:NAME, json:PATH or "
                "pattern:REGEX"
            )
        key = _IGNORED[kind]
        rules[key] = [*rules.get(key, []), what.strip() if kind != "pattern" else what]
    return rules


_IGNORED = {"header": "ignore_headers", "json": "ignore_json", "pattern": "ignore_patterns"}


def _service(text: str) -> tuple[str, dict[str, Any]]:
    """A service's name, and the SQL files that make its contents."""
    name, _, seed = text.partition("=")
    return name, {"seed": [file for file in seed.split(",") if file]}
