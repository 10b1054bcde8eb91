"""Which server all others of a column are compared with, and when it gives way to another."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from support.study_with import study_with
from support.synthetic_run import build_run
from unit.board.test_board import HERE, START, column, piece
from webdyno.board import columns
from webdyno.board.columns import columns_of, with_another, with_piece
from webdyno.board.link import Interval
from webdyno.board.pieces import EntrySources, Piece, piece_of
from webdyno.board.state import BoardColumn
from webdyno.catalog import Catalog
from webdyno.errors import UserError
from webdyno.runtime.services import ServiceError
from webdyno.store.agenda import PlanRecord
from webdyno.store.store import Store

MADE = EntrySources("source", "work", {})
APART = Interval(1.9, 2.1)
Columns = Callable[..., list[BoardColumn]]


def of(reference: str, *others: str, scenario: str = "json", day: int = 0) -> Piece:
    return replace(
        piece({}),
        links={(one, reference): APART for one in others},
        made=dict.fromkeys((reference, *others), MADE),
        run=f"run-{day}",
        started=START,
        scenario=scenario,
        reference=reference,
    )


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Columns:
    """`columns_of` the catalog beside given pieces, newest first, with all toolchains there."""

    def columns_with(pieces: Sequence[Piece], **chosen: object) -> list[BoardColumn]:
        monkeypatch.setattr(
            columns,
            "_pieces",
            lambda _, study: [one for one in pieces if study == f"board-{one.scenario}"],
        )
        for name, gives in (
            ("server_digest", "source"),
            ("scenario_digest", "work"),
            ("toolchains_of", {}),
            ("versions_of", {}),
            ("_conditions", HERE),
        ):
            monkeypatch.setattr(columns, name, lambda *_, gives=gives: gives)
        with contextlib.closing(Store.open(tmp_path / "store.db")) as store:
            return columns_of(Catalog(), store, **chosen)  # type: ignore[arg-type]

    return columns_with


LINKED = ("go/gin", "node/fastify", "python/flask", "rust/actix")


def test_a_narrowed_session_keeps_the_reference_that_links_the_board(asked: Columns) -> None:
    pieces = [of("rust/axum", *LINKED)]
    narrow = ["go/gin", "node/fastify"]
    (seen,) = asked(pieces, scenarios=["json"], servers=narrow)
    assert seen.reference == "rust/axum"
    assert seen.entries == [*narrow, "rust/axum"]
    # Also where a session measured against another one meanwhile.
    (seen,) = asked([of("go/gin", "node/fastify", day=1), *pieces], scenarios=["json"])
    assert seen.reference == "rust/axum"
    assert set(seen.standing().linked) == {"rust/axum", *LINKED}


def test_a_narrowed_session_of_what_was_never_measured_measures_no_other_server(
    asked: Columns,
) -> None:
    narrow = ["go/gin", "node/fastify"]
    (seen,) = asked([], scenarios=["json"], servers=narrow)
    assert sorted(seen.entries) == narrow
    assert seen.reference in narrow


def test_a_reference_that_a_piece_could_not_build_is_not_kept_by_it(asked: Columns) -> None:
    unbuilt = replace(of("rust/axum", *LINKED), made=dict.fromkeys(LINKED, MADE), links={})
    (seen,) = asked([unbuilt], scenarios=["json"])
    assert seen.reference in seen.entries


@pytest.mark.slow
def test_the_named_reference_is_used_where_it_can_serve(asked: Columns) -> None:
    seen = {one.scenario: one for one in asked([], reference="node/express")}
    able = Catalog().server("node/express").manifest.scenarios
    assert seen.keys() - set(able)
    for name, one in seen.items():
        assert (one.reference == "node/express") == (name in able)
    with pytest.raises(UserError, match="--reference nginx/static: cannot serve scenario json"):
        asked([], scenarios=["json"], reference="nginx/static")


@pytest.mark.slow
def test_a_scenario_that_no_server_implements_is_left_out(
    asked: Columns, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = Catalog.servers
    without = [one for one in before(Catalog()) if "stack-3" not in one.manifest.scenarios]
    monkeypatch.setattr(Catalog, "servers", lambda _: without)
    assert "stack-3" in Catalog().scenario_names()
    seen = {one.scenario for one in asked([])}
    assert "json" in seen
    assert "stack-3" not in seen
    with pytest.raises(UserError, match="scenario stack-3: no server implements it"):
        asked([], scenarios=["stack-3"])


def test_a_scenario_whose_service_is_missing_is_not_available_here(
    asked: Columns, monkeypatch: pytest.MonkeyPatch
) -> None:
    def look_for(name: str) -> None:
        if name == "mariadb":
            raise ServiceError("MariaDB is not installed")

    monkeypatch.setattr(columns, "look_for", look_for)
    seen = {one.scenario: one for one in asked([], scenarios=["json", "point-lookup"])}
    assert seen["json"].entries
    lacking = seen["point-lookup"]
    assert (lacking.entries, lacking.new(), lacking.reference) == ([], [], "")
    assert "MariaDB is not installed" in lacking.unavailable["go/gin"]
    with pytest.raises(UserError, match=r"can be built here \(MariaDB is not installed\)"):
        asked([], scenarios=["point-lookup"])


def test_a_reference_that_could_not_be_built_gives_way() -> None:
    unbuilt = replace(piece({("b", "c"): APART}), made={"b": MADE, "c": MADE})
    assert with_piece(column(), unbuilt).reference in ("b", "c")
    short = replace(unbuilt, no_time=frozenset("a"))
    assert with_piece(column(), short).reference == "a"
    # Nor where the user interrupted before its turn.
    cut = replace(unbuilt, status="interrupted")
    assert with_piece(column(), cut).reference == "a"


def test_what_takes_its_place_links_the_most_and_can_be_built() -> None:
    pieces = [piece({("b", "c"): APART, ("d", "c"): APART})]
    assert with_another(column(*pieces)).reference == "c"
    assert with_another(column(*pieces), unable=["c"]).reference in ("b", "d")
    assert with_another(column(), unable=["b", "c", "d"]).reference == "a"


def test_a_piece_knows_for_whom_there_was_no_time() -> None:
    run = build_run(blocks=5, seconds=2)
    plan = PlanRecord.model_construct(left_out=["x"], given_up=["y"])
    named = study_with(run.study, {"name": "board-json"})
    for held, without in ((run.plan, frozenset()), (plan, frozenset("xy"))):
        found = piece_of(run.model_copy(update={"study": named, "plan": held}))
        assert found is not None
        assert found.no_time == without
