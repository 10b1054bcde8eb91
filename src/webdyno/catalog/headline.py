"""The question that a run answers first, and alone where there is no time for more."""

from __future__ import annotations

from pydantic import Field

from webdyno.catalog.manifest import Manifest


class Headline(Manifest):
    """The question that a run answers first. What is left out is the study's first: its scenario,
    its sound load, its metric; all servers."""

    question: str = Field(default="", description="in a sentence; the study's own if empty")
    scenario: str = Field(default="", description="its name, or its label")
    load: str = Field(default="", description="a load's name")
    metric: str = Field(default="", description="one that the load is judged by")
    servers: list[str] = Field(
        default_factory=list, description="the answer is about these; all if empty"
    )
