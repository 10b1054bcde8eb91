"""Cookies as a server sets them, and forgeries of signed ones."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable, Iterator
from random import Random

_HEX = "0123456789abcdef"
_TOKEN = re.compile(r"[A-Za-z0-9_-]{16,}")


def set_cookies(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Name and value of each `Set-Cookie` line, as sent: neither is decoded."""
    for line in lines:
        name, _, value = line.partition(";")[0].partition("=")
        yield name.strip(), value.strip()


def changed(good: str, other: str, number: int, random: Random) -> Iterator[str]:
    """`good` with one character changed, at up to `number` places.

    Only where it differs from `other`, a good cookie of another session: a character that all
    cookies share may be one that nothing depends on. Not at the end of a word either: the last
    character of base64 holds bits that decoders ignore.
    """
    pairs = enumerate(zip(good, other, strict=False))
    places = [i for i, (a, b) in pairs if a != b and len(good[i : i + 3]) == 3]
    places = [i for i in places if good[i : i + 3].isalnum()]
    for i in random.sample(places, min(number, len(places))):
        # A hexadecimal digit fits into base64, too: what comes out is well-formed.
        digit = random.choice([c for c in _HEX if c != good[i].lower()])
        yield good[:i] + digit + good[i + 1 :]


def spliced(good: str, other: str, number: int, random: Random) -> Iterator[str]:
    """The beginning of `good` with the end of `other`, cut at up to `number` places.

    First where letters and digits meet something else, for there ids and signatures meet.
    """
    # After a character in which they differ: a cut after one that they share gives the same again.
    cuts = [
        i
        for i in range(1, min(len(good), len(other)))
        if good[i - 1] != other[i - 1] and good[i:] != other[i:]
    ]
    seams = [i for i in cuts if not good[i - 1 : i + 1].isalnum()]
    chosen = random.sample(seams, min(number, len(seams)))
    rest = [i for i in cuts if i not in chosen]
    for i in chosen + random.sample(rest, min(number - len(chosen), len(rest))):
        yield good[:i] + other[i:]


def with_other_id(cookie: str, uid: str, other: str) -> str | None:
    """`cookie` with `other` in place of the session id `uid`, plain or in base64.

    None where the id does not show in it, as in an encrypted one.
    """
    if uid in cookie:
        return cookie.replace(uid, other)
    for word in _TOKEN.findall(cookie):
        try:
            text = base64.urlsafe_b64decode(word + "=" * (-len(word) % 4))
        except binascii.Error:
            continue
        if uid.encode() in text:
            forged = base64.urlsafe_b64encode(text.replace(uid.encode(), other.encode()))
            return cookie.replace(word, forged.decode().rstrip("="))
    return None
