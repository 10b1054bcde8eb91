"""Request templates drawn beforehand, for generators that only send what they are given."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from webdyno.catalog.reading.manifest import Manifest, parse_manifest
from webdyno.catalog.scenarios.checks import ContainsCheck, EqualsCheck
from webdyno.catalog.scenarios.request import Request
from webdyno.catalog.scenarios.variables import ChoiceVariable, IntVariable, Variable
from webdyno.errors import UserError
from webdyno.generators.job import Job

_BRACES = re.compile(r"\{\{|\}\}|\{(\w+)\}")

MOST_BYTES = 256_000_000
"""Of the bodies of all requests drawn, which are in memory together."""

Pieces = Sequence[tuple[str, str]]
"""A template taken apart: each text with the variable behind it, "" where there is none."""


@dataclass(frozen=True)
class DrawnRequest:
    """A request with every variable filled in; `variables` are the values that were drawn."""

    name: str
    variables: Mapping[str, str]
    method: str
    path: str
    headers: Mapping[str, str]
    body: str | None

    def written(self, host: str) -> bytes:
        """Its bytes in HTTP/1.1, as the engine sends them to `host`."""
        lines = [f"{self.method} {self.path} HTTP/1.1"]
        if not any(name.lower() == "host" for name in self.headers):
            lines.append(f"Host: {host}")
        lines += [f"{name}: {value}" for name, value in self.headers.items()]
        body = None if self.body is None else self.body.encode()
        if body is not None:
            lines.append(f"Content-Length: {len(body)}")
        return "\r\n".join([*lines, "", ""]).encode() + (body or b"")


def draw(job: Job, rounds: int) -> list[DrawnRequest]:
    """The scenario's requests, in its order, `rounds` times with fresh values.

    Once where nothing varies. The order `random` draws as many requests as that. Raises
    `UserError` where a template names a variable that is not there, and where the bodies of so many
    requests do not fit into memory.
    """
    manifest = job.scenario
    rng = random.Random(job.seed)
    draws = _sources(job, rng)
    if manifest.order == "sequence" and not any(_varies(one) for one in manifest.requests):
        rounds = 1
    if rounds * sum(len(request.body or "") for request in manifest.requests) > MOST_BYTES:
        raise UserError(
            f"scenario {manifest.name}: {rounds} pre-drawn bodies would take more than"
            f" {MOST_BYTES // 10**6} MB; use the built-in generator, which draws them as it goes"
        )
    # Looking for braces in a body of a megabyte takes long: once for all rounds.
    templates = {text: _pieces(text) for one in manifest.requests for text in _texts(one)}
    drawn = []
    for _ in range(rounds):
        for request in manifest.requests:
            chosen = rng.choice(manifest.requests) if manifest.order == "random" else request
            drawn.append(_fill(chosen, templates, draws, manifest.name))
    return drawn


def _texts(request: Request) -> list[str]:
    return [request.path, request.body or "", request.message or "", *request.headers.values()]


def _pieces(template: str) -> Pieces:
    found, text, at = [], "", 0
    for match in _BRACES.finditer(template):
        text += template[at : match.start()]
        at = match.end()
        if match[1] is None:
            text += match[0][0]
        else:
            found.append((text, match[1]))
            text = ""
    return [*found, (text + template[at:], "")]


def _undefined(name: str, scenario: str) -> UserError:
    return UserError(
        f"scenario {scenario}: '{{{name}}}' is not among its variables; define variables.{name}, "
        f"or write {{{{{name}}}}} for the braces themselves"
    )


def _varies(request: Request) -> bool:
    return any(match[1] for text in _texts(request) for match in _BRACES.finditer(text))


def _fill(
    request: Request,
    templates: Mapping[str, Pieces],
    draws: Mapping[str, Callable[[], str]],
    scenario: str,
) -> DrawnRequest:
    values: dict[str, str] = {}

    def value(name: str) -> str:
        if name not in draws:
            raise _undefined(name, scenario)
        # One draw a request: a variable that occurs twice has one value.
        if name not in values:
            values[name] = draws[name]()
        return values[name]

    def text(template: str) -> str:
        return "".join(part + (value(name) if name else "") for part, name in templates[template])

    return DrawnRequest(
        name=request.name,
        variables=values,
        method=request.method,
        path=text(request.path),
        headers={name: text(given) for name, given in request.headers.items()},
        body=None if request.body is None else text(request.body),
    )


def variables_of(job: Job) -> dict[str, Variable]:
    """What the scenario's variables are drawn from: the manifest's words, and the verifier's in
    their place. Raises `UserError` where the verifier's make no sense."""
    own = job.scenario.variables
    if not job.variables:
        return dict(own)
    replaced = {
        name: {**(own[name].model_dump() if name in own else {}), **given}
        for name, given in job.variables.items()
    }
    where = f"scenario {job.scenario.name}: what its verifier prepared"
    return {**own, **parse_manifest({"variables": replaced}, _Replaced, where).variables}


class _Replaced(Manifest):
    variables: dict[str, Variable]


def _sources(job: Job, rng: random.Random) -> dict[str, Callable[[], str]]:
    variables = variables_of(job)
    return {name: _source(variables[name], name, job, rng) for name in job.scenario.variables}


def _source(variable: Variable, name: str, job: Job, rng: random.Random) -> Callable[[], str]:
    """What draws the next value of a variable, as the engine would."""
    if isinstance(variable, IntVariable):
        return lambda: str(rng.randint(variable.min, variable.max))
    if isinstance(variable, ChoiceVariable):
        if not variable.values:
            raise UserError(
                f"scenario {job.scenario.name}: variable '{name}' has no values; give at least one"
            )
        return lambda: str(rng.choice(variable.values))
    following = iter(range(variable.start, 10**18, variable.step or 1))
    return lambda: str(next(following))


def variables_in(request: Request) -> list[str]:
    """The variables whose drawn values a request or its checks use, in order of appearance."""
    texts = _texts(request)
    texts += [
        check.text for check in request.checks if isinstance(check, EqualsCheck | ContainsCheck)
    ]
    found = (match[1] for text in texts for match in _BRACES.finditer(text))
    return list(dict.fromkeys(name for name in found if name))


def draw_values(job: Job, lines: int) -> Iterator[list[dict[str, str]]]:
    """`lines` times a fresh value of every variable, for each of the scenario's requests by itself.

    Raises `UserError` where a template names a variable that is not there.
    """
    manifest = job.scenario
    rng = random.Random(job.seed)
    draws = _sources(job, rng)
    names = [variables_in(request) for request in manifest.requests]
    for name in (name for some in names for name in some):
        if name not in draws:
            raise _undefined(name, manifest.name)
    for _ in range(lines):
        yield [{name: draws[name]() for name in some} for some in names]
