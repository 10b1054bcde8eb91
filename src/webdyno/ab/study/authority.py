"""Where a service is, in what it answers: of two services that differ in nothing else, one names
its own port in links and redirects, and the other its own."""

from __future__ import annotations

import re
from collections.abc import Sequence

OWN = "HOST:PORT"
"""What stands for a service's own address once an answer is to be compared."""

_BEFORE = r"(?:(?<![\w.-])|(?<=%2F))"
OWN_NAMES = ("localhost", "127.0.0.1", "[::1]")
"""How a service may call the machine that it is on, whatever the host that was asked for."""
_DIGESTS = {"etag", "content-md5"}
"""Headers that change with every byte of the body."""


class Authority:
    """The ways to write where one service of this machine is: its `host`, and its other names, each
    with its port; `host` alone in a URL where the port is the usual one."""

    def __init__(self, host: str, port: int) -> None:
        """`host` is a name or an address, an IPv6 one with or without its brackets."""
        hosts = "|".join(re.escape(one) for one in dict.fromkeys((bracketed(host), *OWN_NAMES)))
        forms = [rf"{_BEFORE}(?:{hosts})(?::|%3A){port}(?!\d)"]
        if port == 80:
            forms.append(rf"(?:(?<=//)|(?<=%2F%2F))(?:{hosts})(?![\w.:%-])")
        text = "|".join(forms)
        self._text = re.compile(text, re.IGNORECASE)
        self._bytes = re.compile(text.encode("ascii", "replace"), re.IGNORECASE)

    def left_out(
        self, headers: Sequence[tuple[str, str]], body: bytes
    ) -> tuple[list[tuple[str, str]], bytes]:
        """An answer with `OWN` where it names the service's own address, and its length and digests
        told as of such a body."""
        bare, replacements = self._bytes.subn(OWN.encode(), body)
        replaced = dict.fromkeys(_DIGESTS, f"of a body with {OWN}") if replacements else {}
        if replacements:
            replaced["content-length"] = str(len(bare))
        kept = [
            (name, replaced.get(name.lower(), self._text.sub(OWN, value)))
            for name, value in headers
        ]
        return kept, bare


def bracketed(host: str) -> str:
    """`host` as a URL has it: an IPv6 address in brackets."""
    return f"[{host}]" if ":" in host and not host.startswith("[") else host
