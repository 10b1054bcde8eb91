"""`webdyno hit`: the load engine alone, for anyone who would type wrk."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from webdyno.cli.hit.compare import BUDGET
from webdyno.cli.hit.options import (
    CLOSED_CONNECTIONS,
    DURATION,
    MOST_ITERATIONS,
    OPEN_CONNECTIONS,
    STEP,
    Options,
    Reactor,
)
from webdyno.cli.output import outlasting_reader
from webdyno.cli.prose import hanging
from webdyno.errors import UserError


def hit(
    url: Annotated[str, typer.Argument(help="For example http://127.0.0.1:8080/hello.")],
    second: Annotated[
        str | None,
        typer.Argument(
            metavar="URL_B",
            help="A second running service to compare it with; the two take turns.",
        ),
    ] = None,
    connections: Annotated[
        int | None,
        typer.Option(
            "-c",
            "--connections",
            min=1,
            max=1_000_000,
            help=f"Connections kept open (default: {CLOSED_CONNECTIONS}; with a rate "
            f"{OPEN_CONNECTIONS}).",
        ),
    ] = None,
    duration: Annotated[
        str | None,
        typer.Option(
            "-d",
            "--duration",
            help=f"500ms, 10s, 2m (default: {DURATION}); with --objective, per step ({STEP}); "
            f"with two URLs, in total ({BUDGET}).",
        ),
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option(
            "-t",
            "--threads",
            min=1,
            max=1024,
            help="Load threads (default: one per CPU in --cpus, else 1).",
        ),
    ] = None,
    cpus: Annotated[
        str | None, typer.Option(help="CPUs for them, such as 0-3,8 (default: any).")
    ] = None,
    rate: Annotated[str | None, typer.Option(help="Send at this rate, such as 2k/s.")] = None,
    phases: Annotated[
        str | None, typer.Option(help="Rates over time: 150/s:60s,100/s..400/s:30s.")
    ] = None,
    poisson: Annotated[
        bool, typer.Option("--poisson", help="Random (Poisson) arrivals instead of even ones.")
    ] = False,
    users: Annotated[
        int | None,
        typer.Option(min=1, max=1_000_000, help="Users, each with its own connection."),
    ] = None,
    iterations: Annotated[
        int | None, typer.Option(min=1, max=MOST_ITERATIONS, help="Requests per user.")
    ] = None,
    objective: Annotated[
        str | None,
        typer.Option(help="What must hold, such as 'p99 < 100ms'."),
    ] = None,
    errors: Annotated[
        str | None,
        typer.Option(help="Share of requests that may fail (default: 0.1%)."),
    ] = None,
    tolerance: Annotated[
        str | None, typer.Option(help="Precision of the rate (default: 5%).")
    ] = None,
    max_rate: Annotated[str | None, typer.Option(help="Highest rate to try.")] = None,
    header: Annotated[
        list[str] | None, typer.Option("-H", "--header", help="'Name: value'; repeatable.")
    ] = None,
    body: Annotated[str | None, typer.Option(help="Body to send with each request.")] = None,
    method: Annotated[
        str | None,
        typer.Option("-X", "--method", help="Method (default: GET; POST with a body)."),
    ] = None,
    message: Annotated[
        str | None, typer.Option(help="With ws://: text to send; the next message is its answer.")
    ] = None,
    echo: Annotated[
        bool, typer.Option("--echo", help="With ws://: an answer must equal the message.")
    ] = False,
    timeout: Annotated[str, typer.Option(help="An answer that takes longer is an error.")] = "10s",
    http2: Annotated[
        bool,
        typer.Option(
            "--http2",
            "--http2-prior-knowledge",
            help="HTTP/2: by ALPN with https://, else by prior knowledge.",
        ),
    ] = False,
    streams: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=10_000,
            help="Concurrent requests per HTTP/2 connection; each counts as a user (default: 1).",
        ),
    ] = None,
    insecure: Annotated[
        bool, typer.Option("-k", "--insecure", help="Accept any certificate.")
    ] = False,
    cacert: Annotated[
        Path | None,
        typer.Option(help="CAs to trust, or the server's own certificate (PEM)."),
    ] = None,
    reactor: Annotated[
        Reactor,
        typer.Option(help="Socket interface; auto takes the cheaper one."),
    ] = Reactor.auto,
    json: Annotated[
        Path | None, typer.Option(help="Write the result as JSON to this file.")
    ] = None,
    record: Annotated[
        Path | None, typer.Option(help="Write a line per request to this file, as JTL.")
    ] = None,
    allow_remote: Annotated[
        bool, typer.Option("--allow-remote", help="Allow a target on another machine.")
    ] = False,
    agents: Annotated[
        int | None,
        typer.Option(
            min=1, max=1000, help="Generate the load from this many machines of the cluster."
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(min=0, max=2**64 - 1, help="Seed of random arrivals, to repeat them."),
    ] = None,
) -> None:
    """Load-test a URL, as wrk does, or two of this machine side by side.

    \b
    webdyno hit http://127.0.0.1:8080/                     64 connections, 10 s
    webdyno hit http://127.0.0.1:8080/ --rate 2k/s -d 30s
    webdyno hit http://127.0.0.1:8080/ http://127.0.0.1:8081/

    Without a rate, each connection sends its next request when the last one is answered (a closed
    load). With --rate or --phases, requests are sent by the clock and latency is measured from the
    scheduled time, which avoids coordinated omission (an open load). Two URLs are loaded in turns
    of 0.1 to 1 s and shown side by side, with the difference and its interval. With a ws:// or
    wss:// URL, each connection is upgraded to WebSocket once, and a request is a --message and its
    answer. Ctrl-C ends the load early.
    """
    options = Options(
        connections=connections,
        duration=duration,
        threads=threads,
        cpus=cpus,
        rate=rate,
        phases=phases,
        poisson=poisson,
        users=users,
        iterations=iterations,
        objective=objective,
        errors=errors,
        tolerance=tolerance,
        max_rate=max_rate,
        headers=header or [],
        body=body,
        method=method,
        message=message,
        echo=echo,
        timeout=timeout,
        seed=seed,
        allow_remote=allow_remote,
        http2=http2,
        streams=streams,
        insecure=insecure,
        cacert=cacert,
        reactor=reactor,
        record=None if record is None else str(record),
    )
    if second is not None and agents is not None:
        raise UserError("--agents is for a single URL; leave it out, or the second URL")
    with outlasting_reader(json, record):
        if second is not None:
            code = _compare((url, second), options, json)
        else:
            code = _hit(url, options, json, agents)
    raise typer.Exit(code)


def _compare(urls: tuple[str, str], options: Options, json: Path | None) -> int:
    from webdyno.cli.hit.compare import hit
    from webdyno.runtime.home import Home
    from webdyno.runtime.processes.supervision import supervised

    # Forked before anything heavy is imported: threads and fork do not go together.
    return supervised(lambda: hit(urls, options, json), Home.default().temporary)


def _hit(url: str, options: Options, json: Path | None, agents: int | None = None) -> int:
    """Make the load and say what came of it. Gives the exit code."""
    from rich.console import Console

    from webdyno.cli.hit import run, view
    from webdyno.cli.hit.live_line import LiveLine
    from webdyno.cli.hit.specification import objective, specification
    from webdyno.cli.hit.target import check_reachable
    from webdyno.cli.hit.warnings import warnings
    from webdyno.cli.output import check_writable, write_and_show
    from webdyno.generators.target import parse

    target = parse(url)
    spec = specification(target, options)
    check_writable(json, None if options.record is None else Path(options.record))
    console = Console(stderr=True, highlight=False)
    if agents is not None:
        from webdyno.cli.hit.agents import hit

        return hit(url, spec, options, agents, console, json)
    if check_reachable(target, allow_remote=options.allow_remote):
        spec = spec.model_copy(update={"allow_remote": True})
    if options.objective is not None:
        from webdyno.cli.hit.objective import search

        return search(url, spec, objective(options), console, json)
    load = run.prepare(spec)
    print(hanging(view.opening(url, spec), " " * 4), flush=True)
    with LiveLine(spec.load, console) as line:
        result, unrecorded = run.run_recorded(load, line)

    def document() -> str:
        from webdyno.cli.hit.export import HitDocument
        from webdyno.store.document import written

        return written(HitDocument.of(url, spec, result))

    def show() -> None:
        print(view.summary(result, spec.load), flush=True)
        view.show_warnings(warnings(result, spec.load), console)

    write_and_show([(json, document)], show)
    if unrecorded:
        raise UserError(unrecorded)
    return 0 if result.counts.ok else 1
