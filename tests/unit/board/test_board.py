"""The board: what pieces say together, what still holds, and what is measured next."""

from __future__ import annotations

import math
import random
import statistics
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from webdyno.board.columns import with_piece
from webdyno.board.forecast import forecast
from webdyno.board.link import ERROR, Interval, Standing, intersected, piece_error
from webdyno.board.matrix import BoardCell, Heading, Matrix, Row
from webdyno.board.pieces import CurrentSources, EntrySources, Piece, PieceConditions
from webdyno.board.schedule import next_piece, unfinished
from webdyno.board.show import lines
from webdyno.board.state import BoardColumn
from webdyno.cli.main import main
from webdyno.verdict.sequential.looks import LEAST_BLOCKS

HERE = PieceConditions("machine", "6.1", "1.0", "cpu 0", {"kind": "closed"})
MADE = {name: EntrySources(f"source of {name}", "json", {"go": "1.25"}) for name in "abcd"}
START = datetime(2026, 11, 1, tzinfo=UTC)


def piece(
    links: dict[tuple[str, str], Interval],
    *,
    day: int = 0,
    made: dict[str, EntrySources] | None = None,
    conditions: PieceConditions = HERE,
    left_out: dict[str, str] | None = None,
    warming: str = "",
) -> Piece:
    entries = {*(name for pair in links for name in pair), *(left_out or {}), "a"}
    return Piece(
        run=f"run-{day}",
        scenario="json",
        reference="a",
        started=START + timedelta(days=day),
        status="finished",
        conditions=conditions,
        made={name: (made or MADE)[name] for name in sorted(entries)},
        links=links,
        left_out=left_out or {},
        open=frozenset(warming),
        judged=bool(links),
    )


def column(*pieces: Piece, scenario: str = "json", entries: str = "abcd") -> BoardColumn:
    today = CurrentSources(HERE, {name: MADE[name] for name in entries})
    return BoardColumn(scenario, list(entries), {}, "a", today, list(pieces))


def test_errors_of_all_pieces_together_are_those_of_the_board() -> None:
    spent = math.fsum(piece_error(attempt) for attempt in range(1, 10_000))
    assert ERROR * 0.999 < spent < ERROR


def test_intersections_hold_as_often_as_promised_however_often_one_looks() -> None:
    draw = random.Random(5)
    missed = 0
    normal = statistics.NormalDist()
    for _ in range(2000):
        found = []
        for attempt in range(1, 9):
            z = normal.inv_cdf(1 - piece_error(attempt) / 2)
            middle = draw.gauss(0.0, 0.05)
            found.append(Interval(math.exp(middle - z * 0.05), math.exp(middle + z * 0.05)))
        together = intersected(found)
        missed += together.contradicted or not together.low <= 1 <= together.high
    assert missed / 2000 <= ERROR + 0.015


def test_pieces_that_exclude_each_other_settle_nothing() -> None:
    found = intersected([Interval(1.1, 1.2), Interval(1.3, 1.4)])
    assert found == Interval(1.1, 1.4, contradicted=True)
    assert found.relation(0.03) == "unknown"


def test_the_newest_pieces_decide_where_they_agree_and_older_ones_do_not() -> None:
    newest, same, old = Interval(1.2, 1.22), Interval(1.1, 1.9), Interval(0.3, 0.7)
    assert intersected([newest, same, old]) == newest
    assert intersected([same, old]) == Interval(0.3, 1.9, contradicted=True)
    # What two said before the newest one is as narrow as they were together.
    assert intersected([old, newest, same]) == Interval(0.3, 1.22, contradicted=True)
    assert intersected([newest]) == newest


def test_servers_of_different_pieces_are_linked_through_the_reference() -> None:
    standing = Standing(
        "a",
        {("b", "a"): Interval(1.9, 2.1), ("a", "c"): Interval(0.9, 1.1),
         ("d", "a"): Interval(1.8, 2.0)},
        0.03,
    )  # fmt: skip
    assert standing.relation("b", "c") == "better"
    assert standing.relation("c", "b") == "worse"
    # 1.9/2.0 to 2.1/1.8: the link does not tell them apart.
    assert standing.relation("b", "d") == "unknown"
    assert [standing.place(one) for one in "abcd"] == [(3, 4), (1, 2), (3, 4), (1, 2)]
    assert {pair[1:] for pair in standing.open_pairs()} == {("a", "c"), ("b", "d")}


def test_a_direct_comparison_decides_what_the_link_leaves_open() -> None:
    links = {("b", "a"): Interval(1.9, 2.1), ("d", "a"): Interval(1.8, 2.0)}
    standing = Standing("a", {**links, ("b", "d"): Interval(0.98, 1.02)}, 0.03)
    assert standing.relation("b", "d") == "equal"
    assert standing.place("b") == (1, 2)


def test_what_was_never_measured_comes_first() -> None:
    wanted = next_piece([column()])
    assert wanted is not None
    assert wanted.entries == ("a", "b", "c", "d")
    assert wanted.confidence == pytest.approx(1 - ERROR / 2)


SETTLED = piece(
    {("b", "a"): Interval(1.9, 2.1), ("c", "a"): Interval(2.9, 3.1), ("d", "a"): Interval(3.9, 4.1)}
)
SHORT = replace(piece({}, left_out={"b": ""}), left_out={}, too_few=True)
"""Of `a` and `b`, for which there was no time for blocks enough."""


def test_nothing_is_measured_again_where_everything_is_settled() -> None:
    assert next_piece([column(SETTLED)]) is None


@pytest.mark.parametrize(
    ("made", "why"),
    [
        (EntrySources("older source of c", "json", {"go": "1.25"}), "its source changed"),
        (EntrySources("source of c", "json", {"go": "1.24"}), "go changed"),
    ],
)
def test_of_a_changed_server_alone_is_measured_anew(made: EntrySources, why: str) -> None:
    changed = piece(dict(SETTLED.links), made={**MADE, "c": made})
    wanted = next_piece([column(changed)])
    assert wanted is not None
    assert (wanted.entries, wanted.why) == (("a", "c"), why)
    assert column(changed).attempts("c") == 0


def test_what_a_changed_reference_linked_is_told_to_have_changed_with_it() -> None:
    made = {**MADE, "a": EntrySources("older source of a", "json", {"go": "1.25"})}
    found = column(piece(dict(SETTLED.links), made=made))
    assert found.stale("a") == "its source changed"
    assert found.stale("b") == "its reference changed"
    wanted = next_piece([found])
    assert wanted is not None
    assert (wanted.entries, wanted.why) == (("a", "b", "c", "d"), "its reference changed")
    # As where another has taken its place.
    other = replace(column(SETTLED), reference="b")
    assert [other.stale(one) for one in "acd"] == ["", *["its reference changed"] * 2]
    assert [column(SETTLED).stale(one) for one in "abcd"] == [""] * 4
    short = piece({}, left_out={"b": ""})
    assert column(short).stale("b") == ""


@pytest.mark.parametrize("key", ["machine", "kernel", "webdyno", "placement"])
def test_another_machine_kernel_or_webdyno_voids_all(key: str) -> None:
    other = PieceConditions(**{**HERE.__dict__, key: "other"})
    wanted = next_piece([column(piece(dict(SETTLED.links), conditions=other))])
    assert wanted is not None
    assert wanted.entries == ("a", "b", "c", "d")


def test_a_changed_scenario_voids_that_scenario_alone() -> None:
    made = {name: EntrySources(one.server, "before", one.versions) for name, one in MADE.items()}
    changed = column(piece(dict(SETTLED.links), made=made), scenario="hello")
    wanted = next_piece([column(SETTLED), changed])
    assert wanted is not None
    assert (wanted.scenario, wanted.why) == ("hello", "the scenario changed")


def test_the_most_uncertain_comparison_is_next_with_more_time_and_a_smaller_error() -> None:
    wide = piece({("b", "a"): Interval(0.7, 1.5), ("c", "a"): Interval(0.9, 1.1),
                  ("d", "a"): Interval(5, 6)})  # fmt: skip
    wanted = next_piece([column(wide)])
    assert wanted is not None
    # b and c through the reference are wider than either of them to it.
    assert wanted.entries == ("a", "b", "c")
    assert wanted.confidence == pytest.approx(1 - ERROR / 6)
    first = next_piece([column(entries="abc")])
    assert first is not None
    assert wanted.seconds == first.seconds


def test_servers_without_a_place_get_the_fewest_blocks_and_those_with_one_all_that_fit() -> None:
    first = next_piece([column(entries="abc")])
    assert first is not None
    assert first.blocks == LEAST_BLOCKS
    # Also those whose compilers get warm late have time for these.
    assert first.seconds == 3 * first.likely_s
    second = next_piece([column(piece({("b", "a"): Interval(0.7, 1.5)}), entries="ab")])
    assert second is not None
    assert second.blocks is None
    assert second.likely_s == second.seconds


def test_a_piece_of_too_few_blocks_takes_time_but_spends_no_error() -> None:
    wanted = next_piece([column(piece({}, left_out={"b": "", "c": "", "d": ""}))])
    first = next_piece([column()])
    assert wanted is not None
    assert first is not None
    assert wanted.seconds == 2 * first.seconds
    assert wanted.confidence == first.confidence
    # A server that loses a trial now and then gets its three in more of them.
    assert (first.blocks, wanted.blocks) == (LEAST_BLOCKS, 2 * LEAST_BLOCKS)


def test_one_that_failed_waits_for_a_change_and_one_still_warming_does_not() -> None:
    links = {("b", "a"): Interval(1.9, 2.1), ("d", "a"): Interval(3.9, 4.1)}
    assert next_piece([column(piece(links, left_out={"c": "3 of 3 trials did not count"}))]) is None
    warming = piece(links, left_out={"c": "not settled: still warming"}, warming="c")
    wanted = next_piece([column(warming)])
    assert wanted is not None
    assert wanted.entries == ("a", "c")


def test_one_that_had_a_place_and_failed_since_has_none_and_is_not_measured_again() -> None:
    links = {("b", "a"): Interval(1.0, 1.5), ("c", "a"): Interval(2.9, 3.1)}
    links |= {("d", "a"): Interval(3.9, 4.1)}
    lied = piece({("c", "a"): Interval(2.9, 3.1)}, day=1, left_out={"b": "disqualified: it lies"})
    both = column(lied, piece(links))
    assert next_piece([column(piece(links))]) is not None
    assert next_piece([both]) is None
    assert both.standing().linked == ["a", "c", "d"]
    assert both.failed("b") == "disqualified: it lies"


def test_a_difference_below_the_margin_is_a_tie_as_in_the_pieces_own_report() -> None:
    standing = Standing("a", {("b", "a"): Interval(1.005, 1.02)}, 0.03)
    assert standing.relation("b", "a") == "equal"
    assert standing.place("b") == standing.place("a") == (1, 2)
    assert not standing.open_pairs()


def test_a_reference_that_is_not_ranked_gives_way() -> None:
    bound = piece({("b", "c"): Interval(1.1, 1.2)}, left_out={"a": "generator-bound"})
    changed = with_piece(column(), bound)
    assert changed.reference in ("b", "c")
    assert with_piece(column(), SETTLED).reference == "a"


def test_what_this_sitting_could_not_measure_is_not_tried_again() -> None:
    tried = {("json", name) for name in "bcd"}
    assert next_piece([column()], tried) is None


def test_the_matrix_says_place_interval_date_and_what_is_missing() -> None:
    made = {**MADE, "c": EntrySources("older source of c", "json", {"go": "1.25"})}
    older = piece(dict(SETTLED.links), made=made)
    shown = column(older)
    standing = shown.standing()
    assert standing.place("d") == (1, 1)
    assert standing.linked == ["a", "b", "d"]
    assert shown.stale("c") == "its source changed"
    newer = piece({("c", "a"): Interval(0.4, 0.5)}, day=3)
    both = column(newer, older)
    assert both.stale("c") == ""
    assert both.standing().place("c") == (4, 4)
    assert both.newest("c") is newer
    assert both.newest("d") is older


def test_what_many_cells_have_in_common_is_one_line_and_a_contradiction_has_a_remedy() -> None:
    lacking = {f"go/{n}": {"point-lookup": BoardCell("unavailable", "no MariaDB")} for n in "abcde"}
    doubtful = {"node/x": {"json": BoardCell("placed", contradicted=True, of=1)}}
    rows = [Row(name, "", "", "", cells) for name, cells in {**lacking, **doubtful}.items()]
    headings = [Heading("point-lookup", "", (), 0), Heading("json", "node/y", (), 0)]
    said = lines(Matrix(headings, rows, 0.95))
    assert "reference: node/y in json" in said
    assert "5 servers in point-lookup: no MariaDB" in said
    assert [one for one in said if one.startswith("node/x in json") and "webdyno doctor" in one]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["board", "--blocks", "3"], "the board takes --budget"),
        (["board", "--resume", "latest"], "the board takes --budget"),
        (["quick", "--reference", "go/gin"], "--reference is for `run board`"),
    ],
)
def test_options_that_do_not_go_with_it_are_refused(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", *arguments]) == 2
    assert said in capsys.readouterr().err


def goes_on_with(*columns: BoardColumn) -> list[str]:
    """The pieces that a sitting goes on with."""
    return [piece.run for piece in unfinished(columns)]


def test_a_piece_without_blocks_enough_is_gone_on_with_like_one_that_was_interrupted() -> None:
    assert goes_on_with(column(SHORT)) == ["run-0"]
    assert goes_on_with(column(replace(SHORT, status="interrupted", too_few=False))) == ["run-0"]
    assert goes_on_with(column(replace(SHORT, too_few=False))) == []
    # It holds no more, or its servers have places by now.
    changed = {**MADE, "b": EntrySources("other", "json", {"go": "1.25"})}
    assert goes_on_with(column(replace(SHORT, made={"a": MADE["a"], "b": changed["b"]}))) == []
    placed = piece({("a", "b"): Interval(1.2, 1.3)}, day=-1)
    assert goes_on_with(column(SHORT, placed, entries="ab")) == []


def test_what_a_sitting_begins_with_is_foretold() -> None:
    nothing = Matrix([], [], 0.95)

    def first(*pieces: Piece) -> str:
        return forecast([column(*pieces)], nothing).lines()[-1]

    assert first() == "first: json: a, b, c, d (not measured yet)"
    assert first(SHORT) == "first: json: run run-0 goes on, which had no time for enough blocks"
    cut = replace(SHORT, status="interrupted", too_few=False)
    assert first(cut) == "first: json: run run-0 goes on, which was interrupted"
    assert first(SETTLED) == "everything is settled"
