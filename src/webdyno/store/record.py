"""The base of all records."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Record(BaseModel):
    """Base of all records: unknown fields are refused, so that a typo cannot lose a figure."""

    model_config = ConfigDict(extra="forbid")
