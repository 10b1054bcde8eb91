"""What a version left undone when it was asked to end: a fault that no figure shows."""

from __future__ import annotations

from collections.abc import Iterator

from webdyno.ab.study.pairing import Pairing
from webdyno.run.verify import UNTIDY
from webdyno.store.records import RunRecord


def stop_faults(pair: Pairing, run: RunRecord) -> Iterator[str]:
    """A sentence for each such fault that at least half of a version's stops show, with the
    version; what happens once may be the machine's doing."""
    letters_by_fault: dict[str, tuple[str, list[str]]] = {}
    for version, label in zip(pair.versions, pair.labels, strict=True):
        # One start may serve several loads: it is stopped after the last.
        stopped = [one for one in run.trials if one.entry == label and one.stop_seconds is not None]
        for code in UNTIDY:
            messages = [flag.message for one in stopped for flag in one.flags if flag.code == code]
            if messages and 2 * len(messages) >= len(stopped):
                letters_by_fault.setdefault(code, (messages[0], []))[1].append(
                    version.letter.upper()
                )
    for message, letters in letters_by_fault.values():
        yield f"{' and '.join(letters)}: {message}"
