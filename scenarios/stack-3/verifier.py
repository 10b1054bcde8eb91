"""A greeting by JSONP, behind a logger and a router: each of the three is seen to work."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar
from urllib.parse import quote

from webdyno.verifier import Breakdown, Change, Preparation, Probe, Sample, Verifier, media_problem
from webdyno.verifier.access_log import AccessLog, Named, expect_in_time, expect_logged
from webdyno.verifier.jsonp import NotJsonp, kept, unwrap

NAMES = ("Ada", "Jürgen & Söhne", "a?c", "<b>", 'say "hi"', "名字")
HOSTILE = "alert(1);//cb"


class Scenario(Verifier):
    bounds: ClassVar = {"names": (1, None)}

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.log = AccessLog(self.written / "access.log")
        self.asked_under_load: list[Named] = []
        self.answered_s: list[float] = []

    def prepare(self) -> Preparation:
        # Of one length, so that all answers weigh the same.
        names = [self.token() for _ in range(self.whole("names"))]
        return Preparation(
            env={"WEBDYNO_LOG": str(self.log.path)},
            variables={"name": {"kind": "choice", "values": names}},
        )

    def verify(self, probe: Probe) -> None:
        self.expect_http(probe.get("/hello/world?callback=cb"))
        self._jsonp(probe)
        self._router(probe)
        self._logger(probe)
        self.log.mark()

    def verify_beside_load(self, probe: Probe) -> None:
        self._jsonp(probe)
        self._router(probe)

    def before_load(self, probe: Probe) -> None:
        self.log.begin()

    def change(self) -> Change:
        """Nothing changes: the log is looked at."""
        return Change(self.log.look)

    def audit(self, samples: Sequence[Sample]) -> None:
        self.expect_samples(samples)
        self.answered_s = [sample.answered_by_s for sample in samples]
        drawn = (sample.variables for sample in samples)
        self.asked_under_load = [
            ("GET", f"/hello/{one['name']}?callback=cb{one['n']}") for one in drawn
        ]
        self.expect_each(
            f"{len(samples)} answers of the load greet by the name and callback of their request",
            (
                greeting_problem(
                    s.status,
                    s.header("content-type"),
                    s.body,
                    s.variables["name"],
                    f"cb{s.variables['n']}",
                )
                for s in samples
            ),
        )

    def reconcile(self, probe: Probe, counts: Mapping[str, int]) -> None:
        expect_logged(self, self.log, counts["ok"], self.asked_under_load)
        expect_in_time(self, self.log, self.answered_s)

    def _jsonp(self, probe: Probe) -> None:
        callback = f"cb_{self.token()}"
        self.expect_each(
            f"{len(NAMES)} names come back decoded, in a call of the function asked for",
            (self._greeted(probe, name, callback) for name in NAMES),
        )
        self.expect_each(
            f"of the callback '{HOSTILE}' only '{kept(HOSTILE)}' is kept",
            [self._greeted(probe, "Ada", HOSTILE)],
        )

    def _greeted(self, probe: Probe, name: str, callback: str) -> str | None:
        answer = probe.get(f"/hello/{quote(name, safe='')}?callback={quote(callback, safe='')}")
        if answer.is_server_error:
            raise Breakdown(f"/hello was answered {answer.status_code}")
        kind = answer.headers.get("content-type", "")
        return greeting_problem(answer.status_code, kind, answer.content, name, callback)

    def _router(self, probe: Probe) -> None:
        pairs = [(self.random.randint(0, 10**6), self.random.randint(0, 10**6)) for _ in range(4)]
        self.expect_each(
            "another route adds the numbers in its path, and answers JSON without a callback",
            (self._added(probe, a, b) for a, b in pairs),
        )
        for path in (f"/hello-{self.token()}", "/hello/a/b", "/sum/1"):
            self.expect_not_found(probe, path)

    def _added(self, probe: Probe, a: int, b: int) -> str | None:
        answer = probe.get(f"/sum/{a}/{b}")
        try:
            told = json.loads(answer.content.decode("utf-8"))
        except ValueError:
            told = None
        if answer.status_code != 200 or told != {"sum": a + b}:
            return f"/sum/{a}/{b} was answered {answer.status_code}: {answer.content[:80]!r}"
        return media_problem(answer.headers.get("content-type", ""), "application/json")

    def _logger(self, probe: Probe) -> None:
        asked = {f"/hello/{self.token()}?callback=x": 200, f"/{self.token()}": 404}
        self.expect_each(
            "requests are logged with their status, an unknown path included",
            (self._logged(probe, path, status) for path, status in asked.items()),
        )

    def _logged(self, probe: Probe, path: str, status: int) -> str | None:
        probe.get(path)
        return self.log.problem("GET", path, status)


def greeting_problem(
    status: int, content_type: str, body: bytes, name: str, callback: str
) -> str | None:
    """What is wrong with a greeting; None where it is right."""
    try:
        told = unwrap(status, content_type, body, callback)
    except NotJsonp as error:
        return f"{name}: {error}"
    return None if told == f"hello {name}" else f"{name} was greeted {told!r:.80}"
