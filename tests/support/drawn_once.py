"""What is drawn by a seed is the same for every call, and need be drawn but once."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import cache, wraps
from typing import ParamSpec, TypeVar

Asked = ParamSpec("Asked")
Drawn = TypeVar("Drawn")


def drawn_once(draw: Callable[Asked, Drawn]) -> Callable[Asked, Drawn]:
    """`draw`, of arguments that can be hashed; each call gives a copy of its own."""

    @cache
    def kept(*arguments: Asked.args, **named: Asked.kwargs) -> bytes:
        return pickle.dumps(draw(*arguments, **named))

    @wraps(draw)
    def copied(*arguments: Asked.args, **named: Asked.kwargs) -> Drawn:
        drawn: Drawn = pickle.loads(kept(*arguments, **named))
        return drawn

    return copied
