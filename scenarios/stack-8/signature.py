"""The signature of a session's cookie, computed anew.

A session in memory is lost with the server, and its id cannot be guessed: from outside, nothing
else tells an id that is signed from one that is not, or one key from another.
"""

from __future__ import annotations

import hmac
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple
from urllib.parse import quote, unquote

import httpx

from webdyno.verifier import Mismatch
from webdyno.verifier.cookies import set_cookies

HASHES = ("sha1", "sha256", "sha384", "sha512")
FORMS: tuple[Callable[[bytes], bytes], ...] = (
    lambda digest: digest.hex().encode(),
    b64encode,
    urlsafe_b64encode,
)


def cookie_of(answer: httpx.Response) -> str:
    """The cookies that an answer sets, as a client sends them back. Raises `Mismatch`."""
    jar = dict(set_cookies(answer.headers.get_list("set-cookie")))
    if not jar:
        raise Mismatch("GET /greet set no session cookie")
    return _sent(jar)


class Forged(NamedTuple):
    """A cookie with other signatures than its own."""

    changed: str
    """In one character."""
    anew: str
    """Made with another key."""


def forged(cookie: str, secret: str, other: str) -> Forged | None:
    """`cookie` with its signature changed, and made with `other`; None where none in it is made
    with `secret`.

    The contract's are known: after the value and a dot, or in a cookie NAME.sig.
    """
    jar = dict(pair.split("=", 1) for pair in cookie.split("; "))
    for name, value in jar.items():
        if f"{name}.sig" in jar:
            place, text, signature = f"{name}.sig", value, unquote(jar[f"{name}.sig"])
        else:
            place = name
            text, _, signature = unquote(value).rpartition(".")
        for right, wrong in _signatures(name, text, secret, other):
            if not hmac.compare_digest(right.encode(), signature.rstrip("=").encode()):
                continue
            # Its first character, all of whose bits count: of the last one's, some may not.
            changed = ("0" if signature[0] != "0" else "1") + signature[1:]
            values = [changed, wrong]
            if place == name:
                values = [quote(f"{text}.{one}", safe="") for one in values]
            return Forged(*(_sent({**jar, place: value}) for value in values))
    return None


def _sent(jar: Mapping[str, str]) -> str:
    """Cookies as a client sends them."""
    return "; ".join(f"{name}={value}" for name, value in jar.items())


def _signatures(name: str, text: str, secret: str, other: str) -> Iterator[tuple[str, str]]:
    """Those of `text` with either key, in every way that is known, without padding."""
    # Express marks a value that is signed by "s:", and does not sign the mark.
    for message in (text, f"{name}={text}", text.removeprefix("s:")):
        for hash_ in HASHES:
            for form in FORMS:
                made = (
                    form(hmac.digest(key.encode(), message.encode(), hash_)).decode().rstrip("=")
                    for key in (secret, other)
                )
                yield next(made), next(made)
