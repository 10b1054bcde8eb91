"""How each client is told to speak TLS and HTTP/2; `None` where it cannot."""

from benchmarks.load_generators.tools.engine import Engine
from webdyno.generators.cross_check import Command, Tool

# Options that accept the self-signed certificate.
_TLS: dict[str, list[str]] = {"wrk": [], "oha": ["--insecure"], "h2load": []}
_HTTP2 = {"oha": ["--http2", "-p{streams}"], "h2load": ["-m{streams}"]}
# These do not open a connection anew that the server closed in order.
_KEEP = {"h2load"}


def closed(
    tool: Tool,
    port: int,
    connections: int,
    seconds: int,
    *,
    tls: bool = False,
    streams: int | None = None,
) -> Command | None:
    """A closed load on one thread; with `streams` over HTTP/2, so many on each connection."""
    if isinstance(tool, Engine):
        return tool.closed_over(port, connections, seconds, tls=tls, streams=streams)
    if tool.name not in _TLS or (streams is not None and tool.name not in _HTTP2):
        return None
    *argv, url = tool.closed(port, connections, seconds).argv
    if tls:
        argv += _TLS[tool.name]
        url = url.replace("http://", "https://")
    if streams is not None:
        argv = [option for option in argv if option != "--h1"]
        argv += [option.format(streams=streams) for option in _HTTP2[tool.name]]
    return Command([*argv, url])


def reopens(tool: Tool) -> bool:
    """Whether it goes on when the server closes its connections."""
    return isinstance(tool, Engine) or (tool.name in _TLS and tool.name not in _KEEP)
