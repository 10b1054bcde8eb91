"""Each middleware is seen to do its work, and those beyond the depth that was asked for are not
there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from secrets import token_hex

from webdyno.verifier import Probe, beside, media_problem
from webdyno.verifier.access_log import AccessLog
from webdyno.verifier.jsonp import kept

asking = beside(__file__, "asking")
contract = asking.contract
signature = beside(__file__, "signature")
cookie_of = signature.cookie_of
LANGUAGES = contract.LANGUAGES

NAMES = ("Ada", "Jürgen & Söhne", "<b>", 'say "hi"', "名字", "a=b&c%20d+e")
HOSTILE = "alert(1);//cb"


class Layers(asking.Greeted):
    """Checks of each middleware, from the depth at which it is mounted."""

    data: Path
    log: AccessLog
    secret: str

    def _expect_layers(self, probe: Probe) -> None:
        """Each of those that are mounted works."""
        self._ask_of_layers(
            probe,
            {
                self._jsonp: contract.JSONP,
                self._json: 0,
                self._logger: contract.LOGGER,
                self._static: contract.STATIC,
                self._forms: contract.BODY,
                self._sessions: contract.SESSION,
                self._languages: contract.I18N,
                self._csrf: contract.CSRF,
            },
        )

    def _expect_layers_beside_load(self, probe: Probe) -> None:
        """The same of those whose answers alone show it, whatever else is asked meanwhile."""
        self._ask_of_layers(
            probe,
            {
                self._jsonp: contract.JSONP,
                self._static: contract.STATIC,
                self._forms: contract.BODY,
                self._sessions: contract.SESSION,
                self._csrf: contract.CSRF,
            },
        )

    def _expect_none_beyond(self, probe: Probe) -> None:
        """None is mounted beyond the depth that was asked for."""
        self.expect_each(
            f"only the first {self.depth} of the eight are mounted", self._beyond(probe)
        )

    def _ask_of_layers(self, probe: Probe, checks: Mapping[Callable[[Probe], None], int]) -> None:
        """Make the checks in order, each from its depth on."""
        for check, depth in checks.items():
            if self.depth >= depth:
                check(probe)

    def _jsonp(self, probe: Probe) -> None:
        for callback in (f"cb_{self.token()}", HOSTILE):
            self.expect_each(
                f"the answer calls '{kept(callback)}' where '{callback}' is asked for",
                [self._trouble(probe, callback=callback)],
            )

    def _json(self, probe: Probe) -> None:
        answer = probe.get("/greet")
        kind = answer.headers.get("content-type", "")
        self.expect_each("without a callback it is JSON", [media_problem(kind, "application/json")])
        if self.depth < contract.JSONP:
            self.expect_each("with a callback it is JSON, too", [self._trouble(probe)])

    def _logger(self, probe: Probe) -> None:
        asked = {f"/greet?callback={self.token()}": 200, f"/{self.token()}": 404}
        self.expect_each(
            "requests are logged with their status, an unknown path included",
            (self._logged(probe, path, status) for path, status in asked.items()),
        )

    def _logged(self, probe: Probe, path: str, status: int) -> str | None:
        probe.get(path)
        return self.log.problem("GET", path, status)

    def _static(self, probe: Probe) -> None:
        answer = probe.get("/css/style.css")
        same = answer.content == (self.data / "static/css/style.css").read_bytes()
        kind = answer.headers.get("content-type", "")
        wrong = "it differs from the file" if not same else media_problem(kind, "text/css")
        if answer.status_code != 200:
            wrong = f"answered {answer.status_code}"
        self.expect_each("the style sheet is served byte for byte", [wrong])
        outside = probe.get("/%2e%2e/locales/en.json")
        self.expect(
            "no file outside static/ is served",
            outside.status_code in (400, 403, 404),
            f"answered {outside.status_code}",
        )

    def _forms(self, probe: Probe) -> None:
        self.expect_each(
            f"{len(NAMES)} names come back as they were posted",
            (self._trouble(probe, "POST", name=name) for name in NAMES),
        )

    def _sessions(self, probe: Probe) -> None:
        first, second = (probe.another(repeats=probe.repeats) for _ in range(2))
        with first, second:
            counted = [self._ask(user)["visits"] for user in (first, first, second, first, second)]
            self.expect(
                "each of two users has a session of its own, which lasts",
                counted == [1, 2, 1, 3, 2],
                f"visits: {counted}",
            )
            cookie = cookie_of(self._send(first, "GET"))
            forged = signature.forged(cookie, self.secret, token_hex(16))
            signed = "the session's cookie is signed with WEBDYNO_SECRET"
            self.expect(signed, forged is not None, cookie)
            forgeries = {
                "that was tampered with": forged.changed,
                "that is signed with another secret": forged.anew,
            }
            for what, other in forgeries.items():
                # On the probe's own connections, which may be as old as the load's.
                visits = self._ask(probe, headers={"Cookie": other})["visits"]
                self.expect(f"a cookie {what} opens no session", visits == 1, f"{visits} visits")

    def _languages(self, probe: Probe) -> None:
        asked = [*LANGUAGES, "xx", *reversed(LANGUAGES)]
        self.expect_each(
            f"the language follows each request of a session: {', '.join(asked)}",
            (
                self._trouble(probe, method, name="Ada", language=language)
                for language in asked
                for method in ("GET", "POST")
            ),
        )

    def _csrf(self, probe: Probe) -> None:
        user, other = (probe.another(repeats=probe.repeats) for _ in range(2))
        with user, other:
            cookie = {"Cookie": cookie_of(self._send(user, "GET"))}
            token, foreign = (str(self._ask(one)["token"]) for one in (user, other))
            refused = {
                "no token": {},
                "a wrong token": {"X-CSRF-Token": self.token(36)},
                "the token of another session": {"X-CSRF-Token": foreign},
            }
            for what, headers in refused.items():
                # On the probe's own connections, as above.
                answer = self._send(probe, "POST", headers={**cookie, **headers})
                self.expect(
                    f"a form with {what} is answered 403",
                    answer.status_code == 403,
                    f"answered {answer.status_code}: {answer.text[:60]}",
                )
            own = {"X-CSRF-Token": token}
            self.expect_each(
                "a form with the session's own token is accepted",
                [self._trouble(user, "POST", name="Ada", headers=own)],
            )

    def _beyond(self, probe: Probe) -> Iterator[str | None]:
        """Each that could be there unseen; the keys of answers tell of the others."""
        answer = self._send(probe, "GET")
        if self.depth < contract.LOGGER and self.log.size():
            yield "the log has a line"
        if self.depth < contract.STATIC and probe.get("/css/style.css").status_code != 404:
            yield "the style sheet is served"
        if self.depth < contract.BODY:
            yield self._trouble(probe, "POST", name="Ada")
        if self.depth < contract.SESSION and "set-cookie" in answer.headers:
            yield "a cookie is set"
