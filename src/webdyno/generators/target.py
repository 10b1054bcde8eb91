"""From a URL as typed to where the load goes, refusing in one line what cannot be loaded."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from webdyno.errors import UserError
from webdyno.redaction import without_secrets

_KEPT_IN_PATHS = "!#$%&'()*+,/:;=?@[]~"
_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}


@dataclass(frozen=True)
class Target:
    """Where requests go: `path` is percent-encoded and holds the query. With `websocket` they are
    messages, sent once it has upgraded a connection."""

    url: str
    host: str
    port: int
    host_header: str
    path: str
    tls: bool = False
    websocket: bool = False


def parse(url: str) -> Target:
    """Read a URL. Raises `UserError` for one that is no `http[s]://host[:port]/path`, nor the same
    with `ws[s]://`."""
    shown = without_secrets(url)
    if "://" not in url:
        whole = without_secrets(f"http://{url.lstrip('/') or 'HOST:PORT/'}")
        bare = whole.removeprefix("http://") if url else ""
        raise UserError(f"'{bare}' is not a URL; write {whole}")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise UserError(
            f"'{shown}' is not a URL ({error}); write it like http://127.0.0.1:8080/"
        ) from None
    if parts.scheme not in _PORTS:
        raise UserError(
            f"'{shown}': {parts.scheme}:// is not supported; use http:// or https://, or for "
            "WebSocket ws:// or wss://"
        )
    if not host:
        raise UserError(f"'{shown}' names no host; write it like http://127.0.0.1:8080/")
    if parts.username is not None:
        raise UserError(f"'{shown}' contains a user name; send it with -H 'Authorization: Basic …'")
    if port == 0:
        raise UserError(f"'{shown}': port 0 is not a port; give the server's port")
    path = quote(parts.path or "/", safe=_KEPT_IN_PATHS)
    if parts.query:
        path += "?" + quote(parts.query, safe=_KEPT_IN_PATHS)
    port = port or _PORTS[parts.scheme]
    return Target(
        url,
        host,
        port,
        parts.netloc,
        path,
        tls=parts.scheme in ("https", "wss"),
        websocket=parts.scheme in ("ws", "wss"),
    )
