"""TLS, HTTP/2 and WebSocket as the parts of a load met them, as one load would have."""

from __future__ import annotations

from collections.abc import Sequence

from webdyno.cluster.merging.distributions import quantiles
from webdyno.cluster.orders.part_result import PartResult
from webdyno.generators.result import (
    HandshakesFailed,
    Http2Spoken,
    TlsSpoken,
    UpgradesFailed,
    WebSocketSpoken,
)


def tls_of(parts: Sequence[PartResult]) -> TlsSpoken | None:
    """None where no part spoke TLS. Raises `ValueError` where one does not tell its handshakes."""
    spoken = [(part.tls, part.merging.handshake) for part in parts if part.tls is not None]
    if not spoken:
        return None
    met = [tls for tls, _ in spoken]
    encoded = [handshakes for _, handshakes in spoken if handshakes is not None]
    agreed = next((one for one in met if one.version), met[0])
    shaken = [
        one.full_handshakes + one.resumed_handshakes + sum(dict(one.failed_handshakes).values())
        for one in met
    ]
    cpu_us = sum(one.handshake_cpu_us * count for one, count in zip(met, shaken, strict=True))
    return TlsSpoken(
        version=agreed.version,
        cipher_suite=agreed.cipher_suite,
        alpn=agreed.alpn,
        full_handshakes=sum(one.full_handshakes for one in met),
        resumed_handshakes=sum(one.resumed_handshakes for one in met),
        failed_handshakes=sum((one.failed_handshakes for one in met), HandshakesFailed()),
        handshake_us=quantiles(encoded, [one.handshake_us for one in met]),
        handshake_cpu_us=cpu_us / max(sum(shaken), 1),
    )


def http2_of(parts: Sequence[PartResult]) -> Http2Spoken | None:
    """None where no part spoke HTTP/2."""
    spoken = [part.http2 for part in parts if part.http2 is not None]
    if not spoken:
        return None
    return Http2Spoken(
        streams=spoken[0].streams,
        connections=sum(one.connections for one in spoken),
        goaways=sum(one.goaways for one in spoken),
        resent=sum(one.resent for one in spoken),
        resets=sum(one.resets for one in spoken),
        abandoned=sum(one.abandoned for one in spoken),
    )


def websocket_of(parts: Sequence[PartResult]) -> WebSocketSpoken | None:
    """None where no part spoke WebSocket."""
    spoken = [part.websocket for part in parts if part.websocket is not None]
    if not spoken:
        return None
    return WebSocketSpoken(
        upgrades=sum(one.upgrades for one in spoken),
        failed_upgrades=sum((one.failed_upgrades for one in spoken), UpgradesFailed()),
        pings=sum(one.pings for one in spoken),
        closes=sum(one.closes for one in spoken),
    )
