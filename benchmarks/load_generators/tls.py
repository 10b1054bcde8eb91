"""What TLS and HTTP/2 cost: CPU per request, and per handshake, against Nginx."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from benchmarks.load_generators.bench import Bench, Measured
from benchmarks.load_generators.nginx import Ports, missing, nginx
from benchmarks.load_generators.rounds import Rounds, interleave, median, ratio, ratios
from benchmarks.load_generators.tools import Command, Tool, secure

CONNECTIONS = 64
STREAMS = 8
PLAIN = "HTTP/1.1"
CLOSING = "HTTP/1.1, a connection each"


@dataclass(frozen=True)
class Way:
    """A protocol, and how it is spoken."""

    port: Callable[[Ports], int]
    tls: bool = False
    streams: int | None = None

    def command(self, tool: Tool, ports: Ports, seconds: int) -> Command | None:
        """The load of this kind; as many requests are under way in each."""
        connections = CONNECTIONS // (self.streams or 1)
        port = self.port(ports)
        return secure.closed(tool, port, connections, seconds, tls=self.tls, streams=self.streams)


KEPT = {
    PLAIN: Way(lambda ports: ports.plain),
    "HTTP/1.1, TLS 1.3": Way(lambda ports: ports.tls, tls=True),
    "HTTP/2": Way(lambda ports: ports.http2, streams=STREAMS),
    "HTTP/2, TLS 1.3": Way(lambda ports: ports.tls, tls=True, streams=STREAMS),
}
CLOSED = {
    CLOSING: Way(lambda ports: ports.plain_closing),
    "full handshakes": Way(lambda ports: ports.tls_closing, tls=True),
    "resumed where the client can": Way(lambda ports: ports.tls_resuming, tls=True),
}


def tls(bench: Bench, rounds: int, seconds: int) -> dict[str, Any]:
    """CPU per request of each protocol, and per handshake where each request has a connection."""
    reason = missing()
    if reason is not None:
        return {"refused": reason}
    tools: list[Tool] = [bench.engine, *bench.other_generators]
    with nginx(bench.server_cpu) as ports:
        kept = _measure(bench, tools, KEPT, ports, rounds, seconds)
        able = [tool for tool in tools if secure.reopens(tool)]
        closed = _measure(bench, able, CLOSED, ports, rounds, seconds)
    return {
        "connections": CONNECTIONS,
        "streams": STREAMS,
        "seconds": seconds,
        "rounds": rounds,
        "kept": _rows(kept, tools, KEPT, PLAIN),
        "handshakes": _handshakes(closed, able),
    }


def _name(way: str, tool: Tool) -> str:
    return f"{way}: {tool.name}"


def _measure(
    bench: Bench,
    tools: list[Tool],
    ways: dict[str, Way],
    ports: Ports,
    rounds: int,
    seconds: int,
) -> Rounds:
    candidates: dict[str, Callable[[], Measured]] = {}
    for way, how in ways.items():
        for tool in tools:
            command = how.command(tool, ports, seconds)
            if command is not None:
                candidates[_name(way, tool)] = _candidate(bench, tool, command)
    return interleave(candidates, rounds)


def _candidate(bench: Bench, tool: Tool, command: Command) -> Callable[[], Measured]:
    return lambda: bench.run(tool, command)


def _cpu(measured: Measured) -> float:
    return measured.cpu_us


def _rows(
    results: Rounds, tools: list[Tool], ways: dict[str, Way], first: str
) -> list[dict[str, Any]]:
    rows = []
    for way in ways:
        engine = _name(way, tools[0])
        for tool in tools:
            name, plain = _name(way, tool), _name(first, tool)
            if not any(name in measured for measured in results):
                continue
            rows.append(
                {
                    "way": way,
                    "tool": tool.name,
                    "cpu_us": median(results, name, _cpu),
                    "cpu_to_plain": ratio(results, name, plain, _cpu),
                    "engine_cpu_to_it": ratio(results, engine, name, _cpu),
                    "engine_cpu_to_it_all": list(ratios(results, engine, name, _cpu)),
                    "rps": median(results, name, lambda measured: measured.rps),
                }
            )
    return rows


def _handshakes(results: Rounds, tools: list[Tool]) -> list[dict[str, Any]]:
    """What a connection costs more over TLS than without, in the same round."""
    rows = []
    for way in list(CLOSED)[1:]:
        for tool in tools:
            name, plain = _name(way, tool), _name(CLOSING, tool)
            both = [measured for measured in results if name in measured and plain in measured]
            if not both:
                continue
            more = [{"it": _less(each[name], each[plain])} for each in both]
            engine, engine_plain = _name(way, tools[0]), _name(CLOSING, tools[0])
            for each, cost in zip(both, more, strict=True):
                if engine in each and engine_plain in each:
                    cost["engine"] = _less(each[engine], each[engine_plain])
            rows.append(
                {
                    "way": way,
                    "tool": tool.name,
                    "cpu_us": median(more, "it", _cpu),
                    "engine_cpu_to_it": ratio(more, "engine", "it", _cpu),
                    "engine_cpu_to_it_all": list(ratios(more, "engine", "it", _cpu)),
                    "rate": median(both, name, lambda measured: measured.rps),
                    "said_cpu_us": _said(both, name, "handshake_cpu_us"),
                    "resumed_share": _said(both, name, "resumed_share"),
                }
            )
    return rows


def _less(measured: Measured, by: Measured) -> Measured:
    """The same with the CPU it used more than another."""
    cpu_us = measured.cpu_us - by.cpu_us
    return Measured(measured.answer, cpu_us, measured.peak_bytes, measured.pushed_off)


def _said(results: Rounds, name: str, key: str) -> float | None:
    """What the client itself says, if it does."""
    if any(key not in measured[name].answer.more for measured in results):
        return None
    return median(results, name, lambda measured: measured.answer.more[key])
