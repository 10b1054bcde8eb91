"""What is stopped and removed after a trial, whatever goes wrong there."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from webdyno.trial import clean_up
from webdyno.trial.state import TrialState


def test_a_verifier_that_cannot_close_leaves_no_service_and_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails() -> None:
        raise OSError("its file is gone")

    stopped: list[str] = []
    service: Any = SimpleNamespace(stop=lambda: stopped.append("service"), exit_code=lambda: None)
    state = TrialState(status="ok", services=[service])
    verifier: Any = SimpleNamespace(close=fails)
    state.verifier = verifier
    root = tmp_path / "trial"
    root.mkdir()
    plan: Any = SimpleNamespace(log=tmp_path / "log")
    folders: Any = SimpleNamespace(root=root)
    monkeypatch.setattr(clean_up, "stop", lambda *_: None)
    monkeypatch.setattr(clean_up.reasons, "of_services", lambda _: "")
    clean_up.clean_up(plan, state, lambda _: None, folders)
    assert stopped == ["service"]
    assert not root.exists()
    assert (state.status, state.lie) == ("error", "")
    assert "its file is gone" in state.reason
