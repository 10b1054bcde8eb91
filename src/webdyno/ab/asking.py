"""What a running service answers to the questions of a description."""

from __future__ import annotations

from pathlib import Path

from webdyno.ab.listeners import Running
from webdyno.ab.proof import questions
from webdyno.store.findings import AskedRecord
from webdyno.verifier import Mismatch, Probe


def answers_of(service: Running, folder: Path) -> list[AskedRecord]:
    """What the service answers to the questions in `folder`. Raises `Mismatch` for a wrong status
    and where it does not answer."""
    found = []
    host = f"[{service.host}]" if ":" in service.host else service.host
    with Probe(f"http://{host}:{service.port}") as probe:
        for question, right in questions(folder):
            answer = probe.request(
                question.method,
                question.path,
                headers=dict(question.headers),
                content=question.body,
            )
            status, told = answer.status_code, f"{question.method} {question.path}"
            if not (200 <= status < 300 if right is None else status == right):
                raise Mismatch(f"{told} was answered {status}, not {right or '2xx'}")
            headers = answer.headers.multi_items()
            found.append(AskedRecord.of(told, status, headers, answer.content))
    return found
