"""What a load of the engine's can be told, wherever it is made: here, or on other machines."""

from __future__ import annotations

from typing import Protocol, runtime_checkable


class EngineLoad(Protocol):
    """A load of the engine's, wherever it is made; see `_engine.Load`."""

    def start(self) -> None:
        """Open the connections and begin."""
        ...

    def progress(self) -> str:
        """JSON of how far it is, a `LoadProgress`."""
        ...

    def pause(self) -> None:
        """Stand still."""
        ...

    def resume(self) -> None:
        """Go on."""
        ...

    def begin_change(self, spec: str) -> None:
        """From now on old and new state are right; `spec` is JSON of a `ChangeSpec`."""
        ...

    def end_change(self) -> None:
        """From now on the new one alone is."""
        ...

    def stop(self) -> None:
        """End early."""
        ...

    def wait(self, timeout_s: float) -> bool:
        """Wait for the end, for so long at most: whether it came."""
        ...

    def result(self) -> str:
        """JSON of what it yielded, a `LoadResult`."""
        ...


@runtime_checkable
class AgreesOnTurns(Protocol):
    """What an `EngineLoad` has beside that where others make it, who have to know of each turn
    before it begins: they begin and end it by their clocks, and `resume` and `pause` find it so."""

    def agree(self, seconds: float) -> None:
        """Agree on a turn of so long, soon; of a load that has not started, on its first."""
        ...

    def await_turn(self, before_s: float = 0.0) -> None:
        """Wait until so long before it begins."""
        ...
