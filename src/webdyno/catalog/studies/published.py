"""`published/NAME.toml`: a write-up's figures, whole and as printed, with how they were made.

The one place of a published number: `webdyno claims` examines it, reports show it beside ours.
"""

from __future__ import annotations

from pathlib import Path

from pydantic import Field, model_validator

from webdyno.catalog.reading.manifest import Manifest, read_manifest
from webdyno.catalog.studies.published_statement import Statement
from webdyno.catalog.studies.published_table import PublishedTable
from webdyno.catalog.terms.form import Name
from webdyno.errors import UserError


class PublishedManifest(Manifest):
    """The figures of one write-up."""

    name: Name = Field(description="the file's name without .toml")
    title: str = Field(description="what was compared")
    source: str = Field(description="who, where, when, on which machine")
    missing: list[str] = Field(
        default_factory=list, description="what cannot be entered here, such as charts"
    )
    tables: list[PublishedTable] = Field(default_factory=list, description="as printed")
    statements: list[Statement] = Field(default_factory=list, description="what is concluded")

    @model_validator(mode="after")
    def _consistent(self) -> PublishedManifest:
        if not self.tables and not self.statements:
            raise ValueError("no table and no statement; enter at least one")
        names = [table.name for table in self.tables]
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise ValueError(f"table '{twice}' is entered twice; give each its own 'name'")
        for statement in self.statements:
            self._check(statement)
        return self

    def _check(self, statement: Statement) -> None:
        table = self.table(statement.table)
        if (statement.table or statement.of) and table is None:
            known = ", ".join(one.name for one in self.tables) or "none"
            raise ValueError(f"statements: no table '{statement.table}'; there are {known}")
        for label in filter(None, (statement.of, statement.to)):
            if table is not None and table.named(label) is None:
                raise ValueError(f"statements: table '{table.name}' has no row '{label}'")

    def table(self, name: str) -> PublishedTable | None:
        """The table called `name`."""
        return next((table for table in self.tables if table.name == name), None)


def read_published(path: Path) -> PublishedManifest:
    """Read a file of published figures. Raises `UserError` where it is wrong."""
    manifest = read_manifest(path, PublishedManifest)
    if manifest.name != path.stem:
        raise UserError(f"{path}: key 'name' is '{manifest.name}'; it must equal the file name")
    return manifest
