"""How long trials took in earlier runs: what a plan for the next one is made from."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ColumnElement, case, func, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from webdyno.store.cell import InCell
from webdyno.store.records import entry_label
from webdyno.store.sql.tables import RunRow, TrialRow

NEWEST = 2000
"""Trials that are looked at: enough for several runs of the largest study."""


@dataclass(frozen=True)
class Timing(InCell):
    """What one good trial took: `load_s` to measure, `beside_s` for all else, warm-up included."""

    entry: str
    scenario: str
    load: str
    load_s: float
    beside_s: float


def timings(session: Session, servers: Collection[str], fingerprint: str) -> list[Timing]:
    """Of the newest good trials of `servers` on the machine of that fingerprint, without those that
    shared the start of another."""
    of_sqlite = session.get_bind().dialect.name == "sqlite"
    document = _readable(TrialRow.document) if of_sqlite else TrialRow.document
    of_run = _readable(RunRow.document) if of_sqlite else RunRow.document
    query = (
        select(
            TrialRow.server,
            TrialRow.variant,
            TrialRow.scenario,
            TrialRow.load,
            document["step_seconds"],
            document["started"],
            document["finished"],
            document["away_seconds"],
            document["shared_start"],
        )
        .join(RunRow, RunRow.id == TrialRow.run_id)
        .where(
            TrialRow.status == "ok",
            TrialRow.server.in_(servers),
            of_run["machine"]["fingerprint"].as_string() == fingerprint,
        )
        .order_by(RunRow.started.desc(), TrialRow.index.desc())
        .limit(NEWEST)
    )
    found = []
    for row in session.execute(query):
        server, variant, scenario, load, steps, began, ended, away_s, shared = row
        if shared:
            continue
        took = datetime.fromisoformat(ended) - datetime.fromisoformat(began)
        load_s = float((steps or {}).get("measure", 0.0))
        beside_s = max(0.0, took.total_seconds() - float(away_s or 0.0) - load_s)
        found.append(Timing(entry_label(server, variant), scenario, load, load_s, beside_s))
    return found


def _readable(document: InstrumentedAttribute[dict[str, Any]]) -> ColumnElement[Any]:
    """A document as SQLite can look into it: earlier versions wrote `Infinity`, no JSON."""
    plain: ColumnElement[Any] = document.expression
    for word in ("-Infinity", "Infinity", "NaN"):
        plain = func.replace(plain, word, "null", type_=JSON)
    return case((func.json_valid(document) == 1, document), else_=plain)
