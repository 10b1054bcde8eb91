"""The verifier's client: asks a server the way the load generator asks it."""

from __future__ import annotations

import itertools
import math
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import httpx

from webdyno.printable import one_line
from webdyno.redaction import without_secrets
from webdyno.verifier.asking_turns import in_short_turns
from webdyno.verifier.awake import ALWAYS, AwakeClock
from webdyno.verifier.bounded import Allowance, read_body
from webdyno.verifier.cookies import CookieJar
from webdyno.verifier.exchange import has_ended
from webdyno.verifier.probe_connection import ProbeConnection
from webdyno.verifier.probe_messages import EARLY, is_kept, write_as_the_load
from webdyno.verifier.records import Breakdown

NOT_IN_TIME = "no answer within"
"""How it is told that an answer did not come in time."""

SOON_S = 0.5
"""No server that keeps connections ends one that was idle for so short a time."""

_CLOSED_S = 0.005
"""How often a connection that is to be kept busy is looked at while it is closed."""

_TIMEOUTS = ("connect", "read", "write", "pool")

Ask = Callable[..., httpx.Response]
"""A probe's `request`."""


class Probe:
    """A few keep-alive connections to one server, used in turn.

    Several connections, because a server with several worker processes shows all of them only
    then. No header that httpx would add on its own is sent: a server must not be able to tell the
    probe from the load. No proxy of the environment is used and no redirect is followed. An answer
    has to be there, whole, within `timeout` seconds of the server's `clock`, and is of bounded
    size, sent and unpacked.

    A connection that the server ended while it was idle is no failure. Where the probe `repeats`,
    a request that was under way by then is sent again, on a new one: not where requests are
    counted, since this one may have been. Every failure to answer raises `Breakdown` with one line
    that names the request.
    """

    def __init__(
        self,
        base_url: str,
        *,
        timeout: float = 10.0,
        connections: int = 4,
        repeats: bool = False,
        clock: AwakeClock = ALWAYS,
    ) -> None:
        self.base_url = base_url
        self.timeout = timeout
        self.connections = connections
        self.repeats = repeats
        self.clock = clock
        """Of the time that the server is awake."""
        self.opened = 0
        """Connections opened so far."""
        self.ended = 0
        """Connections that the server ended, without saying so, within `SOON_S` of an answer."""
        self._counting = threading.Lock()
        self._cookies = CookieJar()
        self._connections = [ProbeConnection(clock) for _ in range(connections)]
        self._turn = itertools.cycle(self._connections)

    @property
    def longest_s(self) -> float:
        """In how many seconds, at most, the server is awake for `timeout`."""
        return self.clock.longest_s(self.timeout)

    def get(self, url: str, **options: Any) -> httpx.Response:
        """`GET url`; `options` are those of `request`."""
        return self.request("GET", url, **options)

    def request(self, method: str, url: str, **options: Any) -> httpx.Response:
        """One request, its answer read in full; `options` are those of `httpx.Request`, and
        `timeout`. A `url` that is sent `as_it_is` keeps what is else taken out of it, such as
        "/..", or encoded. One that is sent `in_pieces` takes its time; `came_early` tells of the
        answer whether it came before the last of them. Raises `Breakdown` where none came."""
        return self._request(next(self._turn), method, url, **options)

    def on_each(self, ask: Callable[[int, Ask], None]) -> None:
        """Call `ask` for all connections at once, with the number of each and a `request` that
        uses it alone. Raises what one of the calls raises, once all have ended."""
        with ThreadPoolExecutor(self.connections) as threads:
            asking = [
                threads.submit(ask, number, partial(self._request, one))
                for number, one in enumerate(self._connections)
            ]
        for one in asking:
            one.result()

    def exchange(self, number: int, request: bytes) -> bool:
        """`ProbeConnection.exchange` on the connection of that number."""
        return self._connections[number].exchange(request, self.longest_s)

    def status_after(self, number: int, before: bytes, request: bytes) -> int | None:
        """`ProbeConnection.status_after` on the connection of that number."""
        return self._connections[number].status_after(before, request, self.longest_s)

    @contextmanager
    def lent(self) -> Iterator[socket.socket]:
        """One of its connections for the length of the block, which asks by other means what a
        `request` cannot; a new one where none is open. It is as old as the others, and as busy:
        on one that the block opened by itself a server could know the question by that.

        It goes on where the block leaves it open, having read a whole answer. Raises `Breakdown`
        where none can be opened.
        """
        for _ in range(self.connections):
            with next(self._turn).held() as (connected, ending):
                if connected is not None and not has_ended(connected):
                    yield connected
                    if connected.fileno() >= 0:
                        ending.pop_all()
                    return
        host = urlsplit(self.base_url)
        try:
            new = socket.create_connection((host.hostname or "", host.port or 80), self.timeout)
        except OSError as error:
            raise Breakdown(f"connection not opened ({one_line(str(error))})") from None
        with new:
            yield new

    @contextmanager
    def kept_busy(self, draw: Callable[[], bytes]) -> Iterator[None]:
        """For the length of the block, exchange what `draw` gives, the bytes of requests, on every
        connection without a pause, and each question among them: neither how much a connection was
        asked since a pause, nor that there was one, tells of the question.

        A question waits for the answer that is under way. A connection on which none came in time
        is kept busy no more.
        """
        over = threading.Event()

        def fill(number: int) -> None:
            turns = self._connections[number].allowance.turns
            while not over.is_set():
                with turns.filler():
                    began_s = time.monotonic()
                    is_open = self.exchange(number, draw())
                if time.monotonic() > began_s + self.longest_s:
                    return
                if not is_open:
                    over.wait(_CLOSED_S)  # The next question opens it.

        with in_short_turns(), ThreadPoolExecutor(self.connections) as threads:
            filling = [threads.submit(fill, number) for number in range(self.connections)]
            try:
                yield
            finally:
                over.set()
        for one in filling:
            one.result()

    def amid(self, ahead: Callable[[], Sequence[bytes]]) -> None:
        """From now on exchange what `ahead` draws, the bytes of requests, on a connection directly
        before each question: no pause in which a load's would come tells of the question."""
        for connection in self._connections:
            connection.allowance.ahead = ahead

    def _request(
        self,
        connection: ProbeConnection,
        method: str,
        url: str,
        *,
        timeout: float | None = None,
        as_it_is: bool = False,
        in_pieces: bool = False,
        **options: Any,
    ) -> httpx.Response:
        limit = self.timeout if timeout is None else timeout
        # Not through `httpx.Client`: what it does besides takes as long as the exchange itself, and
        # a trial asks hundreds of times.
        longest_s = self.clock.longest_s(limit)
        extensions: dict[str, Any] = {"timeout": dict.fromkeys(_TIMEOUTS, longest_s)}
        if as_it_is:
            extensions["target"] = url.encode()
        request = httpx.Request(
            method,
            f"{self.base_url}{url}",
            extensions=extensions,
            **options,
        )
        if (cookies := self._cookies.value) and "cookie" not in request.headers:
            request.headers["Cookie"] = cookies
        write_as_the_load(request, is_empty=options.get("content") is None)
        # It is written by now: on a connection that is kept busy it comes without a pause.
        with connection.allowance.turns.question():
            return self._asked(connection, request, f"{method} {url}", limit, in_pieces=in_pieces)

    def _asked(
        self,
        connection: ProbeConnection,
        request: httpx.Request,
        name: str,
        limit: float,
        *,
        in_pieces: bool,
    ) -> httpx.Response:
        allowance = connection.allowance
        allowance.renew(limit)
        allowance.in_pieces = in_pieces
        began_s = time.monotonic()
        kept_s = allowance.kept_s
        # A request that fails closes its connection: the next one on it ends nothing.
        allowance.kept_s = -math.inf
        try:
            answer = self._answered(connection, request)
        except httpx.TimeoutException:
            raise Breakdown(f"{_named(name, allowance)}: {NOT_IN_TIME} {limit} s") from None
        except httpx.HTTPError as error:
            said = one_line(str(error)) or type(error).__name__
            raise Breakdown(f"{_named(name, allowance)}: no answer ({said})") from None
        finally:
            with self._counting:
                self.opened += allowance.opened
        with self._counting:
            soon = began_s < max(kept_s, allowance.ahead_s) + SOON_S and not allowance.told_end
            self.ended += allowance.opened and soon
        allowance.took_s = time.monotonic() - began_s
        allowance.kept_s = time.monotonic() if is_kept(answer) else -math.inf
        answer.extensions[EARLY] = allowance.early
        return answer

    def _answered(self, connection: ProbeConnection, request: httpx.Request) -> httpx.Response:
        transport, allowance = connection.transport, connection.allowance
        try:
            response = transport.handle_request(request)
        except (httpx.NetworkError, httpx.RemoteProtocolError):
            if allowance.opened or allowance.heard or not self.repeats:
                raise
            # It crossed with the end of a connection that was idle (RFC 9112, section 9.3.1).
            response = transport.handle_request(request)
        response.request = request
        if "set-cookie" in response.headers:
            self._cookies.take(response.headers.get_list("set-cookie"))
        try:
            read_body(response)
        finally:
            response.close()
        return response

    def another(
        self,
        *,
        connections: int | None = None,
        repeats: bool = False,
        clock: AwakeClock | None = None,
    ) -> Probe:
        """One to the same server, with cookies and connections of its own."""
        return Probe(
            self.base_url,
            timeout=self.timeout,
            connections=connections or self.connections,
            repeats=repeats,
            clock=clock or self.clock,
        )

    def forget_cookies(self) -> None:
        """Send the next request as a new user does."""
        self._cookies.clear()

    def close(self) -> None:
        """Close all connections; a further request opens one again."""
        for connection in self._connections:
            connection.close()

    def __enter__(self) -> Probe:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _named(name: str, allowance: Allowance) -> str:
    """The request that had no answer, or that it was one ahead of it."""
    told = without_secrets(name)
    return f"a request like the load's, sent before {told}" if allowance.due else told
