"""How long a proof loads a server: longer where half a second is too short for an answer."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from webdyno.run import verify
from webdyno.store.counts import RequestCounts


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
        return SimpleNamespace(
            measurement=counts and SimpleNamespace(counts=RequestCounts(**counts))
        )

    monkeypatch.setattr(verify, "_prove", proven)
    nothing: Any = None
    verify.prove(nothing, nothing, nothing, nothing)
    assert made == loads
