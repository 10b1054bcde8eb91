"""`webdyno claims`: published figures against arithmetic and against what work costs."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Annotated

import typer

from webdyno.cli.prose import columns

if TYPE_CHECKING:
    from webdyno.catalog.studies.published import PublishedManifest
    from webdyno.claims.finding import Finding

HEADINGS = {
    "contradicts": "Contradicted",
    "untold": "Undecided",
    "holds": "Holds",
}


def claims(
    figures: Annotated[
        list[str],
        typer.Argument(help="Files of published figures, or names of those included with Webdyno."),
    ],
    json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON.")] = False,
) -> None:
    """Check published figures for contradictions.

    docs/published-reference.md says how to type in a table of your own.
    """
    from webdyno.claims.document import ClaimsDocument
    from webdyno.claims.examine import examine
    from webdyno.claims.hashing import this_machine
    from webdyno.cli import context
    from webdyno.store.document import printed

    catalog = context.catalog()
    manifests = [catalog.published(each) for each in figures]
    hashed = any(table.work.sha256_rounds for one in manifests for table in one.tables)
    here = this_machine() if hashed else 0.0
    examined = [(one, examine(one, here)) for one in manifests]
    if json:
        documents = [ClaimsDocument.of(one, findings, here) for one, findings in examined]
        typer.echo(printed(documents[0] if len(documents) == 1 else documents))
    else:
        for place, (one, findings) in enumerate(examined):
            if place:
                typer.echo("\n")
            _show(one, findings)
        if here:
            typer.echo(f"\nSHA-256 on one core of this machine: {here / 1e9:.2f} GB/s")
    bad = any(one.outcome == "contradicts" for _, findings in examined for one in findings)
    raise typer.Exit(1 if bad else 0)


def _show(manifest: PublishedManifest, findings: list[Finding]) -> None:
    width = columns()
    typer.echo(textwrap.fill(manifest.title, width))
    typer.echo(textwrap.fill(manifest.source, width))
    for outcome, heading in HEADINGS.items():
        mine = [one for one in findings if one.outcome == outcome]
        if mine:
            typer.echo(f"\n{heading} ({len(mine)})")
        for one in mine:
            where = f"{one.table}: " if one.table and len(manifest.tables) > 1 else ""
            sure = "" if outcome == "holds" else f"{one.sureness}: "
            line = f"- {sure}{where}{one.sentence}"
            typer.echo(textwrap.fill(line, width, subsequent_indent="  "))
