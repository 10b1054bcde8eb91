"""`webdyno compare`: two runs of the same work on the same machine, the older first."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def compare(
    old: Annotated[
        str,
        typer.Argument(help="The earlier run: its id (or its first characters), or a JSON file."),
    ],
    new: Annotated[
        str, typer.Argument(help="The later run, or 'latest' of the same study.")
    ] = "latest",
    across: Annotated[
        list[str] | None,
        typer.Option(help="Compare despite these differences: machines, versions, work, source."),
    ] = None,
    json: Annotated[Path | None, typer.Option(help="Write the comparison here as JSON.")] = None,
    markdown: Annotated[Path | None, typer.Option(help="Write it here as Markdown.")] = None,
) -> None:
    """Compare two runs: what became faster or slower, with intervals."""
    from webdyno.cli import context
    from webdyno.cli.chosen_run import across_of, chosen_run
    from webdyno.cli.output import check_writable, write_and_show
    from webdyno.report.formats import comparison
    from webdyno.report.formats.compare_document import CompareDocument
    from webdyno.run.comparison.compare import compare_runs
    from webdyno.store.document import written

    kinds = across_of(across)
    check_writable(json, markdown)
    store = context.reading_store()
    before = chosen_run(old, store)
    compared = compare_runs(before, chosen_run(new, store, before.study.name), across=kinds)

    def document() -> str:
        return written(CompareDocument.of(compared))

    files = [(json, document), (markdown, lambda: comparison.markdown(compared))]
    write_and_show(files, lambda: comparison.show(compared))
