"""What the work goes through in a server, of each kind that a scenario names: facts stated by
manifests, so that what differs beside the framework stands side by side."""

from __future__ import annotations

from typing import Literal

ServerPart = Literal["json", "template", "files", "database", "middlewares"]
"""Kinds that a scenario's work goes through, and that its servers have to state."""

TITLES: dict[str, str] = {
    "json": "JSON",
    "template": "Template",
    "files": "Files",
    "database": "Driver and statements",
    "middlewares": "Middlewares",
    "connections": "Connections",
    "heap": "Heap asked for",
    "bytecode": "Bytecode and JIT",
}
"""Words of each kind; `heap` is read off the command line and stated of every runtime with one,
`connections` of a server that does not keep them, `bytecode` of a language whose servers set it."""

CLOSED = "closed after each answer"
"""What becomes of connections where they are not kept."""

UNSAID = {"connections": "kept"}
"""What holds of a server of which nothing is stated, for kinds of which that is known."""

ALWAYS = ("connections", "heap", "bytecode")
"""Kinds that matter in every scenario, whatever it names."""

_HEAP = ("-Xms", "-Xmx", "--max-old-space-size", "--max-heap-size")


def heap(command: list[str], default: str) -> str:
    """The heap that `command` asks for, beside what the runtime takes where it is told nothing;
    empty for a runtime without one."""
    options = " ".join(word for word in command if word.startswith(_HEAP))
    if not default:
        return options
    return f"{options} (by default: {default})" if options else f"default: {default}"
