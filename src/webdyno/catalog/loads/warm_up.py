"""How long a server is warmed up: what its language asks for, unless a server or a study differs.

A runtime that compiles while it runs counts calls, not seconds, and its curve has plateaus on the
way. So a warm-up is asked for in work: answers given, or CPU time spent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic import Field, model_validator

from webdyno.catalog.loads.load import Seconds
from webdyno.catalog.reading.manifest import Manifest


class WarmUpKeys(Manifest):
    """Bounds of the warm-up; what is left out comes from the server, its language, or Webdyno."""

    min: Seconds | None = Field(default=None, description="shortest warm-up")
    max: Seconds | None = Field(
        default=None, description="a server that is not warm by then is not ranked"
    )
    answers: int | None = Field(
        default=None,
        ge=0,
        description="a server may count as steady once it has given this many, or has used the CPU "
        "time of `cpu`, whichever comes first",
    )
    cpu: Seconds | None = Field(
        default=None,
        description="a server may count as steady once it has used this much CPU time, or has "
        "given the answers of `answers`, whichever comes first",
    )

    @model_validator(mode="after")
    def _ordered(self) -> WarmUpKeys:
        if self.min is not None and self.max is not None and self.max < self.min:
            raise ValueError("warmup.max must not be below warmup.min")
        return self


class RuntimeWarmUpKeys(WarmUpKeys):
    """The warm-up that a language's runtime needs, and the signs that it is over."""

    compilers: list[str] | None = Field(
        default=None,
        description="names of the threads that compile, as the kernel cuts them (15 characters): "
        "a server counts as steady once these are quiet, even after its clients have left and "
        "come back",
    )


AGAIN_S = 3.0
"""What the loads on fresh connections take, with which a runtime with compilers is warmed up."""


COMPILING = 2.5
"""How many times its least CPU time a runtime with compilers is usually warmed up for: of JVMs,
whose least is 10 s, 22 to 77 s were seen."""


@dataclass(frozen=True)
class Bounds:
    """A warm-up with nothing left open. Times in seconds."""

    min: float = 0.5
    max: float = 10.0
    answers: int = 2000
    cpu: float = 1.0
    compilers: tuple[str, ...] = ()

    @property
    def likely_s(self) -> float:
        """About how long it takes where the server keeps a core busy."""
        least = max(self.min, self.cpu)
        return min(self.max, COMPILING * least + AGAIN_S if self.compilers else least)

    def prolonged(self, factor: float) -> Bounds:
        """The same with `factor` times as long to become steady."""
        return Bounds(self.min, self.max * factor, self.answers, self.cpu, self.compilers)


def bounds_of(*asked: WarmUpKeys | None) -> Bounds:
    """The bounds that `asked` name, the most specific first; Webdyno's own for the rest.

    A maximum that is asked for also bounds a less specific minimum, and the other way round.
    """
    keys: dict[str, Any] = {}
    for one in asked:
        given = {} if one is None else one.model_dump(exclude_none=True)
        if given.get("max", 0.0) < keys.get("min", 0.0):
            given.pop("max", None)
        if "max" in keys and "min" in given:
            given["min"] = min(given["min"], keys["max"])
        keys = {**given, **keys}
    if "compilers" in keys:
        keys["compilers"] = tuple(keys["compilers"])
    if "min" in keys:
        keys.setdefault("max", max(Bounds.max, keys["min"]))
    elif "max" in keys:
        keys["min"] = min(Bounds.min, keys["max"])
    return Bounds(**keys)
