"""What a load can be at most and at least: the bounds of the engine, which makes all but a few.

They are those of `engine/spec/src/validate.rs`. A study that keeps them is not refused by the
engine once its servers are built. What somebody else's load was is not held to them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, WithJsonSchema

from webdyno.catalog.reading.manifest import validating
from webdyno.catalog.terms import quantity
from webdyno.errors import UserError

SHORTEST_S, LONGEST_S = 0.001, 86_400.0
"""Of a load, a phase of it, and of the time that an answer may take."""
LONGEST_OF_PHASES_S = 7 * LONGEST_S
"""Of all phases of a load together."""
MOST_LOAD_RPS = 1e7
"""Requests per second: the engine looks at each that is due, if only to see that it is too late."""
MOST_COUNT = 2**63 - 1
"""Of requests that a user sends."""


def duration(text: str | float) -> float:
    """Seconds of `500ms`, `10s` or `2m`, as far as a load can last them. Raises `UserError`."""
    seconds = quantity.duration(text)
    if not SHORTEST_S <= seconds <= LONGEST_S:
        raise UserError(f"'{text}' is not a valid load duration; write one from 1ms to 24h")
    return seconds


def rate(text: str) -> float:
    """Requests per second of `150/s` or `2k/s`, as far as they can be sent; above 0. Raises
    `UserError`."""
    parsed = quantity.rate(text)
    if parsed <= 0:
        raise UserError(f"'{text}' is not a valid rate; it must be above 0/s")
    _refuse_faster(text, parsed)
    return parsed


def phase(text: str) -> quantity.Phase:
    """A phase of an open load such as `150/s:60s`. Raises `UserError`."""
    parsed = quantity.phase(text)
    _refuse_faster(text, parsed.most_rps)
    duration(text.rpartition(":")[2].strip())
    return parsed


def _refuse_faster(text: str, rate_rps: float) -> None:
    if rate_rps > MOST_LOAD_RPS:
        raise UserError(f"'{text}' is too fast for a load; write at most 10M/s")


def whole(phases: Sequence[quantity.Phase]) -> None:
    """Raise `UserError` where a load of such phases would not send a single request, or would last
    too long."""
    if sum(one.duration_s for one in phases) > LONGEST_OF_PHASES_S:
        raise UserError("the phases last more than 7 days in all; leave some out")
    if sum(one.requests for one in phases) < 1:
        raise UserError("fewer than one request in all; raise the rate, or load for longer")


def _load_seconds(value: Any) -> float:
    with validating():
        return duration(value)


LoadSeconds = Annotated[
    float,
    BeforeValidator(_load_seconds),
    WithJsonSchema({"type": ["string", "number"], "examples": ["500ms", "10s", "2m"]}),
]
"""Seconds that a load can last, written `500ms`, `10s` or `2m` in a manifest."""


def read_by(reader: Callable[[str], object]) -> AfterValidator:
    """For a field of texts that `reader` reads; what it refuses by a `UserError` is a fault of the
    field."""

    def read(texts: list[str]) -> list[str]:
        with validating():
            for text in texts:
                reader(text)
        return texts

    return AfterValidator(read)


LoadPhases = Annotated[list[str], read_by(phase)]
"""Phases of an open load as a manifest writes them, such as `150/s:60s`."""
