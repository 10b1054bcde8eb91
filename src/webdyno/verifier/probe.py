"""The verifier's client: asks a server the way the load generator asks it."""

from __future__ import annotations

import itertools
from http.cookiejar import CookieJar
from types import TracebackType
from typing import Any

import httpx

from webdyno.verifier.records import Mismatch

_OWN_HEADERS = ("user-agent", "accept", "accept-encoding", "connection")


class Probe:
    """A few keep-alive connections to one server, used in turn.

    Several connections, because a server with several worker processes shows all of them only
    then. No header that httpx would add on its own is sent: a server must not be able to tell the
    probe from the load. No proxy of the environment is used and no redirect is followed.

    Every failure to answer raises `Mismatch` with one line that names the request.
    """

    def __init__(self, base_url: str, *, timeout: float = 10.0, connections: int = 4) -> None:
        self.base_url = base_url
        self.timeout = timeout
        cookies = CookieJar()
        self._clients = [self._client(cookies) for _ in range(connections)]
        self._turn = itertools.cycle(self._clients)

    def _client(self, cookies: CookieJar) -> httpx.Client:
        client = httpx.Client(
            base_url=self.base_url,
            timeout=self.timeout,
            cookies=cookies,
            follow_redirects=False,
            # Neither is of use on plain HTTP, and reading the certificates takes 20 ms a client.
            verify=False,
            trust_env=False,
        )
        for name in _OWN_HEADERS:
            del client.headers[name]
        return client

    def get(self, url: str, **options: Any) -> httpx.Response:
        """`GET url`; `options` are those of `httpx.Client.request`."""
        return self.request("GET", url, **options)

    def request(self, method: str, url: str, **options: Any) -> httpx.Response:
        """One request, its answer read in full. Raises `Mismatch` where no answer came."""
        try:
            return next(self._turn).request(method, url, **options)
        except httpx.TimeoutException:
            limit = options.get("timeout", self.timeout)
            raise Mismatch(f"{method} {url}: no answer within {limit} s") from None
        except httpx.HTTPError as error:
            said = str(error) or type(error).__name__
            raise Mismatch(f"{method} {url}: no answer ({said})") from None

    def close(self) -> None:
        """Close all connections."""
        for client in self._clients:
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
