"""How long a proof loads a server, and what it shows of one that failed."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from webdyno.cli import verify as command
from webdyno.run import verify
from webdyno.store.counts import RequestCounts
from webdyno.store.records import EvidenceRecord


@pytest.mark.parametrize(
    ("counts", "loads"),
    [
        ({"ok": 100, "unfinished": 4}, [0.5]),
        ({"ok": 0, "unfinished": 4}, [0.5, verify.PATIENT_S]),
        ({"ok": 0, "unfinished": 4, "wrong_status": 2}, [0.5]),
        ({"ok": 0, "refused": 9}, [0.5]),
        (None, [0.5]),
    ],
)
def test_a_slow_server_gets_a_longer_load(
    counts: dict[str, int] | None, loads: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[float] = []

    def proven(*given: Any) -> Any:
        made.append(given[-1].duration)
        trial: Any = SimpleNamespace(
            measurement=counts and SimpleNamespace(counts=RequestCounts(**counts))
        )
        return trial

    monkeypatch.setattr(verify, "_prove", proven)
    nothing: Any = None
    verify.prove(nothing, nothing, nothing, nothing)
    assert made == loads


@pytest.mark.parametrize(
    ("reason", "said", "shown"),
    [
        ("not proven: answered 500", "TypeError: no\n    at x", "TypeError: no\n    at x"),
        ("exited with 2 at start: no\tsuch", "no such", ""),
        ("not proven: answered 500", "", ""),
        ("", "started", ""),
    ],
)
def test_what_a_failed_server_printed_is_shown_unless_its_reason_tells(
    reason: str, said: str, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    trial: Any = SimpleNamespace(evidence=[], log_tail=said)
    scenario: Any = SimpleNamespace(id="hello", manifest=SimpleNamespace(services=[]))
    monkeypatch.setattr(verify, "prove", lambda *_: trial)
    monkeypatch.setattr(verify, "faults_of", lambda _: [reason] if reason else [])
    nothing: Any = None
    found = verify._verify(SimpleNamespace(label="a/b"), scenario, nothing, nothing)  # type: ignore[arg-type]
    assert (found.outcome, found.log) == ("failed" if reason else "proven", shown)


def test_the_log_of_a_failed_server_stands_below_its_finding(
    capsys: pytest.CaptureFixture[str],
) -> None:
    command.show_finding(
        verify.VerifyFinding("a/b", "hello", "failed", "answered 500", log="one\ntwo")
    )
    assert capsys.readouterr().out.splitlines() == [
        "FAILED a/b hello answered 500",
        "         the last lines of its log:",
        "         | one",
        "         | two",
    ]


def test_the_remedy_of_a_claim_that_failed_stands_below_the_complaint(
    capsys: pytest.CaptureFixture[str],
) -> None:
    evidence = [
        EvidenceRecord(claim="it answers", ok=True),
        EvidenceRecord(claim="it is flushed", ok=False, remedy="flush after each event"),
    ]
    command.show_finding(
        verify.VerifyFinding("a/b", "sse", "failed", "not proven", evidence, "one")
    )
    assert capsys.readouterr().out.splitlines() == [
        "FAILED a/b sse not proven",
        "         remedy: flush after each event",
        "         the last lines of its log:",
        "         | one",
    ]


def test_a_contract_is_pointed_to_only_where_a_server_answered(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = [EvidenceRecord(claim="it is right", ok=False, detail="")]
    findings = [
        verify.VerifyFinding("a/b", "hello", "failed", "exited with 2 at start"),
        verify.VerifyFinding("a/b", "json", "failed", "not proven", broken),
    ]
    monkeypatch.setattr(verify, "verify_servers", lambda *_: findings)
    assert command._verify([], None, False) == 1
    said = capsys.readouterr().err
    assert "list json" in said
    assert "list hello" not in said
