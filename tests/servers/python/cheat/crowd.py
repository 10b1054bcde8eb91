"""When a server takes itself to be under load: many connections, and not their first requests."""

from __future__ import annotations

from collections import Counter

from tiny import witnesses


class Crowd:
    """True while `least` connections are open, for requests on those no longer `young`."""

    def __init__(self, least: int = 18, young: int = 20) -> None:
        self.least, self.young = least, young
        self.requests: Counter[int] = Counter()
        self.crowded = False
        witnesses.append(self.see)

    def see(self, event: str, connection: int, _head: bytes) -> None:
        if event == "close":
            del self.requests[connection]
        else:
            self.requests[connection] += 1
        many = len(self.requests) >= self.least
        self.crowded = many and self.requests[connection] > self.young

    def __bool__(self) -> bool:
        return self.crowded
