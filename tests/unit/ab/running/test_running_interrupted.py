"""Two running services whose comparison the user ends: what was measured is the answer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from webdyno.ab.compare import ComparisonResult
from webdyno.ab.conclusion.answer_differences import AnswersCompared
from webdyno.ab.running.comparison import RunningComparison
from webdyno.ab.running.listeners import ListeningService
from webdyno.ab.running.table import ENTRIES, GENERATOR_SHARE
from webdyno.ab.study.confidence import FigureKey
from webdyno.catalog.descriptions.description import Description
from webdyno.cli import ab as command
from webdyno.cli.hit import compare as hit_compare
from webdyno.cli.hit.options import Options


def comparison(folder: Path, monkeypatch: pytest.MonkeyPatch, blocks: int) -> RunningComparison:
    """One that Ctrl-C ends after so many blocks."""
    left = list(range(blocks))

    def block(self: RunningComparison, kinds: Sequence[str]) -> None:
        if not left:
            raise KeyboardInterrupt
        turn = left.pop()
        for kind in kinds:
            seen = {
                FigureKey(kind, "throughput_rps"): 1000.0 + turn,
                FigureKey(kind, "p50_us"): 9.0,
            }
            seen[FigureKey(kind, GENERATOR_SHARE)] = 0.1
            self._figures.add({entry: dict(seen) for entry in ENTRIES})

    monkeypatch.setattr(RunningComparison, "_ask", lambda self: AnswersCompared(1))
    monkeypatch.setattr(RunningComparison, "_warm_up", lambda self, kinds, began: None)
    monkeypatch.setattr(RunningComparison, "_block", block)
    service = ListeningService("http://localhost/", "localhost", "127.0.0.1", 80, "/", None)
    described = Description.model_validate(
        {"name": "x", "requests": ["GET /"], "budget": 60.0, "load": {"kinds": ["full"]}}
    )
    return RunningComparison([service, service], described, folder, lambda _text: None)


@pytest.mark.parametrize("blocks", [0, 1, 2])
def test_what_was_measured_is_the_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, blocks: int
) -> None:
    made = comparison(tmp_path, monkeypatch, blocks)
    answer = made.run()
    assert made.interrupted
    assert len(answer.claims) == (1 if blocks else 0)
    assert bool(answer.secondary_figures) == bool(blocks)
    assert any(note.startswith("interrupted") for note in answer.notes)


def test_ab_writes_it_and_says_that_it_was_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = comparison(tmp_path / "work", monkeypatch, 2)
    result = ComparisonResult(made.run(), interrupted=made.interrupted)
    files = command.AbFiles(json=tmp_path / "a.json")
    assert command._finish(result, files) == 130
    assert '"exit_code": 130' in (tmp_path / "a.json").read_text(encoding="utf-8")
    assert "interrupted" in capsys.readouterr().out


def test_so_does_hit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEBDYNO_HOME", str(tmp_path))
    comparison(tmp_path / "work", monkeypatch, 2)
    service = ListeningService("http://localhost/", "localhost", "127.0.0.1", 80, "/", None)
    monkeypatch.setattr("webdyno.ab.running.listeners.running", lambda url, option: service)
    urls = ("http://localhost/", "http://localhost/")
    assert hit_compare.hit(urls, Options(), tmp_path / "a.json") == 130
    assert '"exit_code": 130' in (tmp_path / "a.json").read_text(encoding="utf-8")
