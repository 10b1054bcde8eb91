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
    """With its version, or "as installed" where that is the machine's own."""
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


class ServerDocument(Document):
    """A server in full, in one of its variants."""

    server: str
    """LANGUAGE/NAME, with `@VARIANT` where one was asked for."""
    description: str
    """Of the variant; empty for the server as it is."""
    framework: str
    """Its name."""
    framework_version: str
    """As its manifest has it."""
    homepage: str
    """Of the framework; empty where none is stated."""
    licence: str
    """Of the framework."""
    notes: str
    """What a reader of its source should know."""
    unavailable: str
    """Why it cannot be built; empty where it can."""
    scenarios: list[str]
    """That it implements."""
    toolchain: list[str]
    """Programs that it needs, with their versions."""
    build: list[list[str]]
    """Commands, each by its arguments."""
    command: list[str]
    """By which it is started, by its arguments."""
    environment: dict[str, str]
    """That it is started with, besides what every server is given."""
    model: str
    """What runs a handler."""
    processes: str
    """How many there are."""
    threads: str
    """How many there are."""
    pool: str
    """Database connections."""
    parts: dict[str, str]
    """What its work goes through, by kind."""
    variants: dict[str, str]
    """Its other variants, each with what it is."""
    folder: str
    """Of its source."""
