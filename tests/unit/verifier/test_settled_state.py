"""State that still moves after a load is waited for, and not for ever."""

from __future__ import annotations

from itertools import chain, count, repeat

import pytest

from webdyno.verifier import Breakdown, settled_state


def test_what_moves_for_a_while_is_seen_once_it_rests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settled_state, "QUIET_S", 0.02)
    states = chain([1, 2, 3], repeat(4))
    assert settled_state.at_rest(lambda: next(states), "the table") == 4


def test_what_never_rests_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settled_state, "QUIET_S", 0.02)
    monkeypatch.setattr(settled_state, "REST_WITHIN_S", 0.05)
    states = count()
    with pytest.raises(Breakdown, match="the table still changed"):
        settled_state.at_rest(lambda: next(states), "the table")
