"""A run as a command names it: its id, the beginning of one, `latest`, or an exported file."""

from __future__ import annotations

from pathlib import Path

from webdyno.cli.unfinished import UNDER_WAY, how_to_finish, state_of
from webdyno.errors import UserError
from webdyno.store.records import RunRecord
from webdyno.store.store import Store


def chosen_run(name: str, store: Store, study: str = "") -> RunRecord:
    """The run `name`; `latest` is the newest, of `study` if one is given.

    Raises `UserError` where there is none.
    """
    path = Path(name)
    if path.suffix == ".json" or path.is_file():
        from webdyno.report.formats.json_import import read_export

        return read_export(path)
    return store.run(name, study)


def finished_run(name: str, store: Store) -> RunRecord:
    """As `chosen_run`, of whatever study. Raises `UserError` also where the run is not finished:
    what it did not reach would count as broken, or not at all."""
    run = chosen_run(name, store)
    if run.status == "finished":
        return run
    if not run.folder:  # Of a file: an export does not tell where its run was made.
        raise UserError(
            f"{name}: its run is not finished, so it proves nothing; export it again when it is, "
            "or name another"
        )
    state = state_of(run.id, run.status, store)
    remedy = "wait until it has ended" if state == UNDER_WAY else how_to_finish(run)
    raise UserError(f"run {run.id} {_SAID[state]}, so it proves nothing; {remedy}, or name another")


_SAID = {
    UNDER_WAY: "is under way",
    "unfinished": "is unfinished",
    "interrupted": "was interrupted",
    "failed": "failed",
}


def across_of(named: list[str] | None) -> frozenset[str]:
    """The kinds of difference named by `--across`, several or separated by commas. Raises
    `UserError`."""
    from webdyno.run.comparison.comparable import ACROSS

    kinds = [kind.strip() for text in named or [] for kind in text.split(",") if kind.strip()]
    if unknown := next((kind for kind in kinds if kind not in ACROSS), None):
        raise UserError(f"--across {unknown}: unknown; choose from {', '.join(ACROSS)}")
    return frozenset(kinds)
