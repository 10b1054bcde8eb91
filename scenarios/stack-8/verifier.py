"""A greeting behind up to eight middlewares: each of them is seen to do its work.

What an answer holds depends on how many are mounted. Translations and the style sheet carry a word
that no server has seen before, so that neither can have been rendered, or kept, beforehand. What is
mounted beyond the depth that was asked for is seen as well.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from secrets import token_hex
from typing import Any

from webdyno.verifier import Change, Preparation, Probe, Sample, beside, media_problem
from webdyno.verifier.access_log import AccessLog, Named, expect_in_time, expect_logged
from webdyno.verifier.jsonp import kept

asking = beside(__file__, "asking")
contract = asking.contract
signature = beside(__file__, "signature")
cookie_of = signature.cookie_of
LANGUAGES, NOBODY = contract.LANGUAGES, contract.NOBODY

NAMES = ("Ada", "Jürgen & Söhne", "<b>", 'say "hi"', "名字", "a=b&c%20d+e")
HOSTILE = "alert(1);//cb"


class Scenario(asking.Greeted):
    held_at_once = 8  # those of two users

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.data = self.work / "stack"
        self.log = AccessLog(self.written / "access.log")
        # Not drawn from `self.random`: a key must not be one that was used before.
        self.secret = token_hex(16)
        # Of the load's session, known only once there is a server to open it.
        self.cookie = ["none=0"]
        self.token_of_load = ["none"]
        self.visits_of_load = 0
        self.asked_under_load: list[Named] = []
        self.answered_s: list[float] = []

    def prepare(self) -> Preparation:
        shutil.copytree(self.folder / "data", self.data)
        with (self.data / "static/css/style.css").open("a", encoding="utf-8") as style:
            style.write(f"/* {self.token()} */\n")
        translations = {
            language: contract.freshened(self.data / f"locales/{language}.json", self.token())
            for language in LANGUAGES
        }
        self.contract = contract.Contract(self.depth, translations)
        number = self.whole("names")
        return Preparation(
            env={
                "WEBDYNO_STACK_DATA": str(self.data),
                "WEBDYNO_STACK_DEPTH": str(self.depth),
                "WEBDYNO_LOG": str(self.log.path),
                "WEBDYNO_SECRET": self.secret,
            },
            variables={
                "name": self._choice(number if self.depth >= contract.BODY else 0, NOBODY),
                # Every answer must hold its callback; none is asked for where nothing wraps it.
                "callback": self._choice(number if self.depth >= contract.JSONP else 0, ""),
                # Filled in place by `verify`, which comes before the load is made up.
                "cookie": {"kind": "choice", "values": self.cookie},
                "token": {"kind": "choice", "values": self.token_of_load},
            },
        )

    def _choice(self, number: int, otherwise: str) -> dict[str, Any]:
        """A variable of so many fresh words, all of one length; of `otherwise` where of none."""
        words = [f"cb{self.token()}" for _ in range(number)]
        return {"kind": "choice", "values": words or [otherwise]}

    def verify(self, probe: Probe) -> None:
        self.expect_http(probe.get("/greet?callback=cb"))
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
        if self.phase == "before":
            self.expect_each(
                f"only the first {self.depth} of the eight are mounted", self._beyond(probe)
            )
        self.expect_not_found(probe, f"/greet-{self.token()}")
        if self.phase == "before":
            self._open_session(probe)
        self.log.mark()

    def verify_beside_load(self, probe: Probe) -> None:
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
        self.expect_not_found(probe, f"/greet-{self.token()}")

    def _ask_of_layers(self, probe: Probe, checks: Mapping[Callable[[Probe], None], int]) -> None:
        """Make the checks in order, each from its depth on."""
        for check, depth in checks.items():
            if self.depth >= depth:
                check(probe)

    def before_load(self, probe: Probe) -> None:
        self.log.begin()

    def change(self) -> Change | None:
        """Nothing changes: the log is looked at."""
        return Change(self.log.look) if self.depth >= contract.LOGGER else None

    def audit(self, samples: Sequence[Sample]) -> None:
        self.expect_samples(samples)
        self.answered_s = [sample.answered_by_s for sample in samples]
        visits: list[contract.CountedVisit] = []
        self.expect_each(
            f"{len(samples)} answers of the load are right: {self.contract.parts()}",
            (self._sampled(sample, visits) for sample in samples),
        )
        if self.depth >= contract.SESSION:
            self.expect_each(
                f"the visits in {len(samples)} answers of the load rise from one to the next",
                [contract.not_rising(visits)],
            )
        self.asked_under_load = [
            (method_of(one), asking.path_of(one.variables["callback"], one.variables["lang"]))
            for one in samples
        ]

    def reconcile(self, probe: Probe, counts: Mapping[str, int]) -> None:
        if self.depth >= contract.LOGGER:
            expect_logged(self, self.log, counts["ok"], self.asked_under_load)
            expect_in_time(self, self.log, self.answered_s)
        if self.depth >= contract.SESSION:
            with Probe(probe.base_url, connections=1) as user:
                told = self._ask(user, headers={"Cookie": self.cookie[0]})
            # Not by as many as there were answers: requests of one session at a time may each
            # read the count before another has written it.
            self.expect(
                "the session of the load is still there, and counts",
                told["visits"] > self.visits_of_load + 1,
                f"{self.visits_of_load} visits before the load, {told['visits']} after it",
            )

    def _sampled(self, sample: Sample, visits: list[contract.CountedVisit]) -> str | None:
        drawn, method = sample.variables, method_of(sample)
        try:
            told = self.contract.told(
                sample.status, sample.header("content-type"), sample.body, drawn["callback"]
            )
            self.contract.check(told, method, drawn.get("name", NOBODY), drawn["lang"])
            if self.depth >= contract.SESSION:
                times_s = sample.sent_s, sample.answered_by_s
                visits.append(contract.CountedVisit(*times_s, told["visits"]))
        except contract.Wrong as error:
            return f"{method}: {error}"
        return None

    # One middleware after the other.

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

    def _open_session(self, probe: Probe) -> None:
        """Open the session of the load, and fill in its cookie and token."""
        with Probe(probe.base_url, connections=1) as user:
            answer = self._send(user, "GET")
            kind = answer.headers.get("content-type", "")
            told = self.contract.told(answer.status_code, kind, answer.content, "cb")
        if self.depth >= contract.SESSION:
            self.visits_of_load = told["visits"]
            self.cookie[:] = [cookie_of(answer)]
        if self.depth >= contract.CSRF:
            self.token_of_load[:] = [told["token"]]


def method_of(sample: Sample) -> str:
    """By which its answer was asked for."""
    return "POST" if sample.request == "form" else "GET"
