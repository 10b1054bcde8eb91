"""What options of `hit` contradict: each other, or the URL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webdyno.errors import UserError

if TYPE_CHECKING:
    from webdyno.cli.hit.options import Options
    from webdyno.generators.target import Target


def refuse_contradictions(options: Options) -> None:
    """Raise `UserError` for options that exclude each other, or need another."""
    is_open = options.rate is not None or options.phases is not None
    searched = options.objective is not None
    is_counted = options.users is not None or options.iterations is not None
    for both, remedy in {
        "--rate and --phases": (options.rate is not None and options.phases is not None)
        and "a load has one rate, or one in each phase; leave one out",
        "--users and --rate or --phases": (is_counted and is_open)
        and "users send when answered, rates go by the clock; leave one out",
        "--objective and --rate or --phases": (searched and is_open)
        and "the search chooses the rates; leave them out, or bound them with --max-rate",
        "--objective and --users": (searched and is_counted)
        and "users send when answered, an objective is about rates; leave one out",
        "--objective and --record": (searched and options.record is not None)
        and "a search is many loads; record one with --rate",
        "--duration and --phases": (options.duration is not None and options.phases is not None)
        and "the phases set the duration; leave --duration out",
        "--duration and --users": (options.duration is not None and is_counted)
        and "the load ends when every user is done; leave --duration out",
        "--connections and --users": (options.connections is not None and is_counted)
        and "each user has one connection; leave --connections out",
    }.items():
        if remedy:
            raise UserError(f"{both} cannot be combined: {remedy}")
    if is_counted and (options.users is None or options.iterations is None):
        missing = "--users" if options.users is None else "--iterations"
        raise UserError(f"{missing} is missing; give both, like --users 30 --iterations 1000")
    for given, name in (
        (options.errors, "--errors"),
        (options.tolerance, "--tolerance"),
        (options.max_rate, "--max-rate"),
    ):
        if given is not None and not searched:
            raise UserError(f"{name} belongs to a search; add --objective 'p99 < 100ms'")
    if options.poisson and not is_open and not searched:
        raise UserError("--poisson needs a rate; add --rate or --phases")


def refuse_security(target: Target, options: Options) -> None:
    """Raise `UserError` for options of TLS or HTTP/2 without it."""
    if options.streams is not None and not options.http2:
        raise UserError("--streams: HTTP/1.1 sends one request at a time; add --http2")
    for given, name in ((options.insecure, "--insecure"), (options.cacert, "--cacert")):
        if given and not target.tls:
            raise UserError(
                f"{name} is about certificates; leave it out, or give an https:// or wss:// URL"
            )
    if options.insecure and options.cacert:
        raise UserError("--insecure and --cacert cannot be combined; give one")


def refuse_mixtures(target: Target, options: Options) -> None:
    """Raise `UserError` for what belongs to HTTP alone, or to WebSocket alone."""
    if not target.websocket:
        for given, name in ((options.message is not None, "--message"), (options.echo, "--echo")):
            if given:
                raise UserError(f"{name} is for WebSocket; give a ws:// or wss:// URL")
        return
    for given, name, remedy in (
        (options.http2, "--http2", "WebSocket upgrades HTTP/1.1; leave it out"),
        (options.method is not None, "--method", "WebSocket upgrades by GET; leave it out"),
        (options.body is not None, "--body", "WebSocket sends a message; give it by --message"),
    ):
        if given:
            raise UserError(f"{name} and a {target.url.partition(':')[0]}:// URL: {remedy}")
    if options.message is None:
        raise UserError("--message is missing; say what to send over WebSocket")
