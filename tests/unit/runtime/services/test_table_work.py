"""How much of its work PostgreSQL has to have counted, and what is said where it cannot have."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from support.counters import ANSWERS, NOTHING, Counters
from support.services import wait_until
from webdyno.catalog.scenarios.scenario import read_scenario
from webdyno.runtime.services import RunningService, table_work
from webdyno.runtime.services.psql import Psql, find_psql
from webdyno.runtime.services.statements import Statements
from webdyno.runtime.services.table_work import TableWork, enough, least_told
from webdyno.trial.proof.prove import audit, verifier_of
from webdyno.verifier import Breakdown, Mismatch

SCENARIOS = Path(__file__).parents[4] / "scenarios"


@pytest.fixture(autouse=True)
def _impatient(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    # A PostgreSQL that is none has told all that it will tell.
    is_real = "service" in request.fixturenames
    monkeypatch.setattr(table_work, "TOLD_LATE_S", 0.2 if is_real else 0.01)
    if not is_real:
        monkeypatch.setattr(table_work, "AGAIN_S", 0.01)


def test_the_share_that_has_to_be_counted() -> None:
    new: Any = Counters(170_002)
    old: Any = Counters(140_010)
    assert [least_told(new, thorough=thorough) for thorough in (True, False)] == [0.99, 0.9]
    assert [least_told(old, thorough=thorough) for thorough in (True, False)] == [0.5, 0.5]


@pytest.mark.parametrize(
    ("number", "rows_each", "thorough", "is_enough"),
    [
        (20, 20.0, True, True),
        (20, 19.5, True, False),
        (20, 19.5, False, True),
        (20, 17.5, False, False),
        # Of 500 ids that may repeat, 487.7 differ.
        (500, 487.7, True, True),
        (500, 480.0, True, False),
        (500, 480.0, False, True),
        (500, 430.0, False, False),
    ],
)
def test_rows_that_a_request_draws_twice_are_looked_up_once(
    tmp_path: Path, number: int, rows_each: float, thorough: bool, is_enough: bool
) -> None:
    verifier: Any = verifier_of(read_scenario(SCENARIOS / "queries"), {"n": number}, tmp_path, 1)
    verifier.number, verifier.thorough = number, thorough
    verifier.statements = Statements({"PGUSER": "webdyno"}, "world")
    verifier.psql = Counters(170_002, round(rows_each * ANSWERS))
    verifier.before = NOTHING
    if is_enough:
        verifier.reconcile(None, {"ok": ANSWERS})
        return
    with pytest.raises(Mismatch, match="look-ups, 1000 answers") as found:
        verifier.reconcile(None, {"ok": ANSWERS})
    assert not found.value.is_breakdown


@pytest.mark.parametrize(
    ("found", "transactions", "is_enough"),
    [(20_000, 1000, True), (19_500, 1000, False), (20_000, 980, False), (20_000, 995, True)],
)
def test_requests_that_wait_do_not_share_what_is_read(
    tmp_path: Path, found: int, transactions: int, is_enough: bool
) -> None:
    """Look-ups that find nothing, or of which many are in one transaction, cost little."""
    verifier: Any = verifier_of(read_scenario(SCENARIOS / "queries"), {"n": 20}, tmp_path, 1)
    verifier.number, verifier.before = 20, NOTHING
    verifier.statements = Statements({"PGUSER": "webdyno"}, "world")
    verifier.psql = Counters(170_002, 20_000, found, transactions=transactions)
    if is_enough:
        verifier.reconcile(None, {"ok": ANSWERS})
        return
    with pytest.raises(
        Mismatch, match=f"{found} rows in {transactions} transactions, 1000 answers"
    ):
        verifier.reconcile(None, {"ok": ANSWERS})


@pytest.mark.parametrize("scenario", ["fortunes", "page"])
@pytest.mark.parametrize(
    ("rows", "transactions", "is_enough"),
    [(7000, 1000, True), (3507, 1000, False), (7000, 501, False), (6990, 1000, True)],
)
def test_all_rows_are_read_for_each_answer(
    tmp_path: Path, scenario: str, rows: int, transactions: int, is_enough: bool
) -> None:
    verifier: Any = verifier_of(read_scenario(SCENARIOS / scenario), {}, tmp_path, 1)
    verifier.fortunes = verifier.articles = list(range(7))
    verifier.before, verifier.sampled = NOTHING, ANSWERS
    verifier.statements = Statements({"PGUSER": "webdyno"}, scenario)
    verifier.psql = Counters(170_002, scanned=1000, passed=rows, transactions=transactions)
    if is_enough:
        verifier.reconcile(None, {"ok": ANSWERS})
        return
    with pytest.raises(Mismatch, match=f"{rows} rows of 7 in {transactions} transactions"):
        verifier.reconcile(None, {"ok": ANSWERS})


@pytest.mark.parametrize(
    ("told", "is_enough"), [(300, True), (250, True), (230, False), (200, False)]
)
def test_work_told_late_makes_up_for_none_of_the_load(
    tmp_path: Path, told: int, is_enough: bool
) -> None:
    """Of 250 answers before the load, PostgreSQL had told of the work for 200: it tells of the rest
    with that of the load."""
    verifier: Any = verifier_of(read_scenario(SCENARIOS / "queries"), {"n": 20}, tmp_path, 1)
    verifier.number, verifier.answered_before = 20, 250
    verifier.statements = Statements({"PGUSER": "webdyno"}, "world")
    verifier.before = TableWork(4000, 0, 0, 4000, 0, 200)
    requests = told + ANSWERS
    verifier.psql = Counters(170_002, 20 * requests, transactions=requests)
    if is_enough:
        verifier.reconcile(None, {"ok": ANSWERS})
        return
    with pytest.raises(Mismatch, match="1000 answers of 20 rows, and 50 of the warm-up"):
        verifier.reconcile(None, {"ok": ANSWERS})


@pytest.mark.slow
def test_connections_that_are_left_in_a_transaction_are_no_lie(service: RunningService) -> None:
    psql = Psql(service.as_owner)
    psql.rows("CREATE TABLE looked_into (id INTEGER PRIMARY KEY)")

    def asked() -> TableWork:
        return enough(
            psql, lambda: TableWork.of(psql, "looked_into"), lambda work: work.looked_up > 10**6
        )

    with left_in_a_transaction(service):
        wait_until(lambda: table_work._in_transaction(psql) == 1)
        with pytest.raises(
            Breakdown, match=r"idle in a transaction \(now 1\); end each transaction"
        ):
            asked()
    wait_until(lambda: table_work._in_transaction(psql) == 0)
    assert asked().looked_up == 0


@pytest.mark.slow
def test_rows_and_transactions_are_counted(service: RunningService) -> None:
    psql, server = Psql(service.as_owner), Psql(service.env)
    psql.rows(
        "CREATE TABLE read (id int PRIMARY KEY); INSERT INTO read SELECT generate_series(1, 9)"
    )
    before = TableWork.of(psql, "read")
    server.rows("SELECT id FROM read")
    server.rows("BEGIN; SELECT id FROM read; SELECT id FROM read; ROLLBACK")
    server.rows("SET enable_seqscan = off; SET enable_indexonlyscan = off")
    server.rows("UPDATE read SET id = 10 WHERE id = 3")
    server.close()

    def asked() -> TableWork:
        return enough(
            psql, lambda: TableWork.of(psql, "read").since(before), lambda d: d.updated == 1
        )

    done = asked()
    assert (done.read, done.scanned, done.passed) == (4, 3, 27)
    assert (done.looked_up, done.fetched) == (1, 1)
    assert done.transactions >= 5


@pytest.mark.slow
def test_a_server_s_own_table_of_that_name_is_another(service: RunningService) -> None:
    psql, server = Psql(service.as_owner), Psql(service.env)
    # The other way round it is refused.
    server.rows("CREATE TABLE webdyno.namesake (id int); SELECT id FROM webdyno.namesake")
    psql.rows("CREATE TABLE public.namesake (id int)")
    server.close()
    wait_until(lambda: psql.rows("SELECT sum(seq_scan) FROM pg_stat_user_tables") != [["0"]])
    assert TableWork.of(psql, "namesake").read == 0
    psql.rows("DROP TABLE public.namesake, webdyno.namesake")


@contextmanager
def left_in_a_transaction(service: RunningService) -> Iterator[None]:
    """A client of a server's that has begun one."""
    client = subprocess.Popen(
        [find_psql(), "-X", "-q"], stdin=subprocess.PIPE, env=service.env, text=True
    )
    assert client.stdin is not None
    client.stdin.write("BEGIN;\n")
    client.stdin.flush()
    try:
        yield
    finally:
        client.communicate(timeout=30)


@pytest.mark.parametrize(
    ("reconciled", "control", "thorough"),
    [(False, False, True), (True, False, False), (False, True, False)],
)
def test_a_trial_takes_its_time_where_it_is_planned_to(
    tmp_path: Path, reconciled: bool, control: bool, thorough: bool
) -> None:
    verifier = verifier_of(read_scenario(SCENARIOS / "hello"), {}, tmp_path, 1)
    load = SimpleNamespace(abilities=SimpleNamespace(keeps_answers=False))
    plan: Any = SimpleNamespace(reconciled=reconciled, control=control, load=load)
    counts = SimpleNamespace(ok=7)
    cpu = {"server": SimpleNamespace(user_s=1.0, system_s=1.0)}
    result: Any = SimpleNamespace(counts=counts)
    measured: Any = SimpleNamespace(cpu=cpu, counts=counts, processes_peak=1)
    probe: Any = None
    audit(plan, verifier, probe, result, {"ok": 9}, measured)
    assert verifier.thorough is thorough
    assert verifier.sampled_from == 7
