"""`webdyno claims`: published figures against arithmetic and against what work costs."""

from __future__ import annotations

import json as jsonlib
import shutil
import textwrap
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from webdyno.catalog.published import PublishedManifest
    from webdyno.claims.finding import Finding

HEADINGS = {
    "contradicts": "Contradicted",
    "untold": "Cannot be told",
    "holds": "Holds",
}


def claims(
    figures: Annotated[
        str,
        typer.Argument(
            help="A file of published figures, or the name of one that comes with Webdyno."
        ),
    ],
    json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON.")] = False,
) -> None:
    """Check published figures for contradictions; exits with 1 if there are any."""
    from webdyno.claims.examine import examine
    from webdyno.claims.hashing import this_machine
    from webdyno.cli import context

    manifest = context.catalog().published(figures)
    hashed = any(table.work.sha256_rounds for table in manifest.tables)
    here = this_machine() if hashed else 0.0
    found = examine(manifest, here)
    if json:
        typer.echo(_as_json(manifest, found, here))
    else:
        _show(manifest, found, here)
    raise typer.Exit(1 if any(one.outcome == "contradicts" for one in found) else 0)


def _as_json(manifest: PublishedManifest, found: list[Finding], here: float) -> str:
    from webdyno.claims.hashing import FASTEST_BYTES_PER_S

    document = {
        "name": manifest.name,
        "title": manifest.title,
        "source": manifest.source,
        "sha256_bytes_per_s": {"fastest_known": FASTEST_BYTES_PER_S, "here": here or None},
        "contradictions": sum(one.outcome == "contradicts" for one in found),
        "findings": [asdict(one) for one in found],
    }
    return jsonlib.dumps(document, indent=2, ensure_ascii=False)


def _show(manifest: PublishedManifest, found: list[Finding], here: float) -> None:
    width = max(40, shutil.get_terminal_size().columns)
    typer.echo(textwrap.fill(manifest.title, width))
    typer.echo(textwrap.fill(manifest.source, width))
    for outcome, heading in HEADINGS.items():
        mine = [one for one in found if one.outcome == outcome]
        if mine:
            typer.echo(f"\n{heading} ({len(mine)})")
        for one in mine:
            where = f"{one.table}: " if one.table and len(manifest.tables) > 1 else ""
            sure = "" if outcome == "holds" else f"{one.sureness}: "
            line = f"- {sure}{where}{one.sentence}"
            typer.echo(textwrap.fill(line, width, subsequent_indent="  "))
    if here:
        typer.echo(f"\nSHA-256 of one core of this machine: {here / 1e9:.2f} GB/s")
