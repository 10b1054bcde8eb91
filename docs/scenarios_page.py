"""Write docs/scenarios.md: each scenario's contract, and what of it is for review of the source.

Run it after a change of a scenario's manifest: `.webdyno/venv/bin/python docs/scenarios_page.py`.
"""

from __future__ import annotations

from pathlib import Path

from webdyno.catalog import Catalog
from webdyno.catalog.scenarios.scenario import Scenario
from webdyno.cli.prose import reflowed

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "scenarios.md"
WIDTH = 118
"""Columns of a line."""

HEAD = """# The scenarios

<!-- made by docs/scenarios_page.py from the manifests of the scenarios -->

This page describes the work on which servers are compared. What a scenario requires is verified in
each trial: before, during and after the load. [How a trial is measured](how-a-trial-is-measured.md)
explains this, and [how cheats are caught](cheats.md) lists the tests. Points that no answer and no
counter can prove are listed under "For review of the source": if you doubt a figure, check them in
the server's source. `./webdyno list NAME` shows the same for one scenario, and reports list these
points for the scenarios of a run.
"""


def page(catalog: Catalog) -> str:
    """The page, as Markdown."""
    return "\n".join([HEAD, *(part for each in catalog.scenarios() for part in _scenario(each))])


def _scenario(scenario: Scenario) -> list[str]:
    manifest = scenario.manifest
    services = ", ".join(manifest.services) or "none"
    lines = [f"## {manifest.name}", "", f"**{manifest.title}.** Services: {services}.", ""]
    lines += [reflowed(escaped(manifest.description), WIDTH), ""]
    if manifest.review:
        lines += [
            "For review of the source:",
            "",
            *(reflowed(f"- {escaped(one)}", WIDTH) for one in manifest.review),
        ]
        lines.append("")
    return lines


def escaped(text: str) -> str:
    """`text` without Markdown or HTML of its own; in code nothing needs an escape."""
    parts = text.split("`")
    parts[::2] = [part.replace("<", "&lt;").replace("*", "\\*") for part in parts[::2]]
    return "`".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(Catalog([ROOT])), encoding="utf-8")
