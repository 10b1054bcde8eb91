"""The clients: the engine, the floor, and other makers' tools, of which Webdyno has the files."""

from benchmarks.peers.tools import secure
from benchmarks.peers.tools.engine import Engine
from benchmarks.peers.tools.floor import Floor
from webdyno.generators.cross_check import TOOLS, Answer, Command, Tool

__all__ = ["TOOLS", "Answer", "Command", "Engine", "Floor", "Tool", "secure"]
