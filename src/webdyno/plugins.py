"""Parts that are found by their files: whatever stands in a package's folder is there.

A plugin is a module of that package. Its file's name is its name, and one constant in it says what
it is and can do. Nothing else names it. Names come from listing the folder; a module is imported
only when somebody asks for it, so that a command starts quickly.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Generic, TypeVar, cast

from webdyno.errors import UserError

Declared = TypeVar("Declared")


class Plugins(Generic[Declared]):
    """The plugins of one package, by name.

    `package` may lie in a higher layer than this object: who asks for a plugin defines what it
    must declare, and the plugin fulfils that.
    """

    def __init__(self, package: str, constant: str, what: str) -> None:
        """Each module of `package` declares itself by `constant`; `what` is the word for one."""
        self._package, self._constant, self.what = package, constant, what

    def names(self) -> list[str]:
        """All names, in alphabetical order."""
        return list(_modules_in(tuple(import_module(self._package).__path__)))

    def __contains__(self, name: object) -> bool:
        return name in self.names()

    def __iter__(self) -> Iterator[str]:
        return iter(self.names())

    def __getitem__(self, name: str) -> Declared:
        """What the plugin called `name` declares. Raises `UserError` where there is none."""
        if name not in self.names():
            raise UserError(f"{self.what} '{name}' is not known; choose {self.choices()}")
        module = import_module(f"{self._package}.{name}")
        if not hasattr(module, self._constant):
            raise UserError(
                f"{module.__file__}: no {self.what} is declared; set {self._constant} in it"
            )
        return cast(Declared, getattr(module, self._constant))

    def all(self) -> dict[str, Declared]:
        """What each declares, by name; imports them all."""
        return {name: self[name] for name in self.names()}

    def choices(self) -> str:
        """The names as a sentence has them: `a, b or c`."""
        return alternatives(self.names())


@cache
def _modules_in(folders: tuple[str, ...]) -> tuple[str, ...]:
    """The modules in a package's `folders`, listed once a process: whoever asks for one plugin asks
    for its name, a board some ten thousand times."""
    return tuple(sorted(found.name for found in iter_modules(folders)))


def alternatives(names: Iterable[str]) -> str:
    """The names as a sentence has them: `a, b or c`."""
    *first, last = names
    return f"{', '.join(first)} or {last}" if first else last
