"""The clients: the engine, the floor, and the load generators whose files Webdyno has."""

from benchmarks.load_generators.tools import secure
from benchmarks.load_generators.tools.engine import Engine
from benchmarks.load_generators.tools.floor import Floor
from webdyno.generators.cross_check import TOOLS, Answer, Command, Tool

__all__ = ["TOOLS", "Answer", "Command", "Engine", "Floor", "Tool", "secure"]
