"""What a running service answers to the questions of a description."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import httpx

from webdyno.ab.running.listeners import ListeningService
from webdyno.ab.study.authority import Authority, bracketed
from webdyno.ab.study.proof import Visitor, questions, request_text
from webdyno.generators.drawn import DrawnRequest
from webdyno.store.findings import QuestionAnswerRecord
from webdyno.verifier import Mismatch, Probe
from webdyno.verifier.probe import NOT_IN_TIME
from webdyno.verifier.records import Breakdown


def answers_of(service: ListeningService, folder: Path) -> list[QuestionAnswerRecord]:
    """What the service answers to the questions in `folder`. Raises `Mismatch` for a wrong status
    and where it does not answer. Its own address is left out of what it answers."""
    answers = []
    own, visitor = Authority(service.name, service.port), Visitor(folder)
    with Probe(f"http://{bracketed(service.host)}:{service.port}") as probe:
        for question, right in questions(folder):
            visitor.before(probe)
            answer = _answer(probe, service, question)
            status, request_line = answer.status_code, request_text(question)
            if not (200 <= status < 300 if right is None else status == right):
                expected = f"not {right or '2xx'}{visitor.remedy_of(answer)}"
                raise Mismatch(f"{request_line} was answered {status}, {expected}")
            visitor.after(answer)
            headers, body = own.left_out(answer.headers.multi_items(), answer.content)
            answers.append(QuestionAnswerRecord.of(request_line, status, headers, body))
    return answers


def _answer(probe: Probe, service: ListeningService, question: DrawnRequest) -> httpx.Response:
    """The answer to a question, which is asked once more where none came in time: on a starved
    machine that may be chance. Raises `Mismatch`."""
    ask = partial(
        probe.request,
        question.method,
        question.path,
        headers=_headers(service, dict(question.headers)),
        content=question.body,
    )
    try:
        return ask()
    except Breakdown as error:
        if NOT_IN_TIME not in str(error):
            raise
    return ask()


def _headers(service: ListeningService, headers: dict[str, str]) -> dict[str, str]:
    """Those of a request, with the `Host` that the load sends."""
    if any(name.lower() == "host" for name in headers):
        return headers
    return {"Host": service.authority, **headers}
