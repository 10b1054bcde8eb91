"""Cookies as set, and forgeries of signed ones."""

from __future__ import annotations

import base64
import hmac
from random import Random

import pytest

from webdyno.verifier.cookies import CookieJar, changed, set_cookies, spliced, with_other_id

KEY = b"a key"


def signed(uid: str) -> str:
    return f"{uid}.{hmac.new(KEY, uid.encode(), 'sha256').hexdigest()}"


def is_good(cookie: str) -> bool:
    return cookie == signed(cookie.partition(".")[0])


ANN, BEN = signed("3f0c9d"), signed("77a1e2")


def test_set_cookie_lines_give_names_and_raw_values() -> None:
    lines = ["a=1; Path=/; HttpOnly", "sid=s%3Ax.y%2Bz=; Max-Age=3", "empty="]
    assert dict(set_cookies(lines)) == {"a": "1", "sid": "s%3Ax.y%2Bz=", "empty": ""}


@pytest.mark.parametrize(
    ("lines", "value"),
    [
        ([], ""),
        (["a=1; Path=/x; HttpOnly; Secure; Domain=shop.example"], "a=1"),
        (["a=1", "b=x=y", "a=2"], "a=2; b=x=y"),
        (['q="quoted"', "e="], 'q="quoted"; e='),
        (["a=1", "b=2", "a=; Max-Age=0"], "b=2"),
        (["a=1", "a=x; max-age=-5"], ""),
        (["a=1", "a=; Expires=Thu, 01 Jan 1970 00:00:00 GMT"], ""),
        (["a=1", "a=; expires=Thu, 01-Jan-1970 00:00:00 GMT"], ""),
        (["a=1", "a=2; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT"], "a=2"),
        (["a=1; Max-Age=soon; Expires=soon"], "a=1"),
        (["a=1; Expires=Fri, 31 Dec 2100 00:00:00 GMT"], "a=1"),
        (["", "no equals sign", "=nameless", ";"], ""),
    ],
)
def test_a_jar_keeps_cookies_as_the_engine_does(lines: list[str], value: str) -> None:
    jar = CookieJar()
    for line in lines:
        jar.take([line])
    assert jar.value == value
    jar.clear()
    assert jar.value == ""


def test_changed_cookies_differ_in_one_character_and_are_no_longer_good() -> None:
    made = list(changed(ANN, BEN, 50, Random(1)))
    assert len(made) > 40
    for cookie in made:
        [place] = [i for i, (a, b) in enumerate(zip(ANN, cookie, strict=True)) if a != b]
        assert ANN[place] != BEN[place]
        assert not is_good(cookie)
    # The last characters of id and signature may be padding, so they are left alone.
    assert all(cookie[4:7] == ANN[4:7] and cookie[-2:] == ANN[-2:] for cookie in made)


def test_spliced_cookies_have_an_end_of_each_and_are_no_longer_good() -> None:
    made = list(spliced(ANN, BEN, 30, Random(1)))
    assert len(made) == 30
    assert not any(is_good(cookie) for cookie in made)
    # Where the id meets the signature: the id of one, the signature of the other.
    assert "3f0c9d." + BEN.partition(".")[2] in made[:2]


@pytest.mark.parametrize("seed", range(20))
def test_no_more_forgeries_are_made_than_asked_for(seed: int) -> None:
    assert len(list(changed(ANN, BEN, 6, Random(seed)))) == 6
    assert len(set(spliced(ANN, BEN, 6, Random(seed)))) == 6


def test_cookies_that_do_not_differ_cannot_be_forged() -> None:
    assert list(changed(ANN, ANN, 6, Random(1))) == []
    assert list(spliced(ANN, ANN, 6, Random(1))) == []


def test_the_id_is_found_plain_and_in_base64() -> None:
    assert with_other_id(ANN, "3f0c9d", "4f0c9d") == "4" + ANN[1:]
    payload = base64.urlsafe_b64encode(b'{"uid": "3f0c9d"}').decode().rstrip("=")
    forged = with_other_id(f"{payload}.sig", "3f0c9d", "4f0c9d")
    assert forged is not None
    changed_payload, _, signature = forged.partition(".")
    padded = changed_payload + "=" * (-len(changed_payload) % 4)
    assert base64.urlsafe_b64decode(padded) == b'{"uid": "4f0c9d"}'
    assert signature == "sig"


def test_an_id_that_does_not_show_cannot_be_replaced() -> None:
    assert with_other_id("c29tZXRoaW5nIGVsc2UgYWx0b2dldGhlcg.x", "3f0c9d", "4f0c9d") is None
