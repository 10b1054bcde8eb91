"""What `updates` counts after a load, against what a real PostgreSQL was made to do."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.services import postgresql
from webdyno.catalog.scenarios.scenario import read_scenario
from webdyno.runtime.services import RunningService, statements
from webdyno.runtime.services.psql import Psql
from webdyno.trial.proof.prove import verifier_of
from webdyno.trial.services import tell
from webdyno.verifier import Mismatch, Probe, beside

pytestmark = pytest.mark.slow

SCENARIO = Path(__file__).parents[3] / "scenarios" / "updates"
raising: Any = beside(str(SCENARIO / "verifier.py"), "raising")
NUMBER = 20
ROWS = 10_000
ANSWERS = 30


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    service = postgresql(tmp_path_factory.mktemp("services"))
    yield service
    service.stop()


def counted(id: int) -> str:
    return f"UPDATE stock SET quantity = quantity + 1 WHERE id = {id};"


class Loaded:
    """The verifier, with the table made and a load of `ANSWERS` requests under way, whose single
    counts before and after it come without a server."""

    def __init__(
        self, service: RunningService, work: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        Psql(service.as_owner).rows("DROP TABLE IF EXISTS stock")
        self.verifier: Any = verifier_of(read_scenario(SCENARIO), {"n": NUMBER}, work, 1)
        tell(self.verifier, [service])
        self.verifier.prepare()
        self.psql = Psql(service.as_owner)
        monkeypatch.setattr(self.verifier, "_rest", self._rest)
        self.probe = Probe("http://127.0.0.1:9")
        self.verifier.before_load(self.probe)

    def _rest(self, _probe: Probe) -> int:
        self.psql.rows(counted(1))
        # A backend that is idle tells PostgreSQL's counters of its work after ten seconds; one that
        # ends, at once.
        self.psql.close()
        return int(self.verifier._total())

    def requests(self) -> Iterator[str]:
        for _ in range(ANSWERS):
            yield "".join(counted(id) for id in sorted(random.sample(range(1, ROWS + 1), NUMBER)))

    def reconcile(self) -> None:
        self.verifier.phase = "during"
        self.verifier.reconcile(self.probe, {"ok": ANSWERS})


@pytest.fixture
def loaded(
    service: RunningService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Loaded]:
    made = Loaded(service, tmp_path, monkeypatch)
    yield made
    made.probe.close()


def test_a_commit_for_each_request_beside_our_own_is_enough(loaded: Loaded) -> None:
    for _ in range(20):
        loaded.verifier.change().make()
    # Of all that were looked at, nobody held one.
    assert loaded.verifier.ours.least_free == raising.LOOKED_AT == ROWS // raising.LOOKED_AT_ONE_IN
    for request in loaded.requests():
        loaded.psql.rows(f"BEGIN; {request} COMMIT;")
    loaded.reconcile()
    said = {item.claim: item.detail for item in loaded.verifier.evidence}
    told = said["each request was committed by itself, by PostgreSQL's log"]
    commits, answers = (int(text.split()[0]) for text in told.split(", "))
    assert answers == ANSWERS
    assert commits == ANSWERS


def test_a_load_whose_rows_were_not_looked_at_says_nothing_of_locks(loaded: Loaded) -> None:
    for request in loaded.requests():
        loaded.psql.rows(f"BEGIN; {request} COMMIT;")
    loaded.reconcile()
    assert not [item for item in loaded.verifier.evidence if "locked" in item.claim]


@pytest.mark.parametrize(
    "batch",
    [
        "SAVEPOINT one; {} RELEASE SAVEPOINT one;",
        "SAVEPOINT one; SELECT pg_current_xact_id(); RELEASE SAVEPOINT one; {}",
    ],
)
def test_savepoints_are_no_commits(loaded: Loaded, batch: str) -> None:
    loaded.verifier.change().make()
    together = "".join(batch.replace("{}", request) for request in loaded.requests())
    loaded.psql.rows(f"BEGIN; {together} COMMIT;")
    with pytest.raises(Mismatch, match=rf"committed by itself, .*: \d commits, {ANSWERS} answers"):
        loaded.reconcile()


@pytest.mark.parametrize(
    "paid",
    [
        "SELECT pg_current_xact_id();",
        "UPDATE stock SET quantity = quantity WHERE id <= 19;",
        "INSERT INTO webdyno.own SELECT generate_series(1, 20);",
        "UPDATE stock SET quantity = 0 WHERE id <= 20; ROLLBACK; BEGIN;",
    ],
)
def test_requests_in_one_commit_are_not_paid_for_by_commits_of_something_else(
    loaded: Loaded, paid: str
) -> None:
    loaded.psql.rows("CREATE TABLE IF NOT EXISTS webdyno.own (x int)")
    loaded.psql.rows(f"BEGIN; {''.join(loaded.requests())} COMMIT;")
    loaded.psql.rows(f"BEGIN; {paid} COMMIT;" * (ANSWERS - 1))
    with pytest.raises(Mismatch, match=rf"committed by itself, .*: 1 commits, {ANSWERS} answers"):
        loaded.reconcile()


def test_rows_written_behind_savepoints_are_those_of_their_request(loaded: Loaded) -> None:
    """As Django's nested transactions are."""
    for request in loaded.requests():
        nested = "".join(
            f"SAVEPOINT one; {one}; RELEASE SAVEPOINT one;" for one in request.split(";")[:-1]
        )
        loaded.psql.rows(f"BEGIN; {nested} COMMIT;")
    loaded.reconcile()


ADD = "UPDATE stock SET quantity = quantity + 1 WHERE id IN ({ids})"
LOOK_UP = "SELECT quantity FROM stock WHERE id = {id}"


@pytest.mark.parametrize(("honest_one_in", "told"), [(4, ""), (40, "enough of them looked up")])
def test_rows_that_are_not_read_are_seen(
    service: RunningService,
    loaded: Loaded,
    monkeypatch: pytest.MonkeyPatch,
    honest_one_in: int,
    told: str,
) -> None:
    monkeypatch.setattr(statements, "LOOKS", 1)
    with Psql(service.env) as server:
        for number in range(160):
            ids = sorted(random.sample(range(1, ROWS + 1), NUMBER))
            honest = number % honest_one_in == 0
            add = ADD.format(ids=", ".join(map(str, ids)))
            server.rows(LOOK_UP.format(id=ids[0]) if honest else add)
            loaded.verifier.statements.look(loaded.psql)
    if not told:
        loaded.verifier._by_themselves()
        return
    with pytest.raises(
        Mismatch,
        match=f"{told} one row, and returned it unchanged: 4 of 160; another was: .*UPDATE stock",
    ):
        loaded.verifier._by_themselves()
