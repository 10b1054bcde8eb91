"""The benchmark of `ab`: its file, its shares, its draws and its words."""

import os
import random
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from benchmarks.ab.calibrate import Slower
from benchmarks.ab.journal import Journal
from benchmarks.ab.live import word_of
from benchmarks.ab.resampled import blocks_of, resample, shuffled
from benchmarks.ab.services import LANGUAGES, Service
from benchmarks.ab.shares import Share
from benchmarks.ab.tables import beside, false_alarms, found
from benchmarks.verdicts.ratio import Interval

from webdyno.errors import UserError
from webdyno.store.records import TrialRecord
from webdyno.store.store import Store

LABELS = ("items/a", "items/b")


def trial(server: str, block: int, index: int, load: str = "full", **more: bool) -> TrialRecord:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return TrialRecord(
        run_id="x", index=index, server=server, scenario="requests", load=load, block=block,
        order=0, status="ok", started=at, finished=at, **more,
    )  # fmt: skip


def test_a_few_rounds_are_what_their_part_of_many_is() -> None:
    many = Slower(300, Interval(2.0, 1.9, 2.1), us=50.0)
    few = many.for_slower(0.05)
    assert few == 15
    told = many.at(few)
    assert told.rounds == 15
    ends = told.ratio.low, told.ratio.ratio, told.ratio.high
    assert ends == pytest.approx((1.045, 1.05, 1.055))
    # What costs nothing that could be measured is not divided by.
    assert Slower(300, Interval(1.0, 0.9, 1.1), us=50.0).for_slower(0.05) == 1


class Listening(Service):
    """A service that needs no build."""

    def command(self, rounds: int) -> str:
        return f"{sys.executable} serve.py {rounds}"


SERVES = """
import http.server, os
address = ("127.0.0.1", int(os.environ["PORT"]))
http.server.HTTPServer(address, http.server.BaseHTTPRequestHandler).serve_forever()
"""


def test_a_service_runs_on_the_cores_that_it_is_given_or_on_all(tmp_path: Path) -> None:
    (tmp_path / "serve.py").write_text(SERVES)
    service, mine = Listening("python"), os.sched_getaffinity(0)
    one = {min(mine)}
    with service.running(tmp_path, 0) as (pid, _):
        assert os.sched_getaffinity(pid) == mine
    with service.running(tmp_path, 0, one) as (pid, _):
        assert os.sched_getaffinity(pid) == one


def test_a_line_that_was_cut_off_is_measured_again(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "ab.jsonl")
    journal.add("found", pair=0)
    with journal.path.open("a") as file:
        file.write('{"part": "found", "pa')
    journal.add("found", pair=2)
    assert [line["pair"] for line in journal.lines("found")] == [0, 2]
    assert journal.has("found", pair=2)
    assert not journal.has("found", pair=1)
    assert not journal.has("others", pair=2)


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "ab.jsonl"
    path.write_text("[1]\n")
    with pytest.raises(UserError, match=r"ab.jsonl:1: no result"):
        Journal(path).lines("found")


@pytest.mark.parametrize(
    ("seen", "of", "low", "high"),
    [(0, 60, 0.0, 0.0596), (1, 60, 0.00042, 0.0894), (12, 12, 0.7354, 1.0), (0, 0, 0.0, 1.0)],
)
def test_shares_have_exact_intervals(seen: int, of: int, low: float, high: float) -> None:
    share = Share.count(seen, of)
    assert (share.low, share.high) == (pytest.approx(low, abs=1e-4), pytest.approx(high, abs=1e-4))


def test_better_of_anything_is_a_false_alarm_of_the_same() -> None:
    same, better, open_ = ({"outcome": word} for word in ("same", "better", "open"))
    assert word_of([same, better], "no worse") == "better"
    assert word_of([same, open_], "not settled") == "open"
    assert word_of([same], "no worse") == "same"
    # The answer is that B does not do its work.
    assert word_of([], "worse") == "worse"
    lines = [{"said": word} for word in ("better", "worse", "same", "open")]
    assert false_alarms(lines).startswith("false alarms: 2 of 4 ")
    assert found(lines).startswith("found: 1 of 4 ")
    wrk = {"tool": "wrk", "slower": 0.05, "said": "worse"}
    assert "| wrk | 5.0% | 1 of 1 (100.0% [2.5%, 100.0%]) | 0 of 1" in beside([], [wrk])[-1]


def test_only_whole_blocks_are_drawn_from() -> None:
    whole = [trial("items/a", 0, 0), trial("items/b", 0, 1), trial("items/a", 0, 2, control=True)]
    part = [trial("items/a", 0, 3, "steady"), trial("items/b", 0, 4, "steady")]
    assert list(blocks_of([*whole, *part])) == [("full", tuple(whole))]


def test_pairs_of_another_machine_are_not_drawn_from(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "ab.jsonl")
    journal.add("false-alarms", pair=0, language="go", run="20260101-000000-elsewhere")
    with (
        closing(Store.open(tmp_path / "store.sqlite")) as store,
        pytest.raises(UserError, match="go: this machine's store has 0 whole blocks"),
    ):
        resample(journal, store, ["go"], 1, 0.0, 300.0, tmp_path)


def test_each_trial_of_a_block_is_as_often_a_as_b_or_the_control() -> None:
    block = (trial("items/a", 0, 0), trial("items/b", 0, 1), trial("items/a", 0, 2, control=True))
    marked = tuple(
        one.model_copy(update={"start_seconds": float(place)}) for place, one in enumerate(block)
    )
    draw, seen = random.Random(1), []
    for _ in range(600):
        made = shuffled(marked, LABELS, draw, 0.0, (4, 12))
        assert {one.entry for one in made} == {one.entry for one in block}
        assert [(one.block, one.index) for one in made] == [(4, 12), (4, 13), (4, 14)]
        seen.append(next(one.start_seconds for one in made if one.entry == LABELS[1]))
    assert all(150 < seen.count(float(place)) < 250 for place in range(3))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_service_is_described(language: str) -> None:
    service = Service(language)
    assert service.command(7).endswith(" 7")
    assert [request.path for request in service.description.templates()] == ["/items/{id}"]
