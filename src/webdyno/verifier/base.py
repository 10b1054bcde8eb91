"""The base class of every scenario's verifier."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import httpx

from webdyno.errors import UserError
from webdyno.printable import one_line
from webdyno.verifier.probe import Probe
from webdyno.verifier.probe_messages import is_kept
from webdyno.verifier.records import (
    Breakdown,
    Change,
    Evidence,
    Mismatch,
    Preparation,
    QuestionAnswer,
    Sample,
    Spent,
)

Restart = Callable[[Mapping[str, str]], AbstractContextManager[Probe]]
"""Starts the server once more, beside the first, with these variables in place of what `prepare`
gave; gives a probe of it for the length of a `with`, after which it is stopped."""

_DETAIL_CHARACTERS = 300


class Verifier:
    """Proves, for one trial, that a server does a scenario's work. One instance a trial.

    The trial calls `prepare`, starts the server, calls `verify` with `phase` "before" and, in
    some trials, `verify_restarted`, warms the server up, calls `before_load`, makes the load, calls
    `audit`, `reconcile` and `account` with `phase` "during", and `verify` again with `phase`
    "after", which catches a server that starts to cheat once it is warm.

    `parameters` are the scenario's, with the study's overrides; `folder` is the scenario's;
    `random` draws the fresh inputs. `work` holds what the server reads: it cannot write there.
    `written` is where it writes what the verifier reads, such as a log; a link may stand there in
    the place of any file, so nothing is written there, and read only as `AccessLog` does. Both are
    removed after the trial.
    """

    in_a_crowd: ClassVar[bool] = False
    """Whether the second `verify` may be made while the load goes on: it must not matter to it that
    others ask, too, nor to them what it changes."""

    asked_again: ClassVar[int] = 100
    """About how many questions the second `verify` asks one after the other, by which a load is
    found beside which they do not take too long."""

    held_at_once: ClassVar[int] = 0
    """Connections of its own, beside the probe's, that the second `verify` needs to have answered
    while it holds all of them."""

    samples: ClassVar[int] = 200
    """How many answers of the load `audit` is given, drawn at random: what shows in pairs of
    answers, or near a moment, takes more."""

    warm_up_samples: ClassVar[int] = 0
    """How many answers of each load of the warm-up `warmed` is given, drawn so, without bodies."""

    reads_the_day: ClassVar[bool] = False
    """Whether it holds times of day that a server tells against the system's clock: what it finds
    of a trial in which that was set proves nothing."""

    bounds: ClassVar[Mapping[str, tuple[int | str, int | None]]] = {}
    """Parameters that are whole numbers: the least, or the parameter that says it, and the most.
    They are checked before anything is built; `whole` reads them."""

    def __init__(
        self,
        *,
        parameters: Mapping[str, Any],
        folder: Path,
        work: Path,
        random: Random,
        written: Path | None = None,
    ) -> None:
        self.parameters: dict[str, Any] = dict(parameters)
        self.folder = folder
        self.work = work
        self.written = written or work
        self.random = random
        self.phase = "before"
        self.keep_alive = True
        """Whether the server keeps connections, by its manifest; else it must close each one."""
        self.services: dict[str, str] = {}
        """Variables by which the scenario's services are reached, as the server gets them."""
        self.services_as_owner: dict[str, str] = {}
        """The same for the owner of the tables: a server has no rights but to their rows, and does
        not know this password."""
        self.bring_in: Callable[[Any, Mapping[str, str]], object] | None = None
        """Brings a table into a service by its variables, where that is on another machine."""
        self.evidence: list[Evidence] = []
        self.question_answers: list[QuestionAnswer] = []
        """Answers to questions that are the same for every server, to compare them by."""
        self.counted: dict[str, int] = {}
        """What the answers of the load did, counted by `reconcile`, such as rows inserted: reports
        set what a published method did beside the sound one."""
        self.thorough = True
        """Whether `reconcile` takes its time, such as ten seconds until counters are whole: in the
        first trial of a run that passes, and in few of those that follow."""
        self.answered_before = 0
        """Right answers to the load's requests that the server gave before it, as far as they are
        known: in the warm-up, and in the loads before. Counters that tell of work late tell of
        theirs under the load."""
        self.sampled_from = 0
        """Right answers of the load that `audit` is given samples of. Where several loads were
        made, as in a search, it is one of them, and the counts that `reconcile` is given are those
        of all."""
        self.goes_on = False
        """Whether the load asked all the while, as a closed one does that takes no turns."""
        self.followed = 0
        """Counters under load that went on from a count that `change` had set."""
        self.held: dict[str, int] = {}
        """What the server holds after the load, such as connections to a database."""
        self.opened = ExitStack()
        """What it keeps open to the end of the trial, such as its own connection to a database."""

    def close(self) -> None:
        """Close what it has `opened`. The trial calls it before services stop."""
        self.opened.close()

    def prepare(self) -> Preparation:
        """Set up what the server needs: files, environment, values drawn, answers expected."""
        return Preparation()

    def verify(self, probe: Probe) -> None:
        """Ask the server and check its answers in full. Raises `Mismatch`."""
        raise NotImplementedError

    def verify_beside_load(self, probe: Probe) -> None:
        """Where the second `verify` has to be alone: ask what shows by its answers alone, while the
        load goes on. It comes after that `verify`, and nothing is counted any more. Raises
        `Mismatch`."""

    def verify_restarted(self, probe: Probe, restart: Restart) -> None:
        """Show what takes another start of the server to see, such as that it heeds a value of its
        environment; `probe` is of the first. Raises `Mismatch`.

        Called in the first trial of a run that gets so far, after the first `verify`, and in few of
        those that follow, since each start takes its time. All starts have the trial's services and
        folder in common.
        """

    def audit(self, samples: Sequence[Sample]) -> None:
        """Check sampled answers of the load in full. Raises `Mismatch`.

        Only for generators that keep samples: to be given none is a mismatch too, since nothing
        would then be known of the load's answers.
        """
        raise NotImplementedError

    def before_warm_up(self) -> None:
        """Read what services have counted before the warm-up. Raises `Mismatch`."""

    def warmed(self, samples: Sequence[Sample], answers: int) -> None:
        """A load of the warm-up is over: note the work of its right `answers` that late counters
        will add to that of the load. Called only where `warm_up_samples` is more than 0."""

    def before_load(self, probe: Probe) -> None:
        """Read the state of services that `reconcile` will compare. Raises `Mismatch`.

        Called after the warm-up, whose requests the measured load's counts do not include; what
        it left in the server's queues may still be on its way.
        """

    def change(self) -> Change | None:
        """The next change of state to make while the measured load runs; None for no (further) one.

        Called at random moments of it, on another thread. It must be atomic for a server that reads
        meanwhile: requests under way are answered by the old state or by the new, later ones by the
        new alone. `audit` comes after the last one.
        """
        return None

    def reconcile(self, probe: Probe, counts: Mapping[str, int]) -> None:
        """Compare the state of services with the load's `counts` of answers. Raises `Mismatch`."""

    def account(self, spent: Spent) -> None:
        """Hold the least that the load's answers can cost against what they did cost, where the
        work has a floor. Raises `Mismatch`.

        The floor must be one that no honest server is below, however well it is made: a liar saves
        most of the work, not a tenth of it.
        """

    def expect(self, claim: str, ok: bool, detail: str = "", *, remedy: str = "") -> None:
        """Record that `claim` held or not, with what was seen and, where it did not, the `remedy`:
        what usually mends such a server. Raises `Mismatch` where not."""
        detail = shorten(detail)
        self.evidence.append(Evidence(claim, ok, detail, self.phase, "" if ok else remedy))
        if not ok:
            message = f"not proven: {claim}: {detail}" if detail else f"not proven: {claim}"
            raise Mismatch(message, seen=detail)

    def expect_each(self, claim: str, problems: Iterable[str | None], *, remedy: str = "") -> None:
        """Record `claim` about many answers: it holds where none of them has a problem.

        `problems` is consumed up to the first one, so that a generator asks no further.
        """
        problem = next(filter(None, problems), None)
        self.expect(claim, problem is None, problem or "", remedy=remedy)

    def expect_samples(self, samples: Sequence[Sample]) -> None:
        """Record that the load left answers to audit. Raises `Breakdown` where it left none: what
        was wrong with all the others is told by their counts."""
        kept = f"{len(samples)} answers"
        try:
            self.expect("answers of the load were kept for the audit", bool(samples), kept)
        except Mismatch as mismatch:
            raise Breakdown(str(mismatch)) from None

    def expect_http(self, answer: httpx.Response) -> None:
        """Record that the server speaks HTTP/1.1 and, before the load, keeps the connection of
        `answer` open, or closes it where its manifest says so: beside many others, or after many
        answers, any server may close one. Raises `Breakdown` where it failed at the answer, after
        which a server may well close it, too."""
        if answer.is_server_error:
            path, body = answer.url.raw_path.decode(), answer.content[:80]
            raise Breakdown(f"{path} was answered {answer.status_code}: {body!r}")
        right, claim = answer.http_version == "HTTP/1.1", "HTTP/1.1"
        if self.phase == "before":
            right = right and is_kept(answer) == self.keep_alive
            claim = "HTTP/1.1 with keep-alive"
            if not self.keep_alive:
                claim = "HTTP/1.1, the connection closed after the answer, as its manifest says"
        seen = f"{answer.http_version}, connection: {answer.headers.get('connection', 'not given')}"
        if not right and self.phase == "before" and not is_kept(answer) and self.keep_alive:
            seen += "; keep it open, or state `keep_alive = false` in the server's manifest"
        self.expect(claim, right, seen)

    def expect_not_found(self, probe: Probe, path: str) -> None:
        """Record that `path`, which no server has, is answered 404."""
        status = probe.get(path).status_code
        remedy = "answer 404 where no route has the whole path" if status < 500 else ""
        seen = f"{path} was answered {status}"
        self.expect("an unknown path is answered 404", status == 404, seen, remedy=remedy)

    @classmethod
    def check_parameters(cls, scenario: str, given: Mapping[str, Any]) -> None:
        """Raise `UserError` for one of the parameters `given`, all that `scenario` has, that lies
        outside of `bounds`."""
        for name, (least, most) in cls.bounds.items():
            if name in given:
                low = given[least] if isinstance(least, str) else least
                whole_number(scenario, name, given[name], low, most)

    def whole(self, name: str, least: int | None = None, most: int | None = None) -> int:
        """The parameter `name` as a whole number, from `least` (or 1) to `most` where they are not
        in `bounds`. Raises `UserError`."""
        low, high = self.bounds.get(name, (1, None))
        low = self.parameters[low] if isinstance(low, str) else low
        low, high = low if least is None else least, high if most is None else most
        return whole_number(self.folder.name, name, self.parameters[name], low, high)

    def token(self, length: int = 8) -> str:
        """Random lower-case hex digits: a name or a word that no server has seen before."""
        return f"{self.random.getrandbits(4 * length):0{length}x}"


def whole_number(scenario: str, name: str, value: Any, least: int, most: int | None) -> int:
    """`value`, which is that of the parameter `name`, if it is a whole number of least..most.
    Raises `UserError`."""
    whole = isinstance(value, int) and not isinstance(value, bool)
    if not whole or value < least or (most is not None and value > most):
        span = f"from {least} to {most}" if most is not None else f"of {least} or more"
        raise UserError(
            f"scenario {scenario}: parameter '{name}' is {value!r:.80}; give a whole number {span}"
        )
    return int(value)


def shorten(text: str, limit: int = _DETAIL_CHARACTERS) -> str:
    """`text` on one line, fit to be shown, cut where it is longer than `limit` characters."""
    line = one_line(text)
    return line if len(line) <= limit else line[: limit - 1] + "…"


def media_problem(content_type: str, expected: str) -> str | None:
    """Why `content_type` is not the media type `expected` in UTF-8; None where it is.

    A charset may be left out, since frameworks differ in giving one; another one is wrong.
    """
    media, *parameters = (part.strip().lower() for part in content_type.split(";"))
    if media != expected:
        lacks = "" if content_type else " (the answer has no such header)"
        return f"content-type is '{content_type}', not '{expected}'{lacks}"
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "charset" and value.strip().strip('"') not in ("utf-8", "utf8"):
            return f"content-type is '{content_type}', but the charset must be utf-8"
    return None
