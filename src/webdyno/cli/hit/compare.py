"""`hit URL_A URL_B`: two running services loaded in turns, by the method of `ab --url`."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from webdyno.catalog.loads import load_bounds
from webdyno.catalog.terms import quantity
from webdyno.cli.hit.options import CLOSED_CONNECTIONS, OPEN_CONNECTIONS, Options
from webdyno.cli.option_values import of_option
from webdyno.errors import UserError

if TYPE_CHECKING:
    from webdyno.ab.running.listeners import ListeningService
    from webdyno.catalog.descriptions.description import Description

BUDGET = "30s"
LEAST_S = 3.0
LOADS = 30
"""Loads into which the time is divided: three in each of ten blocks."""

SHORTEST_S, LONGEST_S = 0.3, 3.0
"""Of a load."""

_USED = {"connections", "duration", "rate", "headers", "body", "method", "timeout"}


def hit(urls: tuple[str, str], options: Options, json: Path | None) -> int:
    """Compare two running services and show both. Gives the exit code: 0, whichever is faster; as
    `ab` has it where one does not do its work, and where the user ends it.

    Raises `UserError` for options that only one URL has, for two different paths, and where a
    service does not answer.
    """
    _refuse(options)
    if any(url.lower().startswith(("ws://", "wss://")) for url in urls):
        raise UserError("two services are compared over HTTP; give a single ws:// URL")

    from rich.console import Console

    from webdyno.ab.conclusion.formats import dumps
    from webdyno.ab.conclusion.show import show
    from webdyno.ab.running.comparison import RunningComparison
    from webdyno.ab.running.listeners import running
    from webdyno.cli.failures import INTERRUPTED
    from webdyno.cli.output import check_writable, write_and_show
    from webdyno.report.layout import say
    from webdyno.runtime.home import Home
    from webdyno.runtime.processes.private_folder import private_folder

    check_writable(json)
    services = [running(url, option="") for url in urls]
    described = description_of(services, options)
    console = Console(stderr=True, highlight=False)
    folder = private_folder(Home.default().temporary) / "hit"
    made = RunningComparison(
        services,
        described,
        folder,
        lambda text: say(console, text),
        steady_connections=options.connections or OPEN_CONNECTIONS,
    )
    answer = made.run()
    code = answer.exit_code if answer.broken else 0
    if made.interrupted:
        code = INTERRUPTED
    write_and_show([(json, lambda: dumps(answer, code))], lambda: show(answer))
    return code


def description_of(services: list[ListeningService], options: Options) -> Description:
    """What both are asked, and for how long. Raises `UserError`."""
    from webdyno.catalog.descriptions.description import Description
    from webdyno.catalog.reading.manifest import parse_manifest
    from webdyno.catalog.terms.request_line import literal, parse_headers

    a, b = services
    if a.path != b.path:
        raise UserError(
            f"the two URLs differ in their paths, {a.path} and {b.path}; two services are compared "
            "by the same request, so give both the same path"
        )
    budget = of_option("--duration", quantity.duration, options.duration or BUDGET)
    timeout_s = of_option("--timeout", load_bounds.duration, options.timeout)
    if options.rate is not None:
        of_option("--rate", load_bounds.rate, options.rate)
    if budget < LEAST_S:
        raise UserError(f"--duration: too short for two services; give at least {LEAST_S:g}s")
    load_s = min(LONGEST_S, max(SHORTEST_S, budget / LOADS))
    connections = options.connections or CLOSED_CONNECTIONS
    if options.rate is not None:
        # The closed load only warms both up.
        connections = min(connections, CLOSED_CONNECTIONS)
    request: dict[str, Any] = {
        "method": options.method or ("GET" if options.body is None else "POST"),
        "path": literal(a.path),
    }
    if options.body is not None:
        request["body"] = literal(options.body)
    load: dict[str, Any] = {
        "kinds": ["full"] if options.rate is None else ["steady"],
        "connections": connections,
        "duration": load_s,
        "steady_duration": load_s,
        "timeout": timeout_s,
        "rate": options.rate or "",
    }
    data = {
        "name": "hit",
        "requests": [request],
        "headers": parse_headers(options.headers),
        "load": load,
        "budget": budget,
    }
    return parse_manifest(data, Description, "the options")


def _refuse(options: Options) -> None:
    """Raise `UserError` for what only a load of one URL knows."""
    plain = Options()
    for one in fields(Options):
        if one.name not in _USED and getattr(options, one.name) != getattr(plain, one.name):
            name = one.name.replace("_", "-")
            raise UserError(f"--{name} is for a single URL; leave it out, or the second URL")
