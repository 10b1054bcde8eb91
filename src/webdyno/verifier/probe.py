"""The verifier's client: asks a server the way the load generator asks it."""

from __future__ import annotations

import itertools
from http.cookiejar import CookieJar
from types import TracebackType
from typing import Any

import httpx

from webdyno.printable import one_line
from webdyno.verifier.bounded import Allowance, BoundedTransport, read_body
from webdyno.verifier.records import Breakdown

_OWN_HEADERS = ("user-agent", "accept", "accept-encoding", "connection")


class Probe:
    """A few keep-alive connections to one server, used in turn.

    Several connections, because a server with several worker processes shows all of them only
    then. No header that httpx would add on its own is sent: a server must not be able to tell the
    probe from the load. No proxy of the environment is used and no redirect is followed. An answer
    has to be there, whole, within `timeout` seconds, and is of bounded size, sent and unpacked.

    Every failure to answer raises `Breakdown` with one line that names the request.
    """

    def __init__(self, base_url: str, *, timeout: float = 10.0, connections: int = 4) -> None:
        self.base_url = base_url
        self.timeout = timeout
        self.connections = connections
        cookies = CookieJar()
        allowances = [Allowance() for _ in range(connections)]
        self._clients = [(self._client(cookies, a), a) for a in allowances]
        self._turn = itertools.cycle(self._clients)

    def _client(self, cookies: CookieJar, allowance: Allowance) -> httpx.Client:
        client = httpx.Client(
            base_url=self.base_url,
            timeout=self.timeout,
            cookies=cookies,
            follow_redirects=False,
            transport=BoundedTransport(allowance),
            trust_env=False,
        )
        for name in _OWN_HEADERS:
            del client.headers[name]
        return client

    def get(self, url: str, **options: Any) -> httpx.Response:
        """`GET url`; `options` are those of `httpx.Client.request`."""
        return self.request("GET", url, **options)

    def request(self, method: str, url: str, **options: Any) -> httpx.Response:
        """One request, its answer read in full. Raises `Breakdown` where no answer came."""
        limit = options.pop("timeout", self.timeout)
        client, allowance = next(self._turn)
        allowance.renew(limit)
        try:
            with client.stream(method, url, timeout=limit, **options) as response:
                read_body(response)
                return response
        except httpx.TimeoutException:
            raise Breakdown(f"{method} {url}: no answer within {limit} s") from None
        except httpx.HTTPError as error:
            said = one_line(str(error)) or type(error).__name__
            raise Breakdown(f"{method} {url}: no answer ({said})") from None

    def close(self) -> None:
        """Close all connections."""
        for client, _ in self._clients:
            client.close()

    def __enter__(self) -> Probe:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
