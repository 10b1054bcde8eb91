"""The clients: the engine, the floor, and other makers' tools, of which Webdyno has the files."""

from benchmarks.peers.tools import secure
from benchmarks.peers.tools.floor import Floor
from webdyno.generators.peers import PEERS, Answer, Command, Tool
from webdyno.generators.peers.engine import Engine

__all__ = ["PEERS", "Answer", "Command", "Engine", "Floor", "Tool", "secure"]
