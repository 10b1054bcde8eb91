"""The two stacks, done honestly. The cheats override one method each."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
import threading
from abc import ABC, abstractmethod
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote

from integration.stacks.server import (
    JSON,
    NOT_FOUND,
    SCRIPT,
    Request,
    Response,
    log_line,
)

Json = dict[str, Any]


class Logged(ABC):
    """What both have: a logger around the rest, and JSONP."""

    def __init__(self, env: dict[str, str]) -> None:
        self.env = env
        self.log = Path(env["WEBDYNO_LOG"])
        self.lock = threading.Lock()
        self.number = 0

    def __call__(self, request: Request) -> Response:
        with self.lock:
            self.number += 1
            response = self.answer(request)
            self.write_log(request, response)
            return response

    def write_log(self, request: Request, response: Response) -> None:
        with self.log.open("a", encoding="utf-8") as file:
            file.write(log_line(request, response))

    @abstractmethod
    def answer(self, request: Request) -> Response:
        """The answer to a request, which is logged afterwards."""

    def callback(self, request: Request) -> str:
        return re.sub(r"[^\w$.\[\]]", "", request.query["callback"], flags=re.ASCII)

    def script(self, value: str, name: str) -> str:
        return f"/**/ typeof {name} === 'function' && {name}({value});"

    def jsonp(self, request: Request, value: Any) -> Response:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        if "callback" not in request.query:
            return Response(text, JSON)
        return Response(self.script(text, self.callback(request)), SCRIPT)


class Stack3(Logged):
    def answer(self, request: Request) -> Response:
        hello = re.fullmatch(r"/hello/([^/]+)", request.path)
        if hello:
            return self.jsonp(request, f"hello {self.name(hello[1])}")
        numbers = re.fullmatch(r"/sum/(\d+)/(\d+)", request.path)
        return self.jsonp(request, self.sum(*map(int, numbers.groups()))) if numbers else NOT_FOUND

    def name(self, encoded: str) -> str:
        return unquote(encoded)

    def sum(self, a: int, b: int) -> Json:
        return {"sum": a + b}


class Stack8(Logged):
    def __init__(self, env: dict[str, str]) -> None:
        super().__init__(env)
        self.depth = int(env["WEBDYNO_STACK_DEPTH"])
        data = Path(env["WEBDYNO_STACK_DATA"])
        self.static = data / "static"
        self.locales = {
            path.stem: json.loads(path.read_text(encoding="utf-8"))["greeting"]
            for path in (data / "locales").iterdir()
        }
        self.sessions: dict[str, Json] = {}

    def jsonp(self, request: Request, value: Any) -> Response:
        if self.depth < 1:
            request = Request(request.method, request.path, request.headers, request.body)
        return super().jsonp(request, value)

    def write_log(self, request: Request, response: Response) -> None:
        if self.depth >= 2:
            super().write_log(request, response)

    def answer(self, request: Request) -> Response:
        if self.depth >= 3 and request.method == "GET" and (file := self.file(request.path)):
            return file
        if request.path != "/greet":
            return NOT_FOUND
        id_, session = self.session(request) if self.depth >= 5 else ("", {})
        if self.depth >= 7 and request.method == "POST" and not self.allowed(request, id_):
            return Response("no", status=403)
        response = self.jsonp(request, self.greet(request, id_, session))
        if id_:
            response.headers.append(("Set-Cookie", f"sid={id_}.{self.sign(id_)}; Path=/"))
        return response

    def greet(self, request: Request, id_: str, session: Json) -> Json:
        language = self.language(request)
        told: Json = {"name": self.form(request) if self.depth >= 4 else "World"}
        if self.depth >= 5:
            session["visits"] = session.get("visits", 0) + 1
            told["visits"] = session["visits"]
        if self.depth >= 6:
            told["greeting"] = self.locales[language].replace("{{name}}", told["name"])
        if self.depth >= 7 and request.method == "GET":
            told["token"] = self.token(id_)
        if self.depth >= 8:
            told["page"] = self.page(told, language)
        return told

    def file(self, path: str) -> Response | None:
        file = (self.static / unquote(path).lstrip("/")).resolve()
        if not file.is_relative_to(self.static.resolve()) or not file.is_file():
            return None
        return Response(file.read_bytes(), "text/css")

    def form(self, request: Request) -> str:
        return parse_qs(request.body)["name"][0] if request.method == "POST" else "World"

    def session(self, request: Request) -> tuple[str, Json]:
        cookie = re.search(r"sid=(\w+)\.(\w+)", request.headers.get("cookie", ""))
        if cookie and cookie[1] in self.sessions and self.signed(cookie[1], cookie[2]):
            return cookie[1], self.sessions[cookie[1]]
        id_ = secrets.token_hex(8)
        self.sessions[id_] = {}
        return id_, self.sessions[id_]

    def sign(self, id_: str) -> str:
        key = self.env["WEBDYNO_SECRET"].encode()
        return hmac.new(key, id_.encode(), hashlib.sha256).hexdigest()

    def signed(self, id_: str, signature: str) -> bool:
        return hmac.compare_digest(self.sign(id_), signature)

    def language(self, request: Request) -> str:
        asked = request.query.get("lang", "en")
        return asked if asked in self.locales else "en"

    def token(self, id_: str) -> str:
        return self.sign(f"token {id_}")

    def allowed(self, request: Request, id_: str) -> bool:
        return request.headers.get("x-csrf-token") == self.token(id_)

    def page(self, told: Json, language: str) -> str:
        return (
            f'<article class="greeting" lang="{language}"><h1>{self.escape(told["greeting"])}</h1>'
            f"<p>{told['visits']}</p></article>"
        )

    def escape(self, text: str) -> str:
        return escape(text)
