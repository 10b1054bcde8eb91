"""`stack-3` and `stack-8`: a server of which one middleware does not do its work is found out."""

from __future__ import annotations

import re
from typing import Any

import pytest

from integration.stacks.conftest import Staged
from integration.stacks.honest import Json, Logged, Stack3, Stack8
from integration.stacks.server import SCRIPT, Request, Response
from webdyno.errors import UserError

pytestmark = pytest.mark.concurrent

WARM = 45


def cheat(base: type, **methods: Any) -> type:
    """An application that does something else in one or two methods."""
    return type("Cheat", (base,), methods)


def unwritten(self: Any, request: Request, response: Response) -> None:
    pass


def only_the_good(self: Any, request: Request, response: Response) -> None:
    if response.status == 200:
        super(type(self), self).write_log(request, response)


def late_or_never(self: Any, request: Request, response: Response) -> None:
    if self.number < WARM:
        super(type(self), self).write_log(request, response)


def as_html(self: Any, request: Request, value: Any) -> Response:
    answer = super(type(self), self).jsonp(request, value)
    return Response(answer.body, answer.media.replace(SCRIPT, "text/html"))


SHARED = {
    "no log": (dict(write_log=unwritten), r"before: .*no line for GET"),
    "only good answers in the log": (dict(write_log=only_the_good), "before: .*no line for GET"),
    "a log that ends": (dict(write_log=late_or_never), "during: .*a line for every answer"),
    "one callback": (dict(callback=lambda self, request: "cb"), r"before: .*not /\*\*/ typeof cb_"),
    "any callback": (
        dict(callback=lambda self, request: request.query["callback"]),
        r"before: .*only 'alert1cb' is kept|before: .*calls 'alert1cb'",
    ),
    "no guard": (
        dict(script=lambda self, value, name: f"{name}({value})"),
        "before: .*the body is",
    ),
    "not a script": (dict(jsonp=as_html), "before: .*content-type is 'text/html"),
}


def test_honest_stacks_pass(trial: Staged) -> None:
    trial("stack-3", Stack3).run()
    for depth in range(9):
        trial("stack-8", Stack8, depth=depth).run()


@pytest.mark.parametrize("name", SHARED)
@pytest.mark.parametrize("base", [Stack3, Stack8])
def test_jsonp_and_the_log_in_both(trial: Staged, base: type, name: str) -> None:
    methods, message = SHARED[name]
    scenario = "stack-3" if base is Stack3 else "stack-8"
    found = trial(scenario, cheat(base, **methods)).caught(rounds=60)
    assert re.match(message, found, re.DOTALL), found


def constant_under_load(self: Any, encoded: str) -> str:
    return "Ada" if self.number > WARM else super(type(self), self).name(encoded)


@pytest.mark.parametrize(
    ("methods", "message"),
    [
        (dict(name=lambda self, encoded: encoded), "before: .*was greeted 'hello J%C3%BC"),
        (dict(name=constant_under_load), "during: .*was greeted 'hello Ada'"),
        (dict(sum=lambda self, a, b: {"sum": 7}), r"before: .*/sum/\d+/\d+ was answered 200"),
    ],
)
def test_the_router_of_stack_3(trial: Staged, methods: Json, message: str) -> None:
    found = trial("stack-3", cheat(Stack3, **methods)).caught(rounds=60)
    assert re.match(message, found, re.DOTALL), found


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
            "before: .*style sheet.*other bytes",
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
    assert re.match(
        "during: .*session of the load is still there.*1 visits before the load, 1 after", found
    ), found


def test_a_wrapper_that_no_middleware_makes(trial: Staged) -> None:
    found = trial("stack-8", cheat(Stack8, jsonp=Logged.jsonp), depth=0).caught()
    # The server's JSON is asked for with a callback first: the application alone knows of none.
    assert re.match("before: .*content-type is 'text/javascript', not 'application/json'", found)


def test_the_depth_must_be_one_of_the_eight(trial: Staged) -> None:
    with pytest.raises(UserError, match="'depth' is 9; give a whole number from 0 to 8"):
        trial("stack-8", Stack8, depth=9)
