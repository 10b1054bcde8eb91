"""A run as a command names it: its id, the beginning of one, `latest`, or an exported file."""

from __future__ import annotations

from pathlib import Path

from webdyno.errors import UserError
from webdyno.store.records import RunRecord
from webdyno.store.store import Store


def chosen_run(name: str, store: Store, beside: RunRecord | None = None) -> RunRecord:
    """The run `name`; `latest` is the newest, of the same study as the run `beside` which it is
    put. Raises `UserError` where there is none."""
    path = Path(name)
    if path.suffix == ".json" or path.is_file():
        from webdyno.report.formats.json_import import read_export

        return read_export(path)
    return store.run(name, study=None if beside is None else beside.asked.name)


def across_of(named: list[str] | None) -> frozenset[str]:
    """The kinds of difference named by `--across`, several or separated by commas."""
    from webdyno.run.comparison.comparable import ACROSS

    kinds = [kind.strip() for text in named or [] for kind in text.split(",") if kind.strip()]
    if unknown := next((kind for kind in kinds if kind not in ACROSS), None):
        raise UserError(f"--across {unknown}: unknown; choose from {', '.join(ACROSS)}")
    return frozenset(kinds)
