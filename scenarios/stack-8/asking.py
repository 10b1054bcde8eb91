"""How the server is asked for a greeting."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar
from urllib.parse import quote, quote_plus

import httpx

from webdyno.verifier import Breakdown, Mismatch, Probe, Verifier, beside

contract = beside(__file__, "contract")
Wrong, FALLBACK, NOBODY = contract.Wrong, contract.FALLBACK, contract.NOBODY

FORM = "application/x-www-form-urlencoded"


def path_of(callback: str, language: str) -> str:
    """Where a greeting is asked for."""
    return f"/greet?callback={quote(callback, safe='')}&lang={language}"


class Greeted(Verifier):
    """Asks for greetings, and holds their answers to the contract at its depth."""

    bounds: ClassVar = {"depth": (0, 8), "names": (1, None)}
    contract: contract.Contract

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.depth = self.whole("depth")

    def _ask(
        self,
        probe: Probe,
        method: str = "GET",
        name: str = NOBODY,
        language: str = FALLBACK,
        callback: str = "cb",
        headers: Mapping[str, str] | None = None,
    ) -> dict[str, Any]:
        """Greet, and check the answer in full. Raises `Mismatch`."""
        answer = self._send(probe, method, name, language, callback, headers)
        if answer.is_server_error:
            raise Breakdown(f"{method} /greet was answered {answer.status_code}")
        kind = answer.headers.get("content-type", "")
        try:
            told = self.contract.told(answer.status_code, kind, answer.content, callback)
            expected = language if language in contract.LANGUAGES else FALLBACK
            checked: dict[str, Any] = self.contract.check(told, method, name, expected)
        except Wrong as error:
            raise Mismatch(f"{method} /greet, name {name!r}, {language}: {error}") from None
        return checked

    def _send(
        self,
        probe: Probe,
        method: str,
        name: str = NOBODY,
        language: str = FALLBACK,
        callback: str = "cb",
        headers: Mapping[str, str] | None = None,
    ) -> httpx.Response:
        path = path_of(callback, language)
        if method == "GET":
            return probe.get(path, headers=dict(headers or {}))
        return probe.request(
            method,
            path,
            content=f"name={quote_plus(name)}",
            headers={"Content-Type": FORM, **(headers or {})},
        )

    def _trouble(self, probe: Probe, method: str = "GET", **asked: Any) -> str | None:
        """What is wrong with a greeting, asked for with a token where one is needed."""
        try:
            if method == "POST" and self.depth >= contract.CSRF and "headers" not in asked:
                asked["headers"] = {"X-CSRF-Token": str(self._ask(probe)["token"])}
            self._ask(probe, method, **asked)
        except Breakdown:
            raise
        except Mismatch as error:
            return str(error)
        return None
