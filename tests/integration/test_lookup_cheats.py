"""Servers that save themselves the lookup in the table are caught; an honest one is not."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import choice
from urllib.parse import parse_qs, urlsplit

import pytest

from webdyno.catalog.loads.load import Closed
from webdyno.catalog.scenarios.scenario import read_scenario
from webdyno.errors import UserError
from webdyno.generators.engine import Engine
from webdyno.generators.job import Job
from webdyno.generators.result import LoadResult
from webdyno.runtime.home import Home
from webdyno.runtime.services import ServiceMissing, start_service
from webdyno.runtime.services.mysql import MySql, quoted
from webdyno.trial.proof.distinct import tell_changes
from webdyno.trial.proof.prove import samples_of, verifier_of
from webdyno.trial.services import tell
from webdyno.verifier import Breakdown, Mismatch, Preparation, Probe, Sample, Verifier

pytestmark = pytest.mark.concurrent

Find = Callable[[str], str | None]
ROOT = Path(__file__).parents[2]


class Stage:
    """The scenario's real verifier, on a real database that holds a small table."""

    def __init__(self, verifier: Verifier, prepared: Preparation) -> None:
        self.verifier = verifier
        self.database = MySql(verifier.services_as_owner)
        self.skus = prepared.env["WEBDYNO_SKUS"].split(",")

    def find(self, sku: str) -> str | None:
        """The honest lookup."""
        return self.select(quoted(sku))

    def select(self, literal: str) -> str | None:
        sql = f"SELECT sku_id FROM purch_sku_master WHERE sku_id = {literal} LIMIT 1"
        rows = self.database.rows(sql)
        return rows[0][0] if rows else None

    @contextmanager
    def served(self, find: Find, draw: Callable[[], str] | None = None) -> Iterator[Probe]:
        """A server that answers by `find`, and without an id by what `draw` gives."""
        drawn = draw or (lambda: choice(self.skus))

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                url = urlsplit(self.path)
                ids = parse_qs(url.query, keep_blank_values=True).get("id") or [drawn()]
                found = find(ids[0]) if url.path == "/sku" else None
                body = (found or "no such row").encode()
                self.send_response(200 if found else 404)
                self.send_header("Content-Type", "text/plain; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            with closing(Probe(f"http://127.0.0.1:{server.server_port}")) as probe:
                yield probe
        finally:
            server.shutdown()
            server.server_close()
            thread.join()

    def caught(self, find: Find, draw: Callable[[], str] | None = None) -> str:
        with self.served(find, draw) as probe, pytest.raises(Mismatch) as found:
            self.verifier.verify(probe)
        return str(found.value)


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    folder = tmp_path_factory.mktemp("lookup")
    # The database drops to an unprivileged user where we are root; pytest's folders are private.
    for private in [folder, *folder.parents]:
        if private.stat().st_mode & 0o011 == 0:
            private.chmod(private.stat().st_mode | 0o011)
    try:
        service = start_service(
            "mariadb", folder / "mariadb", Home.default().cache, (), folder / "mariadb.log"
        )
    except ServiceMissing as missing:
        pytest.skip(str(missing))
    try:
        scenario = read_scenario(ROOT / "scenarios" / "point-lookup")
        verifier = verifier_of(scenario, {"rows": 2000}, folder, 7)
        tell(verifier, [service])
        yield Stage(verifier, verifier.prepare())
    finally:
        service.stop()


def test_an_honest_server_passes_before_and_after(stage: Stage) -> None:
    with stage.served(stage.find) as probe:
        for phase in ("before", "after", "before"):
            stage.verifier.phase = phase
            stage.verifier.verify(probe)
    stage.verifier.phase = "before"
    assert all(item.ok for item in stage.verifier.evidence)


def test_an_answer_that_is_the_question_is_caught(stage: Stage) -> None:
    message = stage.caught(lambda sku: sku if stage.find(sku) else None)
    assert "answered as its row holds it" in message


def test_rows_kept_in_memory_are_caught(stage: Stage) -> None:
    kept: dict[str, str | None] = {}

    def find(sku: str) -> str | None:
        if sku not in kept:
            kept[sku] = stage.find(sku)
        return kept[sku]

    message = stage.caught(find)
    assert "renamed in the database is found by its new id at once" in message
    restored_all(stage)


def test_a_table_read_at_the_start_is_caught(stage: Stage) -> None:
    rows = stage.database.rows("SELECT sku_id FROM purch_sku_master")
    table = {sku.lower(): sku for [sku] in rows}
    message = stage.caught(lambda sku: table.get(sku.lower()))
    assert "renamed in the database" in message
    restored_all(stage)


def test_an_id_pasted_into_the_statement_is_caught(stage: Stage) -> None:
    message = stage.caught(lambda sku: stage.select(f"'{sku}'"))
    assert "a value, not as part of the statement" in message


def test_only_the_ten_rows_is_caught(stage: Stage) -> None:
    message = stage.caught(lambda sku: stage.find(sku) if sku in stage.skus else None)
    assert "so are the ids of other rows of the table" in message


def test_an_empty_id_that_is_taken_for_none_is_caught(stage: Stage) -> None:
    message = stage.caught(lambda sku: stage.find(sku or choice(stage.skus)))
    assert "so is an empty id: it does not count as missing" in message


def test_an_id_drawn_from_elsewhere_is_caught(stage: Stage) -> None:
    [[other]] = stage.database.rows(
        "SELECT sku_id FROM purch_sku_master WHERE sku_id NOT IN"
        f" ({','.join(map(quoted, stage.skus))}) LIMIT 1"
    )
    assert "one of the ids of WEBDYNO_SKUS" in stage.caught(stage.find, lambda: other)


def test_answers_without_a_select_are_caught_after_the_load(stage: Stage) -> None:
    with stage.served(stage.find) as probe:
        stage.verifier.before_load(probe)
        for sku in stage.skus:
            probe.get(f"/sku?id={sku}")
        stage.verifier.reconcile(probe, {"ok": len(stage.skus)})
        with pytest.raises(Mismatch, match="10 of them, 11 answers"):
            stage.verifier.reconcile(probe, {"ok": len(stage.skus) + 1})


def test_lookups_that_nobody_sent_are_caught_after_the_load(stage: Stage) -> None:
    many = stage.skus * 20
    loop = (
        f"BEGIN NOT ATOMIC FOR i IN 1..{len(many)} DO SELECT sku_id INTO @found"
        f" FROM purch_sku_master WHERE sku_id = {quoted(many[0])} LIMIT 1; END FOR; END"
    )
    with stage.served(stage.find) as probe:
        stage.verifier.before_load(probe)
        stage.database.rows(loop)
        with pytest.raises(Mismatch, match=r"sent a statement for each answer.*, 200 answers"):
            stage.verifier.reconcile(probe, {"ok": len(many)})
        for sku in many:
            stage.find(sku)
        with pytest.raises(Mismatch, match="none of them was a compound statement"):
            stage.verifier.reconcile(probe, {"ok": len(many)})
        stage.verifier.programs_before += 1  # The other tests have the same database.


def loaded(stage: Stage, find: Find) -> LoadResult:
    """The engine's result of a second's load, in which rows change."""
    verifier = stage.verifier
    with stage.served(find) as probe:
        load = Closed(kind="closed", connections=4, duration=1.0)
        job = Job(
            scenario=read_scenario(ROOT / "scenarios" / "point-lookup").manifest,
            load=load,
            port=urlsplit(probe.base_url).port or 0,
            cpus=(),
            seed=1,
            variables={"id": {"kind": "choice", "values": stage.skus}},
            lookups={"id": {sku: sku for sku in stage.skus}},
            changes=verifier.change,
        )
        verifier.before_load(probe)
        result = Engine().run(job)
        assert result.changes.changes >= 1
        verifier.audit(samples_of(result))
        verifier.reconcile(probe, result.counts.by_kind())
    # All rows have their names back.
    assert [stage.find(sku) for sku in stage.skus] == stage.skus
    return result


def test_an_honest_server_follows_rows_that_change_under_load(stage: Stage) -> None:
    result = loaded(stage, stage.find)
    assert result.counts.ok > 0
    assert result.counts.failed_check == 0, result.errors_detail


def test_one_that_holds_more_connections_than_it_may_is_told(stage: Stage) -> None:
    with ExitStack() as others:
        for _ in range(20):
            others.enter_context(stage.database.held("SELECT 1"))
        with pytest.raises(Breakdown, match=r"no more than 16 connections .*: 2\d or more in"):
            loaded(stage, stage.find)


def test_rows_kept_under_load_are_caught_answer_by_answer(stage: Stage) -> None:
    kept: dict[str, str | None] = {}

    def find(sku: str) -> str | None:
        stage.select("''")  # A statement for each answer, of another row: they are only counted.
        if sku not in kept:
            kept[sku] = stage.find(sku)
        return kept[sku]

    result = loaded(stage, find)
    assert result.counts.failed_check > 0
    details = [one.detail for one in result.errors_detail]
    assert any(detail.startswith("out of date, the state had changed") for detail in details)
    with pytest.raises(
        Mismatch, match="every request sent after a change is answered from the new"
    ):
        tell_changes(stage.verifier, result)


def test_a_select_of_nothing_does_not_count_as_a_lookup(stage: Stage) -> None:
    kept: dict[str, str] = {}

    def find(sku: str) -> str | None:
        if sku not in kept:
            kept[sku] = stage.find(sku) or ""
        stage.database.rows("SELECT 1")
        return kept[sku]

    with stage.served(find) as probe:
        for sku in stage.skus:
            probe.get(f"/sku?id={sku}")
        stage.verifier.before_load(probe)
        for sku in stage.skus * 3:
            assert probe.get(f"/sku?id={sku}").text == sku
        with pytest.raises(Mismatch, match=r"used an index for each answer.*30 answers"):
            stage.verifier.reconcile(probe, {"ok": 3 * len(stage.skus)})


def test_a_wrong_row_among_the_samples_is_caught(stage: Stage) -> None:
    sku, other, *_ = stage.skus
    sample = Sample("sku", {"id": sku}, 200, [("content-type", "text/plain")], other.encode(), 0.1)
    with pytest.raises(Mismatch, match=f"{sku} was answered b'{other}'"):
        stage.verifier.audit([sample])
    with pytest.raises(Mismatch, match="kept for the audit"):
        stage.verifier.audit([])


def restored_all(stage: Stage) -> None:
    """Give a row that a caught server left renamed its name back."""
    missing = [sku for sku in stage.skus if stage.find(sku) is None]
    for sku in missing:
        head = quoted(sku[:-12] + "%")
        stage.database.rows(
            f"UPDATE purch_sku_master SET sku_id = {quoted(sku)} WHERE sku_id LIKE {head}"
        )


def test_the_rows_are_the_same_for_the_same_seed(stage: Stage) -> None:
    [[count, distinct, first]] = stage.database.rows(
        "SELECT COUNT(*), COUNT(DISTINCT sku_code), MIN(mem_id) FROM purch_sku_master"
    )
    assert (count, distinct, first) == ("2000", "2000", "main")
    # Of the row numbered 1234, as this generator has made it from its first version on.
    sku = "sku-9b7f5b33-ec02-e971-fe27-5f920388bcd1"
    assert stage.find(sku) == sku


def test_a_wrong_parameter_is_told(tmp_path: Path) -> None:
    scenario = read_scenario(ROOT / "scenarios" / "point-lookup")
    for parameters, said in (({"index": "no"}, "give true or false"), ({"rows": 5}, "'rows' is 5")):
        with pytest.raises(UserError, match=said):
            verifier_of(scenario, parameters, tmp_path, 1)
