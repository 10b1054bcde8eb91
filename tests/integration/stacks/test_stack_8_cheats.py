"""`stack-8`: a server of which one layer does not do its work is found out."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from typing import Any

import pytest

from integration.stacks.cheating import WARM, cheat
from integration.stacks.conftest import Staged
from integration.stacks.honest import Json, Logged, Stack8
from integration.stacks.server import Request, Response
from webdyno.errors import UserError

pytestmark = pytest.mark.concurrent


def any_file(self: Any, path: str) -> Response | None:
    if path == "/%2e%2e/locales/en.json":
        return Response("{}", "text/css")
    return Stack8.file(self, path)


def one_session(self: Any, request: Request) -> tuple[str, Json]:
    return "all", self.sessions.setdefault("all", {})


def new_session(self: Any, request: Request) -> tuple[str, Json]:
    return Stack8.session(self, Request(request.method, request.target, {}, request.body))


def english_when_warm(self: Any, request: Request) -> str:
    return "en" if self.number > 2 * WARM else Stack8.language(self, request)


def language_of_session(self: Any, request: Request) -> str:
    cookie = request.headers.get("cookie", "")
    return str(
        self.__dict__.setdefault("kept", {}).setdefault(cookie, Stack8.language(self, request))
    )


def some_token(self: Any, request: Request, id_: str) -> bool:
    return "x-csrf-token" in request.headers


SIGNATURES = {
    "a constant secret": dict(sign=lambda self, id_: keyed(b"a secret of my own", id_)),
    "a secret drawn at the start": dict(sign=lambda self, id_: keyed(DRAWN, id_)),
    "half of the secret": dict(
        sign=lambda self, id_: keyed(self.env["WEBDYNO_SECRET"][:16].encode(), id_)
    ),
    "a hash without a key": dict(sign=lambda self, id_: hashlib.sha256(id_.encode()).hexdigest()),
    "a second random id": dict(
        sign=lambda self, id_: self.__dict__.setdefault("ids", {}).setdefault(
            id_, secrets.token_hex(32)
        )
    ),
}
DRAWN = secrets.token_bytes(32)


def keyed(key: bytes, id_: str) -> str:
    return hmac.new(key, id_.encode(), hashlib.sha256).hexdigest()


def all_but_its_beginning(self: Any, id_: str, signature: str) -> bool:
    """Looks for a changed character, and takes any other signature for a good one."""
    own = self.sign(id_)
    return signature == own or signature[1:] != own[1:]


def always_files(self: Any, request: Request) -> Response:
    return self.file(request.path) or Stack8.answer(self, request)


def always_forms(self: Any, request: Request, id_: str, session: Json) -> Json:
    told = Stack8.greet(self, request, id_, session)
    return {**told, "name": self.form(request)}


def always_cookies(self: Any, request: Request) -> Response:
    response = Stack8.answer(self, request)
    return Response(response.body, response.media, response.status, [("Set-Cookie", "sid=1.2")])


BEYOND = {
    1: (dict(write_log=Logged.write_log), "the log has a line"),
    2: (dict(answer=always_files), "the style sheet is served"),
    3: (dict(greet=always_forms), "name is 'Ada', not 'World'"),
    4: (dict(answer=always_cookies), "a cookie is set"),
}


@pytest.mark.parametrize("depth", BEYOND)
def test_what_is_mounted_whatever_the_depth(trial: Staged, depth: int) -> None:
    methods, message = BEYOND[depth]
    found = trial("stack-8", cheat(Stack8, **methods), depth=depth).caught(rounds=5)
    claim = f"only the first {depth} of the eight are mounted"
    assert re.match(f"before: .*{claim}: .*{message}", found), found


@pytest.mark.parametrize("name", SIGNATURES)
def test_a_signature_without_the_secret_of_the_trial(trial: Staged, name: str) -> None:
    found = trial("stack-8", cheat(Stack8, **SIGNATURES[name])).caught(rounds=5)
    assert re.match("before: .*the session's cookie is signed with WEBDYNO_SECRET: sid=", found)


def test_a_signature_that_is_made_but_hardly_looked_at(trial: Staged) -> None:
    found = trial("stack-8", cheat(Stack8, signed=all_but_its_beginning), depth=5).caught(rounds=5)
    assert re.match("before: .*signed with another secret opens no session", found), found


def known_token(self: Any, request: Request, id_: str) -> bool:
    token = request.headers.get("x-csrf-token")
    return token in {self.token(other) for other in self.sessions}


def page_of_the_first(self: Any, told: Json, language: str) -> str:
    page = Stack8.page(self, told, language)
    return str(self.__dict__.setdefault("pages", {}).setdefault(language, page))


def forgotten_under_load(self: Any, request: Request) -> tuple[str, Json]:
    return new_session(self, request) if self.number > WARM else Stack8.session(self, request)


@pytest.mark.parametrize(
    ("methods", "message"),
    [
        (dict(file=lambda self, path: None), "before: .*style sheet is served.*answered 404"),
        (
            dict(file=lambda self, path: Response(".", "text/css") if "css" in path else None),
            "before: .*style sheet.*differs from the file",
        ),
        (dict(file=any_file), "before: .*no file outside static/"),
        (dict(form=lambda self, request: "World"), "before: .*name is 'World', not 'Ada'"),
        (
            dict(form=lambda self, request: request.body.partition("=")[2] or "World"),
            "before: .*come back as they were posted.*J%C3%BC",
        ),
        (dict(session=one_session), "before: .*two users has a session|before: .*visits"),
        (dict(session=new_session), r"before: .*visits: \[1, 1, 1, 1, 1\]|before: .*answered 403"),
        (
            dict(signed=lambda self, id_, signature: True),
            "before: .*tampered with opens no session",
        ),
        (
            dict(language=lambda self, request: "en"),
            "before: .*language follows.*greeting is 'Hello",
        ),
        (dict(language=language_of_session), "before: .*greeting is"),
        (dict(language=english_when_warm), "during: .*greeting is 'Hello"),
        (dict(allowed=lambda self, request, id_: True), "before: .*with no token is answered 403"),
        (dict(allowed=some_token), "before: .*with a wrong token is answered 403"),
        (dict(allowed=known_token), "before: .*token of another session is answered 403"),
        (dict(token=lambda self, id_: ""), "before: .*token is ''"),
        (dict(page=lambda self, told, language: "<p>hi</p>"), "before: .*page: "),
        (dict(page=page_of_the_first), "before: .*page: "),
        (dict(escape=lambda self, text: text), "before: .*page: "),
    ],
)
def test_the_middlewares_of_stack_8(trial: Staged, methods: Json, message: str) -> None:
    found = trial("stack-8", cheat(Stack8, **methods)).caught(rounds=60)
    assert re.match(message, found, re.DOTALL), found


def test_a_session_that_is_forgotten_under_load(trial: Staged) -> None:
    # At the depth of the session: no token would tell.
    found = trial("stack-8", cheat(Stack8, session=forgotten_under_load), depth=5).caught()
    assert re.match("during: .*the visits in 40 answers .* rise from one to the next", found), found


def test_answers_of_a_session_that_are_kept_under_load(trial: Staged) -> None:
    kept: dict[tuple[str, str], Response] = {}

    def answer(self: Any, request: Request) -> Response:
        loads = "lang" in request.query and request.query["callback"].startswith("cb")
        if not loads or len(request.query["callback"]) != 10:
            return Stack8.answer(self, request)
        # The session counts, all the same.
        fresh = Stack8.answer(self, request)
        return kept.setdefault((request.target, request.body), fresh)

    found = trial("stack-8", cheat(Stack8, answer=answer), names=1).caught(rounds=100)
    assert re.match(r"during: .*rise from one to the next: of \d+ pairs of answers", found), found


def test_a_wrapper_that_no_middleware_makes(trial: Staged) -> None:
    found = trial("stack-8", cheat(Stack8, jsonp=Logged.jsonp), depth=0).caught()
    # The server's JSON is asked for with a callback first: the application alone knows of none.
    assert re.match("before: .*content-type is 'text/javascript', not 'application/json'", found)


def test_the_depth_must_be_one_of_the_eight(trial: Staged) -> None:
    with pytest.raises(UserError, match="'depth' is 9; give a whole number from 0 to 8"):
        trial("stack-8", Stack8, depth=9)
