"""The tables: a few columns to search by, and the whole record beside them as JSON."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, DateTime, Float, ForeignKey, Index, Integer, String
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    """Base of the tables."""


class RunRow(Base):
    """A run; `document` is its `RunRecord` without the trials."""

    __tablename__ = "run"

    id: Mapped[str] = mapped_column(String(40), primary_key=True)
    study: Mapped[str] = mapped_column(String(200), index=True)
    status: Mapped[str] = mapped_column(String(20))
    started: Mapped[datetime] = mapped_column(DateTime(timezone=True), index=True)
    document: Mapped[dict[str, Any]] = mapped_column(JSON)


class TrialRow(Base):
    """A finished trial; `document` is its `TrialRecord`."""

    __tablename__ = "trial"
    __table_args__ = (Index("ix_trial_place", "server", "scenario", "load"),)

    run_id: Mapped[str] = mapped_column(ForeignKey("run.id"), primary_key=True)
    index: Mapped[int] = mapped_column(Integer, primary_key=True)
    server: Mapped[str] = mapped_column(String(200))
    variant: Mapped[str] = mapped_column(String(100))
    scenario: Mapped[str] = mapped_column(String(100))
    load: Mapped[str] = mapped_column(String(200))
    block: Mapped[int] = mapped_column(Integer)
    status: Mapped[str] = mapped_column(String(20))
    throughput_rps: Mapped[float | None] = mapped_column(Float)
    document: Mapped[dict[str, Any]] = mapped_column(JSON)
