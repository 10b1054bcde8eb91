"""`webdyno hit`: the load engine alone, for anyone who would type wrk."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from webdyno.cli.hit_load import (
    CLOSED_CONNECTIONS,
    DURATION,
    OPEN_CONNECTIONS,
    STEP,
    Options,
    Reactor,
)


def hit(
    url: Annotated[str, typer.Argument(help="Such as http://127.0.0.1:8080/hello.")],
    connections: Annotated[
        int | None,
        typer.Option(
            "-c",
            "--connections",
            min=1,
            max=1_000_000,
            help=f"Kept open ({CLOSED_CONNECTIONS}; with a rate {OPEN_CONNECTIONS}).",
        ),
    ] = None,
    duration: Annotated[
        str | None,
        typer.Option(
            "-d",
            "--duration",
            help=f"500ms, 10s, 2m ({DURATION}); with --objective, of a step ({STEP}).",
        ),
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option("-t", "--threads", min=1, max=1024, help="One for each of --cpus, else 1."),
    ] = None,
    cpus: Annotated[
        str | None, typer.Option(help="CPUs of the load's threads, such as 0-3,8; else any.")
    ] = None,
    rate: Annotated[
        str | None, typer.Option(help="Requests arrive at this rate, such as 2k/s.")
    ] = None,
    phases: Annotated[
        str | None, typer.Option(help="Rates over time: 150/s:60s,100/s..400/s:30s.")
    ] = None,
    poisson: Annotated[
        bool, typer.Option("--poisson", help="Random gaps between arrivals, not even ones.")
    ] = False,
    users: Annotated[
        int | None, typer.Option(min=1, max=1_000_000, help="Users, each with a connection.")
    ] = None,
    iterations: Annotated[int | None, typer.Option(min=1, help="Requests of each user.")] = None,
    objective: Annotated[
        str | None,
        typer.Option(help="Search for the highest rate with, say, 'p99 < 100ms'."),
    ] = None,
    errors: Annotated[
        str | None, typer.Option(help="With --objective: share that may fail (< 0.1%).")
    ] = None,
    tolerance: Annotated[
        str | None, typer.Option(help="With --objective: how closely the rate is sought (5%).")
    ] = None,
    max_rate: Annotated[
        str | None, typer.Option(help="With --objective: no rate above this is tried.")
    ] = None,
    header: Annotated[
        list[str] | None, typer.Option("-H", "--header", help="'Name: value'; may be repeated.")
    ] = None,
    body: Annotated[str | None, typer.Option(help="Sent with each request.")] = None,
    method: Annotated[
        str | None, typer.Option("-X", "--method", help="GET, or POST with a body.")
    ] = None,
    timeout: Annotated[str, typer.Option(help="A later answer is an error.")] = "10s",
    http2: Annotated[
        bool,
        typer.Option(
            "--http2",
            "--http2-prior-knowledge",
            help="HTTP/2: agreed with https:// (ALPN), taken as known with http://.",
        ),
    ] = False,
    streams: Annotated[
        int | None,
        typer.Option(min=1, max=10_000, help="HTTP/2: requests at once on each connection (1)."),
    ] = None,
    insecure: Annotated[
        bool, typer.Option("-k", "--insecure", help="https://: accept any certificate.")
    ] = False,
    cacert: Annotated[
        Path | None,
        typer.Option(help="https://: authorities to trust, or the server's own certificate (PEM)."),
    ] = None,
    reactor: Annotated[
        Reactor,
        typer.Option(help="What drives the sockets; auto takes what costs less for this load."),
    ] = Reactor.auto,
    json: Annotated[Path | None, typer.Option(help="Write the result here.")] = None,
    record: Annotated[
        Path | None, typer.Option(help="Write a line about each request here, as JMeter's JTL.")
    ] = None,
    allow_remote: Annotated[
        bool, typer.Option("--allow-remote", help="Let the load leave this machine.")
    ] = False,
    seed: Annotated[
        int | None, typer.Option(min=0, max=2**64 - 1, help="Repeats random arrivals.")
    ] = None,
) -> None:
    """Put a URL under load, as wrk does.

    Without a rate, each connection sends its next request when the last is answered (a closed
    load). With --rate or --phases, requests fall due by the clock and latency counts from then (an
    open load). With --users and --iterations, a number of requests is sent. With --objective, the
    highest rate is searched for at which the server meets it, by open loads one after the other.
    With --http2 --streams, each stream of a connection is a user of its own. Ctrl-C ends early.
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
    raise typer.Exit(_hit(url, options, json))


def _hit(url: str, options: Options, json: Path | None) -> int:
    """Make the load and say what came of it. Gives the exit code."""
    from rich.console import Console

    from webdyno.cli import hit_export, hit_load, hit_run, hit_target, hit_view
    from webdyno.cli.hit_warnings import warnings

    target = hit_target.parse(url)
    spec = hit_load.specification(target, options)
    if json is not None:
        hit_export.check_writable(json)
    if options.record is not None:
        hit_export.check_writable(Path(options.record))
    hit_target.check_reachable(target, allow_remote=options.allow_remote)
    console = Console(stderr=True, highlight=False)
    if options.objective is not None:
        from webdyno.cli import hit_objective

        return hit_objective.hit(url, spec, console, json)
    load = hit_run.prepare(spec)
    print(hit_view.opening(url, spec), flush=True)
    with hit_view.LiveLine(spec["load"], console) as line:
        result = hit_run.run(load, line)
    print(hit_view.summary(result, spec["load"]), flush=True)
    hit_view.show_warnings(warnings(result, spec["load"]), console)
    if json is not None:
        hit_export.write(json, hit_export.document(url, spec, result))
    return 0 if result["counts"]["ok"] else 1
