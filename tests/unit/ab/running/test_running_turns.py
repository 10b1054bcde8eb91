"""What is asked of running services before they are compared, to know how long turns must be."""

from __future__ import annotations

from pathlib import Path

import pytest

from webdyno.ab import compare
from webdyno.ab.flags import Flags
from webdyno.ab.request.pair_request import PairRequest
from webdyno.ab.running.comparison import RunningComparison
from webdyno.ab.running.listeners import ListeningService
from webdyno.ab.study.confidence import FigureKey
from webdyno.ab.study.proof import questions
from webdyno.catalog.descriptions.description import Description
from webdyno.runtime.home import Home


@pytest.mark.parametrize(
    ("kinds", "asked"),
    [
        (["full"], []),
        (["full", "steady"], ["a", "b"]),
        (["full", "alone"], ["a", "b"]),
        (["full", "steady", "alone"], ["a", "b"]),
    ],
)
def test_a_single_user_asks_only_for_the_loads_that_need_it(
    kinds: list[str], asked: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    monkeypatch.setattr(RunningComparison, "_first_rate_rps", lambda _self, _entry: 1000.0)
    monkeypatch.setattr(
        RunningComparison, "_alone_s", lambda _self, entry: (seen.append(entry), 0.001)[1]
    )
    description = Description.model_validate(
        {"name": "shop", "requests": ["GET /"], "load": {"kinds": kinds}, "budget": "1m"}
    )
    services = [
        ListeningService(
            f"http://localhost:{port}/", f"localhost:{port}", "127.0.0.1", port, "/", 1
        )
        for port in (1, 2)
    ]
    comparison = RunningComparison(services, description, tmp_path, lambda _text: None)
    comparison._warm_up(kinds, 0.0)
    assert seen == asked
    assert set(comparison._turns) == set(kinds)


@pytest.mark.parametrize(
    ("kinds", "pid", "single"),
    [
        (["full", "steady"], 1, 0),
        (["full", "steady"], None, 0),
        (["full"], None, 0),
        (["full", "steady", "alone"], 1, 2),
        (["full", "alone"], None, 2),
    ],
)
def test_all_that_is_said_of_two_services_is_wrong_in_5_percent_at_most(
    kinds: list[str], pid: int | None, single: int, tmp_path: Path
) -> None:
    description = Description.model_validate(
        {"name": "shop", "requests": ["GET /", "GET /a"], "load": {"kinds": kinds}, "budget": "1m"}
    )
    service = ListeningService("http://localhost:1/", "localhost:1", "127.0.0.1", 1, "/", pid)
    sure = RunningComparison(
        [service, service], description, tmp_path, lambda _text: None
    )._confidences
    wrong = [1 - one for one in sure.about_all.values()] + single * [1 - sure.single]
    assert sum(wrong) == pytest.approx(0.05)
    assert (
        FigureKey("full", "cpu_us_per_request") in sure.about_all
        or pid is None
        or "full" not in kinds
    )


@pytest.mark.parametrize(("given", "made"), [(None, 256), (8, 8)])
def test_the_steady_load_has_as_many_connections_as_it_is_given(
    given: int | None, made: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RunningComparison, "_first_rate_rps", lambda _self, _entry: 1000.0)
    monkeypatch.setattr(RunningComparison, "_alone_s", lambda _self, _entry: 0.001)
    description = Description.model_validate(
        {"name": "shop", "requests": ["GET /"], "load": {"kinds": ["steady"]}, "budget": "1m"}
    )
    service = ListeningService("http://localhost:1/", "localhost:1", "127.0.0.1", 1, "/", 1)
    comparison = RunningComparison(
        [service, service], description, tmp_path, lambda _text: None, steady_connections=given
    )
    comparison._warm_up(["steady"], 0.0)
    assert comparison._steady is not None
    assert comparison._steady.connections == made


@pytest.mark.parametrize("flags", [Flags(status=404), Flags()])
def test_the_status_that_is_right_is_that_of_the_urls_own_request(
    flags: Flags, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, int | None]] = []

    def ask(self: RunningComparison) -> None:
        found = questions(self._work.folder)
        asked.extend((question.path, right) for question, right in found)
        raise KeyboardInterrupt

    def found(url: str) -> ListeningService:
        return ListeningService(url, "localhost:1", "127.0.0.1", 1, "/gone?a=1", 1)

    monkeypatch.setattr(RunningComparison, "_ask", ask)
    monkeypatch.setattr(compare, "running", found)
    monkeypatch.setattr(compare, "private_folder", lambda _folder: tmp_path)
    request = PairRequest(tmp_path, urls=["http://localhost:1/gone?a=1"] * 2, flags=flags)
    compare.compare_running(request, Home(tmp_path), lambda _event: None)
    assert set(asked) == {("/gone?a=1", flags.status)}
