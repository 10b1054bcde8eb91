"""Cookies as a server sets them, and forgeries of signed ones."""

from __future__ import annotations

import base64
import binascii
import contextlib
import re
import threading
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from random import Random

_HEX = "0123456789abcdef"
_TOKEN = re.compile(r"[A-Za-z0-9_-]{16,}")


def set_cookies(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Name and value of each `Set-Cookie` line, as sent: neither is decoded."""
    for line in lines:
        name, _, value = line.partition(";")[0].partition("=")
        yield name.strip(), value.strip()


class CookieJar:
    """The cookies of one user of one server, as the load generator keeps them.

    `Domain`, `Path` and `Secure` are not looked at, and a cookie goes only when the server deletes
    it (`Max-Age` of 0 or less, `Expires` in the past). Threads may share one.
    """

    def __init__(self) -> None:
        self._values: dict[str, str] = {}
        self._changing = threading.Lock()

    def take(self, lines: Iterable[str]) -> None:
        """Keep, change or delete cookies as `Set-Cookie` lines say."""
        with self._changing:
            for line in lines:
                (name, value), *_ = set_cookies([line])
                if not name or "=" not in line.partition(";")[0]:
                    continue
                if _is_expired(line):
                    self._values.pop(name, None)
                else:
                    self._values[name] = value

    def clear(self) -> None:
        """Forget all cookies."""
        with self._changing:
            self._values.clear()

    @property
    def value(self) -> str:
        """That of the `Cookie` header; empty without cookies."""
        with self._changing:
            return "; ".join(f"{name}={value}" for name, value in self._values.items())


def _is_expired(line: str) -> bool:
    """Whether a `Set-Cookie` line deletes its cookie. `Max-Age` goes before `Expires` (RFC 6265,
    section 5.3)."""
    by_age: bool | None = None
    by_date: bool | None = None
    for attribute in line.split(";")[1:]:
        name, _, value = (part.strip() for part in attribute.partition("="))
        if name.lower() == "max-age" and re.fullmatch(r"-?[0-9]+", value):
            by_age = int(value) <= 0
        elif name.lower() == "expires":
            with contextlib.suppress(ValueError, OverflowError):
                # Some servers still write `01-Jan-1970`.
                date = parsedate_to_datetime(value.replace("-", " "))
                by_date = date.replace(tzinfo=UTC) <= datetime.now(UTC)
    return bool(by_date if by_age is None else by_age)


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
