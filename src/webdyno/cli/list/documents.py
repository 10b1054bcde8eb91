"""What `list --json` prints; its schema is schemas/list.schema.json, made from these classes."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from webdyno.catalog.scenarios.scenario import ScenarioManifest
from webdyno.store.document import Document
from webdyno.store.record import Amount, Count, Record, is_none


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


class StudyScenario(Record):
    """A scenario of a study."""

    scenario: str
    """Its name."""
    label: str
    """What reports call it."""
    parameters: dict[str, Any]
    """Where they differ from the scenario's own."""
    loads: list[str]
    """Labels of the loads that it is measured under."""


class StudyLoad(Record):
    """A load of a study."""

    load: str
    """Its label."""
    kind: str
    """`closed`, `open`, `iterations` or `objective`."""
    method: str
    """`sound` or `as-published`."""
    what: str
    """What it does, in words."""


class StudyDocument(Document):
    """A study in full."""

    study: str
    """Its name."""
    title: str
    """Heading of its report."""
    question: str
    """That it asks."""
    servers: list[str]
    """That it compares."""
    all_cores: bool
    """Whether the variant that uses all cores is entered beside each server that does not."""
    control: str
    """The server that is entered twice; empty for none."""
    scenarios: list[StudyScenario]
    """That its servers are measured in."""
    loads: list[StudyLoad]
    """How requests arrive."""
    method: str
    """Which of the loads are run: `sound`, `as-published` or `both`."""
    metrics: list[str]
    """What it ranks by; the first one leads."""
    budget_s: Amount
    """Time for the trials; builds are extra."""
    blocks_min: Count
    """How often everything is measured at least, if the budget allows."""
    blocks_max: Count
    """How often everything is measured at most."""
    source: str
    """The write-up that it repeats; empty for none."""
    file: str
    """That describes it."""
