"""A sitting in which something cannot be measured goes on with what can."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

import pytest

from unit.board.test_board import MADE, SHORT, column, piece
from webdyno.board import sitting
from webdyno.board.link import Interval
from webdyno.board.pieces import Piece
from webdyno.board.sitting import Sitting
from webdyno.board.state import BoardColumn
from webdyno.catalog.studies.study_tables import Blocks
from webdyno.errors import UserError
from webdyno.run.budget.budget import Budget
from webdyno.run.settings import RunEnvironment, RunSettings
from webdyno.store.agenda import PlanRecord
from webdyno.store.records import RunRecord, Skipped, now
from webdyno.store.stored_study import StoredStudy
from webdyno.verdict.sequential.looks import LEAST_BLOCKS

WORK = {"a": 1.0, "b": 2.0, "c": 4.0, "d": 8.0}


@dataclass
class Bench:
    """Instead of a machine: servers in `unbuilt` cannot be built, there is no time for those in
    `no_time`, the scenario `refused` cannot be measured, and a run is `interrupted` once those in
    it were measured. `asked` are the pieces that were wanted, `blocks` the most that each could
    have."""

    unbuilt: str = ""
    no_time: str = ""
    refused: str = ""
    interrupted: str | None = None
    asked: list[str] = field(default_factory=list)
    made: dict[str, Piece] = field(default_factory=dict)
    blocks: list[int] = field(default_factory=list)

    def run_study(
        self, study: Any, _environment: RunEnvironment, settings: RunSettings
    ) -> RunRecord:
        required_entry = settings.required_entry
        # A run that goes on tells it already.
        assert settings.board == (study.scenario if required_entry else "")
        self.asked.append(f"{study.scenario} {''.join(study.entries)}")
        if study.scenario == self.refused:
            raise UserError(f"scenario {study.scenario}: MariaDB is not installed")
        run = RunRecord(id=f"run-{len(self.asked)}", study=StoredStudy(), command="", started=now())
        run.skipped = [
            Skipped(server=one, reason="npm failed") for one in study.entries if one in self.unbuilt
        ]
        if self.interrupted is not None:
            run.status = "interrupted"
        if self.no_time:
            run.plan = PlanRecord.model_construct(left_out=list(self.no_time), given_up=[])
        done = study.entries if self.interrupted is None else self.interrupted
        without = {*self.unbuilt, *self.no_time}
        there = [one for one in done if one not in without]
        if required_entry in there or (self.interrupted and there):
            ratios = {
                one: WORK[one] / WORK[required_entry] for one in there if one != required_entry
            }
            links = {
                (one, required_entry): Interval(r * 0.99, r * 1.01) for one, r in ratios.items()
            }
            if run.status == "interrupted":
                links = {}
            self.made[run.id] = replace(
                piece(links),
                run=run.id,
                scenario=study.scenario,
                reference=required_entry,
                status=run.status,
                made={one: MADE[one] for one in there},
            )
        return run

    def measure(self, monkeypatch: pytest.MonkeyPatch, *columns: BoardColumn) -> list[str]:
        """Hold a sitting to its end; gives what it told."""

        def study_for(_: Any, scenario: str, entries: tuple[str, ...]) -> Any:
            study = SimpleNamespace(scenario=scenario, entries=entries, blocks=Blocks())

            def model_copy(update: dict[str, Any]) -> Any:
                self.blocks.append(update["blocks"].max)
                return study

            study.model_copy = model_copy
            return study

        monkeypatch.setattr(sitting, "run_study", self.run_study)
        monkeypatch.setattr(sitting, "study_for", study_for)
        monkeypatch.setattr(sitting, "piece_of", lambda run: self.made.get(run.id))
        catalog: Any = SimpleNamespace(
            server_variant=lambda name: SimpleNamespace(server=SimpleNamespace(build_id=name))
        )
        nothing: Any = None
        told: list[str] = []
        environment = RunEnvironment(catalog, nothing, nothing)
        self.held = Sitting(environment, list(columns), Budget(60.0), told.append)
        self.held.measure()
        return told


def test_a_scenario_that_cannot_be_measured_does_not_end_the_session(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bench = Bench(refused="hello")
    told = bench.measure(monkeypatch, column(scenario="hello"), column())
    assert bench.asked == ["hello abcd", "json abcd"]
    assert "hello: a, b, c, d cannot be measured: scenario hello: MariaDB is not installed" in told
    assert told[-1].startswith("nothing else can be measured now")
    assert set(bench.held.columns[1].standing().linked) == set("abcd")


def test_a_reference_that_cannot_be_built_gives_way_and_all_others_get_their_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bench = Bench(unbuilt="a")
    told = bench.measure(monkeypatch, column())
    assert bench.asked == ["json abcd", "json bcd"]
    assert "json: a could not be built; the reference is b" in told
    assert set(bench.held.columns[0].standing().linked) == set("bcd")


@pytest.mark.parametrize("measured", ["", "b"])
def test_a_reference_whose_turn_had_not_come_stays_where_the_user_interrupts(
    monkeypatch: pytest.MonkeyPatch, measured: str
) -> None:
    bench = Bench(interrupted=measured)
    told = bench.measure(monkeypatch, column())
    assert bench.asked == ["json abcd"]
    assert bench.held.columns[0].reference == "a"
    assert not any("could not be built" in line for line in told)


def test_a_reference_for_which_there_is_no_time_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench(no_time="a")
    told = bench.measure(monkeypatch, column())
    assert bench.held.columns[0].reference == "a"
    assert told[-2] == "json: no time for a, with which all others are compared"
    assert told[-1] == "nothing else can be measured now: 4 cells failed (see above)"


def test_no_time_is_lost_where_only_one_can_be_built(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench(unbuilt="abc")
    bench.measure(monkeypatch, column())
    assert bench.asked == ["json abcd"]


def test_pieces_that_contradict_each_other_are_measured_once_more_after_all_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def said(*ratios: float) -> list[Piece]:
        return [
            replace(piece({("b", "a"): Interval(r * 0.9, r * 1.1)}), run=f"before-{place}")
            for place, r in enumerate(ratios)
        ]

    bench = Bench()
    told = bench.measure(
        monkeypatch, column(*said(0.5, 1.5), entries="ab"), column(scenario="hello", entries="acd")
    )
    assert bench.asked == ["hello acd", "json ab"]
    assert bench.blocks == [LEAST_BLOCKS, Blocks().max]
    assert told[-1] == "everything is settled except where pieces contradict each other"
    assert bench.held.columns[0].standing().contradicting("a", "b") == ["b"]
    # Where the one more piece says what the newest said, that is what holds.
    bench = Bench()
    bench.measure(monkeypatch, column(*said(2.0, 1.5), entries="ab"))
    assert bench.asked == ["json ab"]
    assert bench.held.columns[0].standing().relation("b", "a") == "better"


def test_a_budget_that_is_spent_before_a_piece_goes_on_is_told() -> None:
    told: list[str] = []
    nothing: Any = None
    environment = RunEnvironment(nothing, nothing, nothing)
    Sitting(environment, [column(SHORT)], Budget(1.0), told.append).measure()
    assert told == ["the budget is spent; next: json: continuing run-0"]
