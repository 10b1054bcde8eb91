"""What visits must be answered while many others come, and what one of them leaves in the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from random import Random

from webdyno.runtime.services.sessions import Sessions
from webdyno.verifier import Probe, beside
from webdyno.verifier.cookies import changed, set_cookies, spliced

_visitors = beside(__file__, "visitors")
Visitor, problem_of = _visitors.Visitor, _visitors.problem_of

# Forged cookies: so many with a changed character, as many spliced, and as many meaningless ones.
FORGED = 4

# Visits of one whose row is looked at.
FOLLOWED = 8

Jar = Mapping[str, str]


class Visits:
    """Visits on the connections of a probe, which carry the load's requests in between."""

    def __init__(self, probe: Probe, random: Random) -> None:
        self._probe = probe
        self._random = random
        self._jars: list[Jar] = [{}, {}]

    def counted_apart(self) -> Iterator[str | None]:
        """Two visitors come by turns."""
        turns = [(0, 1), (1, 1), (0, 2), (0, 3), (1, 2)]
        return (self._comes(who, count) for who, count in turns)

    def begun_anew(self, name: str, meaningless: Sequence[str]) -> Iterator[str | None]:
        """Forgeries of the cookie `name`, by which sessions are found, and `meaningless` ones."""
        good, other = (jar[name] for jar in self._jars)
        forged = chain(
            changed(good, other, FORGED, self._random),
            spliced(good, other, FORGED, self._random),
            self._random.sample(meaningless, FORGED),
        )
        for cookie in forged:
            _, problem = self._visit({name: cookie}, 1)
            yield problem and f"{problem}; the cookie was '{name}={cookie[:60]}'"

    def followed(self, ann: Visitor, store: Sessions) -> Iterator[str | None]:
        """One who is known already: her row, which nobody else visits, is set and read."""
        jar: Jar = ann.jar
        for _ in range(FOLLOWED):
            held = self._random.randint(100, 10**6)
            store.set_count(ann.uid, held)
            jar, problem = self._visit(jar, held + 1)
            yield problem and f"{problem}; the row had been set to {held}"
            now = store.counts([ann.uid]).get(ann.uid)
            if now != held + 1:
                yield f"the row holds {now} after a visit that was answered with {held + 1}"

    def gone_on(self) -> Iterator[str | None]:
        """Both continue from where they were."""
        return (self._comes(who, count) for who, count in ((0, 4), (1, 3)))

    def _comes(self, who: int, count: int) -> str | None:
        self._jars[who], problem = self._visit(self._jars[who], count)
        return problem

    def _visit(self, jar: Jar, count: int) -> tuple[Jar, str | None]:
        """The cookies after a visit with `jar`, and what is wrong with its answer."""
        self._probe.forget_cookies()
        line = "; ".join(f"{name}={value}" for name, value in jar.items())
        answer = self._probe.get("/", headers={"Cookie": line.encode()} if jar else {})
        told = dict(set_cookies(answer.headers.get_list("set-cookie")))
        return {**jar, **told}, problem_of(answer, count)
