"""WebSocket (RFC 6455) in a few lines, for test servers: they run where nothing is installed."""

from __future__ import annotations

import base64
import hashlib
from typing import NamedTuple

GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
MORE, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10


class Frame(NamedTuple):
    kind: int
    last: bool
    payload: bytes


def accept_of(key: str) -> str:
    """The accept value that answers the key of an upgrade."""
    return base64.b64encode(hashlib.sha1((key + GUID).encode()).digest()).decode()


def frame(kind: int, payload: bytes, *, last: bool = True) -> bytes:
    """A frame as a server sends it, not masked."""
    length = len(payload)
    first = kind | (0x80 if last else 0)
    if length < 126:
        head = bytes([first, length])
    elif length < 1 << 16:
        head = bytes([first, 126]) + length.to_bytes(2, "big")
    else:
        head = bytes([first, 127]) + length.to_bytes(8, "big")
    return head + payload


def taken(pending: bytearray) -> Frame | None:
    """The first frame of what came from a client, taken off it; None while it is not whole."""
    if len(pending) < 2:
        return None
    length, at = pending[1] & 0x7F, 2
    if length >= 126:
        at = 4 if length == 126 else 10
        length = int.from_bytes(pending[2:at], "big")
    if len(pending) < at + 4 + length:
        return None
    mask, masked = pending[at : at + 4], pending[at + 4 : at + 4 + length]
    found = Frame(pending[0] & 0x0F, bool(pending[0] & 0x80), unmasked(masked, mask))
    del pending[: at + 4 + length]
    return found


def unmasked(payload: bytes | bytearray, mask: bytes | bytearray) -> bytes:
    """A payload with its mask taken off, all of it in one step."""
    length = len(payload)
    whole = (bytes(mask) * (length // 4 + 1))[:length]
    plain = int.from_bytes(payload, "big") ^ int.from_bytes(whole, "big")
    return plain.to_bytes(length, "big")
