"""Results in a file of JSON Lines: each is written as it comes, so that an interrupt loses none."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from webdyno.errors import UserError

Line = dict[str, Any]


@dataclass(frozen=True)
class Journal:
    """The file. Every line has a `part`, which tells what kind of result it is, and its date."""

    path: Path

    def add(self, part: str, **found: Any) -> Line:
        """Append a result, on the disk when this returns."""
        line: Line = {"part": part, "date": time.strftime("%Y-%m-%d"), **found}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        cut = self._is_cut()
        with self.path.open("a", encoding="utf-8") as file:
            file.write(("\n" if cut else "") + json.dumps(line, ensure_ascii=False) + "\n")
            file.flush()
            os.fsync(file.fileno())
        return line

    def lines(self, part: str, **where: Any) -> list[Line]:
        """The results of `part` that have these values, in the order in which they came."""
        return [line for line in self._all() if _has(line, {"part": part, **where})]

    def has(self, part: str, **where: Any) -> bool:
        """Whether there is such a result already."""
        return bool(self.lines(part, **where))

    def _all(self) -> Iterator[Line]:
        if not self.path.exists():
            return
        lines = self.path.read_text(encoding="utf-8").splitlines()
        for number, text in enumerate(lines, 1):
            try:
                line = json.loads(text) if text else None
            except ValueError:
                line = None  # Cut off where a kill hit the writing.
            if isinstance(line, dict):
                yield line
            elif line is not None:
                raise UserError(f"{self.path}:{number}: no result; give another file")

    def _is_cut(self) -> bool:
        """Whether the last line lacks its end."""
        if not self.path.exists() or not self.path.stat().st_size:
            return False
        with self.path.open("rb") as file:
            file.seek(-1, os.SEEK_END)
            return file.read() != b"\n"


def _has(line: Line, values: Mapping[str, Any]) -> bool:
    return all(line.get(key) == value for key, value in values.items())
