"""The verifier of one's own service: every request is answered as it should be, and the answers to
the same questions are kept of both versions, to be compared."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import urlsplit

import httpx

from webdyno.ab.study.authority import OWN_NAMES, Authority, bracketed
from webdyno.ab.study.statuses import CookieState, Redirect, remedy_of_status
from webdyno.catalog.descriptions.description import Description
from webdyno.catalog.loads.load import Closed
from webdyno.catalog.scenarios.checks import StatusCheck
from webdyno.catalog.scenarios.request import Request
from webdyno.catalog.scenarios.scenario import Scenario, ScenarioManifest
from webdyno.errors import UserError
from webdyno.generators.drawn import DrawnRequest, draw
from webdyno.generators.job import Job
from webdyno.redaction import without_secrets
from webdyno.runtime.services import ServiceError
from webdyno.runtime.services.registry import look_for, run_seed
from webdyno.verifier import Preparation, Probe, Sample, Verifier
from webdyno.verifier.base import shorten
from webdyno.verifier.records import QuestionAnswer

NAME = "requests"
"""Of the scenario."""

SEEDS = "seeds"
"""What is in it: a folder for each service, with the SQL that is run in it."""

WORK = "scenario.json"
"""The scenario's manifest, in its folder."""

VERIFIER = (
    '"""Made by Webdyno for one run."""\n\n'
    "from webdyno.ab.study.proof import RequestsVerifier as Scenario\n"
)
"""What stands in the scenario's folder as its verifier."""

MOST_QUESTIONS, MOST_ROUNDS = 24, 3

_SEED = 1
"""The same for every version, so that all are asked the same."""


class RequestsVerifier(Verifier):
    """Asks what the load asks, with the same values of every version."""

    def prepare(self) -> Preparation:
        for name, files in _seeds(self.folder):
            for file in files:
                try:
                    run_seed(name, self.services_as_owner, file)
                except ServiceError as error:
                    raise ServiceError(f"services.{name}.seed: {error}") from None
        return Preparation()

    def verify(self, probe: Probe) -> None:
        answers: list[QuestionAnswer] = []
        url = urlsplit(probe.base_url)
        own = Authority(url.hostname or "", url.port or 80)
        visitor = Visitor(self.folder)
        for question, expected in questions(self.folder):
            visitor.before(probe)
            answer = probe.request(
                question.method,
                question.path,
                headers=dict(question.headers),
                content=question.body,
            )
            status = answer.status_code
            is_right = 200 <= status < 300 if expected is None else status == expected
            request_line = request_text(question)
            self.expect(
                f"{request_line} is answered {'2xx' if expected is None else expected}",
                is_right,
                f"answered {status}" + ("" if is_right else _instead(answer, visitor)),
            )
            visitor.after(answer)
            # Each start listens on another port.
            headers, body = own.left_out(answer.headers.multi_items(), answer.content)
            answers.append(QuestionAnswer(request_line, status, headers, body))
        if self.phase == "before":
            self.question_answers = answers

    def audit(self, samples: Sequence[Sample]) -> None:
        self.expect_samples(samples)


def _instead(answer: httpx.Response, visitor: Visitor) -> str:
    """What a wrong answer holds, and what helps."""
    body = shorten(answer.text, 120) if answer.text.strip() else "(empty)"
    return f": {body}{visitor.remedy_of(answer)}"


class Visitor:
    """Who asks the questions in `folder`, one after the other: a user with cookies where those of
    the load keep them, else a new one each time."""

    def __init__(self, folder: Path) -> None:
        manifest = _asked_in(folder)
        self._keeps_cookies = manifest.cookies
        self._of_several = len(manifest.requests) > 1
        self._answers, self._cookie_set = 0, False

    def before(self, probe: Probe) -> None:
        """Make ready for the next question."""
        if not self._keeps_cookies:
            probe.forget_cookies()

    def after(self, answer: httpx.Response) -> None:
        """Note what an answer says of the questions after it."""
        self._answers += 1
        self._cookie_set |= "set-cookie" in answer.headers

    def remedy_of(self, answer: httpx.Response) -> str:
        """What helps against an answer whose status is wrong, as the end of a sentence."""
        return remedy_of_status(
            answer.status_code,
            _redirect(answer),
            answer.text,
            self._of_several,
            self._cookie_state(),
        )

    def _cookie_state(self) -> CookieState:
        if self._cookie_set:
            return "sent" if self._keeps_cookies else "not sent"
        if not self._keeps_cookies:
            return "unused"
        return "not set" if self._answers else "first"


def _redirect(answer: httpx.Response) -> Redirect:
    """Where an answer leads."""
    location, asked = answer.headers.get("location", ""), answer.request
    told = shorten(without_secrets(location).partition("?")[0], 80)
    try:
        leads = urlsplit(location)
        named = urlsplit(f"//{asked.headers.get('host', '')}").hostname or ""
        host = leads.hostname or named
    except ValueError:  # Brackets that hold no address.
        return Redirect(told, own=False)
    own = bracketed(host) in (bracketed(named), bracketed(asked.url.host), *OWN_NAMES)
    return Redirect(told, leads.path, own, leads.path == asked.url.path)


def _asked_in(folder: Path) -> ScenarioManifest:
    return ScenarioManifest.model_validate_json((folder / WORK).read_text(encoding="utf-8"))


def scenario_of(description: Description, folder: Path, seeds: Path | None = None) -> Scenario:
    """What a service is asked, written to `folder`, with its data from the folder `seeds`.

    Without `seeds`, services are those that run already. Raises `UserError` where it is not said
    what the service is asked, and for a seed that is not there.
    """
    if not description.requests:
        raise UserError(
            "no requests; give --request 'GET /path', or add `requests` to webdyno.toml"
        )
    manifest = ScenarioManifest(
        name=NAME,
        title=f"The requests of {description.name}",
        description="",
        cookies=description.cookies,
        variables=description.variables,
        requests=description.templates(),
        services=list(description.services) if seeds else [],
    )
    folder.mkdir(parents=True, exist_ok=True)
    (folder / WORK).write_text(manifest.model_dump_json(indent=1), encoding="utf-8")
    (folder / manifest.verifier).write_text(VERIFIER, encoding="utf-8")
    if seeds is not None:
        for name, data in description.services.items():
            _keep_seeds(name, data.seed, seeds, folder / SEEDS / name)
    # Each is asked about once, however often the load sends it.
    mixed = manifest.model_copy(update={"requests": description.mix()})
    return Scenario(manifest=mixed, folder=folder)


def check_services(description: Description) -> None:
    """Raises `UserError` for services that there are not, or that are not installed."""
    for name in description.services:
        try:
            look_for(name)
        except ServiceError as error:
            raise UserError(f"services.{name}: {error}") from None


def _keep_seeds(name: str, files: Sequence[str], source: Path, into: Path) -> None:
    """Copies, numbered in their order: all starts have the same, whatever happens meanwhile."""
    into.mkdir(parents=True, exist_ok=True)
    for number, file in enumerate(files):
        if not (source / file).is_file():
            raise UserError(f"services.{name}.seed: no file {file} in {source}; check the path")
        own = into / f"{number:03d}"
        own.mkdir(exist_ok=True)
        shutil.copyfile(source / file, own / Path(file).name)


def _seeds(folder: Path) -> Iterator[tuple[str, list[Path]]]:
    for service in sorted((folder / SEEDS).glob("*")):
        yield service.name, sorted(service.glob("*/*"))


def questions(folder: Path) -> Iterator[tuple[DrawnRequest, int | None]]:
    """The requests that every version is asked, each with the right status; None for any 2xx."""
    manifest = _asked_in(folder)
    whole = manifest.model_copy(update={"order": "sequence"})
    shape = Closed(kind="closed", connections=1, duration=1.0)
    rounds = max(1, min(MOST_ROUNDS, MOST_QUESTIONS // len(manifest.requests)))
    job = Job(scenario=whole, load=shape, port=0, cpus=(), seed=_SEED)
    expected = {request.name: _status(request) for request in manifest.requests}
    for drawn in draw(job, rounds):
        yield drawn, expected[drawn.name]


def request_text(question: DrawnRequest) -> str:
    """What answers and faults call a question: its method and its path, without secrets in it."""
    return without_secrets(f"{question.method} {question.path}")


def _status(request: Request) -> int | None:
    statuses = (check.equals for check in request.checks if isinstance(check, StatusCheck))
    return next(statuses, None)
