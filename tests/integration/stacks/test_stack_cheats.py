"""`stack-3` and `stack-8`: what both have in common, the router of the first, and checks that are
left out under load alone."""

from __future__ import annotations

import re
import threading
import time
from typing import Any

import pytest

from integration.stacks.cheating import WARM, cheat
from integration.stacks.conftest import Staged
from integration.stacks.honest import Json, Stack3, Stack8
from integration.stacks.server import SCRIPT, Request, Response
from webdyno.verifier import Mismatch, Probe, access_log

pytestmark = pytest.mark.concurrent


def unwritten(self: Any, request: Request, response: Response) -> None:
    pass


def only_the_good(self: Any, request: Request, response: Response) -> None:
    if response.status == 200:
        super(type(self), self).write_log(request, response)


def late_or_never(self: Any, request: Request, response: Response) -> None:
    if self.number < WARM:
        super(type(self), self).write_log(request, response)


def empty_when_warm(self: Any, request: Request, response: Response) -> None:
    if self.number < WARM:
        super(type(self), self).write_log(request, response)
    else:
        with self.log.open("a", encoding="utf-8") as file:
            file.write("\n")


def one_line_when_warm(self: Any, request: Request, response: Response) -> None:
    if not hasattr(self, "line") and self.number >= WARM:
        self.line = request
    super(type(self), self).write_log(getattr(self, "line", request), response)


def when_nobody_asks(self: Any, request: Request, response: Response) -> None:
    write = super(type(self), self).write_log
    if self.number < WARM:
        write(request, response)
        return
    if not hasattr(self, "held"):
        self.held, self.timer = [], threading.Timer(0, lambda: None)
    self.timer.cancel()
    self.held.append((request, response))

    def flush() -> None:
        # Ten short pauses instead of a long one: on a busy machine those who ask are as late as
        # whoever waits for them, and that is not nobody.
        for _ in range(10):
            time.sleep(0.01)
            if self.timer is not timer:
                return
        held, self.held = self.held, []
        for one in held:
            write(*one)

    self.timer = timer = threading.Timer(0.0, flush)
    timer.start()


def as_html(self: Any, request: Request, value: Any) -> Response:
    answer = super(type(self), self).jsonp(request, value)
    return Response(answer.body, answer.media.replace(SCRIPT, "text/html"))


SHARED = {
    "no log": (dict(write_log=unwritten), r"before: .*no line for GET"),
    "only good answers in the log": (dict(write_log=only_the_good), "before: .*no line for GET"),
    "a log that ends": (dict(write_log=late_or_never), "during: .*a line for every answer"),
    "a log of empty lines": (dict(write_log=empty_when_warm), "during: .*a line for every answer"),
    "one line again and again": (
        dict(write_log=one_line_when_warm),
        r"during: .*log names the requests of \d+ answers of the load: no line names",
    ),
    "a log that is written later": (
        dict(write_log=when_nobody_asks),
        r"during: .*each of \d+ looks into the log .*: one look found \d+ of the \d+",
    ),
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
def test_jsonp_and_the_log_in_both(
    trial: Staged, base: type, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The load is short, and the log small.
    monkeypatch.setattr(access_log, "_LATE_S", 0.01)
    monkeypatch.setattr(access_log, "_CAUGHT_UP_S", 0.0)
    monkeypatch.setattr(access_log, "_BUFFERED_BYTES", 0)
    if "later" in name:
        monkeypatch.setattr(access_log, "_WAIT_S", 5.0)  # As long as that: it comes.
    methods, message = SHARED[name]
    scenario = "stack-3" if base is Stack3 else "stack-8"
    found = trial(scenario, cheat(base, **methods)).caught(rounds=120 if "later" in name else 60)
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


class Trusting:
    """Whether those below trust whoever asks, as they do while they take themselves to be under
    load."""

    is_loaded = False


def any_signature_under_load(self: Any, id_: str, signature: str) -> bool:
    return Trusting.is_loaded or Stack8.signed(self, id_, signature)


def any_token_under_load(self: Any, request: Request, id_: str) -> bool:
    return Trusting.is_loaded or Stack8.allowed(self, request, id_)


def any_callback_under_load(self: Any, request: Request) -> str:
    return request.query["callback"] if Trusting.is_loaded else Stack3.callback(self, request)


@pytest.mark.parametrize(
    ("scenario", "app", "depth", "message"),
    [
        ("stack-8", cheat(Stack8, signed=any_signature_under_load), 8, "tampered with opens no"),
        (
            "stack-8",
            cheat(Stack8, allowed=any_token_under_load),
            8,
            "with no token is answered 403",
        ),
        ("stack-3", cheat(Stack3, callback=any_callback_under_load), 0, "only 'alert1cb' is kept"),
    ],
)
def test_what_is_left_out_under_load_alone_is_asked_for_beside_it(
    trial: Staged, monkeypatch: pytest.MonkeyPatch, scenario: str, app: Any, depth: int,
    message: str,
) -> None:  # fmt: skip
    staged = trial(scenario, app, **({"depth": depth} if depth else {}))
    staged.run()
    monkeypatch.setattr(Trusting, "is_loaded", True)
    with (
        Probe(f"http://127.0.0.1:{staged.running.port}") as probe,
        pytest.raises(Mismatch, match=message),
    ):
        staged.verifier.verify_beside_load(probe)
