"""The forged cookies of stack-8: however a server decodes a signature, it must not take theirs."""

from __future__ import annotations

import hmac
from base64 import b64decode, b64encode, urlsafe_b64encode
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote, unquote

import pytest

from webdyno.verifier import beside

SCENARIO = Path(__file__).resolve().parents[3] / "scenarios" / "stack-8"
signature = beside(str(SCENARIO / "verifier.py"), "signature")


def decoded(text: str) -> bytes:
    """What lenient decoders read: hex of either case, base64 of either alphabet, in which the
    last bits of the last character count for nothing."""
    try:
        return bytes.fromhex(text)
    except ValueError:
        return b64decode(text.replace("-", "+").replace("_", "/") + "==")


FORMS: dict[str, Callable[[bytes], str]] = {
    "hex": bytes.hex,
    "base64": lambda digest: b64encode(digest).decode(),
    "without padding": lambda digest: urlsafe_b64encode(digest).decode().rstrip("="),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("apart", [False, True])
def test_both_forgeries_are_another_signature(form: str, apart: bool) -> None:
    for number in range(100):
        id_ = f"id{number}"
        digest = hmac.digest(b"key", id_.encode(), "sha256")
        signed = FORMS[form](digest)
        session = f"{id_}; sid.sig={signed}" if apart else quote(f"{id_}.{signed}")
        # Another cookie comes last.
        forged = signature.forged(f"sid={session}; lang=en", "key", "another")
        assert forged is not None
        for cookie in forged:
            jar = dict(pair.split("=", 1) for pair in cookie.split("; "))
            value, _, inside = unquote(jar["sid"]).partition(".")
            assert (value, jar["lang"]) == (id_, "en")
            assert decoded(unquote(jar["sid.sig"]) if apart else inside) != digest


def test_a_cookie_that_is_not_signed_with_the_secret_is_none() -> None:
    signed = hmac.digest(b"mine", b"id", "sha256").hex()
    assert signature.forged(f"sid=id.{signed}", "key", "another") is None
