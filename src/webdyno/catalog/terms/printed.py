"""A figure as somebody printed it: `9.36ms`, `1.33MB`, `51k`, and how far its rounding reaches.

A printed figure stands for every value that rounds to it, so it is kept as text and read as an
interval: half a unit of the last digit either way. `~11%` was read off a chart: 10% either way.
Commas between thousands (`98,000`) are read as such.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, WithJsonSchema

FigureKind = Literal["time", "bytes", "number", "share"]

_THOUSANDS = re.compile(r"~?[0-9]{1,3}((?:,[0-9]{3}){1,4})(?![0-9,])")
_SHAPE = re.compile(r"(~?)([0-9]{1,15})(?:\.([0-9]{1,9}))?\s*([A-Za-zµ%]*)")
_SCALES: dict[FigureKind, dict[str, float]] = {
    "time": {"us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0},
    "bytes": {"B": 0, "kB": 1, "KB": 1, "MB": 2, "GB": 3},
    "number": {"": 1.0, "k": 1e3, "M": 1e6},
    "share": {"%": 0.01},
}
_EXAMPLES = {
    "time": "9.36ms",
    "bytes": "1.33MB",
    "number": "10178.4 or 51k",
    "share": "0.16%",
}
_CHART = 0.1


@dataclass(frozen=True)
class Figure:
    """A printed figure in seconds, bytes or plain numbers, and the ends of what rounds to it."""

    value: float
    low: float
    high: float
    text: str
    step: float
    """One unit of the last printed digit."""


def without_commas(text: str) -> str:
    """`text` without commas between thousands; as it is where a comma stands elsewhere."""
    return text.replace(",", "") if _THOUSANDS.match(text.strip()) else text


def figure(text: str, kind: FigureKind, *, binary: bool = False) -> Figure:
    """Read `text`; `binary` units of bytes are powers of 1024. Raises `ValueError`."""
    match = _SHAPE.fullmatch(without_commas(text).strip())
    if match is None or match[4] not in _SCALES[kind]:
        raise ValueError(
            f"'{text:.80}' cannot be read; write it as printed, like {_EXAMPLES[kind]}"
        )
    about, whole, part, unit = match[1], match[2], match[3] or "", match[4]
    scale = _SCALES[kind][unit]
    if kind == "bytes":
        scale = (1024.0 if binary else 1000.0) ** scale
    value = float(f"{whole}.{part or '0'}") * scale
    step = 10.0 ** -len(part) * scale
    # What a chart shows as nothing may be a little.
    reach = value * _CHART if about and value else step / 2
    return Figure(value, max(0.0, value - reach), value + reach, text.strip(), step)


def _text(value: Any) -> Any:
    """A bare number of TOML is taken as it would be printed."""
    return value if isinstance(value, bool) or not isinstance(value, int | float) else str(value)


def _readable(kind: FigureKind) -> AfterValidator:
    def check(value: str) -> str:
        figure(value, kind)
        return value

    return AfterValidator(check)


_SCHEMA = WithJsonSchema({"type": ["string", "number"]})
PrintedTime = Annotated[str, BeforeValidator(_text), _readable("time"), _SCHEMA]
PrintedBytes = Annotated[str, BeforeValidator(_text), _readable("bytes"), _SCHEMA]
PrintedNumber = Annotated[str, BeforeValidator(_text), _readable("number"), _SCHEMA]
PrintedShare = Annotated[str, BeforeValidator(_text), _readable("share"), _SCHEMA]
