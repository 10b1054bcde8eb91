"""How a study names a server: `language/name`, or `language/name@variant`."""

from __future__ import annotations

from webdyno.catalog.headline import Headline
from webdyno.catalog.published import PublishedManifest


def plain(reference: str) -> str:
    """`reference` as trials and verdicts name the server: without `@default`, which says the same
    and would be taken for another."""
    return reference.removesuffix("@default")


def plain_headline(headline: Headline) -> Headline:
    """`headline` with its servers so named."""
    return headline.model_copy(update={"servers": [plain(one) for one in headline.servers]})


def plain_figures(published: PublishedManifest) -> PublishedManifest:
    """`published` with the servers of its rows so named."""
    tables = [
        table.model_copy(
            update={
                "rows": [row.model_copy(update={"server": plain(row.server)}) for row in table.rows]
            }
        )
        for table in published.tables
    ]
    return published.model_copy(update={"tables": tables})
