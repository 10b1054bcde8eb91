"""The question that a run answers first, and alone where there is no time for more."""

from __future__ import annotations

from pydantic import Field

from webdyno.catalog.reading.manifest import Manifest
from webdyno.catalog.terms.reference import ServerReference


class Headline(Manifest):
    """The question that a run answers first. Keys that are left out default to the study's first
    scenario, its first sound load and first metric, and to all servers."""

    question: str = Field(default="", description="in a sentence; the study's own if empty")
    scenario: str = Field(default="", description="its name, or its label")
    load: str = Field(default="", description="a load's name")
    metric: str = Field(default="", description="one of the metrics that apply to the load")
    servers: list[ServerReference] = Field(
        default_factory=list, description="the answer is about these; all if empty"
    )
