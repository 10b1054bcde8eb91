"""How a server uses the machine, as its manifest states it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from webdyno.catalog.reading.manifest import Manifest

ConcurrencyKind = Literal[
    "event loop", "event loop and threads", "lightweight threads", "threads", "processes"
]
"""What runs a handler, of which the board lets readers choose."""


class Concurrency(Manifest):
    """Stated facts about how the server uses the machine, for readers of the report."""

    kind: ConcurrencyKind | None = Field(
        default=None,
        description="what runs a handler: an event loop; an event loop, or a thread for what "
        "blocks; a lightweight thread, such as a goroutine, a virtual thread or an Erlang process; "
        "a thread of the system; or a process that serves one request at a time",
    )
    model: str = Field(default="", description="the same in your own words")
    processes: str = Field(default="", description="how many processes serve, in words")
    threads: str = Field(default="", description="how many threads each has, and what for")
    pool: str = Field(default="", description="database connections, in words")
