"""What helps where a service answers with another status than the right one."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from random import Random
from urllib.parse import parse_qsl, urlsplit

import pytest

from webdyno.ab.running.asking import answers_of
from webdyno.ab.running.listeners import ListeningService
from webdyno.ab.study.proof import RequestsVerifier, scenario_of
from webdyno.catalog.descriptions.description import Description
from webdyno.verifier import Mismatch, Probe


class _Service(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        logged_in = "session=7" in self.headers.get("Cookie", "")
        self.send_response(200 if logged_in else int(self.path.partition("?")[0].strip("/")))
        said = dict(parse_qsl(urlsplit(self.path).query))
        if leads := said.get("to"):
            self.send_header("Location", leads)
        if cookie := said.get("cookie"):
            self.send_header("Set-Cookie", cookie)
        body = said.get("body", "").encode()
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def served() -> Iterator[int]:
    """The port of a service that runs."""
    with HTTPServer(("127.0.0.1", 0), _Service) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()


def described(folder: Path, *requests: object, **keys: object) -> None:
    """Write the questions of a description with these requests and `keys`."""
    description = Description.model_validate({"name": "x", "requests": [*requests], **keys})
    scenario_of(description, folder)


def asked(request: object, folder: Path, *others: object, **keys: object) -> None:
    """Ask a service the question of `request`, and `others`, as a description with `keys` says."""
    described(folder, request, *others, **keys)
    with served() as port:
        url = f"http://127.0.0.1:{port}"
        answers_of(ListeningService(url, f"127.0.0.1:{port}", "127.0.0.1", port, "/", None), folder)


@pytest.mark.parametrize(
    ("status", "remedy"),
    [
        (302, "; ask for the address that it leads to, or give `webdyno ab` --status 302 (`status"),
        (
            401,
            "; log in by -H 'Authorization: …', or by a first request, with `cookies = true` in "
            "webdyno.toml, or give `webdyno ab` --status 401 (`status` in",
        ),
        (404, "; check the path, or give `webdyno ab` --status 404 (`status` in webdyno.toml) if"),
        (429, "; raise the limit on requests of the service while it is compared"),
        (500, ""),
        (400, ""),
    ],
)
def test_the_remedy_is_named(tmp_path: Path, status: int, remedy: str) -> None:
    with pytest.raises(Mismatch) as raised:
        asked(f"GET /{status}", tmp_path)
    said = f"GET /{status} was answered {status}, not 2xx"
    assert str(raised.value).startswith(said + remedy)
    assert bool(remedy) or str(raised.value) == said


@pytest.mark.parametrize(
    ("line", "remedy"),
    [
        (
            "GET /301?to=https://shop.example/301%3Fkey=1",
            "; it leads to https://shop.example/301: send -H 'X-Forwarded-Proto: https' if the "
            "service is made for a proxy, turn that redirect off, or give",
        ),
        ("GET /301?to=https://127.0.0.1/x", "; it leads to https://127.0.0.1/x: send -H 'X-Forwar"),
        *(
            (
                f"GET /302?to={address}",
                f"; it leads to a login, {address}: log in by -H 'Cookie: …', ",
            )
            for address in (
                "https://sso.example/authorize",
                "https://login.example/realms/shop",
                "https://localhost/login",
            )
        ),
        *(
            (f"GET /302?to={address}", f"; it leads to another host, {address}: turn that redirect")
            for address in ("https://shop.example/x", "http://www.example/302")
        ),
        # No address is in these brackets.
        ("GET /302?to=http://%5Bbad/x", "; it leads to another host, http://[bad/x: turn that"),
        *(
            (f"GET /301?to={path}", f"; it leads to {path}: ask for that address, or give")
            for path in ("/items/", "/authors/", "/author/1", "/sessions/", "/blog-in-depth/")
        ),
        *(
            (f"GET /301?to={path}", f"; it leads to a login, {path}: log in by -H 'Cookie: …', or ")
            for path in (
                "/login",
                "/Account/Login",
                "/log_in",
                "/users/sign_in",
                "/signin",
                "/sessions/new",
                "/session",
                "/oauth/authorize",
                "/auth",
                "/sso",
            )
        ),
        ("GET /400?body=%3Ch1%3EBad+Request+(400)%3C/h1%3E", "; if it refuses requests for this"),
        ("GET /400?body=Invalid+host+header", "; if it refuses requests for this host, let"),
        (
            "GET /400?body=Client+sent+an+HTTP+request+to+an+HTTPS+server.",
            "; let it listen for plain HTTP while it is compared, without TLS",
        ),
        (
            "GET /400?body=The+plain+HTTP+request+was+sent+to+HTTPS+port",
            "; let it listen for plain HTTP while it is compared, without TLS",
        ),
    ],
)
def test_what_the_answer_says_decides_what_helps(tmp_path: Path, line: str, remedy: str) -> None:
    with pytest.raises(Mismatch) as raised:
        asked(line, tmp_path)
    assert f" not 2xx{remedy}" in str(raised.value)


def test_of_several_requests_one_is_given_the_status_that_is_right(tmp_path: Path) -> None:
    with pytest.raises(Mismatch) as raised:
        asked("GET /302", tmp_path, "GET /200")
    assert str(raised.value).endswith(
        "or give this request `status = 302` in webdyno.toml if it is right"
    )


def test_a_status_asked_of_all_requests_says_how_one_has_its_own(tmp_path: Path) -> None:
    with pytest.raises(Mismatch) as raised:
        asked({"path": "/302", "status": 302}, tmp_path, {"path": "/200", "status": 302})
    assert str(raised.value) == (
        "GET /200 was answered 200, not 302; give this request `status = 200` in webdyno.toml if "
        "it is right"
    )


LOGIN = "GET /200?cookie=session=7;+Secure;+Domain=shop.example;+HttpOnly"


@pytest.mark.parametrize(
    ("path", "leads"),
    [
        ("/401", ";"),
        ("/403", ";"),
        ("/302?to=/accounts/login/", "; it leads to a login, /accounts/login/:"),
    ],
)
def test_a_login_needs_the_cookies_that_it_sets(tmp_path: Path, path: str, leads: str) -> None:
    remedy = (
        f"{leads} an earlier answer set a cookie, which the requests do not send back: set "
        "`cookies = true` in webdyno.toml, log in by"
    )
    with pytest.raises(Mismatch) as raised:
        asked(LOGIN, tmp_path, f"GET {path}")
    assert f" not 2xx{remedy}" in str(raised.value)
    asked(LOGIN, tmp_path, f"GET {path}", cookies=True)
    # Not without a cookie before it.
    with pytest.raises(Mismatch) as raised:
        asked(f"GET {path}", tmp_path, LOGIN)
    assert remedy not in str(raised.value)


def test_a_version_that_is_started_is_asked_with_the_same_cookies(tmp_path: Path) -> None:
    for cookies in (False, True):
        described(tmp_path, LOGIN, "GET /401", cookies=cookies)
        verifier = RequestsVerifier(parameters={}, folder=tmp_path, work=tmp_path, random=Random(1))
        with served() as port, Probe(f"http://127.0.0.1:{port}") as probe:
            if cookies:
                verifier.verify(probe)
                assert [one.status for one in verifier.question_answers] == [200, 200]
            else:
                with pytest.raises(Mismatch, match=r"answered 401: .*set `cookies = true` in"):
                    verifier.verify(probe)


def test_a_login_that_failed_is_suspected_where_its_cookies_were_sent(tmp_path: Path) -> None:
    with pytest.raises(Mismatch) as raised:
        asked("GET /200?cookie=other=1", tmp_path, "GET /401", cookies=True)
    assert " not 2xx; the cookies that earlier answers set were sent, so the login may have" in (
        str(raised.value)
    )


def test_a_login_that_sets_no_cookie_is_told(tmp_path: Path) -> None:
    told = " no earlier answer set a cookie: if the service sets cookies over https alone, send -H"
    for path, leads in (("/401", ";"), ("/302?to=/login", "; it leads to a login, /login:")):
        with pytest.raises(Mismatch) as raised:
            asked("GET /200", tmp_path, f"GET {path}", cookies=True)
        assert f"{leads}{told}" in str(raised.value)
    # Of the first request, nobody could have known; and it may not send a cookie of its own.
    with pytest.raises(Mismatch) as raised:
        asked("GET /302?to=/login", tmp_path, cookies=True)
    assert (
        " not 2xx; it leads to a login, /login: let the first request log in; if this one is the "
        "login, check what it sends, or give `webdyno ab` --status 302" in str(raised.value)
    )
    for first, keys in (("GET /401", {"cookies": True}), ("GET /200", {})):
        with pytest.raises(Mismatch) as raised:
            asked(first, tmp_path, "GET /401?a=1", **keys)
        assert told not in str(raised.value)


def test_a_csrf_token_is_told_where_it_is_wanted(tmp_path: Path) -> None:
    with pytest.raises(Mismatch) as raised:
        asked("GET /403?body=CSRF+verification+failed.", tmp_path)
    assert "; it wants a CSRF token, which the requests cannot take from an answer: turn that" in (
        str(raised.value)
    )


def test_a_page_that_holds_a_csrf_token_does_not_ask_for_one(tmp_path: Path) -> None:
    with pytest.raises(Mismatch) as raised:
        asked("GET /403?body=%3Cmeta+name='csrf-token'+content='a'%3E+Forbidden", tmp_path)
    assert " not 2xx; log in by -H 'Authorization: …'" in str(raised.value)


def test_a_secret_in_the_path_is_not_told(tmp_path: Path) -> None:
    with pytest.raises(Mismatch) as raised:
        asked("GET /500?token=hunter2&page=2", tmp_path)
    assert str(raised.value) == "GET /500?token=…&page=2 was answered 500, not 2xx"
