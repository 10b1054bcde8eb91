"""A greeting behind up to eight middlewares: each of them is seen to do its work.

What an answer holds depends on how many are mounted. Translations and the style sheet carry a word
that no server has seen before, so that neither can have been rendered, or kept, beforehand. What is
mounted beyond the depth that was asked for is seen as well.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from secrets import token_hex
from typing import Any

from webdyno.verifier import Change, Preparation, Probe, Sample, beside
from webdyno.verifier.access_log import AccessLog, Named, expect_in_time, expect_logged

layers = beside(__file__, "layers")
asking = layers.asking
contract = asking.contract
cookie_of = layers.signature.cookie_of
LANGUAGES, NOBODY = contract.LANGUAGES, contract.NOBODY


class Scenario(layers.Layers):
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
        self._expect_layers(probe)
        if self.phase == "before":
            self._expect_none_beyond(probe)
        self.expect_not_found(probe, f"/greet-{self.token()}")
        if self.phase == "before":
            self._open_session(probe)
        self.log.mark()

    def verify_beside_load(self, probe: Probe) -> None:
        self._expect_layers_beside_load(probe)
        self.expect_not_found(probe, f"/greet-{self.token()}")

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
