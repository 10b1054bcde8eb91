"""`webdyno report`: write a stored run's report again, in any format."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def report(
    run: Annotated[
        str, typer.Argument(help="A run's id (or its first characters), or 'latest'.")
    ] = "latest",
    html: Annotated[Path | None, typer.Option(help="Write the HTML report here.")] = None,
    json: Annotated[Path | None, typer.Option(help="Write the results here as JSON.")] = None,
    markdown: Annotated[Path | None, typer.Option(help="Write a short summary here.")] = None,
    jtl: Annotated[
        Path | None, typer.Option(help="Copy the recorded requests into this folder, as JTL files.")
    ] = None,
    table: Annotated[
        str | None,
        typer.Option(help="Print only the table that this load tool would print, such as jmeter."),
    ] = None,
    picture: Annotated[
        Path | None, typer.Option(help="Write the ranking as SVG to this file.")
    ] = None,
) -> None:
    """Show a stored run; write its report as HTML, JSON, Markdown or SVG."""
    from webdyno.cli import context
    from webdyno.cli.output import check_writable, write
    from webdyno.report.formats.terminal import show

    check_writable(html, json, markdown, picture)
    record = context.reading_store().run(run)
    # First what may be refused, since a page takes seconds.
    printed = None
    if table is not None:
        from webdyno.report.tables.aggregate import text

        printed = text(record, table)
    if jtl is not None:
        from webdyno.report.formats.jtl_export import export

        for line in export(record, jtl):
            typer.echo(line)
    if html is not None:
        from webdyno.report.formats.html import render_html

        write(html, render_html(record))
    if json is not None:
        from webdyno.report.formats.json_export import dumps

        write(json, dumps(record))
    if markdown is not None:
        from webdyno.report.formats.markdown import render_markdown

        write(markdown, render_markdown(record))
    if picture is not None:
        from webdyno.report.charts.picture import render_picture

        write(picture, render_picture(record))
    if printed is not None:
        typer.echo(printed, nl=False)
        return
    shown = html or Path(record.folder) / "report.html"
    show(record, report=str(shown) if shown.is_file() else "")
