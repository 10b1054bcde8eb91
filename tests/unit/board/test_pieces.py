"""What a run says as a piece of the board: who got a place, and who is measured again."""

from __future__ import annotations

import pytest

from support.study_with import study_with
from support.synthetic_run import build_run
from webdyno.board.link import piece_error
from webdyno.board.pieces import CurrentSources, Piece, piece_of
from webdyno.board.schedule import next_piece
from webdyno.board.state import BoardColumn
from webdyno.store.agenda import PlanRecord
from webdyno.store.verdicts import NotRanked


@pytest.mark.parametrize("status", ["ok", "failed"])
def test_who_was_left_out_for_want_of_time_waits_for_a_place(status: str) -> None:
    run = build_run(blocks=5, seconds=2)
    entry = run.trials[-1].entry
    left = NotRanked(entry=entry, reason="one valid trial; three are needed")
    plan = PlanRecord(
        question="?",
        scenario="json",
        load="c",
        metric="throughput_rps",
        servers=[entry],
        budget_s=1.0,
        all_s=2.0,
        cells=[],
        entries=[entry],
        given_up=[entry],
    )
    trials = [t.model_copy(update={"status": status}) for t in run.trials if t.entry == entry]
    found = piece_of(
        run.model_copy(
            update={
                "study": study_with(run.study, {"name": "board-json"}),
                "verdicts": [run.verdicts[0].model_copy(update={"not_ranked": [left]})],
                "trials": trials,
                "plan": plan,
            }
        )
    )
    assert found is not None
    assert found.open == ({entry} if status == "ok" else set())


@pytest.mark.parametrize(("bad", "is_open"), [(1, True), (2, False)])
def test_one_of_three_trials_that_failed_is_no_last_word(bad: int, is_open: bool) -> None:
    run = build_run(blocks=3, seconds=2, scenarios=("json",))
    entry = "node/http"
    mine = [trial for trial in run.trials if trial.entry == entry]
    for trial in mine[:bad]:
        trial.status, trial.reason = "failed", "lost"
    left = NotRanked(entry=entry, reason="two valid trials; three are needed")
    found = piece_of(
        run.model_copy(
            update={
                "study": study_with(run.study, {"name": "board-json"}),
                "verdicts": [run.verdicts[0].model_copy(update={"not_ranked": [left]})],
            }
        )
    )
    assert found is not None
    assert (entry in found.open) is is_open
    today = CurrentSources(found.conditions, found.made)
    servers = BoardColumn("json", list(found.made), {}, found.reference, today, [found])
    assert bool(servers.failed(entry)) is not is_open


def test_a_pair_that_shared_too_few_blocks_is_no_link_but_spends_error() -> None:
    run = build_run(blocks=4, seconds=2, scenarios=("json",))
    verdict = run.verdicts[0]
    thin = [one.model_copy(update={"outcome": "too few blocks"}) for one in verdict.ratios]
    for kept in (thin, [*thin[1:], verdict.ratios[0]]):
        found = piece_of(
            run.model_copy(
                update={
                    "study": study_with(run.study, {"name": "board-json"}),
                    "verdicts": [verdict.model_copy(update={"ratios": kept})],
                }
            )
        )
        assert found is not None
        assert len(found.links) == len(kept) - sum(one in thin for one in kept)
        today = CurrentSources(found.conditions, found.made)
        servers = BoardColumn("json", list(found.made), {}, found.reference, today, [found])
        assert {servers.judged(one) for one in found.made} == {1}
        # It is measured again, and that is judged as the second piece it is.
        again = next_piece([servers])
        assert again is not None
        assert again.why == "measured, but not enough"
        assert again.confidence == pytest.approx(1 - piece_error(2))


def test_a_run_of_one_block_is_a_piece_of_too_few() -> None:
    def made_of(blocks: int) -> Piece | None:
        run = build_run(blocks=blocks, seconds=2)
        return piece_of(
            run.model_copy(update={"study": study_with(run.study, {"name": "board-json"})})
        )

    one, five = made_of(1), made_of(5)
    assert one is not None
    assert five is not None
    assert (one.too_few, five.too_few) == (True, False)


def test_a_piece_is_known_by_its_record_and_not_by_its_studys_name() -> None:
    run = build_run(blocks=5, seconds=2)
    named = run.model_copy(update={"study": study_with(run.study, {"name": "board-json"})})
    # A record of a version that did not tell it.
    assert (found := piece_of(named)) is not None
    assert found.scenario == "json"
    # A study of a user's own that is called like one.
    assert piece_of(named.model_copy(update={"board": ""})) is None
    of_board = piece_of(run.model_copy(update={"board": "json"}))
    assert of_board is not None
    assert of_board.scenario == "json"
