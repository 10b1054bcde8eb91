"""A lie is told before a fault that was found earlier, and a fault alone is told as it was."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from webdyno.trial import life
from webdyno.trial.proof.lie import lie_before
from webdyno.verifier import Breakdown, Excess, Mismatch

FAULT = Excess("not proven: it held no more than 16 connections: 41 or more in 9 of them")
LIE = Mismatch("not proven: the answer follows the file: n=1 was answered 'a'", seen="'a'")


def test_a_lie_is_told_first_and_the_fault_after_it() -> None:
    with pytest.raises(Mismatch) as found, lie_before(FAULT):
        raise LIE
    assert str(found.value) == f"{LIE}; {FAULT}"
    assert not found.value.is_breakdown


def test_the_fault_is_told_where_no_lie_shows() -> None:
    with pytest.raises(Excess) as found, lie_before(FAULT):
        pass
    assert found.value is FAULT
    with pytest.raises(Excess) as found, lie_before(FAULT):
        raise Breakdown("GET /queries: no answer")
    assert found.value is FAULT


def test_without_a_fault_all_is_told_as_it_is() -> None:
    with lie_before(None):
        pass
    with pytest.raises(Mismatch) as found, lie_before(None):
        raise LIE
    assert found.value is LIE


@pytest.mark.parametrize(("found", "told"), [(LIE, f"{LIE}; {FAULT}"), (None, str(FAULT))])
def test_who_holds_too_much_is_verified_again_all_the_same(
    found: Mismatch | None, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def raising(error: Mismatch | None) -> Any:
        def made(*_: object) -> None:
            if error is not None:
                raise error

        return made

    monkeypatch.setattr(life, "audit", raising(FAULT))
    monkeypatch.setattr(life, "verify_again", raising(found))
    monkeypatch.setattr(life, "life_of", lambda *_: 1.0)
    counts = SimpleNamespace(ok=1, by_kind=dict)
    some: Any = SimpleNamespace(
        load=SimpleNamespace(result=None), measurement=SimpleNamespace(throughput_rps=1.0),
        counts=counts, followed=0, answered_before=0,
    )  # fmt: skip
    started: Any = SimpleNamespace(server=SimpleNamespace(process=None), verifier=some, probe=some)
    monkeypatch.setattr(life, "rhythm_of", lambda *_: None)
    with pytest.raises(Mismatch) as raised:
        life._audit(some, some, started, some, some)
    assert str(raised.value) == told
    assert some.answered_before == 1
