"""What `list --json` prints; its schema is schemas/list.schema.json, made from these classes."""

from __future__ import annotations

from pydantic import Field

from webdyno.catalog.scenario import ScenarioManifest
from webdyno.store.document import Document
from webdyno.store.record import Count, Record, is_none


class ListedServer(Record):
    """A server of the catalog."""

    server: str
    """LANGUAGE/NAME."""
    framework: str
    """With its version."""
    scenarios: str
    """That it implements, with spaces between them."""
    variants: str
    """Other ways to run it, with spaces between them."""


class ListedScenario(Record):
    """A scenario of the catalog."""

    scenario: str
    """Its name."""
    what: str
    """The work, in a few words."""


class ListedStudy(Record):
    """A study of the catalog."""

    study: str
    """Its name."""
    question: str
    """That it asks."""


class ListedRun(Record):
    """A stored run."""

    run: str
    """Its id."""
    study: str
    """Of which study."""
    started: str
    """`YYYY-MM-DD HH:MM`, UTC."""
    status: str
    """`running`, `finished`, `interrupted` …; `unfinished` where it was killed."""
    trials: Count
    """That are stored."""


class ListDocument(Document):
    """What was asked for."""

    servers: list[ListedServer] | None = Field(default=None, exclude_if=is_none)
    """Of the catalog."""
    scenarios: list[ListedScenario] | None = Field(default=None, exclude_if=is_none)
    """Of the catalog."""
    studies: list[ListedStudy] | None = Field(default=None, exclude_if=is_none)
    """Of the catalog."""
    runs: list[ListedRun] | None = Field(default=None, exclude_if=is_none)
    """The newest first."""


class ScenarioDocument(ScenarioManifest):
    """A scenario in full, as its manifest has it."""

    servers: list[str] = Field(description="servers that implement it")

    @classmethod
    def of(cls, manifest: ScenarioManifest, servers: list[str]) -> ScenarioDocument:
        """Of its manifest."""
        return cls.model_construct(**dict(manifest), servers=servers)
