"""What is drawn by a seed is the same for every call, and need be drawn but once."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import cache, wraps
from typing import ParamSpec, TypeVar

Arguments = ParamSpec("Arguments")
Drawn = TypeVar("Drawn")


def drawn_once(draw: Callable[Arguments, Drawn]) -> Callable[Arguments, Drawn]:
    """`draw`, of arguments that can be hashed; each call gives a copy of its own."""

    @cache
    def kept(*arguments: Arguments.args, **named: Arguments.kwargs) -> bytes:
        return pickle.dumps(draw(*arguments, **named))

    @wraps(draw)
    def copied(*arguments: Arguments.args, **named: Arguments.kwargs) -> Drawn:
        drawn: Drawn = pickle.loads(kept(*arguments, **named))
        return drawn

    return copied
