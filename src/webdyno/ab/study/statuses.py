"""What helps where a service answers, but not with the status that is right."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

_UNLIMITED = "raise the limit on requests of the service while it is compared"
_LIMITED = re.compile(r"\bstatus: expected [^;]*?, got 429\b")
"""As the engine tells of a status, not of another figure that is 429."""

PLAIN = "let it listen for plain HTTP while it is compared, without TLS"
"""What helps where a service speaks TLS."""

_WANTS_TLS = re.compile(
    r"\bHTTP request (?:was sent )?to (?:an? )?HTTPS (?:server|port)|\brequires TLS\b",
    re.IGNORECASE,
)
"""How servers that speak TLS answer a request in plain text (Go, Nginx, Apache, Tomcat)."""

_REFUSES_HOST = re.compile(r"\bhost\b|\bHTTP_HOST\b|Bad Request \(400\)", re.IGNORECASE)
"""What is in the answer to a host that is not allowed; Django says no more than that, unless it is
in its mode for development."""


def remedy_under_load(reason: str) -> str:
    """What helps where a load failed for `reason` that a few requests were not answered with, as
    the end of a sentence; empty where nothing is known to."""
    return f"; {_UNLIMITED}" if _LIMITED.search(reason) else ""


_LOGIN = re.compile(
    r"(?<!b)log[-_]?[io]n|sign[-_]?in|\bsession\b|\bsessions/new|auth(?!ors?\b)|\bsso\b",
    re.IGNORECASE,
)
"""Where a redirect leads of a service that one has to log in to; not to a blog or to authors."""

_CSRF = re.compile(r"\b[cx]srf|authenticity.?token", re.IGNORECASE)
"""In the answer to a request without the token of a form that the service made; not in a tag, where
any page may hold a token (`<meta name="csrf-token" …>`)."""
_TAG = re.compile(r"<[^>]*>")

CookieState = Literal["unused", "not sent", "first", "not set", "sent"]
"""Of a request that is refused: no answer before set a cookie, nor would one be kept; one was set,
but not kept; they would be kept, but this request is the first; none was set, though they would be
kept; or one was set and sent back."""

_LOG_IN: dict[CookieState, str] = {
    "unused": "log in by -H '{}: …', or by a first request, with `cookies = true` in webdyno.toml",
    "not sent": "an earlier answer set a cookie, which the requests do not send back: set `cookies "
    "= true` in webdyno.toml, log in by -H '{}: …'",
    # Where cookies are kept, no request may have a header `Cookie` of its own.
    "first": "let the first request log in; if this one is the login, check what it sends",
    "not set": "no earlier answer set a cookie: if the service sets cookies over https alone, send "
    "-H 'X-Forwarded-Proto: https' and let it trust that header, or let it set them over http",
    "sent": "the cookies that earlier answers set were sent, so the login may have failed: give "
    "its request a `status` or `checks` that only a login has",
}
"""What helps a request that is refused to who has not logged in."""


@dataclass(frozen=True)
class Redirect:
    """Where an answer sends who asked."""

    location: str
    """Without what may be secret in it; empty where it leads nowhere."""
    path: str = ""
    """The part of it that names a page of the host."""
    own: bool = True
    """Whether that is the service itself: the host that was asked, or one of this machine."""
    same_path: bool = False
    """Whether only scheme and host are others than those that were asked for."""

    @property
    def to_https(self) -> bool:
        """Whether it wants the same over https, on its own host or on that of the site."""
        over_tls = self.location.lower().startswith("https://")
        return over_tls and (self.same_path or (self.own and not self.to_login))

    @property
    def to_login(self) -> bool:
        """Whether it leads to where one logs in; of another host, its name may tell."""
        return _LOGIN.search(self.path if self.own else self.location) is not None


_NOWHERE = Redirect("")


def remedy_of_status(
    status: int,
    redirect: Redirect = _NOWHERE,
    body: str = "",
    of_several: bool = False,
    cookies: CookieState = "unused",
) -> str:
    """What helps against an answer of this status, as the end of a sentence; empty where nothing
    is known to. `redirect` is where it leads, `body` what the answer holds; `of_several`:
    whether other requests are sent as well; `cookies`: what became of those of earlier answers."""
    # `hit`, which compares two services as well, has no such option.
    right = f"give `webdyno ab` --status {status} (`status` in webdyno.toml) if it is right"
    if of_several:
        # The option would ask the same status of the others.
        right = f"give this request `status = {status}` in webdyno.toml if it is right"
    if 200 <= status < 300:
        return f"; {right}"
    if status == 400 and _WANTS_TLS.search(body):
        return f"; {PLAIN}"
    if status == 400 and _REFUSES_HOST.search(body):
        return (
            "; if it refuses requests for this host, let it accept any, or send its own name "
            "(-H 'Host: …')"
        )
    if status in (400, 403, 419, 422) and _CSRF.search(_TAG.sub(" ", body)):
        return (
            "; it wants a CSRF token, which the requests cannot take from an answer: turn that "
            f"check off while the service is compared, or {right}"
        )
    if status in (401, 403):
        also = "log in by -H 'Authorization: …', or " if cookies == "first" else ""
        return f"; {also}{_LOG_IN[cookies].format('Authorization')}, or {right}"
    if status == 404:
        return f"; check the path, or {right}"
    if status == 429:
        return f"; {_UNLIMITED}"
    if 300 <= status < 400 and redirect.to_https:
        return (
            f"; it leads to {redirect.location}: send -H 'X-Forwarded-Proto: https' if "
            "the service is made for a proxy, turn that redirect off, or " + right
        )
    if 300 <= status < 400 and redirect.to_login:
        leads = f"; it leads to a login, {redirect.location}: "
        return f"{leads}{_LOG_IN[cookies].format('Cookie')}, or {right}"
    if 300 <= status < 400 and not redirect.own:
        return (
            f"; it leads to another host, {redirect.location}: turn that redirect off, or {right}"
        )
    if 300 <= status < 400 and redirect.location:
        return f"; it leads to {redirect.location}: ask for that address, or {right}"
    if 300 <= status < 400:
        return f"; ask for the address that it leads to, or {right}"
    return ""
