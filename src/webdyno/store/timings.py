"""How long trials took in earlier runs: what a plan for the next one is made from."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Engine, select
from sqlalchemy.orm import Session

from webdyno.store.cell import InCell
from webdyno.store.records import entry_label
from webdyno.store.tables import RunRow, TrialRow

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


def timings(engine: Engine, servers: Collection[str], fingerprint: str) -> list[Timing]:
    """Of the newest good trials of `servers` on the machine of that fingerprint, without those that
    shared the start of another."""
    document = TrialRow.document
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
            RunRow.document["machine"]["fingerprint"].as_string() == fingerprint,
        )
        .order_by(RunRow.started.desc(), TrialRow.index.desc())
        .limit(NEWEST)
    )
    found = []
    with Session(engine) as session:
        for row in session.execute(query):
            server, variant, scenario, load, steps, began, ended, away_s, shared = row
            if shared:
                continue
            took = datetime.fromisoformat(ended) - datetime.fromisoformat(began)
            load_s = float((steps or {}).get("measure", 0.0))
            beside_s = max(0.0, took.total_seconds() - float(away_s or 0.0) - load_s)
            found.append(Timing(entry_label(server, variant), scenario, load, load_s, beside_s))
    return found
