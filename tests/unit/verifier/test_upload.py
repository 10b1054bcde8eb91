"""`upload`: bodies that a framework may have parsed before its handler is asked."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from email import message_from_bytes
from pathlib import Path
from typing import Any

import httpx
import pytest

from webdyno.catalog.scenarios.scenario import read_scenario
from webdyno.trial.proof.prove import verifier_of
from webdyno.verifier import Mismatch

SCENARIO = Path(__file__).parents[3] / "scenarios" / "upload"

Parser = Callable[[str, bytes], bytes | int]
"""What it leaves to the handler of a body with this Content-Type, or the status that it answers."""


class Server:
    """Answers a verifier as a server with this parser does; keeps what it was sent as a form."""

    def __init__(self, parser: Parser) -> None:
        self.parser = parser
        self.multipart: list[bytes] = []

    def request(
        self, method: str, url: str, *, headers: dict[str, str], content: bytes | list[bytes]
    ) -> httpx.Response:
        assert (method, url) == ("POST", "/upload")
        media = headers.get("Content-Type", "")
        body = content if isinstance(content, bytes) else b"".join(content)
        if media.startswith("multipart/"):
            self.multipart.append(f"Content-Type: {media}\r\n\r\n".encode() + body)
        left = self.parser(media, body)
        if isinstance(left, int):
            return httpx.Response(left)
        return httpx.Response(200, text=f"sha256:{hashlib.sha256(left).hexdigest()} {len(left)}")

    def get(self, _url: str) -> httpx.Response:
        return httpx.Response(404)


def verify(work: Path, parser: Parser) -> Server:
    verifier = verifier_of(read_scenario(SCENARIO), {"bytes": 4096}, work, 1)
    verifier.prepare()
    server: Any = Server(parser)
    verifier.verify(server)
    return server


def none(_media: str, body: bytes) -> bytes:
    return body


def eats_parts(media: str, body: bytes) -> bytes:
    return b"" if media.startswith("multipart/") else body


def eats_fields(media: str, body: bytes) -> bytes:
    return b"" if "urlencoded" in media else body


def eats_what_has_no_type(media: str, body: bytes) -> bytes:
    return body if media else b""


def takes_no_parts(media: str, body: bytes) -> bytes | int:
    return 415 if media.startswith("multipart/") else body


def refuses_what_is_cut_off(media: str, body: bytes) -> bytes | int:
    cut_off = b"form-data" in body and not body.endswith(b"--\r\n")
    return 400 if media.startswith("multipart/") and cut_off else body


def refuses_what_has_no_parts(media: str, body: bytes) -> bytes | int:
    return 400 if media.startswith("multipart/") and not body.startswith(b"--") else body


def refuses_bad_escapes(media: str, body: bytes) -> bytes | int:
    return 400 if "urlencoded" in media and b"%zz" in body else body


def refuses_bad_json(media: str, body: bytes) -> bytes | int:
    return 400 if "json" in media and not body.startswith(b"{") else body


def trims_json(media: str, body: bytes) -> bytes:
    return body.strip() if "json" in media else body


@pytest.mark.parametrize(
    ("parser", "says"),
    [
        (eats_parts, r"131\d\d\d bytes, multipart/form-data; .*: answered a length of 0"),
        (eats_fields, r"11 bytes, application/x-www-form-urlencoded: .*a length of 0"),
        (eats_what_has_no_type, r"3 bytes, no type: .*a length of 0"),
        (takes_no_parts, r"131\d\d\d bytes, multipart/form-data; .*: answered 415"),
        (refuses_what_is_cut_off, r"65\d\d\d bytes, multipart/form-data; .*: answered 400"),
        (refuses_what_has_no_parts, r"11 bytes, multipart/form-data; .*: answered 400"),
        (refuses_bad_escapes, r"14 bytes, application/x-www-form-urlencoded: answered 400"),
        (refuses_bad_json, r"4 bytes, application/json: answered 400"),
        (trims_json, r"17 bytes, application/json: answered a length of 16"),
    ],
)
def test_a_body_that_was_parsed_before_is_not_what_was_sent(
    tmp_path: Path, parser: Parser, says: str
) -> None:
    with pytest.raises(Mismatch, match=f"byte for byte, whatever their .*: {says}"):
        verify(tmp_path, parser)


def test_a_form_with_parts_is_valid_and_others_are_not(tmp_path: Path) -> None:
    sent = [message_from_bytes(message) for message in verify(tmp_path, none).multipart]
    assert [bool(message.defects) for message in sent] == [False, False, True, True]
    assert len(sent[1].get_payload()) == 5000
    field, file = sent[0].get_payload()
    assert field.get_param("name", header="content-disposition") == "a"
    assert field.get_payload(decode=True) == b"1"
    assert file.get_filename() == "b.bin"
    assert len(file.get_payload(decode=True)) > 64 * 1024
